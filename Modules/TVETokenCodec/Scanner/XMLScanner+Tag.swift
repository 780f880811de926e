// Tags that differ from the predicted ones, and the text around the root.

extension XMLScanner {
    private static let prologs: [StaticString] = [
        #"<?xml version="1.0" encoding="UTF-8"?>"#, #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
        #"<?xml version="1.0"?>"#,
    ]

    static let attributeNames: [StaticString] = ["simpleResourceID", "reason"]

    /// The start tag with which a configuration begins.
    ///
    /// The elements inside it have no namespace.
    static let prefixedRoot: (tag: StaticString, qualifiedName: StaticString, name: String, namespace: String) = (
        #"<ns2:config xmlns:ns2="http://pass.adobe.com/config">"#, "ns2:config", "config",
        "http://pass.adobe.com/config"
    )

    /// Returns the beginning of the root element, after one of the known declarations and blanks.
    func rootStart(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var offset = start
        if bytes[offset] == UInt8(ascii: "<"), bytes[offset + 1] == UInt8(ascii: "?") {
            guard let prolog = Self.prologs.first(where: { bytes.has($0, at: offset) }) else { return nil }
            offset += prolog.utf8CodeUnitCount
        }
        offset = endOfBlanks(bytes, from: offset)
        return bytes[offset] == UInt8(ascii: "<") ? offset : nil
    }

    /// Returns the first offset from here on that is not a blank, tab or line feed.
    func endOfBlanks(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while bytes[offset].isXMLSpace, bytes[offset] != UInt8(ascii: "\r") { offset += 1 }
        return offset
    }

    /// Parses the one known start tag with a prefix, byte for byte.
    ///
    /// - Returns: the offset after the tag, or nil if another tag is here.
    mutating func openPrefixedRoot(_ bytes: Span<UInt8>, at offset: Int, onto tape: inout XMLTape) -> Int? {
        guard bytes.has(Self.prefixedRoot.tag, at: offset), countElement() else { return nil }
        tape.startElement(name: root, namespace: rootNamespace, hasAttributes: false)
        let end = offset + Self.prefixedRoot.tag.utf8CodeUnitCount
        open.append(XMLOpenTag(start: offset + 1, count: Self.prefixedRoot.qualifiedName.utf8CodeUnitCount, end: end))
        return end
    }

    /// - Returns: the offset after the tag, or nil to give up.
    @inline(never)
    mutating func anyElement(
        _ bytes: Span<UInt8>, at start: Int, _ parser: XMLParser, onto tape: inout XMLTape
    ) -> Int? {
        guard let (count, index) = names.read(bytes, at: start) else { return nil }
        let name: ParserName
        if index > 0 {
            names.note(index, after: lastName)
            lastName = index
            name = names[index].name
        } else {
            guard let interned = parser.intern(bytes.extracting(start..<start + count)) else { return nil }
            name = interned
        }
        var offset = start + count
        let hasAttributes = bytes[offset] == UInt8(ascii: " ")
        if hasAttributes {
            guard let next = attribute(bytes, at: offset + 1, onto: &tape) else { return nil }
            offset = next
        }
        let isEmpty = bytes[offset] == UInt8(ascii: "/")
        if isEmpty { offset += 1 }
        guard bytes[offset] == UInt8(ascii: ">") else { return nil }
        tape.startElement(name: name, namespace: nil, hasAttributes: hasAttributes)
        if isEmpty {
            tape.endElement()
        } else {
            open.append(XMLOpenTag(start: start, count: count, end: offset + 1))
        }
        return offset + 1
    }

    /// Parses a known attribute in double quotes, whose value is ASCII without entities, tabs and line feeds.
    ///
    /// - Returns: the offset after the attribute, or nil to give up.
    private func attribute(_ bytes: Span<UInt8>, at start: Int, onto tape: inout XMLTape) -> Int? {
        guard
            let index = Self.attributeNames.firstIndex(where: { name in
                let end = start + name.utf8CodeUnitCount
                return bytes.has(name, at: start) && bytes[end] == UInt8(ascii: "=")
                    && bytes[end + 1] == UInt8(ascii: "\"")
            })
        else { return nil }
        let valueStart = start + Self.attributeNames[index].utf8CodeUnitCount + 2
        var offset = valueStart
        while bytes[offset] != UInt8(ascii: "\"") {
            guard (0x20..<0x7F).contains(bytes[offset]), bytes[offset] != UInt8(ascii: "<"),
                bytes[offset] != UInt8(ascii: "&")
            else { return nil }
            offset += 1
        }
        tape.attribute(name: attributes[index], value: XMLSpan(start: valueStart, count: offset - valueStart))
        return offset + 1
    }
}

/// The start tag of an open element, with the location of its name in the document and the end of the tag.
///
/// The name includes the prefix. The end tag must have the same name.
struct XMLOpenTag {
    var start: Int32
    var count: Int32
    /// The offset after the tag.
    var end: Int32

    init(start: Int, count: Int, end: Int) {
        self.start = Int32(truncatingIfNeeded: start)
        self.count = Int32(truncatingIfNeeded: count)
        self.end = Int32(truncatingIfNeeded: end)
    }

    /// The offsets of the whole tag.
    var range: Range<Int> { Int(start) - 1..<Int(end) }
}
