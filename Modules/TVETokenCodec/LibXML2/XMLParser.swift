import CTVELibXML2

/// A parser context of libxml2.
///
/// This is the only file that calls the library.
///
/// The options are fixed: no recovery, no network, only the five predefined entities and character references (a
/// document type, which could declare more, is refused), and UTF-8 whatever the document declares. The context belongs
/// to one ``XMLReader``, which calls ``free()`` at its end. Copies of this value do not own the context.
@safe struct XMLParser {
    /// libxml2's number for content after the root element.
    static let contentAfterRoot = Int(XML_ERR_DOCUMENT_END.rawValue)
    /// The error when there is no memory for a parser.
    static let noMemory = TokenCodecError.malformedXML(code: Int(XML_ERR_NO_MEMORY.rawValue), line: 0)

    // The pointer is valid until `free()`, like all memory that the library owns behind it, and belongs to one thread.
    private let context: xmlParserCtxtPtr

    /// Creates a parser, or returns nil if there is no memory for it.
    init?() {
        guard let context = unsafe xmlNewParserCtxt() else { return nil }
        unsafe self.context = context
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        unsafe xmlCtxtUseOptions(context, Int32(options | XML_PARSE_IGNORE_ENC.rawValue))
        // This comes after the options, which would restore some of the library's own handlers.
        unsafe context.pointee.sax.pointee = XMLHandlers.table
    }

    func free() { unsafe xmlFreeParserCtxt(context) }

    // MARK: - Names

    /// The number of bytes of names that the parser has accumulated.
    var nameBytes: Int { Int(unsafe xmlDictGetUsage(context.pointee.dict)) }

    /// Returns the parser's copy of a name that this library knows.
    func intern(_ name: String) -> ParserName {
        guard let pointer = unsafe xmlDictLookup(context.pointee.dict, name, -1) else {
            // There are some dozen short names in an empty dictionary. This fails only without memory, and then Swift's
            // own allocations trap too.
            fatalError("out of memory")
        }
        return unsafe ParserName(pointer)
    }

    /// Returns the parser's copy of a name, which must be shorter than the library's limit.
    ///
    /// The function returns nil if there is no memory for the name, or if the parser has too many names.
    func intern(_ name: Span<UInt8>) -> ParserName? {
        // The library reads as many bytes as the buffer has.
        unsafe name.withUnsafeBufferPointer { name in
            unsafe xmlDictLookup(context.pointee.dict, name.baseAddress, Int32(truncatingIfNeeded: name.count))
        }.map { unsafe ParserName($0) }
    }

    // MARK: - Documents

    /// Parses a document and sends its events to a reader.
    ///
    /// - Parameters:
    ///   - bytes: the document followed by one zero. The parameter is a pointer, because a reader may meanwhile
    ///     overwrite the end of its memory with zeros. Nothing else may change the bytes.
    ///   - reader: the receiver of the events, which nothing else may use until the function returns.
    /// - Returns: a Boolean value that indicates whether the document is well-formed, and the library's number of the
    ///   last error.
    /// - Throws: `.nulByte` for a zero before the last one.
    @unsafe func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, into reader: UnsafeMutablePointer<XMLReader>
    ) throws(TokenCodecError) -> (isGood: Bool, error: Int) {
        precondition(unsafe bytes.last == 0)
        // The default is the context itself, with which the library would resolve entities by itself.
        unsafe context.pointee.userData = UnsafeMutableRawPointer(reader)
        defer { unsafe context.pointee.userData = nil }
        // The library first resets the last document, and then parses the bytes in place, up to the first NUL.
        unsafe xmlSetupParserForBuffer(context, bytes.baseAddress, nil)
        // Some versions do not reset the namespaces that were open when a document was refused.
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
    /// `xmlStopParser` is not suitable, because it removes the input while functions still use it. With these flags,
    /// the library calls no further handlers, composes fewer messages for errors that follow from the first, and
    /// usually ends soon. The verdict remains the same whatever it still reads.
    ///
    /// - Returns: the number of bytes that were read, or nil if the library does not state it.
    func fail() -> Int? {
        unsafe context.pointee.wellFormed = 0
        unsafe context.pointee.disableSAX = 1
        unsafe context.pointee.instate = XML_PARSER_EOF
        return unsafe context.pointee.input.map { unsafe $0.pointee.cur - $0.pointee.base }
    }
}

/// The functions that the library calls with the events of a document.
///
/// The library passes the reader of ``XMLParser/parse(_:into:)`` to each of them, and pointers that are valid until the
/// function returns. The closures use full names, because C functions cannot capture anything, not even `Self`.
private enum XMLHandlers {
    static var table: xmlSAXHandler {
        var table = unsafe xmlSAXHandler()
        unsafe table.initialized = UInt32(XML_SAX2_MAGIC)
        // `XMLProlog` refuses every document type before the library reads it.
        unsafe table.internalSubset = { reader, _, _, _ in
            unsafe XMLHandlers.receiver(reader)?.pointee.refuse(.documentTypeForbidden)
        }
        unsafe table.processingInstruction = { reader, _, _ in
            unsafe XMLHandlers.receiver(reader)?.pointee.refuse(.markupForbidden)
        }
        unsafe table.comment = { reader, _ in unsafe XMLHandlers.receiver(reader)?.pointee.comment() }
        unsafe table.characters = { reader, start, count in
            let text = unsafe UnsafeBufferPointer(start: start, count: Int(count))
            unsafe XMLHandlers.receiver(reader)?.pointee.text(text.span)
        }
        // Without the same function here, the library would check whether each text is blank.
        unsafe table.ignorableWhitespace = table.characters
        unsafe table.cdataBlock = table.characters
        unsafe table.startElementNs = { reader, name, _, namespace, _, _, attributeCount, _, attributes in
            guard let receiver = unsafe XMLHandlers.receiver(reader), let name = unsafe name else { return }
            if attributeCount > 0, let attributes = unsafe attributes {
                unsafe XMLHandlers.add(attributes, Int(attributeCount), to: receiver)
            }
            unsafe receiver.pointee.startElement(
                name: ParserName(name), namespace: namespace.map { unsafe ParserName($0) },
                hasAttributes: attributeCount > 0)
        }
        unsafe table.endElementNs = { reader, _, _, _ in unsafe XMLHandlers.receiver(reader)?.pointee.endElement() }
        unsafe table.serror = { reader, error in
            guard let error = unsafe error?.pointee, unsafe error.level.rawValue >= XML_ERR_ERROR.rawValue else {
                return
            }
            let code = Int(unsafe error.code)
            let line = Int(unsafe error.line)
            unsafe XMLHandlers.receiver(reader)?.pointee.fault(.malformedXML(code: code, line: line))
        }
        return unsafe table
    }

    @inline(__always)
    private static func receiver(_ reader: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLReader>? {
        unsafe reader.map { unsafe $0.assumingMemoryBound(to: XMLReader.self) }
    }

    /// Passes on attributes, each of which has five pointers: name, prefix, namespace, and the begin and end of the
    /// value.
    @inline(never)
    private static func add(
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>, _ count: Int,
        to receiver: UnsafeMutablePointer<XMLReader>
    ) {
        for index in 0..<count {
            let attribute = unsafe attributes + index * 5
            guard let name = unsafe attribute[0], let begin = unsafe attribute[3], let end = unsafe attribute[4] else {
                continue
            }
            let value = unsafe UnsafeBufferPointer(start: begin, count: end - begin)
            unsafe receiver.pointee.attribute(name: ParserName(name), value: value.span)
        }
    }
}
