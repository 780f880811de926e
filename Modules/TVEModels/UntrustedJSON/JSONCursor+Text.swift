extension JSONCursor {
    /// A text in the document, between its quotes.
    struct Text {
        let range: Range<Int>
        /// A Boolean value that indicates whether the text contains escape sequences.
        let isEscaped: Bool
    }

    /// Reads a text, or returns nil for a value of another kind.
    package mutating func string() throws(UntrustedJSONError) -> String? {
        skipBlanks()
        guard byte == UInt8(ascii: "\"") else {
            try skip()
            return nil
        }
        return string(try passText())
    }

    /// Skips a text, from its opening quote to its closing quote.
    mutating func passText() throws(UntrustedJSONError) -> Text {
        let text = bytes.withSpan { Self.text(in: $0, from: index + 1, isForgiving: limits.isForgiving) }
        guard let text else { throw .malformed }
        index = text.range.upperBound + 1
        return text
    }

    static func text(in bytes: Span<UInt8>, from start: Int, isForgiving: Bool) -> Text? {
        var place = start
        var isEscaped = false
        while true {
            place = special(in: bytes, from: place)
            guard place < bytes.count else { return nil }
            switch bytes[place] {
            case UInt8(ascii: "\""): return Text(range: start..<place, isEscaped: isEscaped)
            case UInt8(ascii: "\\"):
                isEscaped = true
                if let escaped = escaped(in: bytes, at: place + 1) {
                    place = escaped.end
                } else {
                    guard isForgiving else { return nil }
                    place += 2
                }
            // JSON requires control characters to be escaped.
            default:
                guard isForgiving else { return nil }
                place += 1
            }
        }
    }

    /// Returns the content of a text that has been skipped.
    func string(_ text: Text) -> String { bytes.withSpan { Self.string(text, in: $0) } }

    private static func string(_ text: Text, in bytes: Span<UInt8>) -> String {
        guard text.isEscaped else { return String(decoding: bytes.extracting(text.range)) }
        var content: [UInt8] = []
        content.reserveCapacity(text.range.count)
        var place = text.range.lowerBound
        while place < text.range.upperBound {
            let next = special(in: bytes, from: place)
            content.append(contentsOf: bytes.extracting(place..<next))
            place = next
            guard place < text.range.upperBound else { break }
            if bytes[place] != UInt8(ascii: "\\") {
                content.append(bytes[place])
                place += 1
            } else if let escaped = escaped(in: bytes, at: place + 1) {
                content += UTF8.encode(escaped.scalar) ?? UTF8.encodedReplacementCharacter
                place = escaped.end
            } else {
                content += UTF8.encodedReplacementCharacter
                place += 2
            }
        }
        return content.withSpan { String(decoding: $0) }
    }

    /// Returns the position of the next quote, backslash or control character, or the end when there is none.
    ///
    /// It examines eight bytes at a time.
    private static func special(in bytes: Span<UInt8>, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high: UInt64 = 0x8080_8080_8080_8080
        var place = start
        while place + 8 <= bytes.count {
            // The loop's condition ensures that the word lies within the bytes.
            let word = unsafe bytes.uncheckedWord(at: place)
            let quotes = word ^ ones &* 0x22
            let backslashes = word ^ ones &* 0x5C
            // The highest bit of a byte is set where a byte is zero or below 0x20. Above the first such byte, the
            // borrow of the subtraction may set further bits; only the first is used.
            let found =
                ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) & ~word)
                & high
            if found != 0 { return place + found.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < bytes.count {
            let byte = bytes[place]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            place += 1
        }
        return place
    }

    /// Returns the character of an escape sequence and the position after it, or nil when the sequence is invalid.
    private static func escaped(in bytes: Span<UInt8>, at place: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        guard place < bytes.count else { return nil }
        let end = place + 1
        switch bytes[place] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return (Unicode.Scalar(bytes[place]), end)
        case UInt8(ascii: "b"): return ("\u{8}", end)
        case UInt8(ascii: "f"): return ("\u{C}", end)
        case UInt8(ascii: "n"): return ("\n", end)
        case UInt8(ascii: "r"): return ("\r", end)
        case UInt8(ascii: "t"): return ("\t", end)
        case UInt8(ascii: "u"): break
        default: return nil
        }
        guard let unit = codeUnit(in: bytes, at: end) else { return nil }
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit).map { ($0, end + 4) } }
        guard end + 6 <= bytes.count, bytes[end + 4] == UInt8(ascii: "\\"), bytes[end + 5] == UInt8(ascii: "u"),
            let trail = codeUnit(in: bytes, at: end + 6), UTF16.isTrailSurrogate(trail)
        else { return nil }
        return (UTF16.decode(UTF16.EncodedScalar([unit, trail])), end + 10)
    }

    /// Reads four hexadecimal digits.
    private static func codeUnit(in bytes: Span<UInt8>, at place: Int) -> UInt16? {
        guard place + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for index in place..<(place + 4) {
            let byte = bytes[index]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
