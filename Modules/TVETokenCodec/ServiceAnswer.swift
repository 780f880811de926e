public import TVEModels

/// What the service says to a request for a token.
public enum ServiceAnswer: Sendable, Hashable {
    /// The text of a signed token, and the JSON of the viewer's metadata when some came with it.
    case token(TokenText, userMetadata: String?)
    /// The TV provider says no.
    case denied(AuthorizationDenial)
    /// The session is dead.
    case pendingLogout(PendingLogout)
}
