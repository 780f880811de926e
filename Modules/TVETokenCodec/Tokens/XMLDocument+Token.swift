import TVEModels

/// Strict parsing of the parts of tokens.
extension XMLDocument {
    /// Refuses a document whose root is neither of these, or has attributes.
    func checkRoot(is token: TokenElement, or other: TokenElement? = nil) throws(TokenCodecError) {
        let root = self[Self.root]
        guard !root.hasNamespace, let name = root.name.flatMap({ names.tokens.name($0, expecting: 0)?.name }),
            name == token || name == other
        else { throw .unexpectedRoot(expected: token.wireName) }
        guard !root.hasAttributes else { throw .unexpectedContent(name.wireName) }
    }

    /// Returns the known elements directly inside a token's element or container, with only blanks between them.
    func fields<Name>(of position: Int, _ names: InternedNames<Name>) throws(TokenCodecError) -> XMLChildren<Name> {
        try checkBlank(position, in: position)
        return XMLChildren(self, of: position, names: names)
    }

    func checkBlank(_ text: Int, in element: Int) throws(TokenCodecError) {
        let isBlank = withBytes(of: self[text].text) { bytes in bytes.indices.allSatisfy { bytes[$0].isXMLSpace } }
        if !isBlank { throw .unexpectedContent(name(of: element)) }
    }

    /// Returns the text of a leaf, which contains neither elements nor attributes.
    @inline(__always)
    func leaf(_ position: Int) throws(TokenCodecError) -> XMLSpan {
        guard !self[position].hasAttributes, let text = text(of: position) else {
            throw .unexpectedContent(name(of: position))
        }
        return text
    }

    func string(_ position: Int) throws(TokenCodecError) -> String { string(of: try leaf(position)) }

    /// Returns a Boolean value that indicates whether the text of a leaf is `true`, in any case.
    func isTrue(_ position: Int) throws(TokenCodecError) -> Bool {
        withBytes(of: try leaf(position)) { bytes in bytes.isTrue }
    }

    /// Returns the date in a leaf, or nil if the leaf is empty.
    func date(_ position: Int, _ format: TokenDateFormat) throws(TokenCodecError) -> TokenDate? {
        let text = try leaf(position)
        guard text.count > 0 else { return nil }
        guard let date = withBytes(of: text, format.parse) else { throw .invalidDate(name(of: position)) }
        return date
    }

    /// Returns the lifetime in a leaf, which is a whole number from zero to ``longestLifetime``.
    ///
    /// The limit is checked only here, so that no sum with a lifetime exceeds the range of dates and integers. Tokens
    /// are read before their signature is verified.
    ///
    /// - Parameter perSecond: the number of units in a second.
    func lifetime(_ position: Int, perSecond: Int64 = 1) throws(TokenCodecError) -> Int64 {
        let text = try leaf(position)
        guard let number = withBytes(of: text, { bytes in bytes.wholeNumber }),
            number <= Self.longestLifetime * perSecond
        else {
            throw .invalidNumber(name(of: position))
        }
        return number
    }

    /// One hundred years, in seconds.
    private static var longestLifetime: Int64 { 3_155_760_000 }
}
