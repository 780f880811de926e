/// Holds a document, writes the parser's events to its tape and checks the limits.
struct XMLRecorder {
    private(set) var tape = XMLTape()
    /// The names that decoders compare with the tape's; from the same parser.
    var names: KnownNames
    /// Fills the tape without the parser if it can; its names are from the same parser.
    var scanner: XMLScanner
    /// The parser's context, for code that has to stop it.
    var parser: UnsafeMutableRawPointer
    /// Why the document was refused; the first reason stays.
    private(set) var refusal: TokenCodecError?
    /// Whether there is a refusal, as a fast check.
    private(set) var isRefused = false
    private var bytes = KeptBuffer<UInt8>(keeping: 4_096)
    private(set) var signature = KeptBuffer<UInt8>(keeping: 512)
    private var excerpt = KeptBuffer<UInt8>(keeping: 4_096)
    /// The longest remainder, in bytes, for which an excerpt is worthwhile.
    private static let longestExcerpt = 2_048
    private var isExcerpt = false
    private var policy = XMLPolicy.token
    private var depth = 0
    private var elements = 0

    init(names: KnownNames, scanner: XMLScanner, parser: UnsafeMutableRawPointer) {
        self.names = names
        self.scanner = scanner
        self.parser = parser
    }

    func deallocate() {
        bytes.deallocate()
        signature.deallocate()
        excerpt.deallocate()
        tape.deallocate()
        names.deallocate()
        scanner.deallocate()
    }

    /// Loads a text and appends zeros: the library needs one, the scanner several.
    mutating func load(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.reserve(text.count + PaddedBytes.padding)
        bytes.append(contentsOf: text)
        bytes.append(0, count: PaddedBytes.padding)
    }

    /// The bytes of the text, without the zeros.
    var source: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes.elements.dropLast(PaddedBytes.padding))
    }

    /// Decodes a part of the text as the signature; false when it is not Base64.
    mutating func decodeSignature(_ range: Range<Int>) -> Bool {
        Base64.decode(UnsafeBufferPointer(rebasing: source[range]), into: &signature)
    }

    /// Parses the end of the text without the parser; false when the parser must parse it: then the tape is invalid.
    mutating func scan(from start: Int, _ policy: XMLPolicy) -> Bool {
        tape.begin(source)
        return scanner.scan(PaddedBytes(UnsafeBufferPointer(bytes.elements)), from: start, policy, parser, onto: &tape)
    }

    /// Makes a short document from one that the scanner gave up: the start tags that were open there, and everything
    /// after them.
    ///
    /// Nothing before can affect whether the rest is well-formed: there is no document type, and only open elements
    /// declare namespaces.
    ///
    /// - Returns: the short document and how many lines were left out; nil where it is not worthwhile: when no element
    ///   was open, when it is long, or when the following markup is probably valid.
    mutating func excerpt(from start: Int) -> (bytes: UnsafeBufferPointer<UInt8>, lines: Int)? {
        let padded = PaddedBytes(UnsafeBufferPointer(bytes.elements))
        let rest = scanner.understood..<padded.count
        guard scanner.open.count > 0, rest.count < Self.longestExcerpt, !padded.has("<!", at: rest.lowerBound),
            !padded.has("<?", at: rest.lowerBound)
        else { return nil }
        excerpt.clear()
        for tag in scanner.open.elements {
            excerpt.append(contentsOf: padded.slice(tag.range))
        }
        excerpt.append(contentsOf: padded.slice(rest))
        excerpt.append(0)
        let lines = padded.slice(start..<rest.lowerBound).count(of: UInt8(ascii: "\n"))
        return (UnsafeBufferPointer(rebasing: excerpt.elements.dropLast()), lines)
    }

    /// Prepares for the parser's events of the ``excerpt(from:)``.
    mutating func beginExcerpt(_ policy: XMLPolicy) {
        begin(policy)
        isExcerpt = true
        // The elements that were left out count too.
        elements = scanner.elements - scanner.open.count
    }

    /// Blanks what the parser has not read of the excerpt, so that it reports no errors that follow from the first.
    func endExcerpt(at offset: Int) {
        guard isExcerpt, excerpt.elements.indices.contains(offset) else { return }
        excerpt.elements[offset...].update(repeating: 0)
    }

    mutating func forgetRefusal() {
        refusal = nil
        isRefused = false
    }

    /// Prepares for the parser's events of the text.
    mutating func begin(_ policy: XMLPolicy) {
        self.policy = policy
        isExcerpt = false
        depth = 0
        elements = 0
        tape.begin(source)
    }

    mutating func end() {
        bytes.removeAll()
        signature.removeAll()
        excerpt.removeAll()
        tape.end()
        if isRefused { forgetRefusal() }
    }

    var allowsComments: Bool { policy.allowsComments }

    // MARK: - Events

    mutating func refuse(_ error: TokenCodecError) {
        guard !isRefused else { return }
        refusal = error
        isRefused = true
    }

    /// An attribute of the element that is about to start.
    mutating func attribute(name: UnsafePointer<UInt8>, value: Range<UnsafePointer<UInt8>>) {
        guard !isRefused else { return }
        let bytes = UnsafeBufferPointer(start: value.lowerBound, count: value.upperBound - value.lowerBound)
        tape.attribute(name: name, value: bytes)
    }

    @inline(__always)
    mutating func startElement(name: UnsafePointer<UInt8>, namespace: UnsafePointer<UInt8>?, hasAttributes: Bool) {
        guard !isRefused else { return }
        depth &+= 1
        elements &+= 1
        guard depth <= policy.maximumDepth else { return refuse(.tooDeep(limit: policy.maximumDepth)) }
        guard elements <= policy.maximumElements else {
            return refuse(.tooManyElements(limit: policy.maximumElements))
        }
        tape.startElement(name: name, namespace: namespace, hasAttributes: hasAttributes)
    }

    @inline(__always)
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !isRefused else { return }
        tape.text(bytes)
    }

    @inline(__always)
    mutating func endElement() {
        guard !isRefused else { return }
        depth &-= 1
        tape.endElement()
    }
}
