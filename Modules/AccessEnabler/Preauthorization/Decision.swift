public import Foundation
import TVEFlowEngine
import TVEModels

/// The result of `preauthorize` for one resource (preauthorize page).
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class Decision: NSObject, Sendable {
    private let decision: PreauthorizationDecision

    /// Makes a decision, for tests of an app.
    ///
    /// - Parameters:
    ///   - id: the resource.
    ///   - isAuthorized: whether the viewer would be allowed to watch.
    ///   - error: why not.
    public convenience init(id: String, isAuthorized: Bool, error: Status? = nil) {
        self.init(PreauthorizationDecision(resource: Resource(id), isAuthorized: isAuthorized, error: error?.error))
    }

    init(_ decision: PreauthorizationDecision) {
        var decision = decision
        if !decision.isDecided { decision.error = decision.error ?? Self.undecided }
        self.decision = decision
    }

    /// A resource that the service left out is not denied, and asking again may help.
    private static let undecided = EnhancedError(
        status: 0, code: "server_response_format_unknown",
        message: "The service did not decide about this resource.", action: "retry")

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

    /// Returns the text for a viewer who cannot watch the resource, as the app translates it.
    ///
    /// The original does not have this method. A denied resource has a text even where ``getError()`` is nil.
    ///
    /// - Returns: the TV provider's own words, else a suggested sentence; nil where the viewer would be allowed to watch.
    public func getViewerMessage() -> String? { decision.denial?.localizedDescription }
}
