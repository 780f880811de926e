import TVEModels

/// What happens to a call for permission.
enum PermissionEvent: Sendable {
    case called
    case foundLogin(AuthenticationToken)
    case foundNoLogin(TVEError)
    case permitted(MediaToken)
    case refused(PermissionRefusal)
    /// The viewer logged out.
    case loggedOut
    /// The call was cancelled, or its session ends.
    case left
}

/// Why there is no permission, and what that means for the login it was asked with.
struct PermissionRefusal: Error, Sendable {
    let error: TVEError
    /// Whether the login is over, by the service's word.
    var isLoginOver = false
    /// Whether another login is at hand.
    var hasOtherLogin = false
}
