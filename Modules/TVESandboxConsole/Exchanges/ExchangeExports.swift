import Foundation
import TVEModels
import TVESandbox

/// Exchanges in the HTTP Archive format 1.2, which browsers and proxies read.
enum HARFile {
    static func json(_ exchanges: [SandboxExchange], host: String, _ masking: Masking) -> MetadataValue {
        [
            "log": [
                "version": "1.2", "creator": ["name": "TV Everywhere sandbox", "version": "1"],
                "entries": .array(exchanges.map { entry($0, host, masking) }),
            ]
        ]
    }

    private static func entry(_ exchange: SandboxExchange, _ host: String, _ masking: Masking) -> MetadataValue {
        func content(_ message: SandboxExchange.Message) -> MetadataValue {
            let plain = String(decoding: message.body, as: UTF8.self)
            return [
                "mimeType": .string(message.header("Content-Type") ?? ""),
                "text": .string(masking.shows ? plain : BodyText(message, masking).text),
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
            "time": .number(exchange.milliseconds), "cache": [:], "comment": .string(exchange.facts.title),
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

    private static func pairs(_ fields: [(name: String, value: String)], _ masking: Masking) -> MetadataValue {
        .array(fields.map { ["name": .string($0.name), "value": .string(masking.value($0.value, of: $0.name))] })
    }
}

extension SandboxExchange {
    /// Path and query.
    var target: String { path + (query.isEmpty ? "" : "?\(query)") }
}

/// One exchange with its messages, for programs.
struct ExchangeReport: Encodable {
    private struct Field: Encodable {
        let name: String
        let value: String
    }

    private struct Message: Encodable {
        let headers: [Field]
        let kind: String
        let body: String
        let length: Int

        init(_ message: SandboxExchange.Message, _ masking: Masking) {
            headers = message.headers.map { Field(name: $0.name, value: masking.value($0.value, of: $0.name)) }
            let text = BodyText(message, masking)
            (kind, body, length) = (text.kind, text.text, message.length)
        }
    }

    private let exchange: SandboxExchange
    private let request: Message
    private let answer: Message

    init(_ exchange: SandboxExchange, _ masking: Masking) {
        self.exchange = exchange
        request = Message(exchange.request, masking)
        answer = Message(exchange.answer, masking)
    }
}

/// An exchange as a command that repeats the request.
enum CurlCommand {
    static func text(_ exchange: SandboxExchange, host: String) -> String {
        var parts = ["curl -i \(quoted("http://\(host)\(exchange.target)"))"]
        if exchange.method != "GET" { parts.append("-X \(quoted(exchange.method))") }
        for (name, value) in exchange.request.headers where !left.contains(name.lowercased()) {
            parts.append("-H \(quoted("\(name): \(value)"))")
        }
        if !exchange.request.body.isEmpty { parts.append("--data-binary \(quoted(exchange.request.body))") }
        return parts.joined(separator: " \\\n  ") + "\n"
    }

    /// Headers that curl sends by itself.
    private static let left: Set<String> = ["host", "content-length", "connection", "accept-encoding", "expect"]

    private static func quoted(_ text: String) -> String { quoted(Data(text.utf8)) }

    /// A word of the shell with exactly these bytes.
    private static func quoted(_ bytes: Data) -> String {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), let text = String(validUTF8: bytes),
            !text.unicodeScalars.contains(where: { [.format, .control].contains($0.properties.generalCategory) })
        {
            return "'\(text.replacing("'", with: "'\\''"))'"
        }
        let escaped = bytes.map { byte -> String in
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\\(Character(Unicode.Scalar(byte)))"
            case 0x20..<0x7F: String(Character(Unicode.Scalar(byte)))
            default: "\\x" + [byte].hexadecimal
            }
        }
        return "$'\(escaped.joined())'"
    }
}
