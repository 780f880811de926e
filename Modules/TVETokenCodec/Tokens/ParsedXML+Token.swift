import TVEModels

/// Strict parsing of the parts of tokens.
extension ParsedXML {
    /// Refuses a document with another root than these, or with attributes on it.
    func checkRoot(is token: TokenElement, or other: TokenElement? = nil) throws(TokenCodecError) {
        let root = self[Self.root]
        guard !root.hasNamespace, let name = root.name.flatMap({ names.tokens.name($0, expecting: 0)?.name }),
            name == token || name == other
        else { throw .unexpectedRoot(expected: token.wireName) }
        guard !root.hasAttributes else { throw .unexpectedContent(name.wireName) }
    }

    /// The known elements directly inside a token's element or container, with nothing but blanks between them.
    func fields<Name>(of position: Int, _ names: InternedNames<Name>) throws(TokenCodecError) -> XMLChildren<Name> {
        try checkBlank(position, in: position)
        return XMLChildren(self, position, names)
    }

    func checkBlank(_ text: Int, in element: Int) throws(TokenCodecError) {
        let isBlank = withBytes(of: self[text].text) { bytes in bytes.indices.allSatisfy { bytes[$0].isXMLWhitespace } }
        if !isBlank { throw .unexpectedContent(name(of: element)) }
    }

    /// The text of a leaf, which contains neither elements nor attributes.
    @inline(__always)
    func leaf(_ position: Int) throws(TokenCodecError) -> XMLSpan {
        guard !self[position].hasAttributes, let text = text(of: position) else {
            throw .unexpectedContent(name(of: position))
        }
        return text
    }

    func string(_ position: Int) throws(TokenCodecError) -> String { string(of: try leaf(position)) }

    /// Whether the text of a leaf is `true`, in any case.
    func isTrue(_ position: Int) throws(TokenCodecError) -> Bool {
        withBytes(of: try leaf(position)) { bytes in bytes.isTrue }
    }

    /// The date in a leaf, nil when it is empty.
    func date(_ position: Int, _ format: TokenDateFormat) throws(TokenCodecError) -> TokenDate? {
        let text = try leaf(position)
        guard text.count > 0 else { return nil }
        guard let date = withBytes(of: text, format.parse) else { throw .invalidDate(name(of: position)) }
        return date
    }

    /// The lifetime in a leaf: a whole number from zero to ``longestLifetime``.
    ///
    /// The limit is checked here, once, so that no sum with a lifetime leaves the range of dates and integers: tokens
    /// are read before anyone knows who signed them.
    ///
    /// - Parameter perSecond: how many units are a second.
    func lifetime(_ position: Int, perSecond: Int64 = 1) throws(TokenCodecError) -> Int64 {
        let text = try leaf(position)
        guard let number = withBytes(of: text, { bytes in bytes.wholeNumber }),
            number <= Self.longestLifetime * perSecond
        else {
            throw .invalidNumber(name(of: position))
        }
        return number
    }

    /// A hundred years, in seconds.
    private static var longestLifetime: Int64 { 3_155_760_000 }
}
