public import Foundation

/// An answer over HTTP/1.1, read from a connection that may continue.
public struct HTTPAnswer: Sendable {
    /// The status code.
    public let status: Int
    /// The headers, names in lower case.
    public let headers: [String: String]
    /// The body.
    public let body: Data

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a map; empty when it is not one.
    public var json: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }

    /// Reads an answer with a `content-length`.
    public init(_ socket: RawSocket) throws {
        let words = try socket.line().split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { throw FixtureError("no status line") }
        var headers: [String: String] = [:]
        while true {
            let line = try socket.line()
            guard !line.isEmpty, let colon = line.firstIndex(of: ":") else { break }
            let value = line[line.index(after: colon)...]
            headers[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespaces)
        }
        self.status = status
        self.headers = headers
        body = try socket.bytes(Int(headers["content-length"] ?? "0") ?? 0)
    }
}

extension RawSocket {
    /// Sends a request and reads its answer.
    ///
    /// - Parameter headers: further headers; a content type is sent with every body unless one is given.
    public func request(
        _ method: String, _ path: String, _ body: Data? = nil, headers: [String: String] = [:]
    ) throws -> HTTPAnswer {
        try send(Self.bytes(method, path, body, headers))
        return try HTTPAnswer(self)
    }

    /// A request as bytes.
    public static func bytes(
        _ method: String, _ path: String, _ body: Data?, _ headers: [String: String] = [:]
    ) -> Data {
        var all = ["host": "localhost"]
        if let body {
            all["content-type"] = "application/json"
            all["content-length"] = String(body.count)
        }
        all.merge(headers) { $1 }
        let head = all.map { "\($0): \($1)\r\n" }.sorted().joined()
        return Data("\(method) \(path) HTTP/1.1\r\n\(head)\r\n".utf8) + (body ?? Data())
    }
}
