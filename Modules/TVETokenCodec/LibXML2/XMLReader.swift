import TVEModels

/// A reader that parses a text into its ``XMLDocument``, with its ``XMLScanner`` if possible, else with libxml2.
///
/// libxml2 parses every document that the scanner gives up. A reader owns everything that parsing needs, and uses all
/// of it again for the next document, because creating a parser costs half as much as parsing a token. It belongs to
/// one thread (`XMLReader+Thread.swift`).
struct XMLReader: ~Copyable {
    /// The number of bytes of names that a parser may accumulate.
    ///
    /// A parser stores every name it has ever read, and the number of hostile names is unlimited.
    static let mostNameBytes = 64 << 10
    /// The longest remainder, in bytes, for which an excerpt is worthwhile.
    private static let longestExcerpt = 2_048

    /// A way to parse a document, or a part of it.
    enum Pass {
        /// The scanner parses the document.
        case scan
        /// libxml2 parses the ``makeExcerpt(from:)``.
        case excerpt
        /// libxml2 parses the document from its beginning.
        case whole
    }

    /// The parser, which the reader frees.
    let parser: XMLParser
    /// The document that was parsed last.
    var document: XMLDocument
    /// The scanner, whose names come from the same parser.
    private var scanner: XMLScanner
    /// The bytes of the signature that was decoded last.
    private var signature = KeptBuffer<UInt8>(keeping: 512)
    /// The ``makeExcerpt(from:)``, followed by a zero.
    var excerpt = KeptBuffer<UInt8>(keeping: 4_096)
    /// The last pass, or nil if the reader has not parsed anything.
    private(set) var pass: Pass?

    // MARK: The state of a pass of libxml2

    private(set) var policy = XMLPolicy.token
    var depth = 0
    var elements = 0
    /// The reason for which the document was refused.
    ///
    /// The first reason remains.
    var refusal: TokenCodecError?
    /// A Boolean value that indicates whether there is a refusal, as a fast check.
    var isRefused = false

    /// Creates a reader that owns a parser.
    init(_ parser: XMLParser) {
        self.parser = parser
        document = XMLDocument(parser)
        scanner = XMLScanner(parser)
    }

    deinit { parser.free() }

    // MARK: - Text

    /// Loads a text, which remains until ``unload()``.
    mutating func load(_ bytes: some Collection<UInt8>) {
        let isLoaded: Void? = bytes.withSpanIfContiguous { document.load($0) }
        // The bytes are in several pieces, or belong to a bridged string.
        if isLoaded == nil { document.load(ContiguousArray(bytes).span) }
    }

    /// Removes the text, its document and its signature.
    mutating func unload() {
        document.unload()
        signature.removeAll()
        excerpt.removeAll()
        if isRefused { forgetRefusal() }
    }

    /// Calls a closure with the text.
    @inline(__always)
    func withSource<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try document.withPaddedSource { text throws(Failure) in try body(text.extracting(0..<text.textCount)) }
    }

    /// Decodes a part of the text as the signature of a token, and returns false if it is not Base64.
    mutating func decodeSignature(_ range: Range<Int>) -> Bool {
        document.withPaddedSource { text in Base64.decode(text.extracting(range), into: &signature) }
    }

    /// Decodes a text as the signature of a token, and returns false if it is not Base64.
    mutating func decodeSignature(_ text: Span<UInt8>) -> Bool {
        // After a failed attempt, the buffer contains bytes.
        signature.removeAll()
        return Base64.decode(text, into: &signature)
    }

    /// Calls a closure with the bytes of the signature that was decoded last.
    func withSignature<Result>(_ body: (Span<UInt8>) -> Result) -> Result { signature.withSpan(body) }

    // MARK: - Documents

    /// Parses the whole text, which need not be valid UTF-8, into the ``document``.
    ///
    /// - Throws: any `TokenCodecError` about the bytes, the markup or a limit. Then the document is meaningless.
    mutating func parse(_ policy: XMLPolicy) throws(TokenCodecError) {
        if let offset = withSource(UTF8Check.firstInvalidOffset) { throw .invalidUTF8(offset: offset) }
        try parse(from: 0, policy)
    }

    /// Parses the text from an offset to its end, which is valid UTF-8, into the ``document``.
    ///
    /// - Throws: any `TokenCodecError` about the markup or a limit. Then the document is meaningless.
    mutating func parse(from start: Int, _ policy: XMLPolicy) throws(TokenCodecError) {
        try withSource { source throws(TokenCodecError) in
            try policy.check(source.extracting(droppingFirst: start), of: source.count)
        }
        if policy.usesScanner {
            pass = .scan
            if document.scan(with: &scanner, from: start, policy, parser) { return }
            if let fault = faultOfExcerpt(from: start, policy) { throw fault }
        }
        try withSource { source throws(TokenCodecError) in
            try XMLProlog.check(source.extracting(droppingFirst: start), policy)
        }
        begin(.whole, policy)
        // The text does not move until another one is loaded.
        try unsafe parseWithLibrary(document.bytes(from: start))
    }

    /// Returns libxml2's error about the part of a document at which the scanner gave up.
    ///
    /// Invalid input must not cost much more than valid input, and the library takes twice as long as the scanner.
    /// Therefore the library parses only the part that it must judge.
    ///
    /// - Returns: the error, or nil if the library must parse the whole document.
    private mutating func faultOfExcerpt(from start: Int, _ policy: XMLPolicy) -> TokenCodecError? {
        guard let lines = makeExcerpt(from: start) else { return nil }
        begin(.excerpt, policy)
        // The number includes the omitted elements.
        elements = scanner.elements - scanner.open.count
        do throws(TokenCodecError) {
            // The excerpt does not move until the next one is created.
            try unsafe parseWithLibrary(excerpt.elements)
        } catch .malformedXML(let code, let line) where isRefused {
            return .malformedXML(code: code, line: line + lines)
        } catch {
            // The error concerns a limit or forbidden markup, which parsing the whole document finds again.
        }
        forgetRefusal()
        return nil
    }

    /// Creates a short document from one that the scanner gave up, with the start tags that were open there and
    /// everything after them.
    ///
    /// Nothing before them can affect whether the rest is well-formed, because there is no document type, and only open
    /// elements declare namespaces.
    ///
    /// - Returns: the number of omitted lines, or nil if an excerpt is not worthwhile: no element was open, the rest is
    ///   long, or the following markup is probably valid.
    private mutating func makeExcerpt(from start: Int) -> Int? {
        document.withPaddedSource { text in
            let rest = scanner.understood..<text.textCount
            guard scanner.open.count > 0, rest.count < Self.longestExcerpt, !text.has("<!", at: rest.lowerBound),
                !text.has("<?", at: rest.lowerBound)
            else { return nil }
            excerpt.clear()
            for index in 0..<scanner.open.count {
                excerpt.append(contentsOf: text.extracting(scanner.open[index].range))
            }
            excerpt.append(contentsOf: text.extracting(rest))
            excerpt.append(0)
            return text.extracting(start..<rest.lowerBound).count(of: UInt8(ascii: "\n"))
        }
    }

    /// Prepares for the events of a pass of libxml2.
    private mutating func begin(_ pass: Pass, _ policy: XMLPolicy) {
        self.pass = pass
        self.policy = policy
        depth = 0
        elements = 0
        document.beginRecording()
    }

    private mutating func forgetRefusal() {
        refusal = nil
        isRefused = false
    }

    /// Parses a document with libxml2, whose events the reader must be ready for.
    @unsafe private mutating func parseWithLibrary(_ bytes: UnsafeBufferPointer<UInt8>) throws(TokenCodecError) {
        // This is a copy, because during the call the reader belongs to the events.
        let parser = parser
        let verdict = try unsafe withUnsafeMutablePointer(to: &self) { reader throws(TokenCodecError) in
            try unsafe parser.parse(bytes, into: reader)
        }
        // The library reports the document of a stopped parser as well-formed, so the reader's own verdict comes first.
        if let refusal { throw refusal }
        guard verdict.isGood else { throw .malformedXML(code: verdict.error, line: 0) }
    }
}
