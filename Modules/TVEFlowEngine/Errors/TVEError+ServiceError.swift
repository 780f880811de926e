import TVEModels
import TVENetworking

/// The phase of a flow in which the service failed.
///
/// The same failure has a different documented code in each phase.
enum FlowPhase {
    case start, login, authorization, preauthorization

    /// The codes of a request that the service refused or did not answer properly, if the failure has none of its own.
    var usual: (code: TVEError.Code, status: StatusCode) {
        switch self {
        case .start: (.serviceFailed, .serviceFailedAtStart(500))
        case .login: (.authenticationFailed, .authenticationFailed)
        case .authorization: (.authorizationFailed, .authorizationFailed)
        case .preauthorization: (.preauthorizationFailed, .preauthorizationFailed)
        }
    }
}

extension TVEError {
    /// Translates a failure of the service.
    ///
    /// This is the only place where a `ServiceError` becomes a `TVEError`. The message of a refusal, a denial or an
    /// ended login is the service's own sentence if there is one. Every other message is a text of this library.
    ///
    /// - Parameter isOfRESTv2: a Boolean value that indicates whether the error comes from a service of REST API v2,
    ///   whose own statements about an application are errors with a name. An HTTP status 401 without one is the
    ///   challenge of another server.
    init(_ error: ServiceError, during phase: FlowPhase, isOfRESTv2: Bool = false) {
        switch error {
        case .refused(let refusal): self.init(refusal, during: phase)
        case .denied(let denial): self.init(denial, during: phase)
        case .pendingLogout(let signal): self.init(signal, during: phase)
        case .transport(let error): self.init(error, during: phase)
        case .status(401) where isOfRESTv2: self.init(.serviceFailed, phase.usual.status, for: error)
        case .status(let number):
            let (code, status) = Self.codes(ofHTTPStatus: number, during: phase)
            self.init(code, status, for: error)
        case .unusableStatement, .registrationRefused:
            self.init(.applicationNotRegistered, .applicationNotRegistered, for: error)
        case .accessTokenRefused: self.init(.accessTokenUnavailable, .accessTokenUnavailable, for: error)
        case .registrationCodeRefused(let number):
            self.init(number == 429 ? .throttled : .authenticationFailed, .registrationCodeUnavailable, for: error)
        case .notLoggedIn: self.init(.authenticationFailed, .noTokenOnSession, for: error)
        case .loginParametersMissing:
            self.init(.authenticationFailed, .authenticationFailed, for: error, recovery: .fixConfiguration)
        case .loginNotProven: self.init(phase.usual.code, phase.usual.status, for: error, recovery: .retry)
        case .viewerIdentityMissing: self.init(.viewerIdentityMissing, phase.usual.status, for: error)
        case .webPage, .unreadable, .unreadableJSON: self.init(.serviceFailed, phase.usual.status, for: error)
        case .cannotKeepRegistration: self.init(.storageFailed, .internalError, for: error)
        }
        if error.isOfNetwork { viewerCause = .network }
    }

    private init(_ code: Code, _ status: StatusCode, for error: any Error, recovery: Recovery? = nil) {
        self.init(code, status: status, message: "\(error)", recovery: recovery, underlying: error)
    }

    private init(_ error: TransportError, during phase: FlowPhase) {
        switch error {
        case .notTrusted, .certificateNotTrusted:
            self.init(.connectionNotTrusted, .connectionNotTrusted, for: error)
        case .unreachable, .unknownHost, .proxyFailed, .timedOut, .cancelled, .answerTooLarge, .invalid, .other:
            self.init(.serviceUnreachable, phase == .start ? .serviceNotFound : phase.usual.status, for: error)
        }
    }

    private init(_ signal: PendingLogout, during phase: FlowPhase) {
        let error = ServiceError.pendingLogout(signal)
        if signal.isDeviceMismatch {
            self.init(.deviceMismatch, .deviceMismatch, for: error)
        } else {
            self.init(
                phase == .login ? .authenticationFailed : .notAuthenticated,
                status: phase == .login ? .noTokenOnSession : .notAuthenticated,
                message: signal.explanation?.message ?? "\(error)", providerMessage: signal.explanation?.details,
                underlying: error)
        }
    }

    /// Creates the error for a denial, with the texts for developers and for viewers.
    ///
    /// REST API v2 sends both texts; the classic services send only the provider's. In an authorization, a provider's
    /// denial has the provider's own text, and a denial by the service describes the cause (API reference, rows AZ4 to
    /// AZ8).
    private init(_ denial: AuthorizationDenial, during phase: FlowPhase) {
        let words = if let explanation = denial.explanation { explanation.details } else { denial.details }
        let meaning: (code: Code, status: StatusCode, recovery: Recovery?) =
            switch (phase, denial.reason) {
            case (.authorization, .provider):
                (.notAuthorized, .denied, denial.explanation?.action == "retry" ? .retry : nil)
            case (.authorization, .temporaryAccessOver): (.notAuthorized, .denied, .chooseProvider)
            case (.authorization, .repetition): (.notAuthorized, .deniedRepeatedly, nil)
            case (.authorization, .network): (.notAuthorized, .providerUnreachable, .retry)
            case (.authorization, .invalidResource): (.invalidResource, .invalidResource, nil)
            case (.authorization, .degradation): (.notAuthorized, .deniedByDegradation, nil)
            case (_, .temporaryAccessOver): (.temporaryAccessExpired, .tempPassExpired, nil)
            case (.preauthorization, _): (.preauthorizationFailed, .preauthorizationFailed, nil)
            case (_, .network): (.serviceFailed, phase.usual.status, .retry)
            case (_, _): (.authenticationFailed, .authenticationFailed, nil)
            }
        self.init(
            meaning.code, status: meaning.status, message: denial.explanation?.message ?? denial.sentence,
            providerMessage: words, recovery: meaning.recovery, underlying: ServiceError.denied(denial))
        if denial.isByParentalControls { viewerCause = .parentalControls }
        if denial.isAboutResourcesOfTempPass { viewerCause = .offerUsedUp }
    }

    private static func codes(ofHTTPStatus status: Int, during phase: FlowPhase) -> (Code, StatusCode) {
        switch (phase, status) {
        case (_, 410): (.clientTooOld, .clientTooOld)
        case (.start, 400): (.unknownRequestor, .unknownRequestor)
        case (.start, 401), (.start, 403): (.applicationNotRegistered, .notAllowed)
        case (.start, 404): (.serviceUnreachable, .serviceNotFound)
        case (.start, 429): (.throttled, .throttledAtStart)
        case (.start, _): (.serviceFailed, .serviceFailedAtStart(status))
        case (.authorization, 429): (.throttled, .denied)
        case (_, 429): (.throttled, phase.usual.status)
        default: (.serviceFailed, phase.usual.status)
        }
    }

    /// The text of a status event and of the classic callbacks: the provider's text if there is one, and otherwise the
    /// sentence for developers.
    package var statusMessage: String? {
        // A denial without a text has none here either, because apps of the original library show this text to the
        // viewer.
        if case .denied(let denial)? = underlying as? ServiceError { return denial.details }
        return providerMessage ?? message
    }
}
