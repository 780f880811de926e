import TVEModels

/// The session's state of authorizations.
struct PermissionFlow {
    /// Calls without an answer; each has its own machine.
    var calls: [CallID: PermissionCall] = [:]
    /// The questions to the service.
    let questions = SharedQuestions<AuthorizationQuestion, Result<AuthorizationToken, TVEError>>()
}
