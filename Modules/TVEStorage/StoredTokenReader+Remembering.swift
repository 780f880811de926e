import TVEModels

extension StoredTokenReader {
    /// The same reader, which remembers the token that it parsed last of each kind.
    ///
    /// The calls of a session read the same login, and mostly the same permission, again and again.
    package var rememberingLast: StoredTokenReader {
        StoredTokenReader(
            authentication: Self.rememberingLast(authentication), authorization: Self.rememberingLast(authorization),
            isRegistration: isRegistration)
    }

    private static func rememberingLast<Token: Sendable>(
        _ read: @escaping @Sendable (String) throws -> Token
    ) -> @Sendable (String) throws -> Token {
        let last = Guarded<(text: String, token: Token)?>(nil)
        return { text in
            if let known = last.withLock({ $0 }), known.text.isSameBytes(as: text) { return known.token }
            let token = try read(text)
            last.withLock { $0 = (text, token) }
            return token
        }
    }
}
