/// A place in a JSON document from outside, from which one value after another is read straight into our types.
///
/// It checks what it passes, also where nobody wants the value: the grammar (RFC 8259), the encoding, the escapes, how
/// deep the document is nested and how long its names are. So a document that was read to its end was valid as a whole,
/// and the time grows only with its length. Of members with the same name the first counts.
///
/// A reader of a kind (``string()``, ``flag()``, ``list(_:)``, …) passes exactly one value. When that is of another kind,
/// the reader says so by nil or false, because one value that is not as documented must not make the others unreadable; it
/// throws only for documents that are no JSON or exceed their limits.
package struct JSONCursor: Sendable {
    let bytes: [UInt8]
    let limits: UntrustedJSON.Limits
    /// The place of the next byte.
    @usableFromInline var index = 0
    private var depth = 0

    /// Goes to the beginning of a document.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8; a byte order mark is passed.
    ///   - limits: how large and deep it may be.
    /// - Throws: ``UntrustedJSONError``: `.tooLarge`, or `.malformed` for bytes that are not UTF-8.
    package init(_ bytes: [UInt8], _ limits: UntrustedJSON.Limits) throws(UntrustedJSONError) {
        guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        guard limits.isForgiving || bytes.withSpan(UTF8Check.firstInvalidOffset) == nil else { throw .malformed }
        self.bytes = bytes
        self.limits = limits
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The next byte; nil at the end of the document.
    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// How many bytes have been passed.
    package var passed: Int { index }

    /// Whether nothing but white space is left.
    package mutating func isAtEnd() -> Bool {
        skipBlanks()
        return index == bytes.count
    }

    /// Whether the next value is a map.
    package mutating func isAtObject() -> Bool {
        skipBlanks()
        return byte == UInt8(ascii: "{")
    }

    /// Whether the next value is a list.
    package mutating func isAtList() -> Bool {
        skipBlanks()
        return byte == UInt8(ascii: "[")
    }

    mutating func skipBlanks() { index = bytes.withSpan { Self.endOfBlanks(in: $0, from: index) } }

    private static func endOfBlanks(in bytes: Span<UInt8>, from start: Int) -> Int {
        var place = start
        while place < bytes.count, isBlank(bytes[place]) { place += 1 }
        return place
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    // MARK: - Maps and lists

    /// Reads the members of a map whose names are known; all others are passed.
    ///
    /// - Parameters:
    ///   - names: the names.
    ///   - read: reads the value of one member. What it does not read is passed.
    /// - Returns: false for a value of another kind.
    @inlinable
    package mutating func object<Field>(
        _ names: JSONNames<Field>, _ read: (Field, inout JSONCursor) throws(UntrustedJSONError) -> Void
    ) throws(UntrustedJSONError) -> Bool {
        guard try enter(UInt8(ascii: "{")) else { return false }
        var members = Members()
        while let place = try nextMember(of: names.table, &members) {
            let start = index
            try read(names.fields[place], &self)
            if index == start { try skip() }
        }
        return true
    }

    /// Reads the members of a map with any names, in the order of the document; a name may come again.
    ///
    /// - Parameter read: reads the value of one member. What it does not read is passed.
    /// - Returns: false for a value of another kind.
    package mutating func members(
        _ read: (String, inout JSONCursor) throws(UntrustedJSONError) -> Void
    ) throws(UntrustedJSONError) -> Bool {
        guard try enter(UInt8(ascii: "{")) else { return false }
        var isFirst = true
        while try hasNext(&isFirst, until: UInt8(ascii: "}")) {
            let name = string(try name())
            let start = index
            try read(name, &self)
            if index == start { try skip() }
        }
        return true
    }

    /// Reads the elements of a list.
    ///
    /// - Parameter read: reads one element. What it does not read is passed.
    /// - Returns: false for a value of another kind.
    package mutating func list(
        _ read: (inout JSONCursor) throws(UntrustedJSONError) -> Void
    ) throws(UntrustedJSONError) -> Bool {
        guard try enter(UInt8(ascii: "[")) else { return false }
        var isFirst = true
        while try hasNext(&isFirst, until: UInt8(ascii: "]")) {
            let start = index
            try read(&self)
            if index == start { try skip() }
        }
        return true
    }

    /// Reads the elements of a list that have the shape of a type; nil for a value of another kind.
    package mutating func list<Element: JSONReadable>(
        of _: Element.Type
    ) throws(UntrustedJSONError) -> [Element]? {
        var elements: [Element] = []
        let isList = try list { (json) throws(UntrustedJSONError) in
            if let element = try Element(&json) { elements.append(element) }
        }
        return isList ? elements : nil
    }

    /// Passes one value of any kind.
    package mutating func skip() throws(UntrustedJSONError) {
        if limits.isForgiving { return try passLoosely() }
        skipBlanks()
        var isFirst = true
        switch byte {
        case UInt8(ascii: "\""): _ = try passText()
        case UInt8(ascii: "{"):
            _ = try enter(UInt8(ascii: "{"))
            while try hasNext(&isFirst, until: UInt8(ascii: "}")) {
                _ = try name()
                try skip()
            }
        case UInt8(ascii: "["):
            _ = try enter(UInt8(ascii: "["))
            while try hasNext(&isFirst, until: UInt8(ascii: "]")) { try skip() }
        case UInt8(ascii: "t"): try pass(Word.yes)
        case UInt8(ascii: "f"): try pass(Word.no)
        case UInt8(ascii: "n"): try pass(Word.null)
        default: _ = try passNumber()
        }
    }

    /// What a map has had of the names that its reader knows.
    @usableFromInline
    struct Members {
        fileprivate var isFirst = true
        fileprivate var seen: UInt64 = 0
        fileprivate var guess = 0

        @usableFromInline
        init() {}
    }

    /// Goes to the value of the next member whose name is known, and that the map has not had; nil after the last one.
    @usableFromInline
    mutating func nextMember(
        of table: JSONNameTable, _ members: inout Members
    ) throws(UntrustedJSONError) -> Int? {
        while try hasNext(&members.isFirst, until: UInt8(ascii: "}")) {
            let name = try name()
            let place: Int?
            if name.isEscaped {
                place = string(name).withUTF8Span { table.place(of: $0, guess: members.guess) }
            } else {
                place = bytes.withSpan { table.place(of: $0.extracting(name.range), guess: members.guess) }
            }
            if let place, members.seen & 1 << place == 0 {
                members.seen |= 1 << place
                members.guess = place + 1
                return place
            }
            try skip()
        }
        return nil
    }

    /// Goes into a map or a list; false for a value of another kind, which is passed.
    @usableFromInline
    mutating func enter(_ bracket: UInt8) throws(UntrustedJSONError) -> Bool {
        skipBlanks()
        guard byte == bracket else {
            try skip()
            return false
        }
        depth += 1
        guard depth <= limits.depth else { throw .tooDeep(limit: limits.depth) }
        index += 1
        return true
    }

    /// Goes to the next element, behind the comma before it; false at the end, which is passed.
    private mutating func hasNext(_ isFirst: inout Bool, until end: UInt8) throws(UntrustedJSONError) -> Bool {
        skipBlanks()
        if byte == end {
            index += 1
            depth -= 1
            return false
        }
        if isFirst {
            isFirst = false
        } else {
            guard byte == UInt8(ascii: ",") else { throw .malformed }
            index += 1
        }
        return true
    }

    /// Reads the name of a member, and goes to its value.
    private mutating func name() throws(UntrustedJSONError) -> Text {
        skipBlanks()
        guard byte == UInt8(ascii: "\"") else { throw .malformed }
        let name = try passText()
        skipBlanks()
        guard byte == UInt8(ascii: ":") else { throw .malformed }
        // Names become keys of dictionaries; see the limit.
        guard name.range.count <= limits.nameBytes else { throw .nameTooLong(limit: limits.nameBytes) }
        index += 1
        skipBlanks()
        return name
    }

    /// The words of JSON.
    enum Word {
        static let yes = Array("true".utf8)
        static let no = Array("false".utf8)
        static let null = Array("null".utf8)
    }

    /// Passes a word.
    mutating func pass(_ word: [UInt8]) throws(UntrustedJSONError) {
        let end = index + word.count
        guard end <= bytes.count,
            bytes.withSpan({ bytes in word.withSpan { bytes.extracting(index..<end).isSame(as: $0) } })
        else { throw .malformed }
        index = end
    }
}
