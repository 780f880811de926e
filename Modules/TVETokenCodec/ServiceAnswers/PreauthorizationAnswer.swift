public import TVEModels

/// The service's answer to a preauthorization.
public enum PreauthorizationAnswer: Sendable, Hashable {
    /// One decision per resource, in the service's order.
    case decisions([PreauthorizationDecision])
    /// The whole request was refused.
    case denied(AuthorizationDenial)
    /// The session has ended.
    case pendingLogout(PendingLogout)
}
