/// A document as a flat list of elements and texts in document order.
///
/// Text stays in the document's bytes; only text that entities, CDATA or comments split is copied. Attributes and
/// namespaces, which few elements have, are in separate lists. The tape is reused from document to document, so a small
/// document needs no new memory. Every step is linear: text that continues a copied text is appended to it.
///
/// It knows places in the document, not its bytes: who adds text passes the document.
struct XMLTape: ~Copyable {
    private(set) var nodes = KeptBuffer<XMLNode>(keeping: 256)
    /// By position of their elements, ascending.
    private(set) var attributes = KeptBuffer<XMLAttribute>(keeping: 32)
    /// By position of their elements, ascending.
    private(set) var namespaces = KeptBuffer<XMLNamespace>(keeping: 32)
    /// The tape's own store: bytes that are not contiguous in the document.
    private(set) var copies = KeptBuffer<UInt8>(keeping: 2_048)
    /// The innermost open element, -1 when there is none.
    private var open: Int32 = -1
    /// The entry whose text may continue, -1 when the last event was not text.
    private var inText = -1

    /// Prepares for a document of so many bytes.
    mutating func begin(_ count: Int) {
        // A scanner that gave up may have left entries.
        nodes.clear()
        attributes.clear()
        namespaces.clear()
        copies.clear()
        open = -1
        inText = -1
        // Real documents have an element for 30 bytes or more: one allocation instead of several growing ones.
        nodes.reserve(count / 24)
    }

    mutating func end() {
        nodes.removeAll()
        attributes.removeAll()
        namespaces.removeAll()
        copies.removeAll()
    }

    // MARK: - Elements

    /// Opens an element; its attributes were added before.
    @inline(__always)
    mutating func startElement(name: ParserName, namespace: ParserName?, hasAttributes: Bool) {
        let element = nodes.count
        if let namespace { namespaces.append(XMLNamespace(element: element, name: namespace)) }
        nodes.append(XMLNode(name: name, end: open, hasAttributes: hasAttributes, hasNamespace: namespace != nil))
        open = Int32(truncatingIfNeeded: element)
        inText = -1
    }

    /// Adds an element that contains only a range of the document, which may be empty.
    @inline(__always)
    mutating func leaf(name: ParserName, start: Int, count: Int) {
        let text = count > 0 ? XMLSpan(start: start, count: count) : XMLSpan()
        nodes.append(XMLNode(name: name, text: text, end: Int32(truncatingIfNeeded: nodes.count) &+ 1))
        inText = -1
    }

    /// Adds an attribute of the element that is about to start.
    mutating func attribute(name: ParserName, value: XMLSpan) {
        attributes.append(XMLAttribute(element: nodes.count, name: name, value: value))
    }

    /// Adds an attribute whose value the library has found or made.
    mutating func attribute(name: ParserName, value: Span<UInt8>, of document: Span<UInt8>) {
        if let place = document.indices(of: value) {
            return attribute(name: name, value: XMLSpan(start: place.lowerBound, count: place.count))
        }
        let start = copies.count
        copies.append(contentsOf: value)
        attribute(name: name, value: XMLSpan(start: start, count: value.count, isCopied: true))
    }

    @inline(__always)
    mutating func endElement() {
        guard open >= 0 else { return }
        inText = -1
        let element = Int(open)
        open = nodes[element].end
        nodes[element].end = Int32(truncatingIfNeeded: nodes.count)
    }

    // MARK: - Text

    /// Adds text that the library has found in the document or made.
    mutating func text(_ bytes: Span<UInt8>, of document: Span<UInt8>) {
        if let place = document.indices(of: bytes) {
            text(place, of: document, isCopied: false)
        } else {
            copy(bytes, document)
        }
    }

    /// Adds a range of the document as text; with `isCopied` its bytes are copied all the same.
    mutating func text(_ range: Range<Int>, of document: Span<UInt8>, isCopied: Bool) {
        guard !isCopied else { return copy(document.extracting(range), document) }
        guard inText >= 0 else { return add(XMLSpan(start: range.lowerBound, count: range.count)) }
        let before = nodes[inText].text
        if !before.isCopied, before.range.upperBound == range.lowerBound {
            nodes[inText].text.count += Int32(truncatingIfNeeded: range.count)
        } else {
            copy(document.extracting(range), document)
        }
    }

    /// Adds a character that is a reference in the document.
    mutating func text(_ character: Unicode.Scalar, of document: Span<UInt8>) {
        guard open >= 0 else { return }
        let start = startCopy(document)
        for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter { copies.append(byte) }
        endCopy(from: start)
    }

    /// Adds bytes to the tape's own store.
    private mutating func copy(_ bytes: Span<UInt8>, _ document: Span<UInt8>) {
        guard open >= 0 else { return }
        let start = startCopy(document)
        copies.append(contentsOf: bytes)
        endCopy(from: start)
    }

    /// Copies the text before, which the copied bytes continue: the bytes of one text are contiguous.
    ///
    /// - Returns: where the copied bytes begin.
    private mutating func startCopy(_ document: Span<UInt8>) -> Int {
        if inText >= 0, !nodes[inText].text.isCopied {
            let range = nodes[inText].text.range
            nodes[inText].text = XMLSpan(start: copies.count, count: range.count, isCopied: true)
            copies.append(contentsOf: document.extracting(range))
        }
        return copies.count
    }

    private mutating func endCopy(from start: Int) {
        let count = copies.count - start
        if inText >= 0 {
            nodes[inText].text.count += Int32(truncatingIfNeeded: count)
        } else {
            add(XMLSpan(start: start, count: count, isCopied: true))
        }
    }

    /// Adds text that continues no other.
    private mutating func add(_ span: XMLSpan) {
        guard open >= 0 else { return }
        inText = nodes.count - 1
        if inText == Int(open) {
            nodes[inText].text = span
        } else {
            inText = nodes.count
            nodes.append(XMLNode(text: span, end: Int32(truncatingIfNeeded: nodes.count) &+ 1))
        }
    }
}

/// One entry of an ``XMLTape``: an element, or text after an element's child.
struct XMLNode {
    /// The element's name without prefix; nil for text.
    var name: ParserName?
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
    var element: Int
    /// The name without prefix.
    var name: ParserName
    /// The bytes of the value, in which the parser writes every ampersand as `&#38;`.
    var value: XMLSpan
}

/// The namespace of one element on an ``XMLTape``.
struct XMLNamespace {
    var element: Int
    var name: ParserName
}
