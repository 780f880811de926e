import TVEModels

/// A text followed by zero bytes, so that eight bytes can be read at once from every offset in it.
///
/// The zeros end every search, because no search goes past one.
enum PaddedText {
    /// How many zero bytes must follow the text.
    static let padding = 8
}

/// Bytes, and padded texts: every access is checked, by the span or by what stands before the access.
extension Span<UInt8> {
    /// How many bytes a padded text has without its zeros.
    @inline(__always)
    var textCount: Int { count &- PaddedText.padding }

    /// Whether the same bytes are here and in another padded text; false when one of the texts ends before.
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
        // Shifts out the bytes that are not compared.
        let difference = unsafe uncheckedWord(at: offset &+ done) ^ other.uncheckedWord(at: otherOffset &+ done)
        return difference &<< UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- done)) == 0
    }

    @inline(__always)
    private func canRead(_ length: Int, at offset: Int) -> Bool {
        offset >= 0 && length >= 0 && offset <= textCount &- length
    }

    /// Whether these bytes are here; in any text, padded or not.
    func has(_ literal: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, literal.utf8CodeUnitCount <= count - offset else { return false }
        // The closure gets the literal's own bytes.
        return literal.withUTF8Buffer { literal in
            unsafe extracting(offset..<offset + literal.count).isSame(as: literal.span)
        }
    }

    /// The first byte of a padded text from this offset on that is not plain: `<`, `>`, `&`, a control character or a
    /// byte beyond ASCII.
    ///
    /// The zeros after the text end the search.
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

    /// The high bit of each byte that is not plain text; bits above the lowest of these bytes mean nothing.
    @inline(__always)
    private static func markup(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // `<` and `>` differ in this one bit.
        let brackets = (word | ones &* 0x02) ^ (ones &* 0x3E)
        let ampersands = word ^ (ones &* 0x26)
        // Below 0x80, one less has the high bit only if the byte was zero.
        return ((brackets &- ones) | (ampersands &- ones) | (word &- ones &* 0x20) | word) & (ones &* 0x80)
    }

    /// The length in bytes of the non-ASCII character that begins here; nil when there is none, or when XML forbids it.
    func lengthOfCharacter(at offset: Int) -> Int? {
        guard let length = UTF8Check.sequenceLength(self, at: offset) else { return nil }
        // U+FFFE and U+FFFF, the only characters beyond ASCII that XML forbids.
        if self[offset] == 0xEF, self[offset + 1] == 0xBF, self[offset + 2] >= 0xBE { return nil }
        return length
    }
}
