import TVEModels
import TVENetworking

/// The phase of a flow in which the service failed.
///
/// The same failure has a different documented code in each phase.
enum FlowPhase {
    case start, login, authorization, preauthorization
}

extension TVEError {
    /// Translates a failure of the service.
    ///
    /// This is the only place where networking errors become public errors.
    init(_ error: ServiceError, during phase: FlowPhase) {
        switch error {
        case .unusableStatement(let reason):
            self.init(
                .applicationNotRegistered, status: .applicationNotRegistered, message: reason, underlying: error)
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
        case .loginParametersMissing(let names):
            self.init(
                .authenticationFailed, status: .authenticationFailed,
                message: "The service cannot begin the login. What it misses: \(names.joined(separator: ", ")).",
                recovery: .fixConfiguration, underlying: error)
        case .loginNotProven:
            self.init(
                phase.failure, status: phase.internalFailure,
                message:
                    "The login belongs to a household or to the platform, and the device has no valid proof of it now. "
                    + "Try again later, or join the household again with a new code.",
                recovery: .retry, underlying: error)
        case .viewerIdentityMissing:
            self.init(
                .viewerIdentityMissing, status: phase.internalFailure,
                message: "A promotional TempPass needs the viewer's id: the call must pass it as its data.",
                underlying: error)
        case .refused(let refusal):
            self.init(refusal, during: phase)
        case .denied(let denial) where denial.reason == .temporaryAccessOver && phase != .authorization:
            self.init(denial, code: .temporaryAccessExpired, status: .tempPassExpired)
        case .denied(let denial) where phase == .authorization:
            self.init(denial)
        case .denied(let denial) where phase == .preauthorization:
            self.init(denial, code: .preauthorizationFailed, status: .preauthorizationFailed)
        case .denied(let denial) where denial.reason == .network:
            self.init(denial, code: .serviceFailed, status: phase.internalFailure, recovery: .retry)
        case .denied(let denial):
            self.init(denial, code: .authenticationFailed, status: .authenticationFailed)
        case .pendingLogout(let signal) where signal.isDeviceMismatch:
            self.init(
                .deviceMismatch, status: .deviceMismatch,
                message: "The service says that the login belongs to another device.", underlying: error)
        case .pendingLogout(let signal) where phase == .login:
            self.init(
                .authenticationFailed, status: .noTokenOnSession,
                message: signal.explanation?.message ?? "The login was cancelled or has ended.",
                providerMessage: signal.explanation?.details, underlying: error)
        case .pendingLogout(let signal):
            self.init(
                .notAuthenticated, status: .notAuthenticated,
                message: signal.explanation?.message ?? "The service has ended the login.",
                providerMessage: signal.explanation?.details, underlying: error)
        case .transport(let transport):
            self.init(transport, during: phase)
        case .status(let status):
            self.init(httpStatus: status, during: phase, underlying: error)
        case .webPage(let status, let type):
            self.init(
                .serviceFailed, status: phase.internalFailure,
                message:
                    "A web page came in place of the service's answer (HTTP \(status), \(type)). A network or "
                    + "a proxy may want a login: open any page in a browser, then try again.",
                underlying: error)
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
        case .notTrusted, .certificateNotTrusted:
            self.init(
                .connectionNotTrusted, status: .connectionNotTrusted, message: error.sentence, underlying: error)
        case .unreachable, .unknownHost, .proxyFailed, .timedOut, .cancelled, .answerTooLarge, .invalid, .other:
            self.init(
                .serviceUnreachable, status: phase == .start ? .serviceNotFound : phase.internalFailure,
                message: error.sentence, underlying: error)
        }
    }

    /// Creates the error for a denied authorization.
    ///
    /// A provider's denial has the provider's own text. A denial by the service describes the cause (API reference,
    /// rows AZ4 to AZ8).
    private init(_ denial: AuthorizationDenial) {
        switch denial.reason {
        case .provider:
            let isTemporary = denial.explanation?.action == "retry"
            self.init(denial, code: .notAuthorized, status: .denied, recovery: isTemporary ? .retry : nil)
        case .temporaryAccessOver: self.init(denial, code: .notAuthorized, status: .denied, recovery: .chooseProvider)
        case .repetition: self.init(denial, code: .notAuthorized, status: .deniedRepeatedly)
        case .network: self.init(denial, code: .notAuthorized, status: .providerUnreachable, recovery: .retry)
        case .invalidResource: self.init(denial, code: .invalidResource, status: .invalidResource)
        case .degradation: self.init(denial, code: .notAuthorized, status: .deniedByDegradation)
        }
    }

    /// Creates the error for a denial, with the texts for developers and for viewers.
    ///
    /// REST API v2 sends both texts; the classic services send only the provider's.
    private init(
        _ denial: AuthorizationDenial, code: Code, status: StatusCode, recovery: Recovery? = nil
    ) {
        let words = if let explanation = denial.explanation { explanation.details } else { denial.details }
        self.init(
            code, status: status, message: denial.explanation?.message ?? denial.reason.sentence,
            providerMessage: words, recovery: recovery, underlying: ServiceError.denied(denial))
    }

    /// The text of a status event and of the classic callbacks: the provider's text if there is one, and otherwise the
    /// sentence for developers.
    package var statusMessage: String? {
        // A denial without a text has none here either, because apps of the original library show this text to the
        // viewer.
        if case .denied(let denial)? = underlying as? ServiceError { return denial.details }
        return providerMessage ?? message
    }

    private init(httpStatus: Int, during phase: FlowPhase, underlying: ServiceError) {
        let (code, status): (Code, StatusCode) =
            switch (phase, httpStatus) {
            case (_, 410): (.clientTooOld, .clientTooOld)
            case (.start, 400): (.unknownRequestor, .unknownRequestor)
            case (.start, 401), (.start, 403): (.applicationNotRegistered, .notAllowed)
            case (.start, 404): (.serviceUnreachable, .serviceNotFound)
            case (.start, 429): (.throttled, .throttledAtStart)
            case (.start, _): (.serviceFailed, .serviceFailedAtStart(httpStatus))
            case (.authorization, 429): (.throttled, .denied)
            case (_, 429): (.throttled, phase.internalFailure)
            default: (.serviceFailed, phase.internalFailure)
            }
        self.init(code, status: status, message: Self.sentence(aboutStatus: httpStatus), underlying: underlying)
    }
}

extension TVEError {
    /// Returns a sentence about an HTTP status that came without an explanation: its usual cause, and the remedy.
    private static func sentence(aboutStatus status: Int) -> String {
        let answer = "The service answered HTTP \(status)"
        return switch status {
        case 403:
            "\(answer) without an explanation: mostly a firewall, or a rule about the device's network or "
                + "country, refuses the request."
        case 301, 302, 303, 307, 308:
            "\(answer), a redirect, which no service sends here. A network or a proxy may want a login: open "
                + "any page in a browser, then try again."
        case 407: "\(answer): a proxy wants a login. Put user and password into the address of the proxy."
        case 511: "\(answer): the network wants a login. Open any page in a browser, then try again."
        case 410:
            "\(answer): it has ended what was asked for. An application of the classic services needs a "
                + "registration for REST API v2, any other one a newer version of this library."
        case 451: "\(answer): for legal reasons it is not offered where the device is."
        default: "\(answer)."
        }
    }
}

extension TransportError {
    /// A description of the failure and its remedy, for developers.
    fileprivate var sentence: String {
        switch self {
        case .notTrusted: "The connection to the service cannot be trusted."
        case .certificateNotTrusted(.unknownAuthority):
            "The certificate of the service is signed by no authority that this device trusts. A proxy may "
                + "have put its own in place: add its authority to the device's, or use a network without it."
        case .certificateNotTrusted(.wrongName):
            "The certificate of the service is for another host. Check the address of the service."
        case .certificateNotTrusted(.expired):
            "The certificate of the service has expired. Check the clock of the device, or ask the operator "
                + "of the service to renew it."
        case .certificateNotTrusted(.notYetValid):
            "The certificate of the service is not valid yet. Check the clock of the device."
        case .unknownHost:
            "The service cannot be reached: the name of its host is unknown. Check the address and the network."
        case .proxyFailed:
            "The service cannot be reached: a proxy is unknown or does not let the request pass. Check the "
                + "proxy's address and whether it wants a login."
        case .unreachable, .timedOut, .cancelled, .answerTooLarge, .invalid, .other: "The service cannot be reached."
        }
    }
}

extension FlowPhase {
    /// The status code for a failure of the service that has no code of its own.
    var internalFailure: StatusCode {
        switch self {
        case .start: .serviceFailedAtStart(500)
        case .login: .authenticationFailed
        case .authorization: .authorizationFailed
        case .preauthorization: .preauthorizationFailed
        }
    }
}

extension AuthorizationDenial.Reason {
    /// A description of the reason, for developers.
    fileprivate var sentence: String {
        switch self {
        case .provider: "The TV provider does not allow this viewer this resource."
        case .repetition: "The TV provider denied too often in a row; it was not asked again."
        case .network: "The service could not reach the TV provider."
        case .invalidResource: "The resource is empty or malformed."
        case .degradation: "The TV provider is degraded so that everything is denied."
        case .temporaryAccessOver: "The TempPass has expired."
        }
    }
}
