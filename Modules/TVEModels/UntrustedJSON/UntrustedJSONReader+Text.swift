extension UntrustedJSONReader {
    /// Reads a string, from its opening quote to its closing quote.
    mutating func text() -> String? {
        index += 1
        let start = index
        // Control characters must be escaped.
        let special = bytes[start...].firstIndex {
            $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20
        }
        guard let end = special else { return nil }
        index = end
        // Most strings escape nothing and are copied as a whole.
        if bytes[end] == UInt8(ascii: "\"") {
            index += 1
            return String(validUTF8: bytes[start..<end])
        }
        var content = Array(bytes[start..<end])
        while let byte {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validUTF8: content)
            case UInt8(ascii: "\\"):
                guard let character = escaped() else { return nil }
                content += String(character).utf8
            case 0..<0x20: return nil
            default: content.append(byte)
            }
        }
        return nil
    }

    /// The character after a backslash.
    private mutating func escaped() -> Unicode.Scalar? {
        guard let byte else { return nil }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = codeUnit() else { return nil }
            guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
            guard take(word: "\\u"), let trail = codeUnit(), UTF16.isTrailSurrogate(trail) else { return nil }
            return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
        default: return nil
        }
    }

    /// Four hexadecimal digits.
    private mutating func codeUnit() -> UInt16? {
        guard index + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[index..<(index + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        index += 4
        return unit
    }
}
