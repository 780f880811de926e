public import TVEModels
import TVENetworking

extension TVEError {
    /// Translates an error of REST API v2 that is neither a denial nor the end of a login.
    ///
    /// The classic API has no codes for most of these errors. Each error becomes the code of the flow that it stopped,
    /// with the recovery that the service's action asks for (REST API v2, error model and mapping).
    init(_ error: EnhancedError, during phase: FlowPhase) {
        let (code, status) = Self.codes(error, phase)
        let refusal = ServiceError.refused(error)
        self.init(
            code, status: status, message: error.message ?? "\(refusal)", providerMessage: error.details,
            recovery: Self.recovery(error, status), underlying: refusal)
    }

    private static func codes(_ error: EnhancedError, _ phase: FlowPhase) -> (Code, StatusCode) {
        let usual = phase.usual
        if error.isFailureOfService { return (.serviceFailed, usual.status) }
        switch error.code ?? "" {
        case "invalid_parameter_service_provider":
            return (.unknownRequestor, phase == .start ? .unknownRequestor : usual.status)
        case "invalid_access_token_service_provider": return (.unknownRequestor, .unknownRequestor)
        case "invalid_access_token_client_application": return (.applicationNotRegistered, .applicationNotRegistered)
        case "invalid_header_pfs_permission_access_not_granted": return (usual.code, .platformAccessDenied)
        case "invalid_header_pfs_permission_access_not_determined": return (usual.code, .platformAccessUndetermined)
        case "invalid_header_pfs_provider_id_not_determined", "invalid_header_pfs_provider_id_mismatch":
            return (usual.code, .providerNotSupported)
        case "invalid_header_pfs_provider_info_expired", "invalid_header_pfs_permission_access_not_present":
            return (usual.code, .platformRequestFailed)
        case "invalid_parameter_mvpd", "invalid_integration": return (.unknownProvider, usual.status)
        case "invalid_authentication_session", "invalid_parameter_code":
            return (.authenticationFailed, phase == .login ? .noTokenOnSession : usual.status)
        case "too_many_resources":
            return (.tooManyResources, phase == .authorization ? .invalidResource : usual.status)
        default: return usual
        }
    }

    private static func recovery(_ error: EnhancedError, _ status: StatusCode) -> Recovery? {
        switch (error.code, error.action) {
        case (_, _) where error.isFailureOfService, (_, "retry"): .retry
        case (_, "configuration"), (_, "application-registration"): .fixConfiguration
        // The library builds this header from the platform's status. The same call may succeed when the status changes,
        // and the viewer can log in without the platform.
        case (let code?, _) where code.hasBytePrefix("invalid_header_pfs_"):
            status == .platformRequestFailed ? .retry : .logIn
        // A login that failed can be started again. The refresh token is the token that the TV provider gave the
        // service with the login. No document says that the login ends without one, so the login stays stored.
        case ("invalid_authentication_session", _), ("invalid_parameter_code", _), ("invalid_refresh_token", _):
            .logIn
        // The request itself is wrong, so sending it again does not help.
        case (_, "none"), (_, "authorization"), (_, nil): .fixConfiguration
        case (_, _): nil
        }
    }

    /// The identifier to quote when contacting the service about this error, or `nil` if the service sent none (REST
    /// API v2, error model).
    public var trace: String? { (underlying as? ServiceError)?.explanation?.trace }
}
