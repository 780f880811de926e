public import TVEModels
public import TVETokenCodec

/// An error of a call to the service.
public enum ServiceError: Error, Sendable, Equatable {
    /// There was no answer.
    case transport(TransportError)
    /// The answer consists of a status without an explanation.
    case status(Int)
    /// The answer is a web page of this media type, usually from a network or a proxy that may require a login.
    case webPage(status: Int, type: String)
    /// The answer or its token is unreadable.
    case unreadable(TokenCodecError)
    /// The answer is not the expected JSON.
    case unreadableJSON
    /// The software statement cannot be valid, so no request was sent.
    ///
    /// The reason names the fault and the remedy.
    case unusableStatement(reason: String)
    /// The software statement was refused, with this error name, or `HTTP 400` where the service names none.
    case registrationRefused(String)
    /// The registered application received no access token, with this error name.
    case accessTokenRefused(String)
    /// The service issued no registration code.
    case registrationCodeRefused(status: Int)
    /// The service cannot begin a login, because these parameters are missing.
    case loginParametersMissing([String])
    /// There is no login for the registration code, or no login yet.
    case notLoggedIn
    /// The TV provider denied the request.
    case denied(AuthorizationDenial)
    /// The service has ended the login.
    case pendingLogout(PendingLogout)
    /// The request carried no valid proof of a login that the service returns only for a proof.
    ///
    /// Therefore it is unknown whether the viewer is logged in.
    case loginNotProven
    /// A promotional TempPass needs the viewer's id, which the app passes as its data.
    case viewerIdentityMissing(EnhancedError)
    /// The service explains the error and its remedy, and it is neither a denial nor the end of a login.
    case refused(EnhancedError)
    /// The registration could not be read or stored, for the reason in the keeper's error.
    case cannotKeepRegistration(reason: String)
}
