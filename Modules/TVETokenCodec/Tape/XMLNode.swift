/// One entry of an ``XMLTape``: an element, or text after an element's child.
struct XMLNode {
    /// The element's name without prefix, NUL-terminated; nil for text.
    ///
    /// The parser has one copy of every name, so two elements have the same name when their pointers are equal.
    var name: UnsafePointer<UInt8>?
    /// The place of the text: of an element, the text before its first child.
    var text = XMLSpan()
    /// The position after the last entry inside this one; while an element is open, the position of its parent.
    var end: Int32
    /// Whether the tape has attributes of this element.
    var hasAttributes = false
    /// Whether the element is in a namespace.
    var hasNamespace = false

    var isText: Bool { name == nil }
}
