public import Foundation
import TVEFlowEngine
import TVEModels

/// The result of `preauthorize` for one resource (preauthorize page).
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class Decision: NSObject, Sendable {
    private let decision: PreauthorizationDecision

    /// Creates a decision, for tests of an app.
    ///
    /// - Parameters:
    ///   - id: the resource.
    ///   - isAuthorized: a Boolean value that indicates whether the viewer would be allowed to watch.
    ///   - error: the reason for a denial.
    public convenience init(id: String, isAuthorized: Bool, error: Status? = nil) {
        self.init(PreauthorizationDecision(resource: Resource(id), isAuthorized: isAuthorized, error: error?.error))
    }

    init(_ decision: PreauthorizationDecision) {
        self.decision = decision
    }

    /// The error for a resource that the service omitted.
    ///
    /// Such a resource is not denied, and a retry may help.
    private static let undecided = EnhancedError(
        status: 0, code: "server_response_format_unknown",
        message: "The service did not decide about this resource.", action: "retry")

    /// Returns the resource.
    ///
    /// - Returns: the requested text.
    public func getId() -> String { decision.resource.text }

    /// Returns a Boolean value that indicates whether the viewer would be allowed to watch.
    ///
    /// - Returns: true when it may be shown as watchable.
    public func isAuthorized() -> Bool { decision.isAuthorized }

    /// Returns the reason for a denial, if the service sent one.
    ///
    /// - Returns: the error, or nil.
    public func getError() -> Status? {
        let error = decision.error ?? (decision.isDecided ? nil : Self.undecided)
        return error.map { Status($0, of: decision.denial) }
    }

    /// Returns the text for a viewer who cannot watch the resource, in the app's translation.
    ///
    /// The original does not have this method. A denied resource has a text even where ``getError()`` is nil.
    ///
    /// - Returns: the TV provider's own message, otherwise a suggested sentence, or nil if the viewer would be allowed
    ///   to watch.
    public func getViewerMessage() -> String? { decision.denial?.localizedDescription }
}
