/// The member names that the reader of a map knows, in a form that ``JSONCursor`` can search without creating strings.
package struct JSONNames<Field: CaseIterable & RawRepresentable<String> & Sendable>: Sendable {
    @usableFromInline let fields: [Field]
    @usableFromInline let table: JSONNameTable

    /// Prepares the names, which are the raw values of all cases.
    ///
    /// There may be at most 64.
    package init(_: Field.Type = Field.self) {
        fields = Array(Field.allCases)
        table = JSONNameTable(fields.map(\.rawValue))
    }
}

/// The names as contiguous bytes.
@usableFromInline
struct JSONNameTable: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init(_ names: [String]) {
        // A set of 64 bits marks the names that have occurred in a map.
        precondition(names.count <= 64)
        for name in names {
            bytes += name.utf8
            ends.append(bytes.count)
        }
    }

    /// Returns the position of a name in the table, or nil when it is unknown.
    ///
    /// - Parameter guess: the position to try first, because most documents have their members in the same order.
    func place(of name: Span<UInt8>, guess: Int) -> Int? {
        if guess < ends.count, isSame(name, guess) { return guess }
        return ends.indices.first { isSame(name, $0) }
    }

    private func isSame(_ name: Span<UInt8>, _ place: Int) -> Bool {
        let start = place == 0 ? 0 : ends[place - 1]
        let end = ends[place]
        return name.count == end - start && bytes.withSpan { name.isSame(as: $0.extracting(start..<end)) }
    }
}
