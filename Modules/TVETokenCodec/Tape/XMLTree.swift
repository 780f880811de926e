/// An element of a document with everything inside it, as a tree.
package struct XMLTree: Sendable {
    /// The name without prefix.
    package let name: String
    /// The namespace of the prefix, or nil without a prefix.
    package let namespace: String?
    /// The attributes by local name.
    package let attributes: [String: String]
    /// All text and CDATA directly inside the element, joined.
    package private(set) var text: String
    /// The elements directly inside, in order.
    package private(set) var children: [XMLTree] = []

    /// Parses a whole document into its root element.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8. It may begin with a byte order mark and an XML declaration.
    ///   - policy: the limits.
    /// - Throws: any ``TokenCodecError`` about the bytes, the markup or a limit.
    package init(parsing bytes: some Collection<UInt8>, _ policy: XMLPolicy) throws(TokenCodecError) {
        self = try XMLReader.withDocument(in: bytes, policy) { document in XMLTree(document, XMLDocument.root) }
    }

    private init(_ document: borrowing XMLDocument, _ position: Int) {
        name = document.name(of: position)
        namespace = document.namespace(of: position)
        attributes = Dictionary(
            document.attributes(of: position).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        text = document.string(of: document[position].text)
        document.forEachChild(of: position) { child in
            if document[child].isText {
                text += document.string(of: document[child].text)
            } else {
                children.append(XMLTree(document, child))
            }
        }
    }

    /// Returns the first child with a name, in any namespace.
    package func first(_ name: String) -> XMLTree? {
        children.first { $0.name == name }
    }

    /// Returns the first element with a name at any depth, which may be this one.
    package func firstDescendant(_ name: String) -> XMLTree? {
        if self.name == name { return self }
        for child in children {
            if let found = child.firstDescendant(name) { return found }
        }
        return nil
    }
}
