public import TVEModels
public import TVETokenCodec

/// Why a call to the service failed.
public enum ServiceError: Error, Sendable, Equatable {
    /// There was no answer.
    case transport(TransportError)
    /// The answer has only a status, without an explanation.
    case status(Int)
    /// A web page came in place of the answer: mostly that of a network or a proxy, which may want a login; with its media
    /// type.
    case webPage(status: Int, type: String)
    /// The answer or its token cannot be read.
    case unreadable(TokenCodecError)
    /// The answer is not the expected JSON.
    case unreadableJSON
    /// The software statement cannot be one, so nothing was sent; with what is wrong and what to do.
    case unusableStatement(reason: String)
    /// The software statement was refused; with the OAuth error name.
    case registrationRefused(String)
    /// The registered application received no access token; with the OAuth error name.
    case accessTokenRefused(String)
    /// The service gave no registration code.
    case registrationCodeRefused(status: Int)
    /// The service cannot begin a login, because it misses parameters; with their names.
    case loginParametersMissing([String])
    /// There is no login for the registration code (yet).
    case notLoggedIn
    /// The TV provider denied.
    case denied(AuthorizationDenial)
    /// The session has ended.
    case pendingLogout(PendingLogout)
    /// The service does not mention a login that only a proof can show it, and there was no valid proof: whether the viewer
    /// is logged in cannot be told.
    case loginNotProven
    /// A promotional TempPass needs the viewer's id, which the app passes as its data.
    case viewerIdentityMissing(EnhancedError)
    /// The service explains the error and what to do about it; neither a denial nor the end of a login.
    case refused(EnhancedError)
    /// The registration could not be read or stored; with the keeper's error as text.
    case cannotKeepRegistration(reason: String)
}
