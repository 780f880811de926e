import TVEModels

/// The reason for which there is no permission, and its consequence for the login of the request.
struct PermissionRefusal: Error, Sendable {
    let error: TVEError
    /// A Boolean value that indicates whether the service has ended the login.
    var isLoginOver = false
    /// A Boolean value that indicates whether there is another login.
    var hasOtherLogin = false

    /// Returns a Boolean value that indicates whether the call sends the request again with another login.
    ///
    /// The request is repeated only if the login ended during it, and only once. A logout on this device ends the call
    /// itself, because a second attempt would log in a viewer who has just logged out.
    ///
    /// - Parameters:
    ///   - isFirst: a Boolean value that indicates whether this was the first attempt.
    ///   - mayShowLogin: a Boolean value that indicates whether a login can be shown to the viewer.
    func allowsAnotherTry(isFirst: Bool, mayShowLogin: Bool) -> Bool {
        isFirst && isLoginOver && (mayShowLogin || hasOtherLogin)
    }
}
