package import FlyingFox
package import Foundation

/// An answer, and its delivery by the server.
package struct SandboxReply: Sendable {
    var response: HTTPResponse
    var body: Data
    package var delivery = Delivery.whole
    /// The time in milliseconds by which the answer is delayed.
    var delay = 0
    /// The place of the exchange in the log; `nil` when it is not recorded.
    var ticket: ExchangeLog.Ticket?

    package enum Delivery: Sendable {
        case whole
        /// The first half of the body is sent, and then the connection closes.
        case cut
        /// The body is sent in many pieces over this number of milliseconds.
        case slow(Int)
        /// Nothing is sent, and the connection closes.
        case dropped
        /// The body has an unknown length, and each piece is produced when the one before it has been sent.
        case pieces(@Sendable () -> AsyncStream<Data>)
        /// The elements of a stream are sent as they come, until the stream ends.
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
        // The bodies of the routes' answers are in memory, so reading them does not fail.
        body = (try? await response.bodyData) ?? Data()
    }
}

/// An answer that a route throws to end early.
struct SandboxRefusal: Error {
    let response: HTTPResponse

    init(_ response: HTTPResponse) {
        self.response = response
    }
}

/// The bytes of an answer for the connection.
struct AnswerBytes {
    let head: Data
    private let body: Data?

    /// - Parameters:
    ///   - response: the status and the headers.
    ///   - body: the bytes after the head; `nil` for none.
    ///   - length: the length that the head announces, in bytes; `nil` for a body that ends with the connection.
    ///   - closes: a Boolean value that indicates whether the connection ends after this answer.
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

    /// The head and the body for one write, because the second of two writes would wait for the client without
    /// `TCP_NODELAY`.
    var whole: Data { body.map { head + $0 } ?? head }

    /// Returns a header's value with its control characters replaced, so that it cannot contain a line break.
    private static func line(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return value }
        return String(decoding: value.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    }
}
