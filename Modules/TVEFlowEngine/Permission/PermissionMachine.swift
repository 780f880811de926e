import TVEModels

/// One call for permission to play: with which login it asks, whether it may try once more, and that it has one answer.
struct PermissionMachine: StateMachine {
    enum State: Sendable {
        case new
        /// The login to ask with is looked for; a viewer may be at a login page.
        case findingLogin(isSecondTry: Bool)
        /// The service is asked, or what is kept is looked at.
        case asking(AuthenticationToken, isSecondTry: Bool)
        case over
    }

    private(set) var state = State.new
    /// Whether a viewer can be asked to log in.
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
            // The login ended in the middle. Whoever has another one, or may ask for one, tries once more; only once.
            guard refusal.isLoginOver, !isSecondTry, mayShowLogin || refusal.hasOtherLogin else {
                return end(.failure(refusal.error))
            }
            state = .findingLogin(isSecondTry: true)
            return [.findLogin]
        case (_, .loggedOut):
            // Nothing is tried again: it would log the viewer in who has just left.
            return [.stop, .trackFailure(.loggedOutMeanwhile)] + end(.failure(.loggedOutMeanwhile))
        case (_, .left):
            return [.stop] + end(.failure(.authorizationCancelled))
        case (.new, _), (.findingLogin, _), (.asking, _):
            // No step of this state brings that.
            return []
        }
    }

    private mutating func end(_ answer: Result<MediaToken, TVEError>) -> [PermissionEffect] {
        state = .over
        return [.answer(answer)]
    }
}
