import TVEModels

/// The known children of a token element, each at most once and each a leaf.
struct TokenFields {
    private var elements: [String: XMLElement] = [:]

    /// Picks the known children; unknown ones are skipped (a later service may add some).
    ///
    /// - Parameters:
    ///   - element: the token element or a container inside it.
    ///   - known: the names to pick.
    /// - Throws: `.duplicateElement` for a known name that comes twice, `.unexpectedContent` for text between children
    ///   or for a known child in a namespace.
    init(_ element: XMLElement, known: Set<String>) throws(TokenCodecError) {
        guard element.text.utf8.allSatisfy(\.isXMLWhitespace) else { throw .unexpectedContent(element.name) }
        for child in element.children where known.contains(child.name) {
            guard child.namespace == nil else { throw .unexpectedContent(child.name) }
            guard elements.updateValue(child, forKey: child.name) == nil else {
                throw .duplicateElement(child.name)
            }
        }
    }

    /// The child as an element, for containers.
    func element(_ name: String) -> XMLElement? { elements[name] }

    /// The text of an optional leaf.
    func optional(_ name: String) throws(TokenCodecError) -> String? {
        guard let element = elements[name] else { return nil }
        guard element.children.isEmpty, element.attributes.isEmpty else { throw .unexpectedContent(name) }
        return element.text
    }

    /// The text of a required leaf, which must not be empty.
    func required(_ name: String) throws(TokenCodecError) -> String {
        guard let text = try optional(name), !text.isEmpty else { throw .missingElement(name) }
        return text
    }

    /// The date in a required leaf.
    func date(_ name: String, _ format: TokenDateFormat) throws(TokenCodecError) -> TokenDate {
        guard let date = format.parse(try required(name)) else { throw .invalidDate(name) }
        return date
    }

    /// The boolean in an optional leaf: only `true`, in whatever case, counts.
    func flag(_ name: String) throws(TokenCodecError) -> Bool {
        try optional(name)?.lowercased() == "true"
    }

    /// The whole number, zero or more, in an optional leaf.
    func number(_ name: String) throws(TokenCodecError) -> Int64? {
        guard let text = try optional(name) else { return nil }
        guard let number = Int64(text), number >= 0 else { throw .invalidNumber(name) }
        return number
    }
}

extension UInt8 {
    /// Blank, tab, line feed or carriage return.
    var isXMLWhitespace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
