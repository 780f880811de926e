package import FlyingFox
package import Foundation

/// An answer, and how it is sent.
package struct SandboxReply: Sendable {
    var response: HTTPResponse
    var body: Data
    package var manner = Manner.whole
    /// How long it is delayed, in milliseconds.
    var delay = 0
    /// Its place in the log; nil when it is not recorded.
    var ticket: ExchangeLog.Ticket?

    package enum Manner: Sendable {
        case whole
        /// Half of the body, then the connection closes.
        case cut
        /// In many pieces, over this number of milliseconds.
        case slow(Int)
        /// Nothing is sent, and the connection closes.
        case dropped
        /// The pieces of a body of unknown length, each of which is made when the one before was sent.
        case pieces(@Sendable () -> AsyncStream<Data>)
        /// The elements of a stream, until it ends.
        case stream(@Sendable () -> AsyncStream<Data>)

        var closes: Bool {
            switch self {
            case .whole, .slow, .pieces: false
            case .cut, .dropped, .stream: true
            }
        }
    }

    package init(_ response: HTTPResponse) async {
        self.response = response
        // The routes' bodies are in memory, so reading them does not fail.
        body = (try? await response.bodyData) ?? Data()
    }
}

/// Ends a route early with an answer.
struct SandboxRefusal: Error {
    let response: HTTPResponse

    init(_ response: HTTPResponse) {
        self.response = response
    }
}

/// An answer as bytes for the connection.
struct AnswerBytes {
    let head: Data
    private let body: Data?

    /// - Parameters:
    ///   - response: status and headers.
    ///   - body: the bytes after the head; nil for none.
    ///   - length: the length in the head; nil for a body that ends with the connection.
    ///   - closes: whether the connection ends with this answer.
    init(_ response: HTTPResponse, body: Data?, length: Int?, closes: Bool) {
        var text = "HTTP/1.1 \(response.statusCode.code) \(response.statusCode.phrase)\r\n"
        for (header, value) in response.headers { text += "\(header.rawValue): \(Self.line(value))\r\n" }
        if let length, response.statusCode.code != 204 { text += "Content-Length: \(length)\r\n" }
        if closes { text += "Connection: close\r\n" }
        head = Data((text + "\r\n").utf8)
        self.body = body
    }

    init(_ response: HTTPResponse, body: Data, closes: Bool) {
        self.init(response, body: body, length: body.count, closes: closes)
    }

    /// Head and body in one write: two writes would wait for each other without TCP_NODELAY.
    var whole: Data { body.map { head + $0 } ?? head }

    /// A value without line breaks.
    private static func line(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return value }
        return String(decoding: value.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    }
}
