/// An iterator over everything directly inside an element that finds the elements with known names.
///
/// It contains positions and not the document, which the caller passes to each step.
struct XMLChildren<Name: ElementName> {
    private let parent: Int
    private let names: InternedNames<Name>
    private var position: Int
    private let end: Int
    /// The names so far, with one bit for each.
    private var seen: UInt64 = 0
    private var expected = 0

    init(_ document: borrowing XMLDocument, of parent: Int, names: InternedNames<Name>) {
        self.parent = parent
        self.names = names
        position = parent + 1
        end = Int(document[parent].end)
    }

    /// Returns the next element with a known name that has not occurred before, and skips everything else.
    mutating func nextFirst(in document: borrowing XMLDocument) -> (name: Name, position: Int)? {
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
    mutating func nextField(
        in document: borrowing XMLDocument
    ) throws(TokenCodecError) -> (name: Name, position: Int)? {
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
