import Foundation
package import TVEModels

extension EnhancedError {
    /// Reads the error of an answer, whatever its status is (REST API v2, error model).
    ///
    /// - Returns: the error; nil for a body that is something else. The code of a login is not an error's: an error says
    ///   more than its code.
    static func read(_ body: Data) -> EnhancedError? {
        guard let error = try? UntrustedJSON.read(EnhancedError.self, from: body, .small), error.code != nil,
            error.status != nil || error.action != nil || error.message != nil
        else { return nil }
        return error
    }
}

extension ServiceError {
    /// What an enhanced error means for a flow (REST API v2, error model).
    ///
    /// Denials and ended logins are the same errors in both dialects.
    package init(_ error: EnhancedError) {
        func denied(_ reason: AuthorizationDenial.Reason) -> ServiceError {
            .denied(AuthorizationDenial(error, reason))
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
            self = .pendingLogout(PendingLogout(reason: error.code, explanation: error))
        case "invalid_header_identity_for_temporary_access": self = .viewerIdentityMissing(error)
        // Of the codes that this version of the library does not know, some say by their name that they are denials, and
        // the others are classified by their action.
        case let code? where code.hasBytePrefix("authorization_denied_by_"),
            let code? where code.hasBytePrefix("preauthorization_denied_by_"):
            self = denied(.provider)
        default:
            self =
                error.action == "authentication"
                ? .pendingLogout(PendingLogout(reason: error.code, explanation: error)) : .refused(error)
        }
    }

    /// What a decision means that says no.
    ///
    /// The decision stands in `authorized`, and its error only says why: the list of codes grows, and an error without a
    /// known code is a denial like any other. But an error about the request, or about the set-up of the application, is
    /// no decision of the TV provider.
    ///
    /// - Parameter error: the error of the decision; nil when there is none or it cannot be read.
    package init(ofDenial error: EnhancedError?) {
        guard let error else {
            self = .denied(AuthorizationDenial(code: ""))
            return
        }
        self.init(error)
        if case .refused = self, !error.isAboutTheRequest { self = .denied(AuthorizationDenial(error, .provider)) }
    }
}

extension AuthorizationDenial {
    fileprivate init(_ error: EnhancedError, _ reason: Reason) {
        self.init(
            code: error.code ?? "", details: error.details ?? error.message, reason: reason, explanation: error)
    }
}

extension EnhancedError {
    /// Whether the request, the application or the service is at fault, by an action or a code of the documents.
    fileprivate var isAboutTheRequest: Bool {
        if action == "configuration" || action == "application-registration" { return true }
        return code == "internal_server_error" || code?.hasBytePrefix("invalid_") == true
    }
}
