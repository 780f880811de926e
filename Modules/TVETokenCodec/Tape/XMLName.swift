/// One name of an ``XMLNameTable``.
struct XMLName {
    /// The parser's copy of it, NUL-terminated.
    var pointer: UnsafePointer<UInt8>
    /// Where its bytes begin in the table.
    var start: Int32
    var count: Int32
    /// The index of the name that followed this one last time: documents of one kind have the same order.
    var next: Int32 = 0
}
