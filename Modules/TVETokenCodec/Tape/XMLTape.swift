/// A document as a flat list of elements and texts in document order.
///
/// Text stays in the document's bytes; only text that entities, CDATA or comments split is copied. Attributes and
/// namespaces, which few elements have, are in separate lists. The tape is reused from document to document, so a small
/// document needs no new memory. Every step is linear: text that continues a copied text is appended to it.
struct XMLTape {
    private(set) var nodes = KeptBuffer<XMLNode>(keeping: 256)
    /// By position of their elements, ascending.
    private(set) var attributes = KeptBuffer<XMLAttribute>(keeping: 32)
    /// By position of their elements, ascending.
    private(set) var namespaces = KeptBuffer<XMLNamespace>(keeping: 32)
    private var copies = KeptBuffer<UInt8>(keeping: 2_048)
    private var source = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The innermost open element, -1 when there is none.
    private var open: Int32 = -1
    /// The entry whose text may continue, -1 when the last event was not text.
    private var inText = -1

    func deallocate() {
        nodes.deallocate()
        attributes.deallocate()
        namespaces.deallocate()
        copies.deallocate()
    }

    /// Prepares for a document, whose bytes must not move until ``end()``.
    mutating func begin(_ source: UnsafeBufferPointer<UInt8>) {
        self.source = source
        // A scanner that gave up may have left entries.
        nodes.clear()
        attributes.clear()
        namespaces.clear()
        copies.clear()
        open = -1
        inText = -1
        // Real documents have an element for 30 bytes or more: one allocation instead of several growing ones.
        nodes.reserve(source.count / 24)
    }

    mutating func end() {
        nodes.removeAll()
        attributes.removeAll()
        namespaces.removeAll()
        copies.removeAll()
    }

    /// Opens an element; its attributes were added before.
    @inline(__always)
    mutating func startElement(name: UnsafePointer<UInt8>, namespace: UnsafePointer<UInt8>?, hasAttributes: Bool) {
        let element = nodes.count
        if let namespace { namespaces.append(XMLNamespace(element: element, name: namespace)) }
        nodes.append(XMLNode(name: name, end: open, hasAttributes: hasAttributes, hasNamespace: namespace != nil))
        open = Int32(truncatingIfNeeded: element)
        inText = -1
    }

    /// Adds an element that contains only a range of the document, which may be empty.
    @inline(__always)
    mutating func leaf(name: UnsafePointer<UInt8>, start: Int, count: Int) {
        let text = count > 0 ? XMLSpan(start: start, count: count) : XMLSpan()
        nodes.append(XMLNode(name: name, text: text, end: Int32(truncatingIfNeeded: nodes.count) &+ 1))
        inText = -1
    }

    /// Adds an attribute of the element that is about to start.
    mutating func attribute(name: UnsafePointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        attributes.append(XMLAttribute(element: nodes.count, name: name, value: span(of: value) ?? copy(value)))
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) { text(bytes, at: span(of: bytes)) }

    /// Adds a range of the document as text; with `isCopied` its bytes are copied all the same.
    mutating func text(_ range: Range<Int>, isCopied: Bool) {
        let span = isCopied ? nil : XMLSpan(start: range.lowerBound, count: range.count)
        text(UnsafeBufferPointer(rebasing: source[range]), at: span)
    }

    /// Adds a character that is a reference in the document.
    mutating func text(_ character: Unicode.Scalar) {
        var bytes: UInt32 = 0
        var count = 0
        for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter {
            bytes |= UInt32(byte) << UInt32(8 * count)
            count += 1
        }
        withUnsafeBytes(of: bytes.littleEndian) { bytes in
            text(UnsafeBufferPointer(rebasing: bytes.assumingMemoryBound(to: UInt8.self)[..<count]), at: nil)
        }
    }

    /// Adds text with its place in the document, nil when it must be copied.
    private mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, at span: XMLSpan?) {
        guard open >= 0 else { return }
        guard inText >= 0 else {
            let span = span ?? copy(bytes)
            inText = nodes.count - 1
            if inText == Int(open) {
                nodes.elements[inText].text = span
            } else {
                inText = nodes.count
                nodes.append(XMLNode(text: span, end: Int32(truncatingIfNeeded: nodes.count) &+ 1))
            }
            return
        }
        let before = nodes[inText].text
        if !before.isCopied {
            if let next = span, next.range.lowerBound == before.range.upperBound {
                nodes.elements[inText].text.count += next.count
                return
            }
            nodes.elements[inText].text = copy(self.bytes(of: before))
        }
        // The bytes copied last belong to this text, so the two are contiguous.
        nodes.elements[inText].text.count += copy(bytes).count
    }

    @inline(__always)
    mutating func endElement() {
        guard open >= 0 else { return }
        inText = -1
        let element = Int(open)
        open = nodes[element].end
        nodes.elements[element].end = Int32(truncatingIfNeeded: nodes.count)
    }

    /// The bytes of a text or of an attribute's value.
    @inline(__always)
    func bytes(of span: XMLSpan) -> UnsafeBufferPointer<UInt8> {
        let store = span.isCopied ? UnsafeBufferPointer(copies.elements) : source
        return UnsafeBufferPointer(rebasing: store[span.range])
    }

    /// The place of these bytes in the document, nil when the library made them.
    @inline(__always)
    private func span(of bytes: UnsafeBufferPointer<UInt8>) -> XMLSpan? {
        guard let start = bytes.baseAddress, let first = source.baseAddress, start >= first,
            start + bytes.count <= first + source.count
        else { return nil }
        return XMLSpan(start: start - first, count: bytes.count)
    }

    private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> XMLSpan {
        let start = copies.count
        copies.append(contentsOf: bytes)
        return XMLSpan(start: start, count: bytes.count, isCopied: true)
    }
}

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
    var hasAttributes = false
    var hasNamespace = false

    var isText: Bool { name == nil }
}

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

/// One attribute on an ``XMLTape``.
struct XMLAttribute {
    /// The position of its element.
    var element: Int
    /// The name without prefix, NUL-terminated.
    var name: UnsafePointer<UInt8>
    /// The bytes of the value, in which the parser writes every ampersand as `&#38;`.
    var value: XMLSpan
}

/// The namespace of one element on an ``XMLTape``.
struct XMLNamespace {
    /// The position of its element.
    var element: Int
    var name: UnsafePointer<UInt8>
}
