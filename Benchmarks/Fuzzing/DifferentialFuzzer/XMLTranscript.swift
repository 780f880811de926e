@testable import TVETokenCodec

// The fuzzer in Benchmarks/Fuzzing compiles this file too, through a symbolic link.

/// Everything that an `XMLTape` contains about a document, as values that can be stored and compared.
///
/// The scanner and libxml2 must agree on every part of it (`ScannerDifferentialTests`, Documentation/Fuzzing.md).
struct XMLTranscript: Equatable {
    /// An element, or text after an element's child.
    struct Entry: Equatable {
        /// The element's name without prefix, nil for text.
        var name: String?
        /// Whether the name is the parser's own copy, which readers compare.
        var isInterned: Bool
        /// The name of the namespace, nil without one.
        var namespace: String?
        /// The offset of the text in the document or in the tape's own store.
        var start: Int
        /// Whether the text is in the tape's own store.
        var isCopied: Bool
        /// The bytes of the text.
        var text: [UInt8]
        /// The position after the last entry inside this one.
        var end: Int
        /// Names and values of the attributes, and the places of the values.
        var attributes: [Attribute]
    }

    /// An attribute of an element.
    struct Attribute: Equatable {
        var name: String
        var isInterned: Bool
        var start: Int
        var isCopied: Bool
        var value: [UInt8]
    }

    /// All entries in document order.
    let entries: [Entry]

    /// Parses a document as XML and records the tape.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - policy: limits, and whether the scanner may be used.
    /// - Throws: any `TokenCodecError` about the bytes, the markup or a limit.
    init(_ bytes: some Collection<UInt8>, _ policy: XMLPolicy) throws(TokenCodecError) {
        let reader = try XMLReader.begin(bytes, policy)
        defer { reader.end() }
        _ = try reader.parse(from: 0, policy)
        let tape = reader.tape
        var namespaces = tape.namespaces.elements[...]
        var attributes = tape.attributes.elements[...]
        entries = tape.nodes.elements.enumerated().map { position, node in
            var entry = Entry(
                name: node.name.map { String(cString: $0) }, isInterned: node.name.map(reader.isInterned) ?? true,
                start: node.text.range.lowerBound, isCopied: node.text.isCopied, text: Array(tape.bytes(of: node.text)),
                end: Int(node.end), attributes: [])
            if node.hasNamespace, let namespace = namespaces.first, namespace.element == position {
                entry.namespace = String(cString: namespace.name)
                namespaces.removeFirst()
            }
            while node.hasAttributes, let attribute = attributes.first, attribute.element == position {
                entry.attributes.append(
                    Attribute(
                        name: String(cString: attribute.name), isInterned: reader.isInterned(attribute.name),
                        start: attribute.value.range.lowerBound, isCopied: attribute.value.isCopied,
                        value: Array(tape.bytes(of: attribute.value))))
                attributes.removeFirst()
            }
            return entry
        }
        precondition(namespaces.isEmpty && attributes.isEmpty, "the tape has namespaces or attributes of no element")
    }

    /// Parses a document in both ways.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - policy: limits.
    /// - Returns: the result with the scanner, the result without it, and whether the scanner parsed the document.
    static func both(
        _ bytes: some Collection<UInt8>, _ policy: XMLPolicy
    ) -> (
        scanner: Result<XMLTranscript, TokenCodecError>, library: Result<XMLTranscript, TokenCodecError>,
        isScanned: Bool
    ) {
        var policy = policy
        let scanned = XMLReader.countOfThisThread.scanned
        policy.usesScanner = true
        let scanner = Result { () throws(TokenCodecError) in try XMLTranscript(bytes, policy) }
        let isScanned = XMLReader.countOfThisThread.scanned > scanned
        policy.usesScanner = false
        let library = Result { () throws(TokenCodecError) in try XMLTranscript(bytes, policy) }
        return (scanner, library, isScanned)
    }
}
