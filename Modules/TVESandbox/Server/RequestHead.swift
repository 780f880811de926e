import FlyingFox
import Foundation
import TVEModels

/// The request line and the headers of a request, as the client sent them.
struct RequestHead: Sendable {
    let method: String
    /// The path, still percent-encoded.
    let path: String
    /// The text after the question mark, still percent-encoded; empty when there is none.
    let query: String
    let headers: HTTPHeaders
    /// The number of bytes of the head, or about that number if it did not come over a connection.
    let length: Int
    /// The client's IP address.
    let peer: String
    /// A Boolean value that indicates whether the client runs on the same machine as the sandbox.
    let isFromThisMachine: Bool
    /// A Boolean value that indicates whether the client understands chunks and `100 Continue`, which a client of
    /// HTTP/1.0 does not.
    var isOfHTTP11 = true

    func header(_ name: String) -> String? { headers[HTTPHeader(name)] }

    /// A Boolean value that indicates whether the connection ends after the answer.
    ///
    /// The header is a list, of which each part may be a field of its own (RFC 9110, 7.6.1).
    var closes: Bool {
        (header("Connection") ?? "").parts(separatedBy: ",").contains {
            $0.trimmingCharacters(in: .whitespaces).isSameBytesIgnoringASCIICase(as: "close")
        }
    }

    /// Returns the length of a head that did not come over a connection.
    static func length(_ target: String, _ headers: HTTPHeaders) -> Int {
        headers.reduce(target.utf8.count) { $0 + $1.key.rawValue.utf8.count + $1.value.utf8.count }
    }
}

/// The body of a request, as far as the server has read it.
enum RequestBody: Sendable {
    case bytes(Data)
    /// A body that is longer than ``maximumBytes``, with its length as far as the client has stated it.
    case tooLong(length: Int)
    /// A body in a transfer coding that the server does not read.
    case ofUnknownLength

    /// The bytes, which are empty for a body that the server has not stored.
    var stored: Data { if case .bytes(let bytes) = self { bytes } else { Data() } }
    /// The length in bytes, or -1 if it is unknown.
    var length: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .tooLong(let length): length
        case .ofUnknownLength: -1
        }
    }

    static let maximumBytes = 1 << 20
    /// The length up to which a body is read although it is too long, so that its client reads the answer.
    static let maximumBytesToDiscard = 8 * maximumBytes
}

/// A parser that finds the head of a request in the received bytes, within limits.
///
/// It reads each byte once, so a head that arrives in many pieces costs no more than a whole one.
struct RequestHeadParser {
    /// The status of the answer to bytes that are not a valid head.
    struct Failure: Error {
        let status: Int
    }

    /// The largest head in bytes, and the largest number of its lines.
    ///
    /// Access tokens and device headers take some 4 KB in 20 lines.
    static let maximumBytes = 64 << 10
    static let maximumLines = 200

    /// The ranges of the lines found so far, without their line ends.
    private var lines: [Range<Int>] = []
    private var lineStart = 0
    private var scanned = 0

    /// Reads the bytes that have arrived since the last call.
    ///
    /// - Returns: the length of the head with its empty line; `nil` when more bytes must arrive.
    mutating func end(in bytes: [UInt8]) throws(Failure) -> Int? {
        while scanned < bytes.count {
            // A loop over single bytes takes ten times as long in a debug build.
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
            // Some clients send an empty line after a body, so empty lines before a request are ignored (RFC 9112,
            // 2.2).
            if isEmpty, lines.isEmpty { continue }
            if isEmpty { return scanned }
            lines.append(start..<end)
            guard lines.count <= Self.maximumLines else { throw Failure(status: 431) }
        }
        guard bytes.count < Self.maximumBytes else { throw Failure(status: 431) }
        return nil
    }

    /// Parses the head whose end ``end(in:)`` has found.
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
            // A header that decides the origin, the rights or the end of a request must occur only once.
            if headers[name] != nil, Self.single.contains(name) { throw Failure(status: 400) }
            headers.addValue(Self.trimmed(text[(colon + 1)...]), for: name)
        }
        let isOld = words[2] == "HTTP/1.0"
        if isOld, headers[.connection] == nil { headers[.connection] = "close" }
        let target = try Self.target(words[1], &headers)
        let (path, query) = target.divided(at: "?")
        return RequestHead(
            method: words[0], path: String(path), query: query.map { String($0) } ?? "", headers: headers,
            length: lines.last?.upperBound ?? 0, peer: peer, isFromThisMachine: isFromThisMachine, isOfHTTP11: !isOld)
    }

    /// Returns the path and the query of a request target.
    ///
    /// A target may be a whole URL. Its host then replaces that of the header (RFC 9112, 3.2.2). Anything else that
    /// does not begin with a slash is refused, because an exported file contains it behind the address of this sandbox,
    /// where it would name another server.
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
