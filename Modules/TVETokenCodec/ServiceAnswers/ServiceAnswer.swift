public import TVEModels

/// The service's answer to a request for a token.
public enum ServiceAnswer: Sendable, Hashable {
    /// The text of a signed token, and the JSON of the viewer's metadata when some came with it.
    case token(TokenText, userMetadata: String?)
    /// The TV provider denied.
    case denied(AuthorizationDenial)
    /// The session has ended.
    case pendingLogout(PendingLogout)
}

/// The service's answer to a preauthorization.
public enum PreauthorizationAnswer: Sendable, Hashable {
    /// One decision per resource, in the service's order.
    case decisions([PreauthorizationDecision])
    /// The whole request was refused.
    case denied(AuthorizationDenial)
    /// The session has ended.
    case pendingLogout(PendingLogout)
}
