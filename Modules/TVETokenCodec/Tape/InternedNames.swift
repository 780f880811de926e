/// The parser's pointers to the names of one element's children.
struct InternedNames<Name: ElementName> {
    private let pointers: UnsafeMutableBufferPointer<UnsafePointer<UInt8>>

    /// Looks up all names; the caller must call ``deallocate()`` in the end.
    ///
    /// - Parameter intern: returns the parser's copy of a name.
    init(_ intern: (String) -> UnsafePointer<UInt8>) {
        pointers = .allocate(capacity: Name.allCases.count)
        _ = pointers.initialize(from: Name.allCases.map { intern($0.wireName) })
    }

    func deallocate() { pointers.deallocate() }

    /// The index of a name.
    ///
    /// - Parameters:
    ///   - name: a name from the same parser.
    ///   - expected: the raw value to try first: elements mostly come in the documented order.
    @inline(__always)
    func name(_ name: UnsafePointer<UInt8>, expecting expected: Int) -> Name? {
        if expected < pointers.count, pointers[expected] == name { return Name(rawValue: expected) }
        return pointers.firstIndex(of: name).flatMap(Name.init)
    }
}
