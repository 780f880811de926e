/// A position in a JSON document from outside, from which values are read one after another directly into Swift types.
///
/// The cursor validates everything that it passes, including values that no reader uses: the grammar (RFC 8259), the
/// encoding, the escape sequences, the nesting and the length of names. A document that was read to its end was
/// therefore valid as a whole, and the time grows linearly with its length. Among members with the same name, the first
/// one is used.
///
/// Each reader (``string()``, ``flag()``, ``list(_:)``, …) consumes exactly one value. If the value is of another kind,
/// the reader returns nil or false, because one value that differs from the documentation must not make the others
/// unreadable. A reader throws only if the document is not JSON or exceeds its limits.
package struct JSONCursor: Sendable {
    let bytes: [UInt8]
    let limits: UntrustedJSON.Limits
    /// The position of the next byte.
    @usableFromInline var index = 0
    private var depth = 0

    /// Creates a cursor at the beginning of a document.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8. A byte order mark is skipped.
    ///   - limits: the maximum size and nesting of the document.
    /// - Throws: ``UntrustedJSONError``: `.tooLarge`, or `.malformed` for bytes that are not UTF-8.
    package init(_ bytes: [UInt8], _ limits: UntrustedJSON.Limits) throws(UntrustedJSONError) {
        guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        guard limits.isForgiving || bytes.withSpan(UTF8Check.firstInvalidOffset) == nil else { throw .malformed }
        self.bytes = bytes
        self.limits = limits
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The next byte, or nil at the end of the document.
    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// The number of bytes that have been consumed.
    package var passed: Int { index }

    /// Returns a Boolean value that indicates whether only white space is left.
    package mutating func isAtEnd() -> Bool {
        skipBlanks()
        return index == bytes.count
    }

    /// Returns a Boolean value that indicates whether the next value is a map.
    package mutating func isAtObject() -> Bool {
        skipBlanks()
        return byte == UInt8(ascii: "{")
    }

    /// Returns a Boolean value that indicates whether the next value is a list.
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

    /// Reads the members of a map whose names are known, and skips all others.
    ///
    /// - Parameters:
    ///   - names: the known names.
    ///   - read: a closure that reads the value of one member. A value that it does not read is skipped.
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

    /// Reads the members of a map with any names, in the order of the document.
    ///
    /// A name may occur repeatedly.
    ///
    /// - Parameter read: a closure that reads the value of one member. A value that it does not read is skipped.
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
    /// - Parameter read: a closure that reads one element. An element that it does not read is skipped.
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

    /// Reads the elements of a list that have the shape of a type, or returns nil for a value of another kind.
    package mutating func list<Element: JSONReadable>(
        of _: Element.Type
    ) throws(UntrustedJSONError) -> [Element]? {
        var elements: [Element] = []
        let isList = try list { (json) throws(UntrustedJSONError) in
            if let element = try Element(&json) { elements.append(element) }
        }
        return isList ? elements : nil
    }

    /// Skips one value of any kind.
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
        case UInt8(ascii: "t"): try pass(Literal.yes)
        case UInt8(ascii: "f"): try pass(Literal.no)
        case UInt8(ascii: "n"): try pass(Literal.null)
        default: _ = try passNumber()
        }
    }

    /// The known members of a map that have been read so far.
    @usableFromInline
    struct Members {
        fileprivate var isFirst = true
        fileprivate var seen: UInt64 = 0
        fileprivate var guess = 0

        @usableFromInline
        init() {}
    }

    /// Moves to the value of the next member whose name is known and has not occurred yet, or returns nil after the
    /// last one.
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

    /// Enters a map or a list, or skips a value of another kind and returns false.
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

    /// Moves to the next element and skips the comma before it, or skips the closing bracket and returns false.
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

    /// Reads the name of a member and moves to its value.
    private mutating func name() throws(UntrustedJSONError) -> Text {
        skipBlanks()
        guard byte == UInt8(ascii: "\"") else { throw .malformed }
        let name = try passText()
        skipBlanks()
        guard byte == UInt8(ascii: ":") else { throw .malformed }
        // Names become keys of dictionaries; see `Limits.nameBytes`.
        guard name.range.count <= limits.nameBytes else { throw .nameTooLong(limit: limits.nameBytes) }
        index += 1
        skipBlanks()
        return name
    }

    /// The literals of JSON.
    enum Literal {
        static let yes = Array("true".utf8)
        static let no = Array("false".utf8)
        static let null = Array("null".utf8)
    }

    /// Skips a literal.
    mutating func pass(_ literal: [UInt8]) throws(UntrustedJSONError) {
        let end = index + literal.count
        guard end <= bytes.count,
            bytes.withSpan({ bytes in literal.withSpan { bytes.extracting(index..<end).isSame(as: $0) } })
        else { throw .malformed }
        index = end
    }
}
