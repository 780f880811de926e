// Text between two tags.

extension XMLScanner {
    /// Parses text up to the next tag.
    ///
    /// The library returns ASCII in place in the document, and copies other characters. It copies a text as a whole if
    /// it copies a part of it. The tape shows whether a text was copied, so the scanner does the same.
    ///
    /// - Returns: the offset of the tag, or nil to give up.
    @inline(never)
    func text(_ bytes: Span<UInt8>, from start: Int, onto tape: inout XMLTape) -> Int? {
        var runStart = start
        var isCopied = false
        var offset = start
        while true {
            offset = bytes.firstMarkup(from: offset)
            switch bytes[offset] {
            case UInt8(ascii: "<"):
                if runStart < offset { tape.text(runStart..<offset, of: bytes, isCopied: isCopied) }
                return offset
            case UInt8(ascii: "\n"), UInt8(ascii: "\t"):
                offset += 1
            case UInt8(ascii: ">"):
                // A tag precedes the text, so there are two bytes before this one.
                guard bytes[offset - 1] != UInt8(ascii: "]") || bytes[offset - 2] != UInt8(ascii: "]") else {
                    return nil
                }
                offset += 1
            case UInt8(ascii: "&"):
                if runStart < offset { tape.text(runStart..<offset, of: bytes, isCopied: isCopied) }
                guard let (character, next) = reference(bytes, at: offset + 1) else { return nil }
                tape.text(character, of: bytes)
                runStart = next
                offset = next
            case 0x80...:
                guard let length = bytes.lengthOfCharacter(at: offset) else { return nil }
                isCopied = true
                offset += length
            default:
                return nil
            }
        }
    }

    private static let entities: [(name: StaticString, character: Unicode.Scalar)] = [
        ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"),
    ]

    /// Parses the reference after an ampersand.
    ///
    /// - Returns: the character and the offset after the reference, or nil to give up.
    private func reference(_ bytes: Span<UInt8>, at start: Int) -> (character: Unicode.Scalar, next: Int)? {
        if bytes[start] == UInt8(ascii: "#") { return characterReference(bytes, at: start + 1) }
        guard let entity = Self.entities.first(where: { bytes.has($0.name, at: start) }) else { return nil }
        return (entity.character, start + entity.name.utf8CodeUnitCount)
    }

    /// Parses the number of a character, which has up to seven decimal or hexadecimal digits.
    private func characterReference(_ bytes: Span<UInt8>, at start: Int) -> (character: Unicode.Scalar, next: Int)? {
        let isHexadecimal = bytes[start] == UInt8(ascii: "x")
        let first = isHexadecimal ? start + 1 : start
        var offset = first
        var value: UInt32 = 0
        while let digit = isHexadecimal ? bytes[offset].hexadecimalDigit : bytes[offset].asciiDigit {
            guard offset - first < 7 else { return nil }
            value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
            offset += 1
        }
        guard offset > first, bytes[offset] == UInt8(ascii: ";"), let character = Unicode.Scalar(value),
            character.isXMLCharacter
        else { return nil }
        return (character, offset + 1)
    }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: Int? {
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return asciiDigit ?? (letter < 6 ? Int(letter) + 10 : nil)
    }
}

extension Unicode.Scalar {
    /// A Boolean value that indicates whether XML allows the character.
    ///
    /// No scalar is a surrogate.
    fileprivate var isXMLCharacter: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x1_0000...: true
        default: false
        }
    }
}
