/// Where the name of an open element stands in the document, prefix included: its end tag must say the same.
struct XMLOpenTag {
    var start: Int32
    var count: Int32

    init(start: Int, count: Int) {
        self.start = Int32(truncatingIfNeeded: start)
        self.count = Int32(truncatingIfNeeded: count)
    }
}
