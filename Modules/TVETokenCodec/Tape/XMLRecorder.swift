/// A recorder that holds a document, writes the parser's events to its tape and checks the limits.
struct XMLRecorder: ~Copyable {
    /// The parser, for code that has to stop it.
    ///
    /// Whoever created the parser frees it after this recorder.
    let parser: XMLParser
    private(set) var tape = XMLTape()
    /// The names that decoders compare with the tape's.
    ///
    /// They come from the same parser.
    let names: KnownNames
    /// The scanner, which fills the tape without the parser if it can.
    ///
    /// Its names come from the same parser.
    private var scanner: XMLScanner
    /// The reason for which the document was refused.
    ///
    /// The first reason remains.
    private(set) var refusal: TokenCodecError?
    /// A Boolean value that indicates whether there is a refusal, as a fast check.
    private(set) var isRefused = false
    /// The text, followed by zeros.
    private var bytes = KeptBuffer<UInt8>(keeping: 4_096)
    private(set) var signature = KeptBuffer<UInt8>(keeping: 512)
    /// The ``makeExcerpt(from:)``, followed by a zero.
    private(set) var excerpt = KeptBuffer<UInt8>(keeping: 4_096)
    /// The longest remainder, in bytes, for which an excerpt is worthwhile.
    private static let longestExcerpt = 2_048
    private var isExcerpt = false
    private var policy = XMLPolicy.token
    private var depth = 0
    private var elements = 0

    init(_ parser: XMLParser) {
        self.parser = parser
        names = KnownNames(parser)
        scanner = XMLScanner(parser)
    }

    deinit { names.deallocate() }

    /// Loads a text and appends zeros.
    ///
    /// The library needs one zero, and the scanner several.
    mutating func load(_ text: Span<UInt8>) {
        bytes.reserve(text.count + PaddedText.padding)
        bytes.append(contentsOf: text)
        bytes.append(0, count: PaddedText.padding)
    }

    /// Calls a closure with the text, without the zeros.
    @inline(__always)
    func withSource<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withSpan { bytes throws(Failure) in try body(bytes.extracting(0..<bytes.textCount)) }
    }

    /// Calls a closure with the bytes of a text or of an attribute's value.
    @inline(__always)
    func withBytes<Result>(of span: XMLSpan, _ body: (Span<UInt8>) -> Result) -> Result {
        // The elements are valid until the next change, which the borrow of this recorder excludes.
        let store = unsafe span.isCopied ? tape.copies.elements : bytes.elements
        return unsafe body(store.span.extracting(span.range))
    }

    /// Returns the text from an offset on with one of its zeros, which is valid until another text is loaded.
    @unsafe func document(from start: Int) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(rebasing: bytes.elements[start...bytes.count - PaddedText.padding])
    }

    /// Decodes a part of the text as the signature, and returns false if it is not Base64.
    mutating func decodeSignature(_ range: Range<Int>) -> Bool {
        bytes.withSpan { bytes in Base64.decode(bytes.extracting(range), into: &signature) }
    }

    mutating func decodeSignature(_ text: Span<UInt8>) -> Bool {
        // After a failed attempt, the buffer contains bytes.
        signature.removeAll()
        return Base64.decode(text, into: &signature)
    }

    /// Parses the end of the text without the parser.
    ///
    /// The function returns false if the parser must parse the text. Then the tape is invalid.
    mutating func scan(from start: Int, _ policy: XMLPolicy) -> Bool {
        tape.begin(bytes.count)
        return bytes.withSpan { bytes in
            scanner.scan(bytes, from: start, policy: policy, parser: parser, onto: &tape)
        }
    }

    /// Creates a short document from one that the scanner gave up, with the start tags that were open there and
    /// everything after them.
    ///
    /// Nothing before them can affect whether the rest is well-formed, because there is no document type, and only open
    /// elements declare namespaces.
    ///
    /// - Returns: the number of omitted lines, or nil if an excerpt is not worthwhile: no element was open, the rest is
    ///   long, or the following markup is probably valid.
    mutating func makeExcerpt(from start: Int) -> Int? {
        bytes.withSpan { bytes in
            let rest = scanner.understood..<bytes.textCount
            guard scanner.open.count > 0, rest.count < Self.longestExcerpt, !bytes.has("<!", at: rest.lowerBound),
                !bytes.has("<?", at: rest.lowerBound)
            else { return nil }
            excerpt.clear()
            for index in 0..<scanner.open.count {
                excerpt.append(contentsOf: bytes.extracting(scanner.open[index].range))
            }
            excerpt.append(contentsOf: bytes.extracting(rest))
            excerpt.append(0)
            return bytes.extracting(start..<rest.lowerBound).count(of: UInt8(ascii: "\n"))
        }
    }

    /// Prepares for the parser's events of the ``makeExcerpt(from:)``.
    mutating func beginExcerpt(_ policy: XMLPolicy) {
        begin(policy)
        isExcerpt = true
        // The number includes the omitted elements.
        elements = scanner.elements - scanner.open.count
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
        tape.begin(bytes.count)
    }

    mutating func end() {
        bytes.removeAll()
        signature.removeAll()
        excerpt.removeAll()
        tape.end()
        if isRefused { forgetRefusal() }
    }

    // MARK: - Events

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
        if let offset = parser.fail(), isExcerpt { excerpt.blank(from: offset) }
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
        bytes.withSpan { bytes in tape.attribute(name: name, value: value, of: bytes) }
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
        tape.startElement(name: name, namespace: namespace, hasAttributes: hasAttributes)
    }

    @inline(__always)
    mutating func text(_ text: Span<UInt8>) {
        guard !isRefused else { return }
        bytes.withSpan { bytes in tape.text(text, of: bytes) }
    }

    @inline(__always)
    mutating func endElement() {
        guard !isRefused else { return }
        depth &-= 1
        tape.endElement()
    }
}
