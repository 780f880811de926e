public import Foundation
public import TVEModels

/// The functions with which the store parses stored texts into tokens, supplied by the code that creates the store.
public struct StoredTokenReader: Sendable {
    /// A closure that parses an AuthN token.
    public var authentication: @Sendable (String) throws -> AuthenticationToken
    /// A closure that parses an AuthZ token.
    public var authorization: @Sendable (String) throws -> AuthorizationToken
    /// A closure that returns a Boolean value that indicates whether bytes are the credentials of a registered
    /// application.
    public var isRegistration: @Sendable (Data) -> Bool

    /// Creates a reader from functions.
    ///
    /// - Parameters:
    ///   - authentication: parses an AuthN token, and throws if the text is not one.
    ///   - authorization: parses an AuthZ token, and throws if the text is not one.
    ///   - isRegistration: returns a Boolean value that indicates whether bytes are the credentials of a registered
    ///     application.
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
    /// The same reader with a cache of the last token of each kind.
    ///
    /// The calls of a session repeatedly read the same login, and usually the same permission.
    package var rememberingLast: StoredTokenReader {
        let logins = LastRead<AuthenticationToken>()
        let permissions = LastRead<AuthorizationToken>()
        return StoredTokenReader(
            authentication: { [authentication] in try logins.value(of: $0, authentication) },
            authorization: { [authorization] in try permissions.value(of: $0, authorization) },
            isRegistration: isRegistration)
    }
}
