/// A parser of XML into ``XMLElement``s.
package enum XMLTree {
    /// Parses a whole document.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8. It may begin with a byte order mark and an XML declaration.
    ///   - policy: the limits.
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
        element.text = document.string(of: document[position].text)
        for child in document.children(of: position) {
            if document[child].isText {
                element.text += document.string(of: document[child].text)
            } else {
                element.children.append(Self.element(document, child))
            }
        }
        return element
    }
}

/// An element of a parsed document, in the small tree that readers use.
package struct XMLElement: Sendable {
    /// The name without prefix.
    package let name: String
    /// The namespace of the prefix, or nil without a prefix.
    package let namespace: String?
    /// The attributes by local name.
    package let attributes: [String: String]
    /// All text and CDATA directly inside the element, joined.
    package internal(set) var text = ""
    /// The elements directly inside, in order.
    package internal(set) var children: [XMLElement] = []

    /// Returns the first child with a name, in any namespace.
    package func first(_ name: String) -> XMLElement? {
        children.first { $0.name == name }
    }

    /// Returns the first element with a name at any depth, which may be this one.
    package func firstDescendant(_ name: String) -> XMLElement? {
        if self.name == name { return self }
        for child in children {
            if let found = child.firstDescendant(name) { return found }
        }
        return nil
    }
}
