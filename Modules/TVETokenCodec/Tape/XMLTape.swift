/// The content of a document: a flat list of its elements and texts, in document order.
///
/// Text remains in the document's bytes, and only text that entities, CDATA or comments split is copied. Attributes and
/// namespaces, which few elements have, are in separate lists. The tape is reused from document to document, so a small
/// document needs no new memory. Every step is linear, because text that continues a copied text is appended to it.
///
/// The tape contains offsets in the text of the document and not its bytes, so a caller that adds text passes the
/// source, which is the whole text.
struct XMLTape: ~Copyable {
    private(set) var nodes = KeptBuffer<XMLNode>(keeping: 256)
    /// The attributes, ascending by the position of their elements.
    private(set) var attributes = KeptBuffer<XMLAttribute>(keeping: 32)
    /// The namespaces, ascending by the position of their elements.
    private(set) var namespaces = KeptBuffer<XMLNamespace>(keeping: 32)
    /// The tape's own store of bytes that are not contiguous in the document.
    private(set) var copies = KeptBuffer<UInt8>(keeping: 2_048)
    /// The innermost open element, or -1 if there is none.
    private var open: Int32 = -1
    /// The entry whose text may continue, or -1 if the last event was not text.
    private var inText = -1

    /// Prepares for a document with a number of bytes.
    mutating func begin(_ count: Int) {
        // A scanner that gave up may have left entries.
        nodes.clear()
        attributes.clear()
        namespaces.clear()
        copies.clear()
        open = -1
        inText = -1
        // Real documents have an element for every 30 bytes or more, so one allocation replaces several growing ones.
        nodes.reserve(count / 24)
    }

    mutating func end() {
        nodes.removeAll()
        attributes.removeAll()
        namespaces.removeAll()
        copies.removeAll()
    }

    // MARK: - Elements

    /// Opens an element, whose attributes were added before.
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

    /// Adds an attribute whose value the library has found in the document or created.
    mutating func attribute(name: ParserName, value: Span<UInt8>, of source: Span<UInt8>) {
        if let place = source.indices(of: value) {
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

    /// Adds text that the library has found in the document or created.
    mutating func text(_ bytes: Span<UInt8>, of source: Span<UInt8>) {
        if let place = source.indices(of: bytes) {
            text(place, of: source, isCopied: false)
        } else {
            copy(bytes, source)
        }
    }

    /// Adds a range of the document as text.
    ///
    /// If `isCopied` is true, its bytes are copied although they are contiguous.
    mutating func text(_ range: Range<Int>, of source: Span<UInt8>, isCopied: Bool) {
        guard !isCopied else { return copy(source.extracting(range), source) }
        guard inText >= 0 else { return add(XMLSpan(start: range.lowerBound, count: range.count)) }
        let before = nodes[inText].text
        if !before.isCopied, before.range.upperBound == range.lowerBound {
            nodes[inText].text.count += Int32(truncatingIfNeeded: range.count)
        } else {
            copy(source.extracting(range), source)
        }
    }

    /// Adds a character that is a reference in the document.
    mutating func text(_ character: Unicode.Scalar, of source: Span<UInt8>) {
        guard open >= 0 else { return }
        let start = startCopy(source)
        for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter { copies.append(byte) }
        endCopy(from: start)
    }

    /// Adds bytes to the tape's own store.
    private mutating func copy(_ bytes: Span<UInt8>, _ source: Span<UInt8>) {
        guard open >= 0 else { return }
        let start = startCopy(source)
        copies.append(contentsOf: bytes)
        endCopy(from: start)
    }

    /// Copies the preceding text, which the copied bytes continue, because the bytes of one text must be contiguous.
    ///
    /// - Returns: the offset of the copied bytes.
    private mutating func startCopy(_ source: Span<UInt8>) -> Int {
        if inText >= 0, !nodes[inText].text.isCopied {
            let range = nodes[inText].text.range
            nodes[inText].text = XMLSpan(start: copies.count, count: range.count, isCopied: true)
            copies.append(contentsOf: source.extracting(range))
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

    /// Adds text that does not continue another one.
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

/// An entry of an ``XMLTape``, which is an element, or text after an element's child.
struct XMLNode {
    /// The element's name without prefix, or nil for text.
    var name: ParserName?
    /// The location of the text.
    ///
    /// For an element, it is the text before its first child.
    var text = XMLSpan()
    /// The position after the last entry inside this one.
    ///
    /// While an element is open, it is the position of its parent.
    var end: Int32
    var hasAttributes = false
    var hasNamespace = false

    var isText: Bool { name == nil }
}

/// A range of an ``XMLTape``'s bytes.
struct XMLSpan {
    /// The offset of the first byte.
    ///
    /// It is an offset in the document or, for bytes that are not contiguous in the document, an offset in the tape's
    /// own store, counted from -1 downwards.
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

/// An attribute on an ``XMLTape``.
struct XMLAttribute {
    var element: Int
    /// The name without prefix.
    var name: ParserName
    /// The bytes of the value, in which the parser writes every ampersand as `&#38;`.
    var value: XMLSpan
}

/// The namespace of an element on an ``XMLTape``.
struct XMLNamespace {
    var element: Int
    var name: ParserName
}
