import TVEModels

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
