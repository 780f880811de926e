/// The bytes of a text followed by zero bytes, so that eight can be read at once from every offset in it.
///
/// Every access is checked against the bounds; the zeros end every search, because no search goes past one.
struct PaddedBytes {
    /// How many zero bytes must follow the text.
    static let padding = 8

    // Safe to store: the text does not move while it is read, and every access below is checked.
    private let start: UnsafeRawPointer
    /// How many bytes the text has.
    let count: Int

    /// - Parameter padded: the text and ``padding`` zero bytes.
    init(_ padded: UnsafeBufferPointer<UInt8>) {
        guard let base = padded.baseAddress, padded.count >= Self.padding else {
            // Cannot happen: every initializer's caller adds the zeros. Without them a search would read beyond the
            // text.
            preconditionFailure("no zero bytes behind a text")
        }
        start = UnsafeRawPointer(base)
        count = padded.count - Self.padding
    }

    /// A byte of the text or of the zeros after it.
    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: count &+ Self.padding))
        return start.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// Whether the same bytes are here and in another text; false when one of them ends before.
    @inline(__always)
    func hasSame(at offset: Int, as other: PaddedBytes, at otherOffset: Int, count length: Int) -> Bool {
        guard canRead(length, at: offset), other.canRead(length, at: otherOffset) else { return false }
        var done = 0
        while length &- done >= 8 {
            let word = uncheckedWord(at: offset &+ done)
            guard word == other.uncheckedWord(at: otherOffset &+ done) else { return false }
            done &+= 8
        }
        guard done < length else { return true }
        // Shifts out the bytes that are not compared.
        let difference = uncheckedWord(at: offset &+ done) ^ other.uncheckedWord(at: otherOffset &+ done)
        return difference &<< UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- done)) == 0
    }

    @inline(__always)
    private func canRead(_ length: Int, at offset: Int) -> Bool {
        offset >= 0 && length >= 0 && offset <= count &- length
    }

    /// Eight bytes, the first one lowest; the caller has checked that the offset is inside the text.
    @inline(__always)
    private func uncheckedWord(at offset: Int) -> UInt64 {
        UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    func has(_ literal: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, literal.utf8CodeUnitCount <= count - offset else { return false }
        return literal.withUTF8Buffer { literal in literal.indices.allSatisfy { self[offset + $0] == literal[$0] } }
    }

    /// The first byte from this offset on that is not plain text: `<`, `>`, `&`, a control character or a byte beyond
    /// ASCII.
    ///
    /// The zeros after the text end the search.
    @inline(__always)
    func firstMarkup(from start: Int) -> Int {
        var offset = start
        while true {
            precondition(UInt(bitPattern: offset) <= UInt(bitPattern: count))
            let bits = Self.markup(in: uncheckedWord(at: offset))
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

    func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        // The memory holds bytes: it came from a buffer of them.
        let bytes = start.assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
    }

    /// The length in bytes of the non-ASCII character that begins here; nil when there is none, or when XML forbids it.
    func lengthOfCharacter(at offset: Int) -> Int? {
        guard let length = UTF8Check.sequenceLength(slice(0..<count), at: offset) else { return nil }
        // U+FFFE and U+FFFF, the only characters beyond ASCII that XML forbids.
        if self[offset] == 0xEF, self[offset + 1] == 0xBF, self[offset + 2] >= 0xBE { return nil }
        return length
    }
}
