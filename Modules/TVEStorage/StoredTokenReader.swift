public import TVEModels

/// How the store turns a stored text back into a token; whoever makes the store brings the codec.
public struct StoredTokenReader: Sendable {
    /// Reads an AuthN token.
    public var authentication: @Sendable (String) throws -> AuthenticationToken
    /// Reads an AuthZ token.
    public var authorization: @Sendable (String) throws -> AuthorizationToken

    /// Makes a reader of two functions.
    ///
    /// - Parameters:
    ///   - authentication: reads an AuthN token, throws when the text is none.
    ///   - authorization: reads an AuthZ token, throws when the text is none.
    public init(
        authentication: @escaping @Sendable (String) throws -> AuthenticationToken,
        authorization: @escaping @Sendable (String) throws -> AuthorizationToken
    ) {
        self.authentication = authentication
        self.authorization = authorization
    }
}
