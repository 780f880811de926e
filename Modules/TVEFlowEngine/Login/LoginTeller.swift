/// Reports the outcome of a login to an app.
struct LoginTeller {
    /// Whether the call is an authorization, which needs a login: calls for a login report before it.
    var isForPermission = false
    let tell: (AuthenticationStatus) -> Void
}
