public import TVEModels
public import TVETokenCodec

/// Why the service did not give what was asked of it.
public enum ServiceError: Error, Sendable, Equatable {
    /// There was no answer.
    case transport(TransportError)
    /// The answer has a status that says no more than itself.
    case status(Int)
    /// The answer or the token in it cannot be read.
    case unreadable(TokenCodecError)
    /// The answer is not the JSON it should be.
    case unreadableJSON
    /// The software statement was refused; the OAuth error name.
    case registrationRefused(String)
    /// The registered application gets no access token; the OAuth error name.
    case accessTokenRefused(String)
    /// No registration code was given.
    case registrationCodeRefused(status: Int)
    /// The registration code has no login behind it (yet).
    case notLoggedIn
    /// The TV provider says no.
    case denied(AuthorizationDenial)
    /// The session is dead.
    case pendingLogout(PendingLogout)
    /// The service says what is wrong, with what can be done about it; neither a denial nor the end of a login.
    case refused(EnhancedError)
    /// The registration could not be read or kept; the keeper's error in its own words.
    case cannotKeepRegistration(reason: String)
}
