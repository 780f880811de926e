import TVEModels

/// What an authorization requests.
enum PermissionEffect: Sendable {
    /// Find the login to ask with; show a new one where that is allowed.
    case findLogin
    /// Ask for permission with a login.
    case ask(AuthenticationToken)
    /// Cancel the running step; its outcome is ignored.
    case stop
    case trackFailure(TVEError)
    case answer(Result<MediaToken, TVEError>)
}
