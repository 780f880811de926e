import TVEModels

// The events of libxml2. The reader records them on its document's tape, and checks the limits.

extension XMLReader {
    /// Refuses the document for a reason that is no error to the library, and ends parsing.
    mutating func refuse(_ error: TokenCodecError) {
        keep(error)
        parser.stop()
    }

    /// Refuses the document for an error of the library, which ends parsing.
    mutating func fault(_ error: TokenCodecError) {
        keep(error)
        // The unread part of the excerpt is overwritten with zeros, so that the parser reports no errors that follow
        // from the first.
        if let offset = parser.fail(), pass == .excerpt { excerpt.blank(from: offset) }
    }

    private mutating func keep(_ error: TokenCodecError) {
        guard !isRefused else { return }
        refusal = error
        isRefused = true
    }

    mutating func comment() {
        if !policy.allowsComments { refuse(.markupForbidden) }
    }

    /// Records an attribute of the element that is about to start.
    mutating func attribute(name: ParserName, value: Span<UInt8>) {
        guard !isRefused else { return }
        document.record { source, tape in tape.attribute(name: name, value: value, of: source) }
    }

    @inline(__always)
    mutating func startElement(name: ParserName, namespace: ParserName?, hasAttributes: Bool) {
        guard !isRefused else { return parser.stop() }
        depth &+= 1
        elements &+= 1
        guard depth <= policy.maximumDepth else { return refuse(.tooDeep(limit: policy.maximumDepth)) }
        guard elements <= policy.maximumElements else {
            return refuse(.tooManyElements(limit: policy.maximumElements))
        }
        document.record { _, tape in
            tape.startElement(name: name, namespace: namespace, hasAttributes: hasAttributes)
        }
    }

    @inline(__always)
    mutating func text(_ text: Span<UInt8>) {
        guard !isRefused else { return }
        document.record { source, tape in tape.text(text, of: source) }
    }

    @inline(__always)
    mutating func endElement() {
        guard !isRefused else { return }
        depth &-= 1
        document.record { _, tape in tape.endElement() }
    }
}
