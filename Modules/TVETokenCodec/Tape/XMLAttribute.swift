/// One attribute on an ``XMLTape``.
struct XMLAttribute {
    /// The position of its element.
    var element: Int
    /// The name without prefix, NUL-terminated.
    var name: UnsafePointer<UInt8>
    /// The bytes of the value, in which the parser writes every ampersand as `&#38;`.
    var value: XMLSpan
}
