/// The namespace of one element on an ``XMLTape``.
struct XMLNamespace {
    /// The position of its element.
    var element: Int
    /// The name of the namespace, NUL-terminated.
    var name: UnsafePointer<UInt8>
}
