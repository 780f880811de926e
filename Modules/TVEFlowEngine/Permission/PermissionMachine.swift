import TVEModels

/// One authorization: which login it asks with, whether it may try a second time, and that it has one answer.
struct PermissionMachine: StateMachine {
    enum State: Sendable {
        case new
        /// The login is looked for; the viewer may be at a login page.
        case findingLogin(isSecondTry: Bool)
        /// The service is asked, or the stored permission is read.
        case asking(AuthenticationToken, isSecondTry: Bool)
        case over
    }

    private(set) var state = State.new
    /// Whether the viewer can be asked to log in.
    let mayShowLogin: Bool

    mutating func handle(_ event: PermissionEvent) -> [PermissionEffect] {
        switch (state, event) {
        case (.over, _):
            return []
        case (.new, .called):
            state = .findingLogin(isSecondTry: false)
            return [.findLogin]
        case (.findingLogin(let isSecondTry), .foundLogin(let login)):
            state = .asking(login, isSecondTry: isSecondTry)
            return [.ask(login)]
        case (.findingLogin, .foundNoLogin(let error)):
            return end(.failure(error))
        case (.asking, .permitted(let token)):
            return end(.success(token))
        case (.asking(_, let isSecondTry), .refused(let refusal)):
            // The login ended during the question. A call that has another login, or may show one, tries a second time,
            // and no more.
            guard refusal.isLoginOver, !isSecondTry, mayShowLogin || refusal.hasOtherLogin else {
                return end(.failure(refusal.error))
            }
            state = .findingLogin(isSecondTry: true)
            return [.findLogin]
        case (_, .loggedOut):
            // No second try: it would log in a viewer who has just logged out.
            return [.stop, .trackFailure(.loggedOutMeanwhile)] + end(.failure(.loggedOutMeanwhile))
        case (_, .left):
            return [.stop] + end(.failure(.authorizationCancelled))
        case (.new, _), (.findingLogin, _), (.asking, _):
            // No step of this state has this outcome.
            return []
        }
    }

    private mutating func end(_ answer: Result<MediaToken, TVEError>) -> [PermissionEffect] {
        state = .over
        return [.answer(answer)]
    }
}
