public import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking

/// The result of `preauthorize` (preauthorize page).
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class PreauthorizeResponse: NSObject, Sendable {
    private let status: Status?
    private let decisions: [Decision]

    /// Creates a response, for tests of an app.
    ///
    /// - Parameters:
    ///   - status: the error of the request as a whole.
    ///   - decisions: one decision for each resource.
    public init(status: Status? = nil, decisions: [Decision] = []) {
        self.status = status
        self.decisions = decisions
    }

    init(_ decisions: [PreauthorizationDecision]) {
        status = nil
        self.decisions = decisions.map(Decision.init)
    }

    init(_ error: TVEError) {
        let described = EnhancedError(preauthorizing: error)
        status = Status(described, of: Self.cause(of: error, described))
        decisions = []
    }

    /// Returns the error whose text the viewer reads.
    ///
    /// Where the service has explained itself or has denied the request as a whole, the description has the reason,
    /// and the error has one code for several reasons. Otherwise several errors have the same description.
    private static func cause(of error: TVEError, _ described: EnhancedError) -> TVEError {
        let isDenial =
            if case .denied? = error.underlying as? ServiceError { error.code == .preauthorizationFailed } else {
                false
            }
        guard isDenial || EnhancedError.explanation(of: error) != nil else { return error }
        var described = described
        described.details = described.details ?? error.providerMessage
        return TVEError(preauthorizing: described)
    }

    /// A Boolean value that indicates whether the response comes from the service and not from this library.
    var isFromService: Bool { status?.getStatus() != 0 }

    /// Returns the error of the request as a whole.
    ///
    /// - Returns: the error, or nil when there are decisions.
    public func getStatus() -> Status? { status }

    /// Returns the decisions.
    ///
    /// - Returns: one decision per resource, in the order of the request, or an empty list when the request failed.
    public func getDecisions() -> [Decision] { decisions }
}

extension EnhancedError {
    /// Creates an error in the documented form.
    ///
    /// Status 0 means that this library detected the error.
    fileprivate init(preauthorizing error: TVEError) {
        // The service's own explanation is passed on unmodified: status, code, action, help and trace.
        if let own = Self.explanation(of: error) {
            self = own
            return
        }
        // The codes for a login that has ended are defined by this API. The service's explanation accompanies them.
        let service: EnhancedError? =
            if case .pendingLogout(let signal)? = error.underlying as? ServiceError { signal.explanation } else { nil }
        let (status, code, action) = Self.documentedError(for: error)
        self.init(
            status: status, code: code, message: error.statusMessage, details: service?.details,
            helpURL: service?.helpURL, trace: service?.trace, action: action)
    }

    fileprivate static func explanation(of error: TVEError) -> EnhancedError? {
        switch error.underlying as? ServiceError {
        case .refused(let refusal)?, .viewerIdentityMissing(let refusal)?: refusal.code == nil ? nil : refusal
        case .denied(let denial)?: denial.explanation
        default: nil
        }
    }

    private static func documentedError(for error: TVEError) -> (status: Int, code: String, action: String) {
        let problem = error.underlying as? LoginProblem
        return switch (error.code, error.underlying as? ServiceError) {
        case (.requestorNotConfigured, _): (0, "requestor_not_configured", "retry")
        case (.notAuthenticated, _) where problem == .missing: (0, "authentication_session_missing", "authentication")
        case (.notAuthenticated, _), (.temporaryAccessExpired, _), (.deviceMismatch, _):
            (0, "authentication_session_expired", "authentication")
        case (.accessTokenUnavailable, _), (.applicationNotRegistered, _): (0, "access_token_unavailable", "none")
        case (.tooManyResources, _): (400, "too_many_resources", "none")
        case (.throttled, _): (429, "too_many_requests", "retry-after")
        case (_, ServiceError.status(let status)?): (status, "internal_server_error", "retry")
        case (_, ServiceError.denied?): (403, "authorization_denied_by_mvpd", "none")
        case (.serviceUnreachable, _), (.connectionNotTrusted, _): (0, "network_error", "none")
        // A call that ended with its requestor, or that could not prove the login, may succeed the next time.
        case (.preauthorizationFailed, nil), (_, ServiceError.loginNotProven?):
            (0, "server_response_format_unknown", "retry")
        default: (0, "server_response_format_unknown", "none")
        }
    }
}
