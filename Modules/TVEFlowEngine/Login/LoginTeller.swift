/// Reports the outcome of a login to an app.
struct LoginTeller {
    /// A Boolean value that indicates whether the call is an authorization that needs a login.
    ///
    /// Calls for a login report before such calls.
    var isForPermission = false
    let tell: (AuthenticationStatus) -> Void
}
