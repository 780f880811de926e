import TVEModels

/// The document that an ``XMLReader`` has just parsed.
///
/// It points into the reader, so it is valid only until the reader's ``XMLReader/end()``.
struct ParsedXML {
    static let root = 0

    private let recorder: UnsafePointer<XMLRecorder>

    init(_ recorder: UnsafePointer<XMLRecorder>) {
        self.recorder = recorder
    }

    var names: KnownNames { recorder.pointee.names }

    subscript(position: Int) -> XMLNode {
        @inline(__always) get { recorder.pointee.tape.nodes[position] }
    }

    /// The bytes of a text, or of the text before an element's first child.
    @inline(__always)
    func bytes(of node: XMLNode) -> UnsafeBufferPointer<UInt8> { recorder.pointee.tape.bytes(of: node.text) }

    /// The text of an element that contains only text, nil when it contains elements.
    @inline(__always)
    func text(of position: Int) -> UnsafeBufferPointer<UInt8>? {
        let node = self[position]
        return Int(node.end) == position + 1 ? bytes(of: node) : nil
    }

    /// The name of an element without prefix, empty for text.
    func name(of position: Int) -> String { self[position].name.map { String(cString: $0) } ?? "" }

    /// The name of an element's namespace, nil when it has none.
    func namespace(of position: Int) -> String? {
        guard self[position].hasNamespace else { return nil }
        let namespaces = recorder.pointee.tape.namespaces.elements
        return String(cString: namespaces[namespaces.partitioningIndex { $0.element >= position }].name)
    }

    /// The positions of everything directly inside an element, in order: elements, and the texts after the first of
    /// them.
    func children(of position: Int) -> some Sequence<Int> {
        sequence(state: position + 1) { next in
            guard next < Int(self[position].end) else { return nil }
            defer { next = Int(self[next].end) }
            return next
        }
    }

    func attributes(of position: Int) -> [(name: String, value: String)] {
        guard self[position].hasAttributes else { return [] }
        let attributes = recorder.pointee.tape.attributes.elements
        let first = attributes.partitioningIndex { $0.element >= position }
        return attributes[first...].prefix { $0.element == position }.map { attribute in
            let value = String(decoding: recorder.pointee.tape.bytes(of: attribute.value), as: UTF8.self)
            // Without entity substitution the library writes every ampersand of a value in this one spelling.
            return (String(cString: attribute.name), value.replacingBytes(of: "&#38;", with: "&"))
        }
    }
}

extension UnsafeMutableBufferPointer {
    /// The first index whose element is in the second part, in a list that is partitioned.
    fileprivate func partitioningIndex(_ isInSecondPart: (Element) -> Bool) -> Int {
        var lower = 0
        var upper = count
        while lower < upper {
            let middle = lower + (upper - lower) / 2
            if isInSecondPart(self[middle]) { upper = middle } else { lower = middle + 1 }
        }
        return lower
    }
}

/// Iterates over everything directly inside an element and finds the elements with known names.
struct XMLChildren<Name: ElementName> {
    private let document: ParsedXML
    private let parent: Int
    private let names: InternedNames<Name>
    private var position: Int
    private let end: Int
    /// The names so far, one bit each.
    private var seen: UInt64 = 0
    private var expected = 0

    init(_ document: ParsedXML, _ parent: Int, _ names: InternedNames<Name>) {
        self.document = document
        self.parent = parent
        self.names = names
        position = parent + 1
        end = Int(document[parent].end)
    }

    /// The next element with a known name that has not occurred before; everything else is skipped.
    mutating func nextFirst() -> (name: Name, position: Int)? {
        while position < end {
            let child = position
            let node = document[child]
            position = Int(node.end)
            if let pointer = node.name, let found = names.name(pointer, expecting: expected), isNew(found.place) {
                return (found.name, child)
            }
        }
        return nil
    }

    /// The next element of a known name in a token; unknown ones are skipped (a later service may add some).
    ///
    /// - Throws: `.duplicateElement` for a known name that occurs twice, `.unexpectedContent` for text that is not
    ///   blank or for a known element in a namespace.
    mutating func nextField() throws(TokenCodecError) -> (name: Name, position: Int)? {
        while position < end {
            let child = position
            let node = document[child]
            position = Int(node.end)
            guard let pointer = node.name else {
                try document.checkBlank(child, in: parent)
                continue
            }
            guard let (name, place) = names.name(pointer, expecting: expected) else { continue }
            guard !node.hasNamespace else { throw .unexpectedContent(name.wireName) }
            guard isNew(place) else { throw .duplicateElement(name.wireName) }
            return (name, child)
        }
        return nil
    }

    /// Records the name at a place; false when it has occurred before.
    private mutating func isNew(_ place: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: place)
        guard seen & bit == 0 else { return false }
        seen |= bit
        expected = place &+ 1
        return true
    }
}
