/// Parses XML into ``XMLElement``s.
package enum XMLTree {
    /// Parses a whole document.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8; a byte order mark and an XML declaration may come first.
    ///   - policy: limits.
    /// - Returns: the root element.
    /// - Throws: any ``TokenCodecError`` about the bytes, the markup or a limit.
    package static func parse(_ bytes: some Collection<UInt8>, _ policy: XMLPolicy) throws(TokenCodecError)
        -> XMLElement
    {
        let reader = try XMLReader.begin(bytes, policy)
        defer { reader.end() }
        return element(try reader.parse(from: 0, policy), ParsedXML.root)
    }

    private static func element(_ document: ParsedXML, _ position: Int) -> XMLElement {
        var element = XMLElement(
            name: document.name(of: position), namespace: document.namespace(of: position),
            attributes: Dictionary(
                document.attributes(of: position).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
        element.text = String(decoding: document.bytes(of: document[position]), as: UTF8.self)
        for child in document.children(of: position) {
            if document[child].isText {
                element.text += String(decoding: document.bytes(of: document[child]), as: UTF8.self)
            } else {
                element.children.append(Self.element(document, child))
            }
        }
        return element
    }
}
