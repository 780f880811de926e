import TVEModels

/// The document that an ``XMLReader`` has just parsed.
///
/// It points into the reader, so it is valid only until the reader's ``XMLReader/end()``, which every caller defers
/// around all uses of the document.
@safe struct ParsedXML {
    static let root = 0

    private let state: UnsafePointer<XMLReader.State>

    @unsafe init(_ state: UnsafePointer<XMLReader.State>) { unsafe self.state = state }

    var names: KnownNames { unsafe state.pointee.recorder.names }

    subscript(position: Int) -> XMLNode {
        @inline(__always) get { unsafe state.pointee.recorder.tape.nodes[position] }
    }

    /// Calls a closure with the bytes of a text or of an attribute's value.
    @inline(__always)
    func withBytes<Result>(of text: XMLSpan, _ body: (Span<UInt8>) -> Result) -> Result {
        unsafe state.pointee.recorder.withBytes(of: text, body)
    }

    /// Returns the text at a location, which for an element is the text before its first child.
    func string(of text: XMLSpan) -> String { withBytes(of: text) { String(decoding: $0) } }

    /// Returns the text of an element that contains only text, or nil if it contains elements.
    @inline(__always)
    func text(of position: Int) -> XMLSpan? {
        let node = self[position]
        return Int(node.end) == position + 1 ? node.text : nil
    }

    /// Returns the text of a name of this document.
    func text(of name: ParserName) -> String { unsafe name.text }

    /// Returns the name of an element without prefix, which is empty for text.
    func name(of position: Int) -> String { self[position].name.map(text) ?? "" }

    /// Returns the name of an element's namespace, or nil if it has none.
    func namespace(of position: Int) -> String? {
        guard self[position].hasNamespace else { return nil }
        let name = unsafe state.pointee.recorder.tape.namespaces.withSpan { namespaces in
            namespaces[namespaces.firstIndex { $0.element >= position }].name
        }
        return text(of: name)
    }

    /// Returns the positions of everything directly inside an element, in order.
    ///
    /// The positions are those of the elements, and of the texts after the first of them.
    func children(of position: Int) -> some Sequence<Int> {
        sequence(state: position + 1) { next in
            guard next < Int(self[position].end) else { return nil }
            defer { next = Int(self[next].end) }
            return next
        }
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
        return unsafe state.pointee.recorder.tape.attributes.withSpan { attributes in
            let first = attributes.firstIndex { $0.element >= position }
            let end = attributes.firstIndex { $0.element > position }
            return (first..<end).map { attributes[$0] }
        }
    }

    /// The numbers of attributes and namespaces on the tape, for comparisons.
    var listed: (attributes: Int, namespaces: Int) {
        unsafe (state.pointee.recorder.tape.attributes.count, state.pointee.recorder.tape.namespaces.count)
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

/// An iterator over everything directly inside an element that finds the elements with known names.
struct XMLChildren<Name: ElementName> {
    private let document: ParsedXML
    private let parent: Int
    private let names: InternedNames<Name>
    private var position: Int
    private let end: Int
    /// The names so far, with one bit for each.
    private var seen: UInt64 = 0
    private var expected = 0

    init(_ document: ParsedXML, of parent: Int, names: InternedNames<Name>) {
        self.document = document
        self.parent = parent
        self.names = names
        position = parent + 1
        end = Int(document[parent].end)
    }

    /// Returns the next element with a known name that has not occurred before, and skips everything else.
    mutating func nextFirst() -> (name: Name, position: Int)? {
        while position < end {
            let child = position
            let node = document[child]
            position = Int(node.end)
            if let name = node.name, let found = names.name(name, expecting: expected), isNew(found.place) {
                return (found.name, child)
            }
        }
        return nil
    }

    /// Returns the next element with a known name in a token, and skips unknown ones, which a later service may add.
    ///
    /// - Throws: `.duplicateElement` for a known name that occurs twice, or `.unexpectedContent` for text that is not
    ///   blank or for a known element in a namespace.
    mutating func nextField() throws(TokenCodecError) -> (name: Name, position: Int)? {
        while position < end {
            let child = position
            let node = document[child]
            position = Int(node.end)
            guard let found = node.name else {
                try document.checkBlank(child, in: parent)
                continue
            }
            guard let (name, place) = names.name(found, expecting: expected) else { continue }
            guard !node.hasNamespace else { throw .unexpectedContent(name.wireName) }
            guard isNew(place) else { throw .duplicateElement(name.wireName) }
            return (name, child)
        }
        return nil
    }

    /// Records the name at a place, and returns false if it has occurred before.
    private mutating func isNew(_ place: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: place)
        guard seen & bit == 0 else { return false }
        seen |= bit
        expected = place &+ 1
        return true
    }
}
