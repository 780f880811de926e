import CTVELibXML2

/// A parser context of libxml2: the only file that calls the library.
///
/// Options are fixed: no recovery, no network, only the five predefined entities and character references (there is no
/// document type that could declare more), UTF-8 whatever the document claims. It belongs to one ``XMLReader``, which
/// calls ``free()`` at its end and nothing afterwards.
@safe struct XMLParser {
    /// libxml2's number for content after the root element.
    static let contentAfterRoot = Int(XML_ERR_DOCUMENT_END.rawValue)
    /// The error when there is no memory for a parser.
    static let noMemory = TokenCodecError.malformedXML(code: Int(XML_ERR_NO_MEMORY.rawValue), line: 0)

    // Valid until `free()`; what the library keeps behind it is valid as long, and belongs to one thread.
    private let context: xmlParserCtxtPtr

    /// Makes a parser, or nil when there is no memory for it.
    init?() {
        guard let context = unsafe xmlNewParserCtxt() else { return nil }
        unsafe self.context = context
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        unsafe xmlCtxtUseOptions(context, Int32(options | XML_PARSE_IGNORE_ENC.rawValue))
        // After the options, which would restore some of the library's own handlers:
        unsafe context.pointee.sax.pointee = XMLHandlers.table
    }

    func free() { unsafe xmlFreeParserCtxt(context) }

    /// Sends the events of all documents to a reader, which must outlive the parser.
    @unsafe func send(to reader: UnsafeMutablePointer<XMLReader.State>) {
        // Not the context itself, which is the default: then the library would resolve entities by itself.
        unsafe context.pointee.userData = UnsafeMutableRawPointer(reader)
    }

    // MARK: - Names

    /// How many bytes of names the parser has accumulated.
    var nameBytes: Int { Int(unsafe xmlDictGetUsage(context.pointee.dict)) }

    /// The parser's copy of a name that this library knows.
    func intern(_ name: String) -> ParserName {
        guard let pointer = unsafe xmlDictLookup(context.pointee.dict, name, -1) else {
            // Some dozen short names in an empty dictionary: this fails only without memory, where Swift's own
            // allocations trap too.
            fatalError("out of memory")
        }
        return unsafe ParserName(pointer)
    }

    /// The parser's copy of a name, which is shorter than the library's limit; nil when there is no memory for it or the
    /// parser has too many names.
    func intern(_ name: Span<UInt8>) -> ParserName? {
        // The library reads as many bytes as there are.
        unsafe name.withUnsafeBufferPointer { name in
            unsafe xmlDictLookup(context.pointee.dict, name.baseAddress, Int32(truncatingIfNeeded: name.count))
        }.map { unsafe ParserName($0) }
    }

    func hasInterned(_ name: ParserName) -> Bool {
        unsafe xmlDictExists(context.pointee.dict, name.pointer, -1) == name.pointer
    }

    // MARK: - Documents

    /// Parses a document; its events go to the reader.
    ///
    /// - Parameter bytes: the document with one zero behind it. A pointer, because a reader may blank the end of its
    ///   memory meanwhile; nobody else may change it.
    /// - Returns: whether the document is well-formed, and the library's number of the last error.
    /// - Throws: `.nulByte` for a zero before the last one.
    @unsafe func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(TokenCodecError) -> (isGood: Bool, error: Int) {
        precondition(unsafe bytes.last == 0)
        // The library parses the bytes in place, up to the first NUL. It forgets the last document first.
        unsafe xmlSetupParserForBuffer(context, bytes.baseAddress, nil)
        // Not all versions forget the namespaces that were open when a document was refused.
        unsafe context.pointee.nsNr = 0
        guard let input = unsafe context.pointee.input else { throw Self.noMemory }
        let length = unsafe input.pointee.end - input.pointee.base
        guard length == bytes.count - 1 else { throw .nulByte(offset: length) }
        unsafe xmlParseDocument(context)
        // An undeclared prefix leaves a document well-formed and only clears the second flag.
        let isGood = unsafe context.pointee.wellFormed == 1 && context.pointee.nsWellFormed == 1
        return (isGood, Int(unsafe context.pointee.errNo))
    }

    /// Ends parsing from inside an event.
    func stop() { unsafe xmlStopParser(context) }

    /// Ends parsing from inside the event of an error.
    ///
    /// Not with `xmlStopParser`, which removes the input while functions still use it. With these flags the library
    /// calls no handler any more, composes fewer messages for errors that follow from the first, and mostly ends soon;
    /// the verdict does not change whatever it still reads.
    ///
    /// - Returns: how many bytes were read; nil when the library does not say.
    func fail() -> Int? {
        unsafe context.pointee.wellFormed = 0
        unsafe context.pointee.disableSAX = 1
        unsafe context.pointee.instate = XML_PARSER_EOF
        return unsafe context.pointee.input.map { unsafe $0.pointee.cur - $0.pointee.base }
    }
}

/// The functions that the library calls with the events of a document.
///
/// The library passes the reader of ``XMLParser/send(to:)`` to each of them, and pointers that are valid until the
/// function returns. Full names inside the closures: C functions cannot capture anything, not even `Self`.
private enum XMLHandlers {
    static var table: xmlSAXHandler {
        var table = unsafe xmlSAXHandler()
        unsafe table.initialized = UInt32(XML_SAX2_MAGIC)
        // `XMLProlog` refuses every document type earlier.
        unsafe table.internalSubset = { reader, _, _, _ in
            unsafe XMLHandlers.recorder(reader)?.pointee.refuse(.documentTypeForbidden)
        }
        unsafe table.processingInstruction = { reader, _, _ in
            unsafe XMLHandlers.recorder(reader)?.pointee.refuse(.markupForbidden)
        }
        unsafe table.comment = { reader, _ in unsafe XMLHandlers.recorder(reader)?.pointee.comment() }
        unsafe table.characters = { reader, start, count in
            let text = unsafe UnsafeBufferPointer(start: start, count: Int(count))
            unsafe XMLHandlers.recorder(reader)?.pointee.text(text.span)
        }
        // The same function, or the library would check whether each text is blank.
        unsafe table.ignorableWhitespace = table.characters
        unsafe table.cdataBlock = table.characters
        unsafe table.startElementNs = { reader, name, _, namespace, _, _, attributeCount, _, attributes in
            guard let recorder = unsafe XMLHandlers.recorder(reader), let name = unsafe name else { return }
            if attributeCount > 0, let attributes = unsafe attributes {
                unsafe XMLHandlers.add(attributes, Int(attributeCount), to: recorder)
            }
            unsafe recorder.pointee.startElement(
                name: ParserName(name), namespace: namespace.map { unsafe ParserName($0) },
                hasAttributes: attributeCount > 0)
        }
        unsafe table.endElementNs = { reader, _, _, _ in unsafe XMLHandlers.recorder(reader)?.pointee.endElement() }
        unsafe table.serror = { reader, error in
            guard let error = unsafe error?.pointee, unsafe error.level.rawValue >= XML_ERR_ERROR.rawValue else {
                return
            }
            let (code, line) = unsafe (Int(error.code), Int(error.line))
            unsafe XMLHandlers.recorder(reader)?.pointee.fault(.malformedXML(code: code, line: line))
        }
        return unsafe table
    }

    @inline(__always)
    private static func recorder(_ reader: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLRecorder>? {
        unsafe reader.map { unsafe XMLReader(address: $0).recorder }
    }

    /// Five pointers per attribute: name, prefix, namespace, begin and end of the value.
    @inline(never)
    private static func add(
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>, _ count: Int,
        to recorder: UnsafeMutablePointer<XMLRecorder>
    ) {
        for index in 0..<count {
            let attribute = unsafe attributes + index * 5
            guard let name = unsafe attribute[0], let begin = unsafe attribute[3], let end = unsafe attribute[4] else {
                continue
            }
            let value = unsafe UnsafeBufferPointer(start: begin, count: end - begin)
            unsafe recorder.pointee.attribute(name: ParserName(name), value: value.span)
        }
    }
}
