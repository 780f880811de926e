/// A scanner that parses the documents of this service without the library, and gives up every document that it does
/// not fully understand.
///
/// It understands elements whose names are ASCII without a prefix, text, the five predefined entities and character
/// references. It also understands one XML declaration (``prologs``), one root with a prefix
/// (``XMLScanner/prefixedRoot``) and one known attribute per element (``attributeNames``). It gives up everything else,
/// above all documents that are not well-formed. Then libxml2 parses the document from its beginning and decides. The
/// scanner never refuses a document.
///
/// It writes exactly the same to the tape as the library's events would, with the same names, and text copied in the
/// same cases.
struct XMLScanner: ~Copyable {
    /// The depth beyond which documents are given up.
    ///
    /// The library has its own limit of 256.
    private static let mostOpen = 128
    /// The length beyond which documents are given up.
    ///
    /// The library has its own limits at 10,000,000 bytes.
    private static let mostBytes = 8 << 20

    var names: XMLNameTable
    /// The parser's copies of the names in ``attributeNames`` and ``prefixedRoot``.
    let attributes: [ParserName]
    let root: ParserName
    let rootNamespace: ParserName
    /// The start tags of the open elements.
    ///
    /// For a document that was given up, they are those that were open at that location.
    var open = KeptBuffer<XMLOpenTag>(keeping: 64)
    /// The end of the last tag or text that was understood.
    private(set) var understood = 0
    private(set) var elements = 0
    var lastName = 0
    private var mostElements = 0
    /// The number of elements that may be open.
    private var depth = 0

    /// Creates a scanner that uses a parser's names.
    init(_ parser: XMLParser) {
        names = XMLNameTable(parser)
        attributes = Self.attributeNames.map { parser.intern($0.description) }
        root = parser.intern(Self.prefixedRoot.name)
        rootNamespace = parser.intern(Self.prefixedRoot.namespace)
    }

    /// Parses the document at the end of a padded text onto a tape that is ready for it.
    ///
    /// The parser stores names that are not in the table. A document that exceeds the policy is given up too.
    ///
    /// - Returns: false if the document was given up. Then the tape is invalid.
    mutating func scan(
        _ bytes: Span<UInt8>, from start: Int, policy: XMLPolicy, parser: XMLParser, onto tape: inout XMLTape
    ) -> Bool {
        open.clear()
        understood = start
        lastName = 0
        elements = 0
        mostElements = policy.maximumElements
        depth = min(policy.maximumDepth, Self.mostOpen)
        guard bytes.textCount - start <= Self.mostBytes, let first = rootStart(bytes, from: start),
            var offset = openPrefixedRoot(bytes, at: first, onto: &tape)
                ?? element(bytes, at: first, parser, onto: &tape)
        else { return false }
        while open.count > 0 {
            understood = offset
            if bytes[offset] != UInt8(ascii: "<") {
                guard let next = text(bytes, from: offset, onto: &tape) else { return false }
                offset = next
                understood = next
            }
            if bytes[offset &+ 1] == UInt8(ascii: "/") {
                let tag = open[open.count &- 1]
                guard let next = endTag(bytes, at: offset, of: Int(tag.start), Int(tag.count)) else { return false }
                open.removeLast()
                tape.endElement()
                offset = next
            } else {
                guard let next = element(bytes, at: offset, parser, onto: &tape) else { return false }
                offset = next
            }
        }
        return endOfBlanks(bytes, from: offset) == bytes.textCount
    }

    /// Counts an element against the limits, and returns false if there are too many or they are nested too deeply.
    @inline(__always)
    mutating func countElement() -> Bool {
        guard elements < mostElements, open.count < depth else { return false }
        elements &+= 1
        return true
    }

    /// Parses a start tag, and the whole element if it contains only plain text.
    ///
    /// - Returns: the offset after the parsed bytes, or nil to give up.
    @inline(__always)
    private mutating func element(
        _ bytes: Span<UInt8>, at offset: Int, _ parser: XMLParser, onto tape: inout XMLTape
    ) -> Int? {
        guard countElement() else { return nil }
        let start = offset &+ 1
        let index = names.repeated(after: lastName, in: bytes, at: start)
        guard index != 0 else { return anyElement(bytes, at: start, parser, onto: &tape) }
        lastName = index
        let name = names[index]
        let content = start &+ Int(name.count) &+ 1
        let end = bytes.firstMarkup(from: content)
        if bytes[end] == UInt8(ascii: "<"), bytes[end &+ 1] == UInt8(ascii: "/"),
            let next = endTag(bytes, at: end, of: start, Int(name.count))
        {
            tape.leaf(name: name.name, start: content, count: end &- content)
            return next
        }
        tape.startElement(name: name.name, namespace: nil, hasAttributes: false)
        open.append(XMLOpenTag(start: start, count: Int(name.count), end: content))
        return content
    }

    /// Parses the end tag of the element whose name is at `start`.
    ///
    /// - Returns: the offset after the tag, or nil if it is another tag or contains blanks.
    @inline(__always)
    private func endTag(_ bytes: Span<UInt8>, at offset: Int, of start: Int, _ count: Int) -> Int? {
        let name = offset &+ 2
        guard bytes.hasSame(at: name, as: bytes, at: start, count: count),
            bytes[name &+ count] == UInt8(ascii: ">")
        else { return nil }
        return name &+ count &+ 1
    }
}
