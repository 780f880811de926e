/// A validator that finds the first invalid byte in UTF-8.
package enum UTF8Check {
    /// Returns the offset of the first byte that does not belong to valid UTF-8, or nil when all bytes are valid.
    ///
    /// The standard library can validate bytes only by creating a string from them.
    package static func firstInvalidOffset(in bytes: Span<UInt8>) -> Int? {
        var offset = 0
        while offset < bytes.count {
            if bytes[offset] < 0x80 {
                offset = endOfASCII(bytes, from: offset)
                continue
            }
            guard let length = sequenceLength(bytes, at: offset) else { return offset }
            offset += length
        }
        return nil
    }

    /// Skips ASCII, 32 and then eight bytes at a time.
    private static func endOfASCII(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let high: UInt64 = 0x8080_8080_8080_8080
        var offset = start
        while offset + 32 <= bytes.count {
            // The loop's condition ensures that all four words lie within the bytes.
            let words =
                unsafe bytes.uncheckedWord(at: offset) | bytes.uncheckedWord(at: offset + 8)
                | bytes.uncheckedWord(at: offset + 16) | bytes.uncheckedWord(at: offset + 24)
            guard words & high == 0 else { break }
            offset += 32
        }
        while offset + 8 <= bytes.count, unsafe bytes.uncheckedWord(at: offset) & high == 0 { offset += 8 }
        while offset < bytes.count, bytes[offset] < 0x80 { offset += 1 }
        return offset
    }

    /// Returns the length of a sequence of two to four bytes, or nil when it is invalid.
    ///
    /// Overlong forms, surrogates and values beyond U+10FFFF are invalid (Unicode standard, table 3-7).
    package static func sequenceLength(_ bytes: Span<UInt8>, at offset: Int) -> Int? {
        let length: Int
        let second: ClosedRange<UInt8>
        switch bytes[offset] {
        case 0xC2...0xDF:
            length = 2
            second = 0x80...0xBF
        case 0xE0:
            length = 3
            second = 0xA0...0xBF
        case 0xE1...0xEC, 0xEE...0xEF:
            length = 3
            second = 0x80...0xBF
        case 0xED:
            length = 3
            second = 0x80...0x9F
        case 0xF0:
            length = 4
            second = 0x90...0xBF
        case 0xF1...0xF3:
            length = 4
            second = 0x80...0xBF
        case 0xF4:
            length = 4
            second = 0x80...0x8F
        default: return nil
        }
        guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return nil }
        for index in (offset + 2)..<(offset + max(length, 2)) where bytes[index] & 0xC0 != 0x80 { return nil }
        return length
    }
}
