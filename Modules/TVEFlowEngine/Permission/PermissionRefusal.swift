import TVEModels

/// Why there is no permission, and what that means for the login of the question.
struct PermissionRefusal: Error, Sendable {
    let error: TVEError
    /// Whether the service says that the login has ended.
    var isLoginOver = false
    /// Whether there is another login.
    var hasOtherLogin = false

    /// Whether the call asks again, with another login.
    ///
    /// Only if the login ended during the question, and only once. A logout on this device ends the call itself: a
    /// second try would log in a viewer who has just logged out.
    ///
    /// - Parameters:
    ///   - isFirst: whether this was the first try.
    ///   - mayShowLogin: whether the viewer can be asked to log in.
    func allowsAnotherTry(isFirst: Bool, mayShowLogin: Bool) -> Bool {
        isFirst && isLoginOver && (mayShowLogin || hasOtherLogin)
    }
}
