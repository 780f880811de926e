import Foundation
import TVEModels

/// An enhanced error as sent by the service (REST API v2, error model).
struct ErrorAnswer: Decodable {
    let error: EnhancedError

    private enum CodingKeys: String, CodingKey { case status, code, message, details, helpUrl, trace, action }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        error = EnhancedError(
            status: values.number(.status), code: try values.decode(String.self, forKey: .code),
            message: values.text(.message), details: values.text(.details), helpURL: values.text(.helpUrl),
            trace: values.text(.trace), action: values.text(.action))
    }

    /// The error in a body, nil when there is none.
    static func read(_ body: Data) -> EnhancedError? {
        (try? UntrustedJSON.decode(ErrorAnswer.self, from: body, .small))?.error
    }
}

extension ServiceError {
    /// What an enhanced error means for a flow (REST API v2, error model).
    ///
    /// Denials and ended logins are the same errors in both dialects.
    init(_ error: EnhancedError) {
        func denied(_ reason: AuthorizationDenial.Reason) -> ServiceError {
            .denied(
                AuthorizationDenial(
                    code: error.code ?? "", details: error.details ?? error.message, reason: reason, explanation: error)
            )
        }
        switch error.code {
        case "authorization_denied_by_mvpd", "preauthorization_denied_by_mvpd",
            "authorization_denied_by_parental_controls":
            self = denied(.provider)
        // The codes that the vendor's OpenAPI file has beside those of its pages stand there among others that mean the
        // same to a viewer.
        case "authorization_denied_by_degradation_rule", "authorization_denied_by_degradation_configuration_change":
            self = denied(.degradation)
        case "network_received_error", "network_connection_timeout", "maximum_execution_time_exceeded",
            "maximum_attempts_exceeded", "degraded_integration":
            self = denied(.network)
        case "invalid_parameter_resources": self = denied(.invalidResource)
        case "temporary_access_duration_limit_exceeded", "temporary_access_resources_limit_exceeded":
            self = denied(.temporaryAccessOver)
        case "authenticated_profile_missing", "authenticated_profile_expired", "authenticated_profile_invalidated",
            "authorization_denied_by_session_invalidated", "authorization_denied_by_hba_policies",
            "identity_not_recognized_by_mvpd":
            self = .pendingLogout(PendingLogout(reason: error.code))
        // A promotional TempPass without the viewer's id logs no viewer in yet.
        case "invalid_header_identity_for_temporary_access": self = .notLoggedIn
        default:
            // Codes that this version of the library does not know are classified by their action.
            self =
                error.action == "authentication" ? .pendingLogout(PendingLogout(reason: error.code)) : .refused(error)
        }
    }
}
