public import Foundation
public import TVEModels

/// How the store parses stored texts into tokens; the code that makes the store supplies the codec.
public struct StoredTokenReader: Sendable {
    /// Parses an AuthN token.
    public var authentication: @Sendable (String) throws -> AuthenticationToken
    /// Parses an AuthZ token.
    public var authorization: @Sendable (String) throws -> AuthorizationToken
    /// Whether bytes are the credentials of a registered application.
    public var isRegistration: @Sendable (Data) -> Bool

    /// Makes a reader from functions.
    ///
    /// - Parameters:
    ///   - authentication: parses an AuthN token, throws when the text is not one.
    ///   - authorization: parses an AuthZ token, throws when the text is not one.
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

extension StoredTokenReader {
    /// The same reader, which remembers the token that it parsed last of each kind.
    ///
    /// The calls of a session read the same login, and mostly the same permission, again and again.
    package var rememberingLast: StoredTokenReader {
        let (logins, permissions) = (LastRead<AuthenticationToken>(), LastRead<AuthorizationToken>())
        return StoredTokenReader(
            authentication: { [authentication] in try logins.value(of: $0, authentication) },
            authorization: { [authorization] in try permissions.value(of: $0, authorization) },
            isRegistration: isRegistration)
    }
}
