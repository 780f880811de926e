import CLibXML2

/// Parses text into an ``XMLTape``: with the ``XMLScanner`` if possible, otherwise with libxml2.
///
/// The only file that uses the library, which parses every document that the scanner gives up. A reader keeps the
/// library's parser context from document to document, because making one costs half as much as parsing a token. It
/// belongs to one thread (`XMLReader+Thread.swift` supplies it). Options are fixed: no recovery, no network, only the
/// five predefined entities and character references (there is no document type that could declare more), UTF-8
/// whatever the document claims.
struct XMLReader {
    /// libxml2's number for content after the root element.
    static let contentAfterRoot = Int(XML_ERR_DOCUMENT_END.rawValue)
    /// The error when there is no memory for a parser.
    static let noMemory = TokenCodecError.malformedXML(code: Int(XML_ERR_NO_MEMORY.rawValue), line: 0)
    /// Most bytes of names that a context may accumulate: it keeps every name it ever saw, and hostile ones never end.
    static let mostNameBytes = 64 << 10

    /// How many documents were parsed in which way, for tests of that choice.
    struct PathCount {
        /// Documents that the scanner parsed.
        var scanned = 0
        /// Documents that libxml2 rejected after reading only the part at which the scanner gave up.
        var judgedByExcerpt = 0
        /// Documents that libxml2 parsed from their beginning.
        var parsed = 0
    }

    private struct State {
        var recorder: XMLRecorder
        var context: xmlParserCtxtPtr
        var isBusy = false
        var count = PathCount()
        /// Whether a thread keeps the reader after its work.
        var isKept = false
    }

    /// Behind a pointer: it must not move, and only one thread uses it.
    private let state: UnsafeMutablePointer<State>

    /// Makes a reader with its own parser context, or nil when there is no memory for it.
    init?() {
        guard let context = Self.makeContext() else { return nil }
        state = .allocate(capacity: 1)
        state.initialize(
            to: State(
                recorder: XMLRecorder(
                    names: Self.names(of: context), scanner: XMLScanner(Self.interner(of: context)), parser: context),
                context: context))
        // Not the context itself, which is the default: then the library would resolve entities by itself.
        context.pointee.userData = UnsafeMutableRawPointer(recorder)
    }

    /// The reader at an ``address``.
    init(address: UnsafeMutableRawPointer) {
        state = address.assumingMemoryBound(to: State.self)
    }

    /// The reader's address, for callers that can only store pointers.
    var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(state) }

    /// The recorder that the library's callbacks write to through this pointer.
    private var recorder: UnsafeMutablePointer<XMLRecorder> {
        guard let recorder = UnsafeMutablePointer(mutating: UnsafePointer(state).pointer(to: \.recorder)) else {
            // Cannot happen: a stored property of a structure in memory has an address.
            fatalError("the recorder has no address")
        }
        return recorder
    }

    var isBusy: Bool { state.pointee.isBusy }

    var count: PathCount { state.pointee.count }

    /// How many bytes of names the context has accumulated.
    var nameBytes: Int { Int(xmlDictGetUsage(state.pointee.context.pointee.dict)) }

    /// Keeps the reader after its work, until ``deallocate()``.
    func keep() { state.pointee.isKept = true }

    func deallocate() {
        xmlFreeParserCtxt(state.pointee.context)
        state.pointee.recorder.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The tape of the last document, for comparisons; valid until ``end()``.
    var tape: XMLTape { state.pointee.recorder.tape }

    func isInterned(_ name: UnsafePointer<UInt8>) -> Bool {
        xmlDictExists(state.pointee.context.pointee.dict, name, -1) == name
    }

    /// Loads bytes; the caller must call ``end()`` when it needs nothing of them any more.
    func begin(_ bytes: some Collection<UInt8>) {
        state.pointee.isBusy = true
        let isLoaded: Void? = bytes.withContiguousStorageIfAvailable { state.pointee.recorder.load($0) }
        // Bytes in several pieces, or a bridged string.
        if isLoaded == nil { Array(bytes).withUnsafeBufferPointer { state.pointee.recorder.load($0) } }
    }

    var source: UnsafeBufferPointer<UInt8> { state.pointee.recorder.source }

    /// Decodes a part of the text as the signature of a token; false when it is not Base64.
    func decodeSignature(_ range: Range<Int>) -> Bool { state.pointee.recorder.decodeSignature(range) }

    /// The bytes of the signature that was decoded last.
    var signature: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(state.pointee.recorder.signature.elements) }

    /// Parses the text from an offset to its end.
    ///
    /// - Returns: the document, which is valid until ``end()``.
    /// - Throws: any `TokenCodecError` about the markup or a limit.
    func parse(from start: Int, _ policy: XMLPolicy) throws(TokenCodecError) -> ParsedXML {
        let bytes = UnsafeBufferPointer(rebasing: source[start...])
        try policy.check(bytes, of: source.count)
        if policy.usesScanner {
            if state.pointee.recorder.scan(from: start, policy) {
                state.pointee.count.scanned += 1
                return ParsedXML(recorder)
            }
            if let fault = faultOfExcerpt(from: start, policy) { throw fault }
        }
        state.pointee.count.parsed += 1
        try XMLProlog.check(bytes, policy)
        state.pointee.recorder.begin(policy)
        try parseWithLibrary(bytes)
        return ParsedXML(recorder)
    }

    /// libxml2's error about the part of a document at which the scanner gave up.
    ///
    /// Invalid input must not cost much more than valid input, and the library takes twice as long as the scanner. So
    /// it parses only the part that it must judge.
    ///
    /// - Returns: the error; nil when the library must parse the whole document.
    private func faultOfExcerpt(from start: Int, _ policy: XMLPolicy) -> TokenCodecError? {
        guard let (bytes, lines) = state.pointee.recorder.excerpt(from: start) else { return nil }
        state.pointee.recorder.beginExcerpt(policy)
        do throws(TokenCodecError) {
            try parseWithLibrary(bytes)
        } catch .malformedXML(let code, let line) where state.pointee.recorder.isRefused {
            state.pointee.count.judgedByExcerpt += 1
            return .malformedXML(code: code, line: line + lines)
        } catch {
            // A limit, or something forbidden: parsing the whole document finds it again.
        }
        state.pointee.recorder.forgetRefusal()
        return nil
    }

    /// Parses a document that ends with a NUL with libxml2; the recorder is ready for its events.
    private func parseWithLibrary(_ bytes: UnsafeBufferPointer<UInt8>) throws(TokenCodecError) {
        let context = state.pointee.context
        // The library parses the bytes in place, up to the first NUL. It forgets the last document first.
        xmlSetupParserForBuffer(context, bytes.baseAddress, nil)
        // Not all versions forget the namespaces that were open when a document was refused.
        context.pointee.nsNr = 0
        guard let input = context.pointee.input else { throw Self.noMemory }
        let length = input.pointee.end - input.pointee.base
        guard length == bytes.count else { throw .nulByte(offset: length) }
        xmlParseDocument(context)
        // A stopped parser still reports its document as well-formed, so our own verdict comes first.
        if state.pointee.recorder.isRefused, let refusal = state.pointee.recorder.refusal { throw refusal }
        // An undeclared prefix leaves a document well-formed and only clears the second flag.
        guard context.pointee.wellFormed == 1, context.pointee.nsWellFormed == 1 else {
            throw .malformedXML(code: Int(context.pointee.errNo), line: 0)
        }
    }

    /// Forgets the text and its document, and frees a reader that no thread keeps.
    func end() {
        guard state.pointee.isKept else { return deallocate() }
        state.pointee.recorder.end()
        renewContextIfNeeded()
        state.pointee.isBusy = false
    }

    // MARK: - Contexts

    /// Replaces a context that has accumulated too many names.
    private func renewContextIfNeeded() {
        guard nameBytes > Self.mostNameBytes, let fresh = Self.makeContext() else { return }
        xmlFreeParserCtxt(state.pointee.context)
        fresh.pointee.userData = UnsafeMutableRawPointer(recorder)
        state.pointee.recorder.parser = UnsafeMutableRawPointer(fresh)
        state.pointee.context = fresh
        state.pointee.recorder.names.deallocate()
        state.pointee.recorder.names = Self.names(of: fresh)
        state.pointee.recorder.scanner.deallocate()
        state.pointee.recorder.scanner = XMLScanner(Self.interner(of: fresh))
    }

    private static func makeContext() -> xmlParserCtxtPtr? {
        guard let context = xmlNewParserCtxt() else { return nil }
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        xmlCtxtUseOptions(context, Int32(options | XML_PARSE_IGNORE_ENC.rawValue))
        // After the options, which would restore some of the library's own handlers:
        context.pointee.sax.pointee = handlers
        return context
    }

    private static func names(of context: xmlParserCtxtPtr) -> KnownNames { KnownNames(interner(of: context)) }

    private static func interner(of context: xmlParserCtxtPtr) -> (String) -> UnsafePointer<UInt8> {
        { name in
            guard let pointer = xmlDictLookup(context.pointee.dict, name, -1) else {
                // Some dozen short names in an empty dictionary: this fails only without memory, where Swift's own
                // allocations trap too.
                fatalError("out of memory")
            }
            return pointer
        }
    }

    /// A parser's copy of a name, which is shorter than the library's limit; nil when there is no memory for it or the
    /// parser has too many names.
    static func intern(_ name: UnsafeBufferPointer<UInt8>, _ parser: UnsafeMutableRawPointer) -> UnsafePointer<UInt8>? {
        let context = parser.assumingMemoryBound(to: xmlParserCtxt.self)
        return xmlDictLookup(context.pointee.dict, name.baseAddress, Int32(truncatingIfNeeded: name.count))
    }

    // MARK: - Callbacks

    // Full names inside the closures: C functions cannot capture anything, not even `Self`. The library passes the
    // recorder's address to each of them.
    private static var handlers: xmlSAXHandler {
        var table = xmlSAXHandler()
        table.initialized = UInt32(XML_SAX2_MAGIC)
        // `XMLProlog` refuses every document type earlier.
        table.internalSubset = { userData, _, _, _ in XMLReader.refuse(userData, .documentTypeForbidden) }
        table.processingInstruction = { userData, _, _ in XMLReader.refuse(userData, .markupForbidden) }
        table.comment = { userData, _ in
            guard let recorder = XMLReader.recorder(userData) else { return }
            if !recorder.pointee.allowsComments { XMLReader.refuse(userData, .markupForbidden) }
        }
        table.characters = { userData, start, count in
            XMLReader.recorder(userData)?.pointee.text(UnsafeBufferPointer(start: start, count: Int(count)))
        }
        // The same function, or the library would check whether each text is blank.
        table.ignorableWhitespace = table.characters
        table.cdataBlock = table.characters
        table.startElementNs = { userData, name, _, namespace, _, _, attributeCount, _, attributes in
            guard let recorder = XMLReader.recorder(userData), let name else { return }
            if attributeCount > 0, let attributes { XMLReader.add(attributes, Int(attributeCount), to: recorder) }
            recorder.pointee.startElement(name: name, namespace: namespace, hasAttributes: attributeCount > 0)
            XMLReader.stopIfRefused(recorder)
        }
        table.endElementNs = { userData, _, _, _ in XMLReader.recorder(userData)?.pointee.endElement() }
        table.serror = { userData, error in
            guard let error, error.pointee.level.rawValue >= XML_ERR_ERROR.rawValue,
                let recorder = XMLReader.recorder(userData)
            else { return }
            recorder.pointee.refuse(.malformedXML(code: Int(error.pointee.code), line: Int(error.pointee.line)))
            // Not `xmlStopParser`, which removes the input while functions still use it. With these flags the library
            // calls no handler any more, composes fewer messages for errors that follow from the first, and mostly ends
            // soon; the verdict does not change whatever it still reads.
            let context = recorder.pointee.parser.assumingMemoryBound(to: xmlParserCtxt.self)
            context.pointee.wellFormed = 0
            context.pointee.disableSAX = 1
            context.pointee.instate = XML_PARSER_EOF
            guard let input = context.pointee.input else { return }
            recorder.pointee.endExcerpt(at: input.pointee.cur - input.pointee.base)
        }
        return table
    }

    @inline(__always)
    private static func recorder(_ userData: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLRecorder>? {
        userData?.assumingMemoryBound(to: XMLRecorder.self)
    }

    /// Five pointers per attribute: name, prefix, namespace, begin and end of the value.
    @inline(never)
    private static func add(
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>, _ count: Int,
        to recorder: UnsafeMutablePointer<XMLRecorder>
    ) {
        for attribute in stride(from: attributes, to: attributes + count * 5, by: 5) {
            guard let name = attribute[0], let begin = attribute[3], let end = attribute[4] else { continue }
            recorder.pointee.attribute(name: name, value: begin..<end)
        }
    }

    @inline(__always)
    private static func stopIfRefused(_ recorder: UnsafeMutablePointer<XMLRecorder>) {
        guard recorder.pointee.isRefused else { return }
        xmlStopParser(recorder.pointee.parser.assumingMemoryBound(to: xmlParserCtxt.self))
    }

    private static func refuse(_ userData: UnsafeMutableRawPointer?, _ error: TokenCodecError) {
        guard let recorder = recorder(userData) else { return }
        recorder.pointee.refuse(error)
        stopIfRefused(recorder)
    }
}
