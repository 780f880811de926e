public import Foundation

/// A response of HTTP/1.1, read from a connection that may stay open.
public struct HTTPAnswer: Sendable {
    /// The status code.
    public let status: Int
    /// The header fields, with names in lower case.
    public let headers: [String: String]
    /// The body.
    public let body: Data

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object; empty if it is not one.
    public var json: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }

    /// Reads a response with a `content-length`.
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
    /// - Parameters:
    ///   - method: the HTTP method.
    ///   - path: the path of the request.
    ///   - body: the body; `nil` for none.
    ///   - headers: further header fields. A body is sent as `application/json` unless they state another type.
    public func request(
        _ method: String, _ path: String, body: Data? = nil, headers: [String: String] = [:]
    ) throws -> HTTPAnswer {
        try send(Self.bytes(method, path, body: body, headers: headers))
        return try HTTPAnswer(self)
    }

    /// Returns the bytes of a request.
    public static func bytes(
        _ method: String, _ path: String, body: Data?, headers: [String: String] = [:]
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
