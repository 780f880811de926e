import Foundation
package import TVEModels

extension EnhancedError {
    /// Reads the error of an answer, whatever its status is (REST API v2, error model).
    ///
    /// - Returns: the error, or nil if the body is not an error. An error has more members than its code, which
    ///   distinguishes it from the answer with the code of a login.
    static func read(_ body: Data) -> EnhancedError? {
        guard let error = try? UntrustedJSON.read(EnhancedError.self, from: body, .small), error.code != nil,
            error.status != nil || error.action != nil || error.message != nil
        else { return nil }
        return error
    }
}

extension ServiceError {
    /// Creates the error that an enhanced error means for a flow (REST API v2, error model).
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
        // The vendor's OpenAPI file lists further codes besides those of its pages. They stand here among the codes
        // that mean the same to a viewer.
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
        // Codes that are unknown to this version of the library are classified by their action, and those that ask for
        // no login are denials if their name says so. A service that has failed says nothing about the viewer.
        case _ where error.action == "authentication":
            self =
                error.isFailureOfService
                ? .refused(error) : .pendingLogout(PendingLogout(reason: error.code, explanation: error))
        case let code? where code.hasBytePrefix("authorization_denied_by_"),
            let code? where code.hasBytePrefix("preauthorization_denied_by_"):
            self = denied(.provider)
        default: self = .refused(error)
        }
    }

    /// Creates the error that a negative decision means.
    ///
    /// The member `authorized` is the decision, and the error only explains it. The list of codes grows, so an error
    /// with an unknown code is a denial like any other. However, an error about the request or the configuration of the
    /// application, or a failure of the service, is not a decision of the TV provider.
    ///
    /// - Parameter error: the error of the decision, or nil if it has none or the error is unreadable.
    package init(ofDenial error: EnhancedError?) {
        guard let error else {
            self = .denied(AuthorizationDenial(code: ""))
            return
        }
        self.init(error)
        if case .refused = self, !error.isAboutTheRequest { self = .denied(AuthorizationDenial(error, .provider)) }
    }

    /// The service's own description of the error, or nil if it sent none.
    package var explanation: EnhancedError? {
        switch self {
        case .refused(let error), .viewerIdentityMissing(let error): error
        case .denied(let denial): denial.explanation
        case .pendingLogout(let signal): signal.explanation
        default: nil
        }
    }
}

extension AuthorizationDenial {
    /// A Boolean value that indicates whether a TempPass opens no further resource, although its time is not over.
    ///
    /// The resources that it has opened may stay open, about which the service decides at each play.
    package var isAboutResourcesOfTempPass: Bool {
        explanation?.code?.isSameBytes(as: "temporary_access_resources_limit_exceeded") == true
    }

    /// A Boolean value that indicates whether parental controls deny the resource.
    package var isByParentalControls: Bool {
        explanation?.code?.isSameBytes(as: "authorization_denied_by_parental_controls") == true
    }

    fileprivate init(_ error: EnhancedError, _ reason: Reason) {
        self.init(
            code: error.code ?? "", details: error.details ?? error.message, reason: reason, explanation: error)
    }
}

extension EnhancedError {
    /// A Boolean value that indicates whether the cause is the request, the application or the service, according to
    /// the action, the code or the status.
    fileprivate var isAboutTheRequest: Bool {
        if action == "configuration" || action == "application-registration" { return true }
        return isFailureOfService || code?.hasBytePrefix("invalid_") == true
    }

    /// A Boolean value that indicates whether the service itself has failed or is too busy, which is temporary.
    ///
    /// A mistake in a configuration may come with the same HTTP status, and it is not temporary.
    package var isFailureOfService: Bool {
        namesInternalError
            || (status == 429 || status ?? 0 >= 500) && action != "configuration"
                && action != "application-registration" && code?.hasBytePrefix("invalid_configuration_") != true
    }

    /// A Boolean value that indicates whether the service names an error of its own.
    ///
    /// The vendor's page of REST API v2 has one of the names, and the enumeration in its OpenAPI file the other.
    private var namesInternalError: Bool { code == "internal_server_error" || code == "internal_error" }
}
