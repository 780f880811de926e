import TVEModels

/// What `preauthorize` found out about one resource (preauthorize page).
public final class Decision: Sendable {
    private let decision: PreauthorizationDecision

    init(_ decision: PreauthorizationDecision) {
        self.decision = decision
    }

    /// The resource.
    ///
    /// - Returns: the text that was asked about.
    public func getId() -> String { decision.resource.text }

    /// Whether the viewer would be allowed to watch.
    ///
    /// - Returns: true when it may be shown as watchable.
    public func isAuthorized() -> Bool { decision.isAuthorized }

    /// Why not, when the service says so.
    ///
    /// - Returns: the error, or nil.
    public func getError() -> Status? { decision.error.map(Status.init) }
}
