import CLibXML2
import TVEModels

/// Turns bytes into XML events through libxml2.
///
/// The only file that talks to the library.
///
/// Every parse has a context of its own, which is used by one thread and freed at the end. Options are fixed: no
/// recovery, no network, no entity but the five predefined ones and character references (there is no document type
/// that could declare more), UTF-8 whatever the document claims.
final class XMLEventParser {
    /// libxml2's number for content behind the root element.
    static let contentAfterRoot = Int(XML_ERR_DOCUMENT_END.rawValue)

    private let policy: XMLPolicy
    private let handler: any XMLEventHandler
    private var depth = 0
    private var elements = 0
    private var refusal: TokenCodecError?
    private var context: xmlParserCtxtPtr?

    init(policy: XMLPolicy, handler: any XMLEventHandler) {
        self.policy = policy
        self.handler = handler
    }

    func parse(_ bytes: [UInt8]) throws(TokenCodecError) {
        try check(bytes)
        let result: (wellFormed: Bool, code: Int, line: Int) = bytes.withUnsafeBytes { buffer in
            // `check` keeps the length far below what Int32 holds.
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard let context = xmlCreateMemoryParserCtxt(start, Int32(buffer.count)) else {
                return (false, Int(XML_ERR_NO_MEMORY.rawValue), 0)
            }
            defer { xmlFreeParserCtxt(context) }
            let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
            xmlCtxtUseOptions(context, Int32(options | XML_PARSE_IGNORE_ENC.rawValue))
            // After the options, which would switch some of the library's own handlers back on:
            context.pointee.sax.pointee = Self.handlers
            context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
            self.context = context
            defer { self.context = nil }
            xmlParseDocument(context)
            // An undeclared prefix leaves a document well-formed and only clears the second flag.
            let wellFormed = context.pointee.wellFormed == 1 && context.pointee.nsWellFormed == 1
            return (wellFormed, Int(context.pointee.errNo), Int(context.pointee.input?.pointee.line ?? 0))
        }
        // A parser that was stopped still calls its document well-formed, so our own verdict comes first.
        if let refusal { throw refusal }
        guard result.wellFormed else { throw .malformedXML(code: result.code, line: result.line) }
    }

    /// Refuses what must not reach the library: nothing, too much, NUL bytes, invalid UTF-8.
    private func check(_ bytes: [UInt8]) throws(TokenCodecError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= min(policy.maximumBytes, Int(Int32.max) - 1) else {
            throw .tooLarge(limit: policy.maximumBytes)
        }
        if let offset = bytes.firstIndex(of: 0) { throw .nulByte(offset: offset) }
        if let offset = UTF8Check.firstInvalidOffset(in: bytes) { throw .invalidUTF8(offset: offset) }
        try checkAttributes(bytes)
    }

    /// Refuses elements with very many attributes before the library sees them: it compares each with all before it, and
    /// no handler is called until it is through.
    ///
    /// A raw `<` can stand in no attribute, so an element's attributes lie between two of them; counting every `=` there
    /// counts some text too, which is why the limit is generous.
    private func checkAttributes(_ bytes: [UInt8]) throws(TokenCodecError) {
        var equals = 0
        for byte in bytes {
            if byte == UInt8(ascii: "<") {
                equals = 0
            } else if byte == UInt8(ascii: "=") {
                equals += 1
                guard equals <= policy.maximumAttributes else {
                    throw .tooManyAttributes(limit: policy.maximumAttributes)
                }
            }
        }
    }

    private func refuse(_ error: TokenCodecError) {
        guard refusal == nil else { return }
        refusal = error
        xmlStopParser(context)
    }

    private func start(_ element: @autoclosure () -> XMLElement) {
        guard refusal == nil else { return }
        depth += 1
        elements += 1
        guard depth <= policy.maximumDepth else { return refuse(.tooDeep(limit: policy.maximumDepth)) }
        guard elements <= policy.maximumElements else {
            return refuse(.tooManyElements(limit: policy.maximumElements))
        }
        handler.start(element())
    }

    private func end() {
        guard refusal == nil else { return }
        depth -= 1
        handler.end()
    }

    private func text(_ start: UnsafePointer<xmlChar>?, _ count: Int32) {
        guard refusal == nil, let start else { return }
        handler.text(String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self))
    }

    // MARK: - Callbacks

    /// The library hands back the pointer that `parse` put into the context, which outlives the parse.
    private static func of(_ userData: UnsafeMutableRawPointer?) -> XMLEventParser? {
        userData.map { Unmanaged<XMLEventParser>.fromOpaque($0).takeUnretainedValue() }
    }

    private static var handlers: xmlSAXHandler {
        var table = xmlSAXHandler()
        // Full names inside the closures: C functions can capture nothing, not even `Self`.
        table.initialized = UInt32(XML_SAX2_MAGIC)
        table.internalSubset = { userData, _, _, _ in XMLEventParser.of(userData)?.refuse(.documentTypeForbidden) }
        table.processingInstruction = { userData, _, _ in XMLEventParser.of(userData)?.refuse(.markupForbidden) }
        table.comment = { userData, _ in
            guard let parser = XMLEventParser.of(userData), !parser.policy.allowsComments else { return }
            parser.refuse(.markupForbidden)
        }
        table.characters = { userData, start, count in XMLEventParser.of(userData)?.text(start, count) }
        table.cdataBlock = { userData, start, count in XMLEventParser.of(userData)?.text(start, count) }
        table.startElementNs = { userData, name, _, namespace, _, _, attributeCount, _, attributes in
            XMLEventParser.of(userData)?.start(
                XMLElement(
                    name: XMLEventParser.string(name) ?? "", namespace: XMLEventParser.string(namespace),
                    attributes: XMLEventParser.dictionary(attributes, count: Int(attributeCount))))
        }
        table.endElementNs = { userData, _, _, _ in XMLEventParser.of(userData)?.end() }
        // Without a handler of its own the library would print errors to the terminal.
        table.serror = { _, _ in }
        return table
    }

    private static func string(_ text: UnsafePointer<xmlChar>?) -> String? {
        text.map { String(cString: $0) }
    }

    /// Five pointers an attribute: name, prefix, namespace, begin and end of the value.
    private static func dictionary(
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
    ) -> [String: String] {
        guard let attributes, count > 0 else { return [:] }
        var values: [String: String] = [:]
        for index in 0..<count {
            let attribute = attributes + index * 5
            guard let name = string(attribute[0]), let begin = attribute[3], let end = attribute[4] else { continue }
            let value = String(decoding: UnsafeBufferPointer(start: begin, count: end - begin), as: UTF8.self)
            // Without entity substitution the library leaves every ampersand of a value in this one spelling.
            values[name] = value.replacingBytes(of: "&#38;", with: "&")
        }
        return values
    }
}
