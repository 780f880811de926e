/// A document as a flat list of elements and texts in document order.
///
/// Text stays where it is in the document's bytes; only what entities, CDATA or comments tear apart is copied. The tape
/// is kept from document to document, so a small one costs no memory of its own. Every step is linear: text that
/// continues a copied text is appended to it.
struct XMLTape {
    private(set) var nodes = KeptBuffer<XMLNode>(keeping: 512)
    private(set) var attributes = KeptBuffer<XMLAttribute>(keeping: 64)
    private var copies = KeptBuffer<UInt8>(keeping: 4_096)
    private var source = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The innermost open element, -1 when there is none.
    private var open: Int32 = -1
    /// Whether the last event was text, so that more text belongs to it.
    private var isInText = false

    func deallocate() {
        nodes.deallocate()
        attributes.deallocate()
        copies.deallocate()
    }

    /// Gets ready for a document.
    ///
    /// - Parameter source: its bytes; they must stay where they are until ``end()``.
    mutating func begin(_ source: UnsafeBufferPointer<UInt8>) {
        self.source = source
        open = -1
        isInText = false
    }

    /// Forgets the document.
    mutating func end() {
        nodes.removeAll()
        attributes.removeAll()
        copies.removeAll()
    }

    /// Opens an element; its attributes were added before.
    @inline(__always)
    mutating func startElement(name: UnsafePointer<UInt8>, namespace: UnsafePointer<UInt8>?, attributeCount: Int32) {
        let first = Int32(truncatingIfNeeded: attributes.count) &- attributeCount
        let element = nodes.count
        nodes.append(
            XMLNode(
                name: name, namespace: namespace, span: XMLSpan(start: first, count: attributeCount), end: open))
        open = Int32(truncatingIfNeeded: element)
        isInText = false
    }

    /// Adds an attribute of the element that is about to start.
    mutating func attribute(name: UnsafePointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        attributes.append(XMLAttribute(name: name, value: span(of: value) ?? copy(value)))
    }

    /// Adds text inside the innermost open element.
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard open >= 0 else { return }
        guard isInText else {
            isInText = true
            let end = Int32(truncatingIfNeeded: nodes.count) &+ 1
            nodes.append(XMLNode(span: span(of: bytes) ?? copy(bytes), end: end))
            return
        }
        let last = nodes.count - 1
        let before = nodes[last].span
        if !before.isCopied {
            if let next = span(of: bytes), next.start == before.end {
                nodes.elements[last].span.count += next.count
                return
            }
            nodes.elements[last].span = copy(self.bytes(of: before))
        }
        // What was copied last belongs to this text, so the two are one stretch.
        nodes.elements[last].span.count += copy(bytes).count
    }

    /// Closes the innermost open element.
    @inline(__always)
    mutating func endElement() {
        guard open >= 0 else { return }
        isInText = false
        let element = Int(open)
        open = nodes[element].end
        nodes.elements[element].end = Int32(truncatingIfNeeded: nodes.count)
    }

    /// The bytes of a text or of an attribute's value.
    @inline(__always)
    func bytes(of span: XMLSpan) -> UnsafeBufferPointer<UInt8> {
        let store = span.isCopied ? UnsafeBufferPointer(copies.elements) : source
        return UnsafeBufferPointer(rebasing: store[Int(span.start)..<Int(span.end)])
    }

    /// Where the document holds these bytes, nil when the library made them up.
    @inline(__always)
    private func span(of bytes: UnsafeBufferPointer<UInt8>) -> XMLSpan? {
        guard let start = bytes.baseAddress, let first = source.baseAddress, start >= first,
            start + bytes.count <= first + source.count
        else { return nil }
        return XMLSpan(start: Int32(truncatingIfNeeded: start - first), count: Int32(truncatingIfNeeded: bytes.count))
    }

    private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> XMLSpan {
        let start = Int32(truncatingIfNeeded: copies.count)
        copies.append(contentsOf: bytes)
        return XMLSpan(start: start, count: Int32(truncatingIfNeeded: bytes.count), isCopied: true)
    }
}
