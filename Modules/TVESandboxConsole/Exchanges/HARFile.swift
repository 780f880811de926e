import Foundation
import TVEModels
import TVESandbox

/// Exchanges in the HTTP Archive format 1.2, which browsers and proxies read.
enum HARFile {
    /// The beginning of each entry, and of nothing else: a page counts it to show its progress.
    static let mark = #"{"cache":{},"comment":"#

    static func document(_ exchanges: [SandboxExchange], host: String, _ masking: Masking) -> ExchangeDocument {
        ExchangeDocument(
            // In the order in which an encoder with sorted keys writes the members.
            head: #"{"log":{"creator":{"name":"TV Everywhere sandbox","version":"1"},"entries":["#,
            separator: ",", tail: #"],"version":"1.2"}}"#, exchanges: exchanges
        ) { exchange in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Texts and finite numbers can always be encoded.
            return (try? encoder.encode(entry(exchange, host, masking))) ?? Data("{}".utf8)
        }
    }

    private static func entry(_ exchange: SandboxExchange, _ host: String, _ masking: Masking) -> MetadataValue {
        func content(_ message: SandboxExchange.Message) -> MetadataValue {
            [
                "mimeType": .string(message.header("Content-Type") ?? ""),
                "text": .string(BodyText.asSent(message, masking)),
                "size": .number(Double(message.length)),
            ]
        }
        func half(_ message: SandboxExchange.Message, _ more: [String: MetadataValue?]) -> MetadataValue {
            let common: [String: MetadataValue?] = [
                "httpVersion": "HTTP/1.1", "cookies": [], "headersSize": -1,
                "bodySize": .number(Double(message.length)), "headers": pairs(message.headers, masking),
            ]
            return .members(common.merging(more) { $1 })
        }
        return [
            "startedDateTime": "\(exchange.began.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))",
            "time": .number(exchange.milliseconds), "cache": [:], "comment": .string(comment(exchange)),
            "timings": ["send": 0, "wait": .number(exchange.milliseconds), "receive": 0],
            "request": half(
                exchange.request,
                [
                    "method": .string(exchange.method), "url": "http://\(host)\(masking.text(exchange.target))",
                    "queryString": pairs(FormFields(exchange.query).fields, masking),
                    "postData": exchange.request.length == 0 ? nil : content(exchange.request),
                ]),
            "response": half(
                exchange.answer,
                [
                    "status": .number(Double(exchange.status)), "statusText": "", "content": content(exchange.answer),
                    "redirectURL": .string(masking.text(exchange.answer.header("Location") ?? "")),
                ]),
        ]
    }

    private static func comment(_ exchange: SandboxExchange) -> String {
        let outcome = exchange.outcome.text
        return outcome.isEmpty ? exchange.facts.title : "\(exchange.facts.title). \(outcome)"
    }

    private static func pairs(_ fields: [(name: String, value: String)], _ masking: Masking) -> MetadataValue {
        .array(fields.map { ["name": .string($0.name), "value": .string(masking.value($0.value, of: $0.name))] })
    }
}
