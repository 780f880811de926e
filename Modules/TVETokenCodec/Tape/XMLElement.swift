/// One element of a parsed document: the small tree that readers use.
package struct XMLElement: Sendable {
    /// The name without prefix.
    package let name: String
    /// The namespace of the prefix, nil without one.
    package let namespace: String?
    /// Attributes by local name.
    package let attributes: [String: String]
    /// All text and CDATA directly inside, joined.
    package internal(set) var text = ""
    /// The elements directly inside, in order.
    package internal(set) var children: [XMLElement] = []

    /// The first child with this name, in any namespace.
    package func first(_ name: String) -> XMLElement? {
        children.first { $0.name == name }
    }

    /// The first element with this name at any depth, this one included.
    package func firstDescendant(_ name: String) -> XMLElement? {
        if self.name == name { return self }
        for child in children {
            if let found = child.firstDescendant(name) { return found }
        }
        return nil
    }
}
