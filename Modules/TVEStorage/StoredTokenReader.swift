public import Foundation
public import TVEModels

/// How the store turns a stored text back into a token; whoever makes the store brings the codec.
public struct StoredTokenReader: Sendable {
    /// Reads an AuthN token.
    public var authentication: @Sendable (String) throws -> AuthenticationToken
    /// Reads an AuthZ token.
    public var authorization: @Sendable (String) throws -> AuthorizationToken
    /// Whether bytes are the credentials of a registered application.
    public var isRegistration: @Sendable (Data) -> Bool

    /// Makes a reader of functions.
    ///
    /// - Parameters:
    ///   - authentication: reads an AuthN token, throws when the text is none.
    ///   - authorization: reads an AuthZ token, throws when the text is none.
    ///   - isRegistration: whether bytes are the credentials of a registered application.
    public init(
        authentication: @escaping @Sendable (String) throws -> AuthenticationToken,
        authorization: @escaping @Sendable (String) throws -> AuthorizationToken,
        isRegistration: @escaping @Sendable (Data) -> Bool = { !$0.isEmpty }
    ) {
        self.authentication = authentication
        self.authorization = authorization
        self.isRegistration = isRegistration
    }
}
