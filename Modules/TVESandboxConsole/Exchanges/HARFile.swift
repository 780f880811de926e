import Foundation
import TVEModels
import TVESandbox

/// Exchanges in the HTTP Archive format 1.2, which browsers and proxies read.
enum HARFile {
    /// The beginning of each entry, and of nothing else: a page counts it to show its progress.
    static let mark = #"{"cache":{},"comment":"#

    static func document(_ exchanges: [SandboxExchange], host: String, _ masking: Masking) -> ExchangeDocument {
        let known = KnownTexts(masking)
        return ExchangeDocument(
            // In the order in which an encoder with sorted keys writes the members.
            head: #"{"log":{"creator":{"name":"TV Everywhere sandbox","version":"1"},"entries":["#,
            separator: ",", tail: #"],"version":"1.2"}}"#, exchanges: exchanges
        ) { exchange in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Texts and finite numbers can always be encoded.
            return (try? encoder.encode(HAREntry(exchange, host: host, known: known))) ?? Data("{}".utf8)
        }
    }
}

/// One exchange, with the names of the format.
private struct HAREntry: Encodable {
    struct Pair: Encodable { let name, value: String }

    struct Content: Encodable {
        let mimeType, text: String
        let size: Int
    }

    struct Timings: Encodable {
        let send = 0
        let wait: Double
        let receive = 0
    }

    struct Request: Encodable {
        let httpVersion = "HTTP/1.1"
        let cookies: [Pair] = []
        let headersSize = -1
        let bodySize: Int
        let headers: [Pair]
        let method, url: String
        let queryString: [Pair]
        let postData: Content?
    }

    struct Response: Encodable {
        let httpVersion = "HTTP/1.1"
        let cookies: [Pair] = []
        let headersSize = -1
        let bodySize: Int
        let headers: [Pair]
        let status: Int
        let statusText = ""
        let content: Content
        let redirectURL: String
    }

    let startedDateTime: String
    let time: Double
    let cache: [String: String] = [:]
    let comment: String
    let timings: Timings
    let request: Request
    let response: Response

    init(_ exchange: SandboxExchange, host: String, known: KnownTexts) {
        func content(_ message: SandboxExchange.Message) -> Content {
            Content(
                mimeType: message.header("Content-Type") ?? "", text: known.body(of: message), size: message.length)
        }
        func pairs(_ fields: [(name: String, value: String)]) -> [Pair] {
            fields.map { Pair(name: $0.name, value: known.value($0.value, of: $0.name)) }
        }
        let (question, answer) = (exchange.request, exchange.answer)
        startedDateTime = exchange.began.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        time = exchange.milliseconds
        let outcome = exchange.outcome.text
        comment = outcome.isEmpty ? exchange.facts.title : "\(exchange.facts.title). \(outcome)"
        timings = Timings(wait: exchange.milliseconds)
        request = Request(
            bodySize: question.length, headers: pairs(question.headers), method: exchange.method,
            url: "http://\(host)\(known.masking.text(exchange.target))",
            queryString: pairs(FormFields(exchange.query).fields),
            postData: question.length == 0 ? nil : content(question))
        response = Response(
            bodySize: answer.length, headers: pairs(answer.headers), status: exchange.status, content: content(answer),
            redirectURL: known.masking.text(answer.header("Location") ?? ""))
    }
}

/// What a document had already: in a recording most headers and answers come again and again.
private final class KnownTexts: Sendable {
    private struct Body: Hashable {
        let bytes: Data
        let type: String
        let length: Int
    }

    private struct Field: Hashable {
        let name, value: ExactText
    }

    let masking: Masking
    private let bodies = Guarded<[Body: String]>([:])
    private let values = Guarded<[Field: String]>([:])
    /// Most texts of each kind that are remembered; a body has up to 64 KB.
    private static let most = 100

    init(_ masking: Masking) { self.masking = masking }

    /// The body as it was sent, with its secrets masked.
    func body(of message: SandboxExchange.Message) -> String {
        let body = Body(bytes: message.body, type: message.header("Content-Type") ?? "", length: message.length)
        return Self.text(body, in: bodies) { BodyText.asSent(message, masking) }
    }

    /// The value of a field, or its mask.
    func value(_ value: String, of name: String) -> String {
        let field = Field(name: ExactText(name), value: ExactText(value))
        return Self.text(field, in: values) { masking.value(value, of: name) }
    }

    private static func text<Key: Hashable & Sendable>(
        _ key: Key, in known: Guarded<[Key: String]>, _ make: () -> String
    ) -> String {
        if let text = known.withLock({ $0[key] }) { return text }
        let text = make()
        known.withLock { known in
            if known.count >= most { known = [:] }
            known[key] = text
        }
        return text
    }
}
