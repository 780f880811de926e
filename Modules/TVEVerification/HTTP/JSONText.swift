#if VerificationService
import Foundation

/// Writes JSON of a fixed shape, field by field.
struct JSONText: Sendable {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Makes an empty text with room for one answer.
    init() { bytes.reserveCapacity(512) }

    /// Begins a map or a list.
    mutating func begin(_ bracket: Character) {
        comma()
        bytes.append(contentsOf: bracket.utf8)
        needsComma = false
    }

    /// Ends a map or a list.
    mutating func end(_ bracket: Character) {
        bytes.append(contentsOf: bracket.utf8)
        needsComma = true
    }

    /// Begins a field.
    mutating func name(_ name: String) {
        comma()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a field.
    mutating func field(_ name: String, _ value: String) {
        self.name(name)
        quote(value)
        needsComma = true
    }

    /// Writes a field.
    mutating func field(_ name: String, _ value: Int) {
        self.name(name)
        bytes.append(contentsOf: String(value).utf8)
        needsComma = true
    }

    /// Writes a field.
    mutating func field(_ name: String, _ value: Bool) {
        self.name(name)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
#endif
