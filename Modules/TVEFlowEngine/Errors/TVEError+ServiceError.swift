import TVEModels
import TVENetworking

/// The phase of a flow in which the service failed: the same failure has another documented code in each.
enum FlowPhase {
    case start, login, authorization, preauthorization
}

extension TVEError {
    /// Translates a failure of the service: the one place where networking errors become public ones.
    init(_ error: ServiceError, during phase: FlowPhase) {
        switch error {
        case .registrationRefused(let name):
            self.init(
                .applicationNotRegistered, status: .applicationNotRegistered,
                message: "The service refused the software statement (\(name)).", underlying: error)
        case .accessTokenRefused(let name):
            self.init(
                .accessTokenUnavailable, status: .accessTokenUnavailable,
                message: "The service issued no access token to the application (\(name)).", underlying: error)
        case .registrationCodeRefused(let status):
            self.init(
                status == 429 ? .throttled : .authenticationFailed, status: .registrationCodeUnavailable,
                message: "The service issued no registration code (HTTP \(status)).", underlying: error)
        case .notLoggedIn:
            self.init(
                .authenticationFailed, status: .noTokenOnSession,
                message: "The login page was closed without a login.", underlying: error)
        case .refused(let refusal):
            self.init(refusal, during: phase)
        case .denied(let denial) where denial.reason == .temporaryAccessOver && phase != .authorization:
            self.init(.temporaryAccessExpired, status: .tempPassExpired, message: denial.details, underlying: error)
        case .denied(let denial) where phase == .authorization:
            self.init(denial)
        case .denied(let denial) where phase == .preauthorization:
            self.init(
                .preauthorizationFailed, status: .preauthorizationFailed, message: denial.details, underlying: error)
        case .denied(let denial):
            self.init(.authenticationFailed, status: .authenticationFailed, message: denial.details, underlying: error)
        case .pendingLogout(let signal) where signal.isDeviceMismatch:
            self.init(
                .deviceMismatch, status: .deviceMismatch,
                message: "The service says that the login belongs to another device.", underlying: error)
        case .pendingLogout where phase == .login:
            self.init(
                .authenticationFailed, status: .noTokenOnSession,
                message: "The login was cancelled or has ended.", underlying: error)
        case .pendingLogout:
            self.init(
                .notAuthenticated, status: .notAuthenticated, message: "The service has ended the login.",
                underlying: error)
        case .transport(let transport):
            self.init(transport, during: phase)
        case .status(let status):
            self.init(httpStatus: status, during: phase, underlying: error)
        case .unreadable, .unreadableJSON:
            self.init(
                .serviceFailed, status: phase.internalFailure, message: "The service's answer cannot be read.",
                underlying: error)
        case .cannotKeepRegistration:
            self.init(
                .storageFailed, status: .internalError, message: "The registration could not be read or stored.",
                underlying: error)
        }
    }

    private init(_ error: TransportError, during phase: FlowPhase) {
        switch error {
        case .notTrusted:
            self.init(
                .connectionNotTrusted, status: .connectionNotTrusted,
                message: "The connection to the service cannot be trusted.", underlying: error)
        case .unreachable, .timedOut, .cancelled, .answerTooLarge, .invalid, .other:
            self.init(
                .serviceUnreachable, status: phase == .start ? .serviceNotFound : phase.internalFailure,
                message: "The service cannot be reached.", underlying: error)
        }
    }

    /// A provider's denial keeps its own text; a denial by the service says what is wrong (API reference, rows AZ4 to
    /// AZ8).
    private init(_ denial: AuthorizationDenial) {
        let underlying = ServiceError.denied(denial)
        switch denial.reason {
        case .provider:
            self.init(.notAuthorized, status: .denied, message: denial.details, underlying: underlying)
        case .temporaryAccessOver:
            self.init(
                .notAuthorized, status: .denied, message: denial.details, recovery: .chooseProvider,
                underlying: underlying)
        case .repetition:
            self.init(.notAuthorized, status: .deniedRepeatedly, message: denial.details, underlying: underlying)
        case .network:
            self.init(
                .notAuthorized, status: .providerUnreachable, message: denial.details, recovery: .retry,
                underlying: underlying)
        case .invalidResource:
            self.init(.invalidResource, status: .invalidResource, message: denial.details, underlying: underlying)
        case .degradation:
            self.init(.notAuthorized, status: .deniedByDegradation, message: denial.details, underlying: underlying)
        }
    }

    private init(httpStatus: Int, during phase: FlowPhase, underlying: ServiceError) {
        let message = "The service answered HTTP \(httpStatus)."
        switch (phase, httpStatus) {
        case (_, 410):
            self.init(
                .clientTooOld, status: .clientTooOld,
                message: "The service has ended. The application needs a registration for REST API v2.",
                underlying: underlying)
        case (.start, 400):
            self.init(.unknownRequestor, status: .unknownRequestor, message: message, underlying: underlying)
        case (.start, 401), (.start, 403):
            self.init(.applicationNotRegistered, status: .notAllowed, message: message, underlying: underlying)
        case (.start, 404):
            self.init(.serviceUnreachable, status: .serviceNotFound, message: message, underlying: underlying)
        case (.start, 429):
            self.init(.throttled, status: .throttledAtStart, message: message, underlying: underlying)
        case (.start, _):
            self.init(
                .serviceFailed, status: .serviceFailedAtStart(httpStatus), message: message, underlying: underlying)
        case (.login, 429):
            self.init(.throttled, status: phase.internalFailure, message: message, underlying: underlying)
        case (.authorization, 429):
            self.init(.throttled, status: .denied, message: message, underlying: underlying)
        case (.preauthorization, 429):
            self.init(.throttled, status: .preauthorizationFailed, message: message, underlying: underlying)
        case (.login, _), (.authorization, _), (.preauthorization, _):
            self.init(.serviceFailed, status: phase.internalFailure, message: message, underlying: underlying)
        }
    }
}

extension FlowPhase {
    /// The code for "the service failed in a way that no other code names".
    var internalFailure: StatusCode {
        switch self {
        case .start: .serviceFailedAtStart(500)
        case .login: .authenticationFailed
        case .authorization: .authorizationFailed
        case .preauthorization: .preauthorizationFailed
        }
    }
}
