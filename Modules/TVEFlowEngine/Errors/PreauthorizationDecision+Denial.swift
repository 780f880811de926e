public import TVEModels
import TVENetworking

extension PreauthorizationDecision {
    /// The error that explains why the viewer cannot watch the resource, or `nil` if the viewer can watch it.
    ///
    /// Its `localizedDescription` is the text for a tile that cannot be played: the TV provider's own text, or the
    /// sentence of `viewerSentence` if there is none. Do not show the texts of `error` itself, because its `message` is
    /// for developers.
    ///
    /// It is the error that an authorization of the resource would throw at this moment. A resource about which the
    /// service did not decide has the code `authorizationFailed` and the recovery `retry`.
    public var denial: TVEError? {
        if isAuthorized { return nil }
        guard isDecided || error != nil else {
            return TVEError(.authorizationFailed, message: "The service did not decide about this resource.")
        }
        return TVEError(ServiceError(ofDenial: error), during: .authorization)
    }
}

extension TVEError {
    /// Creates the error for a failed preauthorization that is described in the terms of the service or of the classic
    /// API.
    ///
    /// - Parameter error: the description. A description with the status 0 comes from this library.
    package init(preauthorizing error: EnhancedError) {
        let code: Code? =
            switch error.code {
            case "requestor_not_configured": .requestorNotConfigured
            case "authentication_session_missing", "authentication_session_expired": .notAuthenticated
            case "access_token_unavailable": .accessTokenUnavailable
            case "too_many_requests": .throttled
            case "network_error": .serviceUnreachable
            case "server_response_format_unknown": .preauthorizationFailed
            default: nil
            }
        guard let code else {
            let failure = ServiceError(error)
            let isDenial = if case .denied = failure { true } else { false }
            self.init(failure, during: isDenial ? .authorization : .preauthorization)
            return
        }
        self.init(code, message: error.message, providerMessage: error.details)
    }
}
