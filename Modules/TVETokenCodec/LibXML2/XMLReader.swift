import TVEModels

/// A reader that parses text into an ``XMLTape``, with the ``XMLScanner`` if possible and otherwise with libxml2.
///
/// libxml2 parses every document that the scanner gives up. A reader reuses the library's parser for the next document,
/// because creating one costs half as much as parsing a token. The reader belongs to one thread
/// (`XMLReader+Thread.swift` supplies it), which frees it in ``end()`` or when the thread ends, and nothing uses it
/// afterwards.
@safe struct XMLReader {
    /// The number of bytes of names that a parser may accumulate.
    ///
    /// A parser stores every name it has ever read, and the number of hostile names is unlimited.
    static let mostNameBytes = 64 << 10

    /// The number of documents that were parsed in each way, for tests of that choice.
    struct PathCount {
        /// The number of documents that the scanner parsed.
        var scanned = 0
        /// The number of documents that libxml2 rejected after reading only the part at which the scanner gave up.
        var judgedByExcerpt = 0
        /// The number of documents that libxml2 parsed from their beginning.
        var parsed = 0
    }

    /// The state of a reader.
    struct State: ~Copyable {
        var recorder: XMLRecorder
        var isBusy = false
        var count = PathCount()
        /// A Boolean value that indicates whether a thread retains the reader after its work.
        var isKept = false
    }

    /// The state is behind a pointer, because the library writes through it.
    ///
    /// It must not move, and only one thread uses it.
    private let state: UnsafeMutablePointer<State>

    /// Creates a reader with its own parser, or returns nil if there is no memory for it.
    init?() {
        guard let parser = XMLParser() else { return nil }
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: State(recorder: XMLRecorder(parser)))
        unsafe parser.send(to: state)
    }

    /// Creates the reader at an ``address``.
    @inline(__always)
    @unsafe init(address: UnsafeMutableRawPointer) {
        unsafe state = address.assumingMemoryBound(to: State.self)
    }

    /// The reader's address, for callers that can only store pointers.
    @unsafe var address: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(state) }

    /// The recorder for the library's events, which is valid inside a single event.
    @unsafe var recorder: UnsafeMutablePointer<XMLRecorder> {
        @inline(__always) get {
            // A stored property of a structure in memory has the same address as long as the structure exists.
            unsafe withUnsafeMutablePointer(to: &state.pointee.recorder) { recorder in unsafe recorder }
        }
    }

    var isBusy: Bool { unsafe state.pointee.isBusy }

    var count: PathCount { unsafe state.pointee.count }

    var nameBytes: Int { unsafe state.pointee.recorder.parser.nameBytes }

    /// Retains the reader after its work, until ``deallocate()``.
    func keep() { unsafe state.pointee.isKept = true }

    /// Frees the reader, which nothing may use afterwards.
    func deallocate() {
        let parser = unsafe state.pointee.recorder.parser
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
        parser.free()
    }

    func isInterned(_ name: ParserName) -> Bool { unsafe state.pointee.recorder.parser.hasInterned(name) }

    // MARK: - Text

    /// Loads bytes.
    ///
    /// The caller must call ``end()`` when it no longer needs them.
    func begin(_ bytes: some Collection<UInt8>) {
        unsafe state.pointee.isBusy = true
        let isLoaded: Void? = bytes.withSpanIfContiguous { unsafe state.pointee.recorder.load($0) }
        // The bytes are in several pieces, or belong to a bridged string.
        if isLoaded == nil { unsafe state.pointee.recorder.load(ContiguousArray(bytes).span) }
    }

    /// Calls a closure with the text.
    @inline(__always)
    func withSource<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe state.pointee.recorder.withSource(body)
    }

    /// Decodes a part of the text as the signature of a token, and returns false if it is not Base64.
    func decodeSignature(_ range: Range<Int>) -> Bool { unsafe state.pointee.recorder.decodeSignature(range) }

    /// Decodes a text as the signature of a token, and returns false if it is not Base64.
    func decodeSignature(_ text: Span<UInt8>) -> Bool { unsafe state.pointee.recorder.decodeSignature(text) }

    /// Calls a closure with the bytes of the signature that was decoded last.
    func withSignature<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        unsafe state.pointee.recorder.signature.withSpan(body)
    }

    // MARK: - Documents

    /// Parses the text from an offset to its end.
    ///
    /// - Returns: the document, which is valid until ``end()``.
    /// - Throws: any `TokenCodecError` about the markup or a limit.
    func parse(from start: Int, _ policy: XMLPolicy) throws(TokenCodecError) -> ParsedXML {
        try withSource { source throws(TokenCodecError) in
            try policy.check(source.extracting(droppingFirst: start), of: source.count)
        }
        if policy.usesScanner {
            if unsafe state.pointee.recorder.scan(from: start, policy) {
                unsafe state.pointee.count.scanned += 1
                return unsafe ParsedXML(state)
            }
            if let fault = faultOfExcerpt(from: start, policy) { throw fault }
        }
        unsafe state.pointee.count.parsed += 1
        try withSource { source throws(TokenCodecError) in
            try XMLProlog.check(source.extracting(droppingFirst: start), policy)
        }
        unsafe state.pointee.recorder.begin(policy)
        // The text does not move until another one is loaded.
        try unsafe parseWithLibrary(state.pointee.recorder.document(from: start))
        return unsafe ParsedXML(state)
    }

    /// Returns libxml2's error about the part of a document at which the scanner gave up.
    ///
    /// Invalid input must not cost much more than valid input, and the library takes twice as long as the scanner.
    /// Therefore the library parses only the part that it must judge.
    ///
    /// - Returns: the error, or nil if the library must parse the whole document.
    private func faultOfExcerpt(from start: Int, _ policy: XMLPolicy) -> TokenCodecError? {
        guard let lines = unsafe state.pointee.recorder.makeExcerpt(from: start) else { return nil }
        unsafe state.pointee.recorder.beginExcerpt(policy)
        do throws(TokenCodecError) {
            // The excerpt does not move until the next one is created.
            try unsafe parseWithLibrary(state.pointee.recorder.excerpt.elements)
        } catch .malformedXML(let code, let line) where unsafe state.pointee.recorder.isRefused {
            unsafe state.pointee.count.judgedByExcerpt += 1
            return .malformedXML(code: code, line: line + lines)
        } catch {
            // The error concerns a limit or forbidden markup, which parsing the whole document finds again.
        }
        unsafe state.pointee.recorder.forgetRefusal()
        return nil
    }

    /// Parses a document with libxml2.
    ///
    /// The recorder must be ready for its events.
    @unsafe private func parseWithLibrary(_ bytes: UnsafeBufferPointer<UInt8>) throws(TokenCodecError) {
        // This is a copy, so that the recorder is free for the events.
        let parser = unsafe state.pointee.recorder.parser
        let verdict = try unsafe parser.parse(bytes)
        // The library reports the document of a stopped parser as well-formed, so the recorder's own verdict comes
        // first.
        if let refusal = unsafe state.pointee.recorder.refusal { throw refusal }
        guard verdict.isGood else { throw .malformedXML(code: verdict.error, line: 0) }
    }

    /// Releases the text and its document, and frees a reader that no thread retains.
    func end() {
        guard unsafe state.pointee.isKept else { return deallocate() }
        unsafe state.pointee.recorder.end()
        renewParserIfNeeded()
        unsafe state.pointee.isBusy = false
    }

    /// Replaces a parser that has accumulated too many names.
    private func renewParserIfNeeded() {
        guard nameBytes > Self.mostNameBytes, let fresh = XMLParser() else { return }
        unsafe state.pointee.recorder.parser.free()
        unsafe fresh.send(to: state)
        unsafe state.pointee.recorder = XMLRecorder(fresh)
    }
}
