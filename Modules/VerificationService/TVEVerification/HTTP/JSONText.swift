import HTTPTypes
import Hummingbird
import NIOCore

/// A writer of JSON, field by field, for the service's answers and its log.
package struct JSONText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Creates an empty text that has capacity for an answer.
    package init() { bytes.reserveCapacity(512) }

    package mutating func begin(_ bracket: Character) {
        comma()
        bytes.append(contentsOf: bracket.utf8)
        needsComma = false
    }

    package mutating func end(_ bracket: Character) {
        bytes.append(contentsOf: bracket.utf8)
        needsComma = true
    }

    /// Begins a field, whose value follows.
    package mutating func name(_ name: String) {
        comma()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func field(_ name: String, _ value: String) {
        self.name(name)
        quote(value)
        needsComma = true
    }

    package mutating func field(_ name: String, _ value: Int) {
        self.name(name)
        bytes.append(contentsOf: String(value).utf8)
        needsComma = true
    }

    package mutating func field(_ name: String, _ value: Bool) {
        self.name(name)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        // Nearly every text is plain ASCII, which is copied as a whole.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
        {
            bytes.append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars { escape(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"", "\\":
            bytes.append(contentsOf: "\\\(scalar)".utf8)
        // JSON allows some of these characters, but a terminal that shows the log interprets them or begins a new line.
        case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
            let digits = String(scalar.value, radix: 16)
            bytes.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
        default: bytes.append(contentsOf: String(scalar).utf8)
        }
    }

    func response(
        _ status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
    ) -> Response {
        Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
