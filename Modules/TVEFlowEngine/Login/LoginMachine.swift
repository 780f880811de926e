import TVEModels
import TVENetworking

/// The state machine of logins: the current attempt, its stage, and the calls that wait for it.
///
/// The machine is a value that cannot wait. It receives events and returns effects; ``Login`` performs them and returns
/// the outcomes of the current attempt. At most one attempt runs. It ends before it is announced, so that a call in
/// response to the announcement begins another attempt instead of joining or ending this one.
///
/// These types follow a login from the call to the store:
///
/// 1. ``LoginParameters``: what a call asks for.
/// 2. ``LoginAttempt``: the parameters, with the calls that wait for the outcome.
/// 3. `LoginRequest`: what the service is asked for.
/// 4. `LoginPage`: the page or code with which the service answers.
/// 5. ``BrowserPage``: that page, as the presenter opens it.
/// 6. ``NewLogin``: the login that the service returns, before it is stored.
/// 7. ``ChosenLogin``: the stored login of the viewer's choice.
struct LoginMachine: Sendable {
    private enum State: Sendable {
        case idle
        case running(LoginAttempt, Stage)
    }

    /// The stage of an attempt, and the step that it consists of.
    enum Stage: Sendable {
        /// Work that must not run during a login is ending: a logout's page, or a request for the logins that the
        /// service keeps.
        case clearing
        /// The viewer is with the platform's sign-on.
        case atPlatform(AuthenticationLadder)
        /// The platform receives a silent request.
        case askingPlatform
        /// The viewer is at the picker.
        case choosing
        /// The provider's service receives a request to begin a login.
        case opening(mvpdID: MVPDID)
        /// The viewer is at the provider's page.
        case atPage(LoginPage)
        /// The service receives requests for the outcome of the login, after its page on this screen has ended or until
        /// the viewer has typed the code that is shown.
        case polling(LoginPoll)

        /// The provider of the login, once it is known; otherwise `nil`.
        var mvpdID: MVPDID? {
            switch self {
            case .clearing, .atPlatform, .askingPlatform, .choosing: nil
            case .opening(let mvpdID): mvpdID
            case .atPage(let page): page.mvpdID
            case .polling(let poll): poll.page.mvpdID
            }
        }
    }

    private var state = State.idle
    /// The provider that was chosen for the next login.
    ///
    /// A login with it, successful or failed, clears it.
    private(set) var preselected: MVPDID?
    /// The page that this session opened last.
    ///
    /// A redirect of it does not belong to an earlier session.
    private(set) var ownPage: LoginPage?
    /// The attempt that begins after the running login with a TempPass that was just chosen.
    private var next: LoginAttempt?

    var isRunning: Bool { attempt != nil }

    /// A Boolean value that indicates whether no attempt is running that the viewer or the app requested.
    var isFree: Bool { attempt?.isSilent ?? true }

    /// A Boolean value that indicates whether the choice of a provider changes the provider of the running attempt.
    var isWithViewer: Bool {
        switch state {
        case .idle, .running(_, .clearing): false
        case .running(let attempt, _): if case .call = attempt.origin { true } else { attempt.isOfRedirect }
        }
    }

    var attempt: LoginAttempt? {
        if case .running(let attempt, _) = state { attempt } else { nil }
    }

    /// The provider of the running attempt, once it is known.
    var mvpdID: MVPDID? {
        if case .running(_, let stage) = state { stage.mvpdID } else { nil }
    }

    mutating func handle(_ event: LoginEvent) -> [LoginEffect] {
        event.endsSilentLogins && attempt?.isSilent == true ? supersede() + take(event) : take(event)
    }

    private mutating func take(_ event: LoginEvent) -> [LoginEffect] {
        switch event {
        case .called(let call, let parameters): called(call, parameters)
        case .redirected(let call, let page): redirected(call, page)
        case .startedSilently(let call, let login, let parameters): startedSilently(call, login, parameters: parameters)
        case .choseTempPass(let call, let mvpdID): choseTempPass(call, mvpdID)
        case .choseKeptTempPass: choseKeptTempPass()
        case .chose(let mvpdID): chose(mvpdID)
        case .allLoginsEnd: endAll()
        case .viewerActed: []
        case .left(let call): left(call)
        case .ended(let outcome): ended(outcome)
        }
    }

    // MARK: - Calls

    private mutating func called(_ call: CallID, _ parameters: LoginParameters) -> [LoginEffect] {
        guard case .running(let attempt, let stage) = state else {
            return enter(.clearing, LoginAttempt(origin: .call, parameters: parameters, calls: [call]))
        }
        // A TempPass shows nothing and may not log the viewer in. A login that is not forced may end with the viewer's
        // present login. A call that wants another login waits for either and then begins.
        var isQueued = attempt.chosenTempPass != nil
        if case .clearing = stage, parameters.isForced, !attempt.parameters.isForced { isQueued = true }
        if isQueued {
            if next == nil { next = LoginAttempt(origin: .call, parameters: parameters, calls: []) }
            next?.calls.append(call)
            if parameters.isForced { next?.parameters = parameters }
            return []
        }
        let code: RegistrationCode? = if case .polling(let poll) = stage, !poll.isHere { poll.code } else { nil }
        var joined = attempt
        joined.calls.append(call)
        // A login that a redirect has resumed has no presenter of its own.
        if attempt.parameters.presenter == nil { joined.parameters = parameters }
        // The app may learn only from the choice that the login needs the viewer's id.
        if attempt.parameters.data.isEmpty, !parameters.data.isEmpty {
            joined.parameters.data = parameters.data
            joined.hasNewData = true
        }
        state = .running(joined, stage)
        return [.showAgain(attempt)] + (code.map { [.announceCode($0)] } ?? [])
    }

    private mutating func redirected(_ call: CallID, _ page: LoginPage) -> [LoginEffect] {
        // The same redirect has arrived again. The call of the first one receives the answer.
        if case .redirect(let running)? = attempt?.origin, running == page { return [.answer([call], .settled)] }
        // The viewer has just finished the other login. Calls that wait for the TempPass want a login, and this is one.
        let waiting = next?.calls ?? []
        next = nil
        let ended = abandon()
        let attempt = LoginAttempt(origin: .redirect(page), parameters: LoginParameters(), calls: [call] + waiting)
        return ended + fetch(page, attempt)
    }

    /// Begins a login without interaction of the viewer.
    ///
    /// The flow begins one only while no login is running.
    private mutating func startedSilently(
        _ call: CallID, _ login: SilentLogin, parameters: LoginParameters
    ) -> [LoginEffect] {
        let attempt = LoginAttempt(origin: .silent(login), parameters: parameters, calls: [call])
        switch login {
        case .platform: return enter(.askingPlatform, attempt)
        case .passive(let shared): return enter(.opening(mvpdID: shared.claims.providerID), attempt)
        }
    }

    private mutating func left(_ call: CallID) -> [LoginEffect] {
        if next?.calls.contains(call) == true {
            next?.calls.removeAll { $0 == call }
            if next?.calls.isEmpty == true { next = nil }
            return [.answer([call], .failure(.loginAbandoned), calling: .nobody)]
        }
        guard case .running(var attempt, let stage) = state, attempt.calls.contains(call) else { return [] }
        if attempt.calls.count == 1 { return abandon(calling: .nobody) }
        // The other calls continue.
        attempt.calls.removeAll { $0 == call }
        state = .running(attempt, stage)
        return [.answer([call], .failure(.loginAbandoned), calling: .nobody)]
    }

    // MARK: - Choices

    private mutating func choseTempPass(_ call: CallID, _ mvpdID: MVPDID) -> [LoginEffect] {
        if let attempt, attempt.chosenTempPass == nil {
            return chose(mvpdID, isKnown: true) + [.answer([call], .settled)]
        }
        let entry = LoginAttempt(origin: .chosenTempPass(mvpdID), parameters: LoginParameters(), calls: [call])
        return supersede() + enter(.clearing, entry)
    }

    private mutating func choseKeptTempPass() -> [LoginEffect] {
        preselected = nil
        return attempt?.chosenTempPass == nil ? [] : supersede() + beginNext()
    }

    /// Continues a running login with the provider.
    ///
    /// Without a running login, the provider becomes that of the next login.
    ///
    /// - Parameter isKnown: a Boolean value that indicates whether the choice was already announced.
    private mutating func chose(_ mvpdID: MVPDID, isKnown: Bool = false) -> [LoginEffect] {
        let announcement: [LoginEffect] = isKnown ? [] : [.announceSelection(mvpdID)]
        let effects = attempt?.chosenTempPass == nil ? [] : supersede() + beginNext()
        switch state {
        case .idle, .running(_, .clearing):
            preselected = mvpdID
            return effects + announcement
        case .running(let attempt, let stage) where attempt.isOfRedirect && stage.mvpdID == mvpdID:
            // The viewer has already logged in with this provider, and this login is being fetched.
            return announcement
        case .running(var attempt, let stage):
            let ended = Self.ending(stage)
            attempt.codes = 0
            return ended + announcement + enter(.opening(mvpdID: mvpdID), attempt)
        }
    }

    /// Ends the running attempt and the attempt that waits for it.
    private mutating func endAll() -> [LoginEffect] {
        preselected = nil
        let waiting = next
        next = nil
        let ended = abandon()
        return ended + (waiting.map { [.answer($0.calls, .failure(.loginAbandoned))] } ?? [])
    }

    // MARK: - Outcomes of steps

    private mutating func ended(_ outcome: LoginOutcome) -> [LoginEffect] {
        guard case .running(let attempt, let stage) = state else { return [] }
        switch (stage, outcome) {
        case (.polling(let poll), .failed(let error)) where error.code == .viewerIdentityMissing && attempt.hasNewData:
            // The call that joined the login in the meantime may have the viewer's id.
            return enter(.opening(mvpdID: poll.page.mvpdID), attempt)
        case (_, .failed(let error)): return fail(error, in: attempt, at: stage)
        case (.clearing, .cleared(let ladder)): return cleared(attempt, ladder)
        case (.atPlatform(let ladder), .platform(let answer)): return answered(answer.outcome, in: attempt, at: ladder)
        case (.askingPlatform, .platform(let answer)):
            if case .found(let login) = answer.outcome { return succeed(with: login, in: attempt) }
            // Nothing may be shown now. The next login that the viewer begins can be an ordinary one.
            return end(attempt, answering: .settled, effects: [.stop])
        case (.choosing, .picked(nil)): return fail(.loginAbandoned, in: attempt, at: stage)
        case (.choosing, .picked(let mvpdID?)):
            return [.announceSelection(mvpdID)] + enter(.opening(mvpdID: mvpdID), attempt)
        case (.opening, .opened(let page, let codeEnds)): return opened(page, codeEnds: codeEnds, attempt)
        case (.atPage, .pageEnded(.abandoned)): return fail(.loginAbandoned, in: attempt, at: stage)
        case (.atPage, .pageEnded(.ranOut)): return fail(.loginAbandoned, in: attempt, at: stage, calling: .nobody)
        case (.atPage(let page), .pageEnded(let end)):
            return [.forgetPage(page)] + fetch(page, attempt, isCertain: end == .redirect || attempt.isSilent)
        case (.polling, .found(let login)): return succeed(with: login, in: attempt)
        case (.polling(var poll), .notFound(let error, let mayCome, let uptime)):
            let decision = poll.decision(after: error, mayCome: mayCome, uptime: uptime)
            return proceed(decision, with: poll, in: attempt)
        case (_, .cleared), (_, .platform), (_, .picked), (_, .opened), (_, .pageEnded), (_, .found), (_, .notFound):
            // The outcome belongs to a step of another stage.
            return []
        }
    }

    private mutating func answered(
        _ outcome: PlatformOutcome, in attempt: LoginAttempt, at ladder: AuthenticationLadder
    ) -> [LoginEffect] {
        switch outcome {
        case .found(let login): return succeed(with: login, in: attempt)
        case .chosen(let mvpdID):
            return [.announceSelection(mvpdID)] + enter(.opening(mvpdID: mvpdID), attempt)
        case .begun(let page, let codeEnds):
            return [.announceSelection(page.mvpdID)] + opened(page, codeEnds: codeEnds, attempt)
        case .notPossible:
            // A call that reaches this point needs a choice of provider (API reference, rows AS5 to AS9).
            var ladder = ladder
            ladder.hasPlatformSignOn = false
            ladder.lastLoginSucceeded = false
            return follow(ladder, attempt)
        }
    }

    private mutating func cleared(_ attempt: LoginAttempt, _ ladder: AuthenticationLadder) -> [LoginEffect] {
        if let mvpdID = attempt.chosenTempPass { return enter(.opening(mvpdID: mvpdID), attempt) }
        guard ladder.login == nil, let waiting = next else { return follow(ladder, attempt) }
        // There is no login that the waiting call would replace, so both calls want the same one.
        next = nil
        var joined = attempt
        joined.parameters = waiting.parameters
        joined.calls += waiting.calls
        return follow(ladder, joined)
    }

    private mutating func follow(_ ladder: AuthenticationLadder, _ attempt: LoginAttempt) -> [LoginEffect] {
        var ladder = ladder
        ladder.preselected = preselected
        switch ladder.next {
        case .alreadyAuthenticated(let login):
            return end(attempt, answering: .success(login), effects: [.stop, .announceLogin(login, isNew: false)])
        case .logInWith(let mvpdID): return enter(.opening(mvpdID: mvpdID), attempt)
        case .askPlatform: return enter(.atPlatform(ladder), attempt)
        case .chooseProvider: return enter(.choosing, attempt)
        case .noProviders: return fail(.noProviders, in: attempt, at: .clearing)
        }
    }

    /// Brings an attempt to a stage and begins the step of that stage.
    private mutating func enter(_ stage: Stage, _ attempt: LoginAttempt) -> [LoginEffect] {
        var attempt = attempt
        if case .opening = stage { attempt.hasNewData = false }
        state = .running(attempt, stage)
        return [.run(stage, attempt)]
    }

    private mutating func opened(_ page: LoginPage, codeEnds: Duration, _ attempt: LoginAttempt) -> [LoginEffect] {
        switch page.step {
        case .nothing: return fetch(page, attempt)
        case .open: return show(page, attempt)
        case .typeCode:
            var attempt = attempt
            attempt.codes += 1
            let poll = LoginPoll(page: page, place: .otherScreen(codeEnds: codeEnds))
            return [.announceCode(poll.code), .showCode(poll.code, attempt)] + enter(.polling(poll), attempt)
        }
    }

    private mutating func show(_ page: LoginPage, _ attempt: LoginAttempt) -> [LoginEffect] {
        guard attempt.parameters.presenter != nil else {
            // The viewer has chosen another provider than that of the redirect. The choice applies to the next login.
            if attempt.isOfRedirect {
                preselected = page.mvpdID
                return end(attempt, answering: .settled, effects: [.stop])
            }
            // A TempPass must not need a page. If the service asks for one, the login has failed and was not abandoned
            // by the viewer.
            let error = attempt.chosenTempPass != nil ? TVEError.pageOfTempPass : .loginAbandoned
            return fail(error, in: attempt, at: .opening(mvpdID: page.mvpdID))
        }
        if attempt.isSilent { return enter(.atPage(page), attempt) }
        ownPage = page
        // If the app or the session is closed in the meantime, the redirect can still finish the login. Without the
        // stored page the viewer would log in again.
        return [.keepPage(page)] + enter(.atPage(page), attempt)
    }

    private mutating func fetch(_ page: LoginPage, _ attempt: LoginAttempt, isCertain: Bool = true) -> [LoginEffect] {
        enter(.polling(LoginPoll(page: page, place: .thisScreen(isCertain: isCertain))), attempt)
    }

    private mutating func proceed(
        _ decision: LoginPoll.Decision, with poll: LoginPoll, in attempt: LoginAttempt
    ) -> [LoginEffect] {
        let stage = Stage.polling(poll)
        switch decision {
        case .pollAgain: return enter(stage, attempt)
        case .backToPage: return show(poll.page, attempt)
        case .fail(let error): return fail(error, in: attempt, at: stage)
        case .newCode:
            guard attempt.codes < Self.codesPerLogin else {
                return fail(.registrationCodeExpired, in: attempt, at: stage)
            }
            // Only the first code of a forced login replaces the login that the service still has.
            var attempt = attempt
            attempt.parameters.isForced = false
            return Self.ending(stage) + enter(.opening(mvpdID: poll.page.mvpdID), attempt)
        }
    }

    /// Ends the attempt with a login that was found and is already stored.
    private mutating func succeed(with login: NewLogin, in attempt: LoginAttempt) -> [LoginEffect] {
        preselected = nil
        var effects: [LoginEffect] = [.stop]
        if case .redirect(let page) = attempt.origin { effects.append(.forgetPage(page)) }
        return end(
            attempt, answering: .success(login.answer.token),
            effects: effects + [.announceLogin(login.answer.token, isNew: true)])
    }

    // MARK: - The end of an attempt

    /// Ends the running attempt because the viewer or the last call has left.
    private mutating func abandon(calling: CallbackSelection? = nil) -> [LoginEffect] {
        guard case .running(let attempt, let stage) = state else { return [] }
        return fail(.loginAbandoned, in: attempt, at: stage, calling: calling)
    }

    private mutating func fail(
        _ error: TVEError, in attempt: LoginAttempt, at stage: Stage, calling: CallbackSelection? = nil
    ) -> [LoginEffect] {
        var effects = Self.ending(stage)
        // The viewer did not request this login and is not notified of its failure.
        if attempt.isSilent { return end(attempt, answering: .settled, effects: effects) }
        if let mvpdID = stage.mvpdID {
            // A choice of another provider in the meantime stays.
            if preselected == mvpdID { preselected = nil }
            effects.append(.forgetAutomaticLogin(mvpdID: mvpdID))
        }
        switch attempt.origin {
        case .call, .silent: break
        case .redirect(let page):
            // A request that was not answered can be repeated, and a login that could not be stored can be fetched
            // again, so the page stays.
            if !error.canAskAgain { effects.append(.forgetPage(page)) }
        case .chosenTempPass(let mvpdID):
            // An expired TempPass becomes the chosen provider (row TP5), in place of an earlier choice.
            if error.code == .temporaryAccessExpired { preselected = nil }
            // A promotional TempPass logs no viewer in before it has the viewer's id, so the choice applies to the next
            // login.
            guard error.code == .viewerIdentityMissing else { break }
            preselected = mvpdID
            return end(attempt, answering: .settled, effects: effects)
        }
        return end(attempt, answering: .failure(error), effects: effects + [.announceFailure(error)], calling: calling)
    }

    /// Ends a silent login, or a login with a TempPass after another choice, if one is running.
    ///
    /// The work that follows has the answer.
    private mutating func supersede() -> [LoginEffect] {
        guard case .running(let attempt, let stage) = state else { return [] }
        state = .idle
        return Self.ending(stage) + [.answer(attempt.calls, .settled)]
    }

    /// Returns the effects that end a stage: they stop its step, and stop waiting for the redirect of its page.
    private static func ending(_ stage: Stage) -> [LoginEffect] {
        if case .atPage(let page) = stage { [.stop, .forgetPage(page)] } else { [.stop] }
    }

    /// Ends an attempt.
    ///
    /// From here on no call can join or end it, and only now is it announced.
    private mutating func end(
        _ attempt: LoginAttempt, answering answer: LoginAnswer, effects: [LoginEffect],
        calling: CallbackSelection? = nil
    ) -> [LoginEffect] {
        // While the attempt is clearing, nothing of it is shown, so each call reports by itself. Afterwards the calls
        // share one login, which the viewer sees once.
        let usual: CallbackSelection =
            if attempt.isSilent { .nobody } else if case .running(_, .clearing) = state { .each } else { .first }
        state = .idle
        return effects + [.answer(attempt.calls, answer, calling: calling ?? usual)] + beginNext()
    }

    private mutating func beginNext() -> [LoginEffect] {
        guard let next else { return [] }
        self.next = nil
        return enter(.clearing, next)
    }

    /// The limit on codes in one login.
    ///
    /// A code lasts half an hour, and a television may be left on.
    private static let codesPerLogin = 4
}
