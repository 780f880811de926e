/// One entry of an ``XMLTape``: an element, or a run of text.
struct XMLNode {
    /// The element's name without prefix, NUL-terminated; nil for text.
    ///
    /// The parser keeps one copy of every name, so two elements have the same name when their pointers are equal.
    var name: UnsafePointer<UInt8>?
    /// The namespace of the element's prefix, NUL-terminated; nil without one.
    var namespace: UnsafePointer<UInt8>?
    /// Text: where its bytes are. Elements: which of the tape's attributes are theirs.
    var span = XMLSpan()
    /// The position behind the last entry inside this one; while an element is open, the position of its parent.
    var end: Int32

    var isText: Bool { name == nil }
}
