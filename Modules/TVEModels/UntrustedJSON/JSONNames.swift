/// The names of a map's members that a reader knows, in a form in which ``JSONCursor`` finds them without making a string.
package struct JSONNames<Field: CaseIterable & RawRepresentable<String> & Sendable>: Sendable {
    @usableFromInline let fields: [Field]
    @usableFromInline let table: JSONNameTable

    /// Prepares the names: the raw values of all cases, at most 64.
    package init(_: Field.Type = Field.self) {
        fields = Array(Field.allCases)
        table = JSONNameTable(fields.map(\.rawValue))
    }
}

/// Names as bytes, one behind another.
@usableFromInline
struct JSONNameTable: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init(_ names: [String]) {
        // A set of 64 bits marks the names that a map has had.
        precondition(names.count <= 64)
        for name in names {
            bytes += name.utf8
            ends.append(bytes.count)
        }
    }

    /// The place of a name in the table; nil when it is not there.
    ///
    /// - Parameter guess: the place to look at first. Most documents have their members in one order.
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
