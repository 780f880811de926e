import TVEModels
import TVENetworking

/// Why an attempt to authorize failed, and what that means for the login it was made with.
struct AuthorizationFailure: Error {
    /// What the caller gets to know.
    let cause: TVEError
    /// Whether the service answered that the login is over.
    let isEndedLogin: Bool
    /// Whether that login is the stored one and must go; an answer about an older login says nothing about a newer one.
    let mustWipe: Bool

    /// A failure before there was a login.
    init(cause: TVEError) {
        self.cause = cause
        isEndedLogin = false
        mustWipe = false
    }

    /// A failure with a login.
    ///
    /// - Parameters:
    ///   - cause: what the caller gets to know.
    ///   - isLoginStored: whether the store still holds the login the attempt was made with.
    init(_ cause: TVEError, isLoginStored: Bool) {
        self.cause = cause
        if case .pendingLogout? = cause.underlying as? ServiceError {
            isEndedLogin = true
        } else {
            isEndedLogin = false
        }
        mustWipe = isEndedLogin && isLoginStored
    }
}
