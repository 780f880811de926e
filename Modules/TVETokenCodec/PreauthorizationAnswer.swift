public import TVEModels

/// What the service says to a request for preauthorization.
public enum PreauthorizationAnswer: Sendable, Hashable {
    /// One decision a resource, in the service's order.
    case decisions([PreauthorizationDecision])
    /// The request as a whole was refused.
    case denied(AuthorizationDenial)
    /// The session is dead.
    case pendingLogout(PendingLogout)
}
