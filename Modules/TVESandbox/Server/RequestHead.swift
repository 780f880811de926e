import FlyingFox
import Foundation
import TVEModels

/// The head of a request, as the client sent it.
struct RequestHead: Sendable {
    let method: String
    /// The path, still encoded.
    let path: String
    /// The text after the question mark, still encoded.
    let query: String
    let headers: HTTPHeaders
    /// The client's IP address.
    let peer: String
    /// Whether the client runs on the same machine as the sandbox.
    let isFromThisMachine: Bool
    /// A Boolean value that indicates whether the client understands chunks: one of HTTP/1.0 does not.
    var takesChunks = true

    func header(_ name: String) -> String? { headers[HTTPHeader(name)] }
}

enum RequestBody: Sendable {
    case bytes(Data)
    /// It is longer than the limit.
    case tooLong
    /// The client did not send its length.
    case ofUnknownLength

    static let maximumBytes = 1 << 20
}

/// Finds and parses the head of a request in the received bytes, within limits.
///
/// Each byte is read once: a head in many pieces costs no more than a whole one.
struct RequestHeadParser {
    /// Why bytes are not a valid head, with the status of the answer.
    struct Failure: Error {
        let status: Int
    }

    /// Longest head in bytes, and most lines of it; access tokens and device headers take some 4 KB in 20 lines.
    static let maximumBytes = 64 << 10
    static let maximumLines = 200

    /// The lines so far, without their line ends.
    private var lines: [Range<Int>] = []
    private var lineStart = 0
    private var scanned = 0

    /// Reads the bytes that came since the last call.
    ///
    /// - Returns: the length of the head with its empty line; nil when more must come.
    mutating func end(in bytes: [UInt8]) throws(Failure) -> Int? {
        while scanned < bytes.count {
            // Byte by byte takes a debug build ten times as long.
            let found = bytes.withSpan { bytes in bytes.firstIndex(of: 0x0A, from: scanned) }
            guard let newline = found, newline < Self.maximumBytes else {
                scanned = bytes.count
                break
            }
            var end = newline
            if end > lineStart, bytes[end - 1] == 0x0D { end -= 1 }
            let isEmpty = end == lineStart
            let start = lineStart
            scanned = newline + 1
            lineStart = scanned
            // Empty lines before a request belong to the body before it (RFC 9112, 2.2).
            if isEmpty, lines.isEmpty { continue }
            if isEmpty { return scanned }
            lines.append(start..<end)
            guard lines.count <= Self.maximumLines else { throw Failure(status: 431) }
        }
        guard bytes.count < Self.maximumBytes else { throw Failure(status: 431) }
        return nil
    }

    /// Parses the head whose end was found.
    func head(of bytes: [UInt8], peer: String, isFromThisMachine: Bool) throws(Failure) -> RequestHead {
        guard let first = lines.first else { throw Failure(status: 400) }
        let words = bytes[first].split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3, words[2].hasBytePrefix("HTTP/1.") else { throw Failure(status: 400) }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let text = bytes[line]
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound,
                !text[line.lowerBound..<colon].contains(where: { $0 <= 0x20 })
            else { throw Failure(status: 400) }
            let name = HTTPHeader(String(decoding: text[line.lowerBound..<colon], as: UTF8.self))
            // Headers that decide the origin, the rights or the end of the request must occur once.
            if headers[name] != nil, Self.single.contains(name) { throw Failure(status: 400) }
            headers.addValue(Self.trimmed(text[(colon + 1)...]), for: name)
        }
        let isOld = words[2] == "HTTP/1.0"
        if isOld, headers[.connection] == nil { headers[.connection] = "close" }
        let target = try Self.target(words[1], &headers)
        let (path, query) = target.divided(at: "?")
        return RequestHead(
            method: words[0], path: String(path), query: query.map { String($0) } ?? "", headers: headers, peer: peer,
            isFromThisMachine: isFromThisMachine, takesChunks: !isOld)
    }

    /// The target as path and query.
    ///
    /// A whole URL is one too, and its host counts more than the header (RFC 9112, 3.2.2). Anything else that does not
    /// begin with a slash is refused: behind the address of this sandbox, in an exported file, it would name another
    /// server.
    private static func target(_ text: String, _ headers: inout HTTPHeaders) throws(Failure) -> String {
        if text.hasBytePrefix("/") { return text }
        let scheme = "http://"
        guard String(decoding: text.utf8.prefix(scheme.utf8.count), as: UTF8.self).lowercasedASCII == scheme else {
            throw Failure(status: 400)
        }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { ![UInt8(ascii: "/"), UInt8(ascii: "?")].contains($0) }
        guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else { throw Failure(status: 400) }
        headers[.host] = String(decoding: authority, as: UTF8.self)
        let path = String(decoding: rest.dropFirst(authority.count), as: UTF8.self)
        return path.hasBytePrefix("/") ? path : "/" + path
    }

    private static let single: Set<HTTPHeader> = [
        .host, .contentLength, .transferEncoding, .authorization, HTTPHeader("Origin"),
        HTTPHeader(LocalGate.tokenHeader),
    ]

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let start = bytes.firstIndex(where: { !isBlank($0) }),
            let end = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(decoding: bytes[start...end], as: UTF8.self)
    }
}
