import TVEModels

/// A text followed by zero bytes, so that eight bytes can be read at once from every offset in it.
///
/// The zeros end every search, because no search continues past a zero.
enum PaddedText {
    /// The number of zero bytes that must follow the text.
    static let padding = 8
}

/// Operations on bytes and padded texts.
///
/// Every access is checked, by the span or by the code before the access.
extension Span<UInt8> {
    /// The number of bytes of a padded text without its zeros.
    @inline(__always)
    var textCount: Int { count &- PaddedText.padding }

    /// Returns a Boolean value that indicates whether this text and another padded text contain the same bytes.
    ///
    /// The value is false if one of the texts ends earlier.
    @inline(__always)
    func hasSame(at offset: Int, as other: Span<UInt8>, at otherOffset: Int, count length: Int) -> Bool {
        guard canRead(length, at: offset), other.canRead(length, at: otherOffset) else { return false }
        // Every word begins inside `length`, so it ends inside the text or its zeros.
        var done = 0
        while length &- done >= 8 {
            guard unsafe uncheckedWord(at: offset &+ done) == other.uncheckedWord(at: otherOffset &+ done) else {
                return false
            }
            done &+= 8
        }
        guard done < length else { return true }
        // The shift removes the bytes that are not compared.
        let difference = unsafe uncheckedWord(at: offset &+ done) ^ other.uncheckedWord(at: otherOffset &+ done)
        return difference &<< UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- done)) == 0
    }

    @inline(__always)
    private func canRead(_ length: Int, at offset: Int) -> Bool {
        offset >= 0 && length >= 0 && offset <= textCount &- length
    }

    /// Returns a Boolean value that indicates whether a text, padded or not, contains these bytes at an offset.
    func has(_ literal: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, literal.utf8CodeUnitCount <= count - offset else { return false }
        // The closure receives the literal's own bytes.
        return literal.withUTF8Buffer { literal in
            unsafe extracting(offset..<offset + literal.count).isSame(as: literal.span)
        }
    }

    /// Returns the offset of the first byte of a padded text from this offset on that is not plain.
    ///
    /// Such bytes are `<`, `>`, `&`, control characters and bytes beyond ASCII. The zeros after the text end the
    /// search.
    @inline(__always)
    func firstMarkup(from start: Int) -> Int {
        var offset = start
        while true {
            precondition(UInt(bitPattern: offset) <= UInt(bitPattern: textCount))
            let bits = Self.markup(in: unsafe uncheckedWord(at: offset))
            guard bits == 0 else { return offset &+ bits.trailingZeroBitCount &>> 3 }
            offset &+= 8
        }
    }

    /// Returns the high bit of each byte that is not plain text.
    ///
    /// Bits above the lowest of these bytes are meaningless.
    @inline(__always)
    private static func markup(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // `<` and `>` differ in this one bit.
        let brackets = (word | ones &* 0x02) ^ (ones &* 0x3E)
        let ampersands = word ^ (ones &* 0x26)
        // Below 0x80, subtracting one sets the high bit only if the byte was zero.
        return ((brackets &- ones) | (ampersands &- ones) | (word &- ones &* 0x20) | word) & (ones &* 0x80)
    }

    /// Returns the length in bytes of the non-ASCII character that begins here, or nil if there is none or XML forbids
    /// it.
    func lengthOfCharacter(at offset: Int) -> Int? {
        guard let length = UTF8Check.sequenceLength(self, at: offset) else { return nil }
        // U+FFFE and U+FFFF are the only characters beyond ASCII that XML forbids.
        if self[offset] == 0xEF, self[offset + 1] == 0xBF, self[offset + 2] >= 0xBE { return nil }
        return length
    }
}
