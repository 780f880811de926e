@testable import TVETokenCodec

// The fuzzer in Benchmarks/Fuzzing compiles this file too, through a symbolic link.

/// The contents of an `XMLTape` about a document, as values that can be stored and compared.
///
/// The scanner and libxml2 must agree on every part of it (`ScannerDifferentialTests`, HowThisProjectTests.md).
struct XMLTranscript: Equatable {
    /// An element, or text after an element's child.
    struct Entry: Equatable {
        /// The name of the element, or nil for text.
        var name: String?
        /// A Boolean value that indicates whether the name is the parser's own copy, which readers compare.
        var isInterned: Bool
        var namespace: String?
        /// The offset of the text in the document or in the tape's own store.
        var start: Int
        /// A Boolean value that indicates whether the text is in the tape's own store.
        var isCopied: Bool
        var text: [UInt8]
        /// The position after the last entry inside this one.
        var end: Int
        var attributes: [Attribute]
    }

    struct Attribute: Equatable {
        var name: String
        var isInterned: Bool
        var start: Int
        var isCopied: Bool
        var value: [UInt8]
    }

    let entries: [Entry]

    /// Parses a document and records the tape.
    init(_ bytes: some Collection<UInt8>, _ policy: XMLPolicy) throws(TokenCodecError) {
        let reader = try XMLReader.begin(bytes, policy)
        defer { reader.end() }
        let document = try reader.parse(from: 0, policy)
        entries = (0..<Int(document[ParsedXML.root].end)).map { position in
            let node = document[position]
            return Entry(
                name: node.name.map(document.text), isInterned: node.name.map(reader.isInterned) ?? true,
                namespace: document.namespace(of: position), start: node.text.range.lowerBound,
                isCopied: node.text.isCopied, text: document.bytes(of: node.text), end: Int(node.end),
                attributes: document.places(ofAttributesOf: position).map { attribute in
                    Attribute(
                        name: document.text(of: attribute.name), isInterned: reader.isInterned(attribute.name),
                        start: attribute.value.range.lowerBound, isCopied: attribute.value.isCopied,
                        value: document.bytes(of: attribute.value))
                })
        }
        let listed = document.listed
        precondition(
            listed.namespaces == entries.count { $0.namespace != nil }
                && listed.attributes == entries.reduce(0) { $0 + $1.attributes.count },
            "the tape has namespaces or attributes of no element")
    }

    /// Parses a document in both ways.
    ///
    /// The result `isScanned` is false if the scanner left the document to libxml2.
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

extension ParsedXML {
    fileprivate func bytes(of text: XMLSpan) -> [UInt8] {
        withBytes(of: text) { bytes in bytes.indices.map { bytes[$0] } }
    }
}
