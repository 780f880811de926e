import TVEModels

/// A document: its text, and the ``XMLTape`` with everything in it.
///
/// An ``XMLReader`` owns the document, loads the text and has the tape recorded. Decoders borrow the document and find
/// elements by their positions on the tape. The text of a token begins with its envelope, which is not on the tape.
struct XMLDocument: ~Copyable {
    static let root = 0

    /// The names that decoders look for, from the parser whose names are on the tape.
    let names: KnownNames
    private(set) var tape = XMLTape()
    /// The text, followed by zeros.
    private var source = KeptBuffer<UInt8>(keeping: 4_096)

    /// Creates an empty document for the names of a parser, which must outlive it.
    init(_ parser: XMLParser) {
        names = KnownNames(parser)
    }

    // MARK: - Text

    /// Loads a text and appends zeros.
    ///
    /// The library needs one zero, and the scanner several.
    mutating func load(_ text: Span<UInt8>) {
        source.reserve(text.count + PaddedText.padding)
        source.append(contentsOf: text)
        source.append(0, count: PaddedText.padding)
    }

    /// Removes the text and everything on the tape.
    mutating func unload() {
        source.removeAll()
        tape.end()
    }

    /// Calls a closure with the text and its zeros.
    @inline(__always)
    func withPaddedSource<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try source.withSpan(body)
    }

    /// Returns the text from an offset on with one of its zeros, which is valid until another text is loaded.
    @unsafe func bytes(from start: Int) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(rebasing: source.elements[start...source.count - PaddedText.padding])
    }

    // MARK: - Recording

    /// Empties the tape.
    mutating func beginRecording() { tape.begin(source.count) }

    /// Records the end of the text with a scanner.
    ///
    /// The function returns false if the library must parse the text. Then the tape is invalid.
    mutating func scan(
        with scanner: inout XMLScanner, from start: Int, _ policy: XMLPolicy, _ parser: XMLParser
    ) -> Bool {
        tape.begin(source.count)
        return source.withSpan { source in
            scanner.scan(source, from: start, policy: policy, parser: parser, onto: &tape)
        }
    }

    /// Calls a closure that records a part of the text, which it receives with its zeros.
    @inline(__always)
    mutating func record<Result>(_ body: (_ text: Span<UInt8>, _ tape: inout XMLTape) -> Result) -> Result {
        source.withSpan { source in body(source, &tape) }
    }

    // MARK: - Elements

    subscript(position: Int) -> XMLNode {
        @inline(__always) get { tape.nodes[position] }
    }

    /// Returns the text of a name of this document.
    func text(of name: ParserName) -> String {
        // The parser outlives the document.
        unsafe name.text
    }

    /// Returns the name of an element without prefix, which is empty for text.
    func name(of position: Int) -> String {
        guard let name = self[position].name else { return "" }
        return text(of: name)
    }

    /// Returns the name of an element's namespace, or nil if it has none.
    func namespace(of position: Int) -> String? {
        guard self[position].hasNamespace else { return nil }
        let name = tape.namespaces.withSpan { namespaces in
            namespaces[namespaces.firstIndex { $0.element >= position }].name
        }
        return text(of: name)
    }

    /// Calls a closure with the position of everything directly inside an element, in order.
    ///
    /// The positions are those of the elements, and of the texts after the first of them.
    @inline(__always)
    func forEachChild<Failure: Error>(
        of position: Int, _ body: (_ child: Int) throws(Failure) -> Void
    ) throws(Failure) {
        let end = Int(self[position].end)
        var child = position + 1
        while child < end {
            try body(child)
            child = Int(self[child].end)
        }
    }

    // MARK: - Values

    /// Calls a closure with the bytes of a text or of an attribute's value.
    @inline(__always)
    func withBytes<Result>(of text: XMLSpan, _ body: (Span<UInt8>) -> Result) -> Result {
        // The elements are valid until the next change, which the borrow of this document excludes.
        let store = unsafe text.isCopied ? tape.copies.elements : source.elements
        return unsafe body(store.span.extracting(text.range))
    }

    /// Returns the text at a location, which for an element is the text before its first child.
    func string(of text: XMLSpan) -> String { withBytes(of: text) { String(decoding: $0) } }

    /// Returns the text of an element that contains only text, or nil if it contains elements.
    @inline(__always)
    func text(of position: Int) -> XMLSpan? {
        let node = self[position]
        return Int(node.end) == position + 1 ? node.text : nil
    }

    func attributes(of position: Int) -> [(name: String, value: String)] {
        places(ofAttributesOf: position).map { attribute in
            // Without entity substitution, the library writes every ampersand of a value in this one spelling.
            let value = string(of: attribute.value).replacingBytes(of: "&#38;", with: "&")
            return (text(of: attribute.name), value)
        }
    }

    func places(ofAttributesOf position: Int) -> [XMLAttribute] {
        guard self[position].hasAttributes else { return [] }
        return tape.attributes.withSpan { attributes in
            let first = attributes.firstIndex { $0.element >= position }
            let end = attributes.firstIndex { $0.element > position }
            return (first..<end).map { attributes[$0] }
        }
    }
}

extension Span {
    /// Returns the first index whose element is in the second part of a partitioned list.
    fileprivate func firstIndex(_ isInSecondPart: (Element) -> Bool) -> Int {
        var lower = 0
        var upper = count
        while lower < upper {
            let middle = lower + (upper - lower) / 2
            if isInSecondPart(self[middle]) { upper = middle } else { lower = middle + 1 }
        }
        return lower
    }
}
