import TVETokenVerification

extension MediaTokenVerifier.Verdict {
    /// The sentences about a token that is not valid, and what to do; `nil` for a valid one.
    var reason: String? {
        switch self {
        case .validToken: return nil
        case .invalidTokenFormat: return "This is not a media token. Send it as a whole, as the service issued it."
        case .invalidSignature:
            return "None of the keys has signed the token. "
                + "Check that the keys are those of the service that issued it."
        case .tokenExpired: return "The token has expired. Ask the app for a new one; it is valid for some minutes."
        case .otherRequestor:
            return "The token is for another requestor (otherRequestor). "
                + "Name the requestor of the token with --requestor."
        case .invalidResourceID:
            return "The token is for another resource. Name the one that the app has authorized."
        }
    }
}
