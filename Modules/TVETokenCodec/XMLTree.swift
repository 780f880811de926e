/// Parses XML into ``XMLElement``s.
package enum XMLTree {
    /// Parses a whole document.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8; a byte order mark and an XML declaration may come first.
    ///   - policy: limits.
    /// - Returns: the root element.
    /// - Throws: any ``TokenCodecError`` about the bytes, the markup or a limit.
    package static func parse(_ bytes: some Sequence<UInt8>, _ policy: XMLPolicy) throws(TokenCodecError) -> XMLElement
    {
        let builder = Builder()
        try XMLEventParser(policy: policy, handler: builder).parse(Array(bytes))
        guard let root = builder.root else { throw .empty }
        return root
    }

    /// Puts events together to a tree.
    ///
    /// The parser guarantees that they are balanced.
    private final class Builder: XMLEventHandler {
        private var open: [XMLElement] = []
        private(set) var root: XMLElement?

        func start(_ element: XMLElement) {
            open.append(element)
        }

        func text(_ text: String) {
            guard !open.isEmpty else { return }
            open[open.count - 1].text += text
        }

        func end() {
            guard let element = open.popLast() else { return }
            if open.isEmpty {
                root = element
            } else {
                open[open.count - 1].children.append(element)
            }
        }
    }
}
