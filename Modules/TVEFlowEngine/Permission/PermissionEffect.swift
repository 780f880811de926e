import TVEModels

/// What a call for permission wants done.
enum PermissionEffect: Sendable {
    /// Look for the login to ask with; a new one is shown where that may be.
    case findLogin
    /// Ask for permission with a login.
    case ask(AuthenticationToken)
    /// Cancel what runs; nothing that it still brings counts.
    case stop
    case trackFailure(TVEError)
    case answer(Result<MediaToken, TVEError>)
}
