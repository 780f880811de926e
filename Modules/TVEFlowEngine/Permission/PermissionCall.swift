import TVEModels

/// A call for permission that has no answer yet.
struct PermissionCall: Sendable {
    let resource: Resource
    /// The TV provider of the login; nil for that of the viewer's choice.
    let mvpdID: MVPDID?
    let data: [String: MetadataValue]
    let presenter: (any AuthenticationPresenter)?
    /// Called with the outcome of a login that was shown for this call.
    let loginEnded: @Sendable (AuthenticationStatus) -> Void
    /// Tells the app the answer, in the turn of the actor that decides it.
    let tell: @Sendable (Result<MediaToken, TVEError>) -> Void
    let waiting: CheckedContinuation<Result<MediaToken, TVEError>, Never>
    /// Finds a login and asks the service.
    var work: Task<Void, Never>?
}

/// Why a call for permission ends before the service has decided.
enum PermissionEnd: Sendable {
    /// The viewer logged out on this device.
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

/// Two authorizations with the same values share one question.
struct AuthorizationQuestion: Hashable {
    let resource: Resource
    let data: [String: MetadataValue]
    let login: TokenText
}

/// The session's state of authorizations.
struct PermissionFlow {
    /// The calls without an answer.
    var calls: [CallID: PermissionCall] = [:]
    /// The questions to the service.
    let questions = SharedQuestions<AuthorizationQuestion, Result<AuthorizationToken, TVEError>>()
}
