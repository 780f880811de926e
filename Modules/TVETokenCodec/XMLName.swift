/// One name of an ``XMLNameTable``.
struct XMLName {
    /// The parser's one copy of it, NUL-terminated.
    var pointer: UnsafePointer<UInt8>
    /// Where its bytes begin in the table.
    var start: Int32
    var count: Int32
    /// The index of the name that came after this one when it came last: documents of a kind repeat their order.
    var next: Int32 = 0
}
