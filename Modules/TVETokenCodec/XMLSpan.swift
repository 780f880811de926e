/// A stretch of an ``XMLTape``'s bytes or attributes.
struct XMLSpan {
    var start: Int32 = 0
    var count: Int32 = 0
    /// Whether the bytes are in the tape's own store because the document does not hold them in one piece.
    var isCopied = false

    var end: Int32 { start + count }
}
