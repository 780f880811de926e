/// A range of an ``XMLTape``'s bytes.
struct XMLSpan {
    /// The offset of the first byte: in the document, or counted from -1 downwards in the tape's own store, for bytes
    /// that are not contiguous in the document.
    private var place: Int32 = 0
    var count: Int32 = 0

    init() {}

    init(start: Int, count: Int, isCopied: Bool = false) {
        place = Int32(truncatingIfNeeded: isCopied ? -1 - start : start)
        self.count = Int32(truncatingIfNeeded: count)
    }

    var isCopied: Bool { place < 0 }

    /// The offsets of the bytes, in the document or the store.
    var range: Range<Int> {
        let start = Int(isCopied ? -1 - place : place)
        return start..<(start + Int(count))
    }
}
