@testable import TVETokenCodec

// The fuzzer in Benchmarks/Fuzzing compiles this file too, through a symbolic link.

/// The contents of a document's `XMLTape`, as values that can be stored and compared.
///
/// The scanner and libxml2 must agree on every part of it (`ScannerDifferentialTests`, HowThisProjectTests.md).
struct XMLTranscript: Equatable {
    /// An element, or text after an element's child.
    struct Entry: Equatable {
        /// The name of the element, or nil for text.
        var name: String?
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
        var start: Int
        var isCopied: Bool
        var value: [UInt8]
    }

    let entries: [Entry]

    /// Copies the tape of a document, all names of which must be the parser's own copies.
    init(_ document: borrowing XMLDocument) {
        var names: [String: ParserName] = [:]
        func text(of name: ParserName, _ document: borrowing XMLDocument) -> String {
            let text = document.text(of: name)
            precondition(names.updateValue(name, forKey: text) ?? name == name, "two names have the same text")
            precondition(document.names.recognize(name, as: text), "readers do not recognize a name")
            return text
        }
        var entries: [Entry] = []
        for position in 0..<Int(document[XMLDocument.root].end) {
            let node = document[position]
            var attributes: [Attribute] = []
            for attribute in document.places(ofAttributesOf: position) {
                attributes.append(
                    Attribute(
                        name: text(of: attribute.name, document), start: attribute.value.range.lowerBound,
                        isCopied: attribute.value.isCopied, value: document.bytes(of: attribute.value)))
            }
            var name: String?
            if let nodeName = node.name { name = text(of: nodeName, document) }
            entries.append(
                Entry(
                    name: name, namespace: document.namespace(of: position), start: node.text.range.lowerBound,
                    isCopied: node.text.isCopied, text: document.bytes(of: node.text), end: Int(node.end),
                    attributes: attributes))
        }
        precondition(
            document.tape.namespaces.count == entries.count { $0.namespace != nil }
                && document.tape.attributes.count == entries.reduce(0) { $0 + $1.attributes.count },
            "the tape has namespaces or attributes of no element")
        self.entries = entries
    }

    /// Parses a document.
    ///
    /// - Returns: the transcript or the error, and the reader's last pass, which is nil if there is no document.
    static func parse(
        _ bytes: some Collection<UInt8>, _ policy: XMLPolicy
    ) -> (result: Result<XMLTranscript, TokenCodecError>, pass: XMLReader.Pass?) {
        var pass: XMLReader.Pass?
        let result = Result { () throws(TokenCodecError) in
            try XMLReader.withReader(of: bytes) { reader throws(TokenCodecError) in
                defer { pass = reader.pass }
                try reader.parse(policy)
                return XMLTranscript(reader.document)
            }
        }
        return (result, pass)
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
        policy.usesScanner = true
        let scanner = parse(bytes, policy)
        policy.usesScanner = false
        let library = parse(bytes, policy)
        guard case .success = library.result else { return (scanner.result, library.result, false) }
        precondition(library.pass == .whole, "libxml2 has not parsed the document")
        return (scanner.result, library.result, scanner.pass == .scan)
    }
}

extension XMLDocument {
    fileprivate func bytes(of text: XMLSpan) -> [UInt8] {
        withBytes(of: text) { bytes in bytes.indices.map { bytes[$0] } }
    }
}

extension KnownNames {
    /// Returns a Boolean value that indicates whether readers that look for this text, and no others, find the name.
    fileprivate func recognize(_ name: ParserName, as text: String) -> Bool {
        func agree<Name>(_ names: InternedNames<Name>) -> Bool {
            names.name(name, expecting: 0)?.name.wireName == Name(rawValue: text)?.wireName
        }
        return agree(tokens) && agree(authentication) && agree(device) && agree(fragments) && agree(authorization)
            && agree(media) && agree(configuration) && agree(requestor) && agree(providers) && agree(provider)
    }
}
