import TVEModels

/// What the session keeps about calls for permission to play.
struct PermissionFlow {
    /// Calls without an answer; each has a machine of its own.
    var calls: [CallID: PermissionCall] = [:]
    /// What the service is asked for them.
    let questions = SharedQuestions<AuthorizationQuestion, Result<AuthorizationToken, TVEError>>()
}
