/// The start tag of an open element: the place of its name in the document, including the prefix, and the end of the
/// tag.
///
/// The end tag must have the same name.
struct XMLOpenTag {
    var start: Int32
    var count: Int32
    /// The offset after the tag.
    var end: Int32

    init(start: Int, count: Int, end: Int) {
        self.start = Int32(truncatingIfNeeded: start)
        self.count = Int32(truncatingIfNeeded: count)
        self.end = Int32(truncatingIfNeeded: end)
    }

    /// The offsets of the whole tag.
    var range: Range<Int> { Int(start) - 1..<Int(end) }
}
