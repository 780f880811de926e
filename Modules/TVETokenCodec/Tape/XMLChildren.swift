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
            if let pointer = node.name, let name = names.name(pointer, expecting: expected), isNew(name) {
                return (name, child)
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
            guard let name = names.name(pointer, expecting: expected) else { continue }
            guard !node.hasNamespace else { throw .unexpectedContent(name.wireName) }
            guard isNew(name) else { throw .duplicateElement(name.wireName) }
            return (name, child)
        }
        return nil
    }

    /// Records an element's name; false when the name has occurred before.
    private mutating func isNew(_ name: Name) -> Bool {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: name.rawValue)
        guard seen & bit == 0 else { return false }
        seen |= bit
        expected = name.rawValue &+ 1
        return true
    }
}
