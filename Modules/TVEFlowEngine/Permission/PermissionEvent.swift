import TVEModels

/// Events of an authorization.
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

/// Why there is no permission, and what that means for the login of the question.
struct PermissionRefusal: Error, Sendable {
    let error: TVEError
    /// Whether the service says that the login has ended.
    var isLoginOver = false
    /// Whether there is another login.
    var hasOtherLogin = false
}
