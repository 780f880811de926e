import TVEModels
import TVENetworking

/// The attempt to log in, its stage, and the calls that wait for it.
///
/// A value that cannot wait: events come in, effects go out, and the session performs them and returns outcomes of the
/// current attempt. At most one attempt runs. It ends before it is announced, so that a call made in answer to the
/// announcement begins another attempt instead of joining or ending this one.
struct LoginMachine: StateMachine {
    enum State: Sendable {
        case idle
        case running(LoginAttempt, Stage)
        /// The session has ended; no login begins any more.
        case closed
    }

    /// The stage of an attempt.
    enum Stage: Sendable {
        /// Everything that must not run during a login is ending: a logout's page, a question about the logins the
        /// service keeps.
        case clearing
        /// The viewer is with the platform's sign-on.
        case atPlatform(LoginFacts)
        /// The viewer is at the picker.
        case choosing
        /// The provider's service is asked to begin a login.
        case opening(mvpdID: MVPDID)
        /// The viewer is at the provider's page.
        case atPage(LoginPage)
        /// The service is asked for the outcome of the login.
        ///
        /// With `isCertain` the browser certainly returned from the page.
        case fetching(LoginPage, isCertain: Bool)
        /// A code is shown, and the service is asked repeatedly whether the viewer has typed it.
        case showingCode(SecondScreenMachine)
        /// The login is being stored.
        case keeping(NewLogin)

        /// The provider of the login, once it is known.
        var mvpdID: MVPDID? {
            switch self {
            case .clearing, .atPlatform, .choosing: nil
            case .opening(let mvpdID): mvpdID
            case .atPage(let page), .fetching(let page, _): page.mvpdID
            case .showingCode(let screen): screen.page.mvpdID
            case .keeping(let login): login.mvpdID
            }
        }
    }

    enum StateName: String, MachineStateName {
        case idle, clearing, atPlatform, choosing, opening, atPage, fetching, showingCode, keeping, closed

        var successors: Set<StateName> {
            switch self {
            // A redirect for an earlier run of the app begins with its outcome.
            case .idle: [.clearing, .fetching]
            // From any stage: to the end, to another provider, and to the outcome of an earlier login.
            case .clearing: [.idle, .opening, .fetching, .atPlatform, .choosing]
            case .atPlatform: [.idle, .opening, .fetching, .choosing, .keeping, .atPage, .showingCode]
            case .choosing: [.idle, .opening, .fetching]
            case .opening: [.idle, .fetching, .atPage, .showingCode, .clearing]
            case .atPage: [.idle, .opening, .fetching]
            case .fetching: [.idle, .opening, .atPage, .keeping, .clearing]
            case .showingCode: [.idle, .opening, .fetching, .keeping]
            case .keeping: [.idle, .fetching, .clearing]
            case .closed: []
            }
        }
    }

    var stateName: StateName {
        switch state {
        case .idle: .idle
        case .closed: .closed
        case .running(_, let stage):
            switch stage {
            case .clearing: .clearing
            case .atPlatform: .atPlatform
            case .choosing: .choosing
            case .opening: .opening
            case .atPage: .atPage
            case .fetching: .fetching
            case .showingCode: .showingCode
            case .keeping: .keeping
            }
        }
    }

    private(set) var state = State.idle
    /// The provider that was chosen for the next login; a login with it, or one that fails, clears it.
    private(set) var preselected: MVPDID?
    /// The page that this session opened last: a redirect of it does not belong to an earlier run.
    private(set) var ownPage: LoginPage?
    /// The attempt that begins after the login with a TempPass that was just chosen.
    private var next: LoginAttempt?
    private var numbers = 0

    var isRunning: Bool { attempt != nil }

    /// Whether the choice of a provider changes where the attempt leads.
    var isWithViewer: Bool {
        switch state {
        case .idle, .closed, .running(_, .clearing), .running(_, .keeping): false
        case .running(let attempt, _): if case .tempPass = attempt.origin { false } else { true }
        }
    }

    /// Whether there is an attempt that can still be ended.
    var canBeEnded: Bool {
        switch state {
        case .idle, .closed, .running(_, .keeping): false
        case .running: true
        }
    }

    /// The running attempt.
    var attempt: LoginAttempt? {
        if case .running(let attempt, _) = state { attempt } else { nil }
    }

    mutating func handle(_ event: LoginEvent) -> [LoginEffect] {
        switch event {
        case .called(let call, let terms): called(call, terms)
        case .redirected(let call, let page): redirected(call, page)
        case .choseTempPass(let call, let mvpdID): choseTempPass(call, mvpdID)
        case .choseKeptTempPass: choseKeptTempPass()
        case .chose(let mvpdID): chose(mvpdID)
        case .cancelledChoice: cancelledChoice()
        case .left(let call): left(call)
        case .loggedOut: loggedOut()
        case .closed: close()
        case .ended(let outcome): ended(outcome)
        }
    }

    // MARK: - Calls

    private mutating func called(_ call: CallID, _ terms: LoginTerms) -> [LoginEffect] {
        if case .closed = state { return [.answer([call], .failed(.sessionIsClosed))] }
        guard case .running(let attempt, let stage) = state else { return begin(.call, terms, [call]) }
        if case .tempPass = attempt.origin {
            // A TempPass shows nothing, and may not log the viewer in. A call that wants a login waits for it, and then
            // begins.
            if next == nil { next = newAttempt(.call, terms, []) }
            next?.calls.append(call)
            return []
        }
        let code: RegistrationCode? = if case .showingCode(let screen) = stage { screen.code } else { nil }
        join(call, attempt, stage)
        return [.showAgain(attempt)] + (code.map { [.announce(.code($0))] } ?? [])
    }

    private mutating func redirected(_ call: CallID, _ page: LoginPage) -> [LoginEffect] {
        if case .closed = state { return [.answer([call], .failed(.sessionIsClosed))] }
        // The same redirect again: the first one has the answer.
        if attempt?.origin == .redirect(page) { return [.answer([call], .settled)] }
        // The viewer has just finished the other login. Calls that wait for the TempPass want a login; this is one.
        let waiting = next?.calls ?? []
        next = nil
        let ended = abandon()
        return ended + fetch(page, newAttempt(.redirect(page), LoginTerms(), [call] + waiting))
    }

    private mutating func left(_ call: CallID) -> [LoginEffect] {
        if next?.calls.contains(call) == true {
            next?.calls.removeAll { $0 == call }
            if next?.calls.isEmpty == true { next = nil }
            return [.answer([call], .failed(.loginAbandoned))]
        }
        guard case .running(var attempt, let stage) = state, attempt.calls.contains(call) else { return [] }
        if attempt.calls.count == 1 { return abandon() }
        // The other calls continue.
        attempt.calls.removeAll { $0 == call }
        state = .running(attempt, stage)
        return [.answer([call], .failed(.loginAbandoned))]
    }

    // MARK: - Choices

    private mutating func choseTempPass(_ call: CallID, _ mvpdID: MVPDID) -> [LoginEffect] {
        switch state {
        case .closed: return [.answer([call], .failed(.sessionIsClosed))]
        case .idle: return begin(.tempPass(mvpdID), LoginTerms(), [call])
        case .running(let attempt, let stage):
            guard case .tempPass = attempt.origin else {
                return chose(mvpdID, isKnown: true) + [.answer([call], .settled)]
            }
            return supersede(attempt, stage) + begin(.tempPass(mvpdID), LoginTerms(), [call])
        }
    }

    private mutating func choseKeptTempPass() -> [LoginEffect] {
        preselected = nil
        guard case .running(let attempt, let stage) = state, case .tempPass = attempt.origin else { return [] }
        return supersede(attempt, stage) + beginNext()
    }

    /// A running login continues with the provider; without one, the provider is that of the next login.
    ///
    /// - Parameter isKnown: whether the choice was announced before.
    private mutating func chose(_ mvpdID: MVPDID, isKnown: Bool = false) -> [LoginEffect] {
        let announcement: [LoginEffect] = isKnown ? [] : [.announce(.selected(mvpdID: mvpdID))]
        var effects: [LoginEffect] = []
        if case .running(let attempt, let stage) = state, case .tempPass = attempt.origin {
            effects = supersede(attempt, stage) + beginNext()
        }
        switch state {
        case .closed: return []
        case .idle, .running(_, .clearing), .running(_, .keeping):
            preselected = mvpdID
            return effects + announcement
        case .running(let attempt, let stage):
            let leave = Self.leaving(attempt, stage)
            return leave + announcement + open(mvpdID, renumbered(attempt))
        }
    }

    /// Ends the running attempt, which gets its answer; a login that has just been stored stays.
    private mutating func cancelledChoice() -> [LoginEffect] {
        if case .running(_, .keeping) = state { return [] }
        return endAll()
    }

    private mutating func loggedOut() -> [LoginEffect] {
        endAll()
    }

    private mutating func close() -> [LoginEffect] {
        let ended = endAll()
        state = .closed
        return ended
    }

    /// Ends the running attempt and the one that waits for it.
    private mutating func endAll() -> [LoginEffect] {
        preselected = nil
        let waiting = next
        next = nil
        let ended = abandon()
        return ended + (waiting.map { [.answer($0.calls, .failed(.loginAbandoned))] } ?? [])
    }

    // MARK: - Outcomes of steps

    private mutating func ended(_ outcome: LoginOutcome) -> [LoginEffect] {
        guard case .running(let attempt, let stage) = state else { return [] }
        switch (stage, outcome) {
        // The platform has ended by itself, and dismisses what it has shown.
        case (.atPlatform, .failed(let error)): return fail(error, attempt, .clearing)
        case (_, .failed(let error)): return fail(error, attempt, stage)
        case (.clearing, .cleared(let facts)): return cleared(attempt, facts)
        case (.atPlatform, .platform(.found(let login))): return keep(login, attempt)
        case (.atPlatform, .platform(.chosen(let mvpdID))):
            return [.announce(.selected(mvpdID: mvpdID))] + open(mvpdID, attempt)
        case (.atPlatform, .platform(.begun(let opened))):
            return [.announce(.selected(mvpdID: opened.page.mvpdID))] + self.opened(opened, attempt)
        case (.atPlatform(let facts), .platform(.notPossible)):
            // A call that came this far wants a choice (API reference, rows AS5 to AS9).
            var facts = facts
            facts.ladder.hasPlatformSignOn = false
            facts.ladder.canAuthenticate = false
            return followLadder(attempt, facts)
        case (.choosing, .picked(let mvpdID)): return picked(mvpdID, attempt, stage)
        case (.opening, .opened(let opened)): return self.opened(opened, attempt)
        case (.atPage, .pageEnded(.left)): return fail(.loginAbandoned, attempt, stage)
        case (.atPage, .pageEnded(.ranOut)): return fail(.loginAbandoned, attempt, stage, telling: .nobody)
        case (.atPage(let page), .pageEnded(let end)):
            return [.forgetPage(page)] + fetch(page, attempt, isCertain: end == .redirect)
        case (.fetching(let page, _), .redirectWasNotOurs): return show(page, attempt)
        case (.fetching, .fetched(let login)): return keep(login, attempt)
        case (.showingCode(let screen), .polled(let poll, let uptime)):
            return polled(screen.decision(after: poll, uptime: uptime), screen, attempt)
        case (.keeping(let login), .kept): return kept(login, attempt)
        case (_, .cleared), (_, .platform), (_, .picked), (_, .opened), (_, .pageEnded), (_, .fetched),
            (_, .redirectWasNotOurs), (_, .polled), (_, .kept):
            // The outcome of another stage's step.
            return []
        }
    }

    private mutating func cleared(_ attempt: LoginAttempt, _ facts: LoginFacts) -> [LoginEffect] {
        switch attempt.origin {
        case .tempPass(let mvpdID): return open(mvpdID, attempt)
        case .redirect(let page): return fetch(page, attempt)
        case .call: return followLadder(attempt, facts)
        }
    }

    private mutating func followLadder(_ attempt: LoginAttempt, _ facts: LoginFacts) -> [LoginEffect] {
        var facts = facts
        facts.ladder.preselected = preselected
        switch (facts.ladder.next, facts.login) {
        case (.alreadyAuthenticated, let login?):
            return end(attempt, .loggedIn(login), [.announce(.loggedIn(login, isNew: false))])
        case (.logIn(let mvpdID), _): return open(mvpdID, attempt)
        case (.askPlatform, _):
            state = .running(attempt, .atPlatform(facts))
            return [.run(.askPlatform, attempt)]
        case (.chooseProvider, _):
            state = .running(attempt, .choosing)
            return [.run(.choose, attempt)]
        case (.noProviders, _), (.alreadyAuthenticated, nil):
            return fail(.noProviders, attempt, .clearing)
        }
    }

    private mutating func picked(_ mvpdID: MVPDID?, _ attempt: LoginAttempt, _ stage: Stage) -> [LoginEffect] {
        guard let mvpdID else { return fail(.loginAbandoned, attempt, stage) }
        return [.announce(.selected(mvpdID: mvpdID))] + open(mvpdID, attempt)
    }

    private mutating func open(_ mvpdID: MVPDID, _ attempt: LoginAttempt) -> [LoginEffect] {
        state = .running(attempt, .opening(mvpdID: mvpdID))
        return [.run(.open(mvpdID: mvpdID), attempt)]
    }

    private mutating func opened(_ opened: OpenedLogin, _ attempt: LoginAttempt) -> [LoginEffect] {
        let page = opened.page
        guard page.needsViewer else { return fetch(page, attempt) }
        guard opened.isOnSecondScreen else { return show(page, attempt) }
        var attempt = attempt
        attempt.codes += 1
        let screen = SecondScreenMachine(page: page, deadline: opened.deadline)
        state = .running(attempt, .showingCode(screen))
        return [.announce(.code(screen.code)), .showCode(screen.code, attempt), .run(.poll(page), attempt)]
    }

    private mutating func show(_ page: LoginPage, _ attempt: LoginAttempt) -> [LoginEffect] {
        guard attempt.terms.presenter != nil else {
            return fail(.loginAbandoned, attempt, .opening(mvpdID: page.mvpdID))
        }
        ownPage = page
        state = .running(attempt, .atPage(page))
        // If the app is closed in the meantime, the redirect can still finish the login; without this page the viewer
        // logs in again.
        return [.keepPage(page), .run(.showPage(page), attempt)]
    }

    private mutating func fetch(_ page: LoginPage, _ attempt: LoginAttempt, isCertain: Bool = true) -> [LoginEffect] {
        state = .running(attempt, .fetching(page, isCertain: isCertain))
        return [.run(.fetch(page, isCertain: isCertain), attempt)]
    }

    private mutating func polled(
        _ decision: SecondScreenMachine.Decision, _ screen: SecondScreenMachine, _ attempt: LoginAttempt
    ) -> [LoginEffect] {
        switch decision {
        case .pollAgain: return [.run(.poll(screen.page), attempt)]
        case .keep(let login): return [.showCode(nil, attempt)] + keep(login, attempt)
        case .fail(let error): return fail(error, attempt, .showingCode(screen))
        case .end:
            guard attempt.codes < Self.codesPerLogin else {
                return fail(.registrationCodeExpired, attempt, .showingCode(screen))
            }
            // Only the first code of a forced login replaces what the service still knows.
            var attempt = attempt
            attempt.terms.isForced = false
            return [.showCode(nil, attempt)] + open(screen.page.mvpdID, attempt)
        }
    }

    private mutating func keep(_ login: NewLogin, _ attempt: LoginAttempt) -> [LoginEffect] {
        state = .running(attempt, .keeping(login))
        return [.run(.keep(login), attempt)]
    }

    private mutating func kept(_ login: NewLogin, _ attempt: LoginAttempt) -> [LoginEffect] {
        preselected = nil
        var effects: [LoginEffect] = []
        if case .redirect(let page) = attempt.origin { effects.append(.forgetPage(page)) }
        return end(attempt, .loggedIn(login.token), effects + [.announce(.loggedIn(login.token, isNew: true))])
    }

    // MARK: - The end of an attempt

    /// Ends the running attempt because the viewer or its last call left.
    private mutating func abandon() -> [LoginEffect] {
        guard case .running(let attempt, let stage) = state else { return [] }
        return fail(.loginAbandoned, attempt, stage)
    }

    private mutating func fail(
        _ error: TVEError, _ attempt: LoginAttempt, _ stage: Stage, telling: LoginTelling? = nil
    ) -> [LoginEffect] {
        var effects = Self.leaving(attempt, stage)
        if let mvpdID = stage.mvpdID {
            // A choice that was made in the meantime stays.
            if preselected == mvpdID { preselected = nil }
            effects.append(.forgetAutomaticLogin(mvpdID: mvpdID))
        }
        switch attempt.origin {
        case .call: break
        case .redirect(let page):
            // A service that did not answer can be asked again, and a login that could not be stored can be fetched
            // again.
            if !error.canAskAgain { effects.append(.forgetPage(page)) }
        case .tempPass(let mvpdID):
            // The call that chose the TempPass reports the failure itself.
            guard error.needsPromotionalIdentity else { return end(attempt, .failed(error), effects) }
            // A promotional TempPass logs no viewer in before it has the viewer's id: the choice counts for the next
            // login.
            preselected = mvpdID
            return end(attempt, .settled, effects)
        }
        return end(attempt, .failed(error), effects + [.announce(.failed(error))], telling: telling)
    }

    /// Ends a TempPass after another choice, which has the answer.
    private mutating func supersede(_ attempt: LoginAttempt, _ stage: Stage) -> [LoginEffect] {
        state = .idle
        return Self.leaving(attempt, stage) + [.answer(attempt.calls, .settled)]
    }

    /// What ends with a stage: a running step, a shown code, a page whose redirect is awaited.
    private static func leaving(_ attempt: LoginAttempt, _ stage: Stage) -> [LoginEffect] {
        switch stage {
        case .showingCode: [.stop(attempt: attempt.number), .showCode(nil, attempt)]
        case .atPage(let page): [.stop(attempt: attempt.number), .forgetPage(page)]
        case .atPlatform: [.stop(attempt: attempt.number), .leavePlatform(attempt)]
        case .clearing, .choosing, .opening, .fetching, .keeping: [.stop(attempt: attempt.number)]
        }
    }

    /// From here on no call can join or end the attempt: only now is it announced.
    private mutating func end(
        _ attempt: LoginAttempt, _ answer: LoginAnswer, _ effects: [LoginEffect], telling: LoginTelling? = nil
    ) -> [LoginEffect] {
        let usual: LoginTelling = if case .running(_, .clearing) = state { .each } else { .first }
        state = .idle
        return effects + [.answer(attempt.calls, answer, telling: telling ?? usual)] + beginNext()
    }

    private mutating func beginNext() -> [LoginEffect] {
        guard let next else { return [] }
        self.next = nil
        state = .running(next, .clearing)
        return [.run(.clear, next)]
    }

    // MARK: - Attempts

    private mutating func begin(_ origin: LoginAttempt.Origin, _ terms: LoginTerms, _ calls: [CallID]) -> [LoginEffect]
    {
        let attempt = newAttempt(origin, terms, calls)
        state = .running(attempt, .clearing)
        return [.run(.clear, attempt)]
    }

    private mutating func newAttempt(
        _ origin: LoginAttempt.Origin, _ terms: LoginTerms, _ calls: [CallID]
    ) -> LoginAttempt {
        numbers += 1
        return LoginAttempt(number: numbers, origin: origin, terms: terms, calls: calls)
    }

    /// The attempt under a new number, so that late outcomes of its old steps are dropped.
    private mutating func renumbered(_ attempt: LoginAttempt) -> LoginAttempt {
        numbers += 1
        var attempt = attempt
        attempt.number = numbers
        attempt.codes = 0
        return attempt
    }

    private mutating func join(_ call: CallID, _ attempt: LoginAttempt, _ stage: Stage) {
        var attempt = attempt
        attempt.calls.append(call)
        state = .running(attempt, stage)
    }

    /// A code lasts half an hour, and a television may be left on.
    private static let codesPerLogin = 4
}

// MARK: - Events

/// Events of logins: calls, decisions of the viewer or the app, and outcomes of steps.
enum LoginEvent: Sendable {
    /// A call wants the viewer logged in.
    case called(CallID, LoginTerms)
    /// The redirect has come for a page that an earlier run of the app had opened.
    case redirected(CallID, LoginPage)
    /// The viewer chose a TempPass while no login runs.
    case choseTempPass(CallID, MVPDID)
    /// The viewer chose a TempPass that is still valid.
    case choseKeptTempPass
    /// The viewer chose a provider.
    case chose(MVPDID)
    /// The viewer cancelled the choice of a provider.
    case cancelledChoice
    /// A call was cancelled.
    case left(CallID)
    /// The viewer logged out.
    case loggedOut
    /// The session ends.
    case closed
    /// A step of the current attempt has ended.
    case ended(LoginOutcome)
}

/// The outcome of a step of an attempt.
enum LoginOutcome: Sendable {
    case cleared(LoginFacts)
    case platform(PlatformOutcome)
    /// The viewer's choice, nil for none.
    case picked(MVPDID?)
    /// The service has begun a login.
    case opened(OpenedLogin)
    /// The browser is at a redirect, or the viewer has left.
    case pageEnded(PageEnd)
    case fetched(NewLogin)
    /// There is no login yet, and the redirect may have been another page's: the viewer is still at the page.
    case redirectWasNotOurs
    case polled(SecondScreenPoll, uptime: Duration)
    /// The login is stored.
    case kept
    case failed(TVEError)
}

/// A login that the service has begun.
struct OpenedLogin: Sendable {
    let page: LoginPage
    /// Whether the viewer types its code on another device.
    let isOnSecondScreen: Bool
    /// The uptime at which the code expires.
    let deadline: Duration
}

/// How the viewer left a login page.
enum PageEnd: Sendable, CaseIterable {
    /// The browser reached the redirect that was sent to the service.
    case redirect
    /// The browser reached another URL with its scheme, which any app can open: it counts if the login exists.
    case otherRedirect
    /// The viewer closed the page.
    case left
    /// No end was seen: the code has expired.
    case ranOut
}

/// The outcome of asking for the token of a code.
enum SecondScreenPoll: Sendable {
    case found(NewLogin)
    case notYet
    /// The service no longer knows the code.
    case codeExpired(TVEError)
    case failed(TVEError)
}

/// The outcome of asking the platform's sign-on.
enum PlatformOutcome: Sendable {
    /// The service gave a login for the platform's answer.
    case found(NewLogin)
    /// The viewer chose a provider in the platform's picker that logs in with its own page.
    case chosen(MVPDID)
    /// The service has begun an ordinary login in place of the platform's.
    case begun(OpenedLogin)
    /// The viewer must choose in the app's picker.
    case notPossible
}

// MARK: - Effects

/// What a login machine requests.
enum LoginEffect: Sendable {
    /// Take the next step of an attempt; its end is an event.
    case run(LoginStep, LoginAttempt)
    /// Cancel the running step of an attempt; its outcome is ignored.
    case stop(attempt: Int)
    /// Show again what the viewer has to do, for a call that joins.
    case showAgain(LoginAttempt)
    /// The viewer does not log in with the platform any more.
    case leavePlatform(LoginAttempt)
    /// Show a code, or hide it.
    case showCode(RegistrationCode?, LoginAttempt)
    case announce(LoginAnnouncement)
    /// The next login with this provider shows the picker again.
    case forgetAutomaticLogin(mvpdID: MVPDID)
    /// Store a page whose redirect may come after the app was closed and opened again.
    case keepPage(LoginPage)
    /// Stop waiting for the redirect of this page.
    case forgetPage(LoginPage)
    /// Answer calls. All announcements were made before, and the attempt has ended.
    case answer([CallID], LoginAnswer, telling: LoginTelling = .each)
}

/// Which of the answered calls report to the app.
enum LoginTelling: Sendable {
    case each
    /// The calls share one login, which the viewer saw once.
    case first
    /// The app closed the page without an answer, and expects none.
    case nobody
}

/// A step of an attempt.
enum LoginStep: Sendable {
    /// End what must not run during a login, and read what is known.
    case clear
    case askPlatform
    case choose
    /// Begin a login at the provider's service.
    case open(mvpdID: MVPDID)
    case showPage(LoginPage)
    /// Ask for the outcome of a login; unless the browser certainly returned, the viewer may still be at the page.
    case fetch(LoginPage, isCertain: Bool)
    /// Wait, and ask for the token of a code.
    case poll(LoginPage)
    case keep(NewLogin)
}

/// What is reported about logins.
enum LoginAnnouncement: Sendable {
    case selected(mvpdID: MVPDID)
    case code(RegistrationCode)
    case loggedIn(AuthenticationToken, isNew: Bool)
    case failed(TVEError)
}

/// The answer to a call that waited for an attempt.
enum LoginAnswer: Sendable {
    case loggedIn(AuthenticationToken)
    case failed(TVEError)
    /// No answer: a later call has it, or the choice counts for the next login.
    case settled
}
