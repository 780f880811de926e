import Foundation
import TVEModels
import TVESandbox

/// A recording of exchanges in the HTTP Archive format 1.2, which browsers and proxies read.
enum HARFile {
    /// The text with which each entry begins and that occurs nowhere else, which a page counts to show the progress.
    static let mark = #"{"cache":{},"comment":"#

    static func document(_ exchanges: [SandboxExchange], host: String, _ masking: Masking) -> ExchangeDocument {
        let known = KnownTexts(masking)
        return ExchangeDocument(
            // The members are in the order in which an encoder with sorted keys writes them.
            head: #"{"log":{"creator":{"name":"TV Everywhere sandbox","version":"1"},"entries":["#,
            separator: ",", tail: #"],"version":"1.2"}}"#, exchanges: exchanges
        ) { exchange in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Encoding texts and finite numbers cannot fail.
            return (try? encoder.encode(HAREntry(exchange, host: host, known: known))) ?? Data("{}".utf8)
        }
    }
}

/// An exchange with the member names of the HTTP Archive format.
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
        let sent = exchange.request
        // Programs that read a recording see what the client has received.
        let (status, answer) = exchange.received
        startedDateTime = exchange.machineTime.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        time = exchange.milliseconds
        comment = ([exchange.facts.title] + ExchangeChanges.texts(exchange)).joined(separator: ". ")
        timings = Timings(wait: exchange.milliseconds)
        request = Request(
            bodySize: sent.length, headers: pairs(sent.headers), method: exchange.method,
            url: "http://\(host)\(known.masking.text(exchange.target).escapedForURL)",
            queryString: pairs(FormFields(exchange.query).fields),
            postData: sent.length == 0 ? nil : content(sent))
        response = Response(
            bodySize: answer.length, headers: pairs(answer.headers), status: status, content: content(answer),
            redirectURL: known.masking.text(answer.header("Location") ?? "").escapedForURL)
    }
}

extension String {
    /// The text of a URL with a percent escape for each byte that no URL contains.
    ///
    /// A mask has such bytes, and so may a target that a client has sent. Programs that read recordings refuse them.
    fileprivate var escapedForURL: String {
        func isEscaped(_ byte: UInt8) -> Bool {
            byte <= 0x20 || byte >= 0x7F || #""<>\^`{|}"#.utf8.contains(byte)
        }
        guard utf8.contains(where: isEscaped) else { return self }
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = utf8.flatMap { byte in
            isEscaped(byte) ? [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]] : [byte]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The masked texts that a document already contains.
///
/// Most headers and answers of a recording occur many times, so masking each of them once saves time.
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
    /// The maximum number of cached texts of each kind; a body has up to 64 KB.
    private static let most = 100

    init(_ masking: Masking) { self.masking = masking }

    /// Returns the body as it was sent, with its secrets masked.
    func body(of message: SandboxExchange.Message) -> String {
        let body = Body(bytes: message.body, type: message.header("Content-Type") ?? "", length: message.length)
        return Self.text(body, in: bodies) { BodyText.asSent(message, masking) }
    }

    /// Returns the value of a field, masked if it is secret.
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
