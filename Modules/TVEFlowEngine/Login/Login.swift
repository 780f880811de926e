import Foundation
import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// The flow that logs the viewer in: it performs the effects of ``LoginMachine``, answers the waiting calls, and
/// receives the viewer's choices.
final class Login: Flow {
    private let steps: LoginSteps
    private let pages: KeptPages
    private var machine = LoginMachine()
    private let callers = Callers<LoginAnswer>()
    /// The running step.
    private var step: Attempt?
    /// The ticket of the attempt with one provider.
    ///
    /// It covers the steps of the attempt and everything that they show.
    private lazy var ticket = Ticket(parts.listeners)
    /// The step that was stopped last.
    ///
    /// The next step waits until its page is dismissed.
    private var stoppedStep: Task<Void, Never>?
    private let codes: CodeScreen
    /// A Boolean value that indicates whether the logins end because the session ends.
    ///
    /// A session that was closed a moment ago still records that the app has left a login before.
    private var isClosed = false
    /// The platform's status at the last start, which explains to calls why the viewer is not logged in.
    private(set) var platformNote: StatusEvent?

    /// Creates the flow of logins.
    ///
    /// - Parameter ending: the flows that must end their work before a login begins.
    init(_ logins: Logins, _ platform: Platform, ending: [any EndsBeforeLogin]) {
        steps = LoginSteps(logins, platform, ending: ending)
        pages = KeptPages(logins)
        codes = CodeScreen(logins.parts.clock)
        super.init(logins)
    }

    // MARK: - Calls

    /// Logs the viewer in and waits for the outcome, or answers with the current login; see
    /// ``EntitlementSession/authenticate(using:isForced:data:filter:)``.
    ///
    /// - Parameters:
    ///   - begun: a closure that receives the call, for ``leave(_:on:)``.
    ///   - answer: a closure that receives the answer before anything else happens on the actor.
    func authenticate(
        _ parameters: LoginParameters, on actor: isolated any Actor, begun: (CallID) -> Void = { _ in },
        answer: @escaping (Result<AuthenticationToken, TVEError>) -> Void = { _ in }
    ) async -> Result<AuthenticationToken, TVEError> {
        let outcome = await wait(on: actor) { call in
            begun(call)
            return .called(call, parameters)
        } answer: {
            answer($0 ?? .failure(.loginAbandoned))
        }
        return outcome ?? .failure(.loginAbandoned)
    }

    /// Ends a call, and the login as well if it is the last one.
    func leave(_ call: CallID, on actor: isolated any Actor) {
        callers.answer(codes.withdraw { waiting, _ in waiting == call }, .failure(.loginAbandoned))
        handle(.left(call), on: actor)
    }

    /// Logs in without interaction of the viewer.
    ///
    /// Anything that the viewer does in the meantime ends this login.
    func silently(_ login: SilentLogin, _ parameters: LoginParameters, on actor: isolated any Actor) async {
        // A viewer who is at a login page must not lose it to this login, and a viewer who logs out must not lose the
        // logout page.
        guard !machine.isRunning, !logins.isLogoutUnderWay else { return }
        if case .passive = login {
            let text = "Logging in with the session of another requestor."
            reports.status(StatusEvent(.passiveStarted, message: text))
        }
        _ = await wait(on: actor) { .startedSilently($0, login, parameters: parameters) }
    }

    /// Returns the page of a login that an earlier session had opened, if the page ends at the URL.
    private func earlierPage(endingAt url: URL) throws(TVEError) -> LoginPage? {
        let page = try pages.page(endingAt: url)
        return page?.hasCode(of: machine.ownPage) == true ? nil : page
    }

    /// Returns the page of an earlier login that may be resumed at a URL.
    nonisolated(nonsending) private func resumablePage(endingAt url: URL) async throws(TVEError) -> LoginPage? {
        guard parts.isOpen else { throw .sessionIsClosed }
        guard let page = try earlierPage(endingAt: url) else { return nil }
        if let redirectURL = BrowserPage(page)?.redirectURL, url.isRedirect(redirectURL) { return page }
        // The viewer may have begun another login or logged out in the meantime.
        // The request does not use up the login.
        guard machine.isFree, let service = try? providers.service(of: page),
            (try? await service.authentication(of: page)) != nil, machine.isFree
        else { return nil }
        return try earlierPage(endingAt: url) == page ? page : nil
    }

    /// Finishes an earlier login and waits for the outcome; see ``EntitlementSession/resumeLogin(at:)``.
    ///
    /// If the redirect names an error, the login ends with it.
    func resumeLogin(at url: URL, on actor: isolated any Actor) async throws(TVEError) -> AuthenticationToken? {
        guard let page = try await resumablePage(endingAt: url) else { return nil }
        let refusal = BrowserPage(page)?.refusal(at: url)
        return try await wait(refusal: refusal, on: actor) { .redirected($0, page) }?.get()
    }

    private func wait(
        refusal: String? = nil, on actor: isolated any Actor, _ event: (CallID) -> LoginEvent,
        answer: @escaping (LoginAnswer) -> Void = { _ in }
    ) async -> LoginAnswer {
        await callers.wait(on: actor, onAnswer: answer) { call in
            guard parts.isOpen else { return callers.answer([call], .failure(.sessionIsClosed)) }
            handle(event(call), on: actor)
            // The redirect contains the outcome of the login, so no request to the service is necessary.
            guard let refusal, machine.attempt?.calls.contains(call) == true else { return }
            handle(.ended(.failed(.loginRefused(refusal))), on: actor)
        } leave: { [self] call in
            leave(call, on: actor)
        }
    }

    // MARK: - Choices

    /// The provider of the running login, or the one that was chosen for the next login.
    ///
    /// The provider of a silent login is not included, because nobody has chosen it.
    var selected: MVPDID? {
        let running = machine.isFree ? nil : machine.mvpdID ?? machine.attempt?.chosenTempPass
        return running ?? machine.preselected
    }

    /// Chooses the provider of the next login; see ``EntitlementSession/selectProvider(_:)``.
    func choose(_ mvpdID: MVPDID?, on actor: isolated any Actor) async throws(TVEError) -> AuthenticationStatus? {
        // The choice is a decision even if there is nothing to store.
        logins.decided()
        handle(.viewerActed, on: actor)
        do throws(TVEError) {
            try logins.readiness.check()
            guard mvpdID?.text.isEmpty != true else { throw .unknownProvider }
            logins.pendingChoice.withdraw()
            guard let mvpdID else { return try cancelChoice(on: actor) }
            // A later choice, a logout and the end of the session override this choice.
            guard await logins.pendingChoice.prepare(mvpdID, providers, on: actor), !Task.isCancelled else {
                return nil
            }
            guard providers.offers(mvpdID) else { throw .unknownProvider }
            guard !machine.isWithViewer, providers.provider(mvpdID)?.isTempPass == true else {
                // The provider of a login that is running is stored with the login.
                if !machine.isWithViewer { try logins.choose(mvpdID) }
                handle(.chose(mvpdID), on: actor)
                return nil
            }
            reports.track(.providerSelected(mvpdID: mvpdID))
            if let login = try logins.choose(validTempPass: mvpdID) {
                handle(.choseKeptTempPass, on: actor)
                return reports.notify(reports.announce(login: logins.profile(of: login), isCached: true))
            }
        } catch {
            // A login that is running continues and has one answer, so only the choice is refused.
            if !machine.isFree {
                _ = reports.reported(error)
            } else {
                reports.notify(reports.announce(failure: error))
            }
            throw error
        }
        guard let mvpdID else { return nil }
        // The TempPass logs the viewer in without a further call (API reference, rows SP9, SP10). A promotional one
        // does not before it has the viewer's id, which is not a failure. The choice is stored only if the TempPass
        // logs the viewer in or has expired; another failure says nothing about it.
        let answer = await wait(on: actor) { .choseTempPass($0, mvpdID) }
        _ = try answer?.get()
        return status(of: answer)
    }

    private func cancelChoice(on actor: isolated any Actor) throws(TVEError) -> AuthenticationStatus? {
        let isRunning = !machine.isFree
        pages.forgetPage(of: nil)
        // A running login ends and is answered even if the choice cannot be removed.
        if isRunning { try? logins.forgetProvider() }
        handle(.allLoginsEnd, on: actor)
        if isRunning { return nil }
        try logins.choose(nil)
        let error = TVEError(.providerNotSelected, message: "The choice of TV provider was cancelled.")
        return reports.notify(reports.announce(failure: error))
    }

    /// Waits until the login with a TempPass that was just chosen has succeeded or failed.
    nonisolated(nonsending) func tempPassSettled() async {
        // The outcome of a step is ignored once the session is closed, so its attempt continues until the session ends.
        // A wait for the task of such a step would return at once, again and again, and keep the actor from ending.
        while parts.isOpen, machine.attempt?.chosenTempPass != nil, let task = step?.task { await task.value }
    }

    // MARK: - Events of the session

    /// Ends all logins because the session ends.
    ///
    /// The page at which a viewer is stays stored, and so does the record of an earlier success.
    func close(on actor: isolated any Actor) {
        isClosed = true
        loggedOut(of: nil, on: actor)
    }

    /// Ends a running login when the viewer logs out, because it would log the viewer in again afterwards.
    ///
    /// - Parameter mvpdID: the provider whose login ends; `nil` ends all logins.
    func loggedOut(of mvpdID: MVPDID?, on actor: isolated any Actor) {
        callers.answer(codes.withdraw { mvpdID == nil || $1 == mvpdID }, .failure(.loginAbandoned))
        // The redirect of a page that an earlier session has opened would log the viewer in again. A logout of all
        // providers removes the page itself.
        if let mvpdID { pages.forgetPage(of: mvpdID) }
        // A TempPass would log the viewer in again as soon as its choice is complete.
        if mvpdID == nil || mvpdID == logins.pendingChoice.mvpdID { logins.pendingChoice.withdraw() }
        // A silent login ends in any case, because its provider may not be known yet.
        handle(.viewerActed, on: actor)
        guard mvpdID == nil || mvpdID == machine.mvpdID ?? machine.attempt?.chosenTempPass else { return }
        handle(.allLoginsEnd, on: actor)
    }

    // MARK: - Effects

    private func handle(_ event: LoginEvent, on actor: isolated any Actor) {
        let effects = machine.handle(event)
        logins.record(isLoginUnderWay: machine.isRunning)
        for effect in effects { perform(effect, on: actor) }
    }

    private func perform(_ effect: LoginEffect, on actor: isolated any Actor) {
        switch effect {
        case .run(let stage, let attempt): run(stage, attempt, on: actor)
        case .stop:
            // The ticket is cleared first, so nothing of the attempt is shown from now on.
            ticket.clear()
            ticket = Ticket(parts.listeners)
            codes.hide(on: actor)
            step?.stop()
            stoppedStep = step?.task ?? stoppedStep
            step = nil
        case .showAgain(let attempt): showAgain(attempt)
        case .showCode(let code, let attempt):
            guard let screen = Screen(attempt.parameters.presenter, ticket) else { break }
            codes.show(code, typedAt: parts.activationURL, on: screen, actor)
        case .announceSelection(let mvpdID): reports.track(.providerSelected(mvpdID: mvpdID))
        case .announceCode(let code):
            let event = StatusEvent(registrationCode: code.code)
            reports.status(event)
            (machine.attempt?.parameters.presenter as? any CallbackQueueingPresenter)?.notify(
                code: event, under: ticket)
        case .announceLogin(let token, let isNew):
            if isNew { announceSpecialLogin(with: token) }
            reports.announce(login: logins.profile(of: token), isCached: !isNew)
        case .announceFailure(let error): reports.announce(failure: error)
        // The end of a session says nothing about the viewer, and the redirect of the page may still arrive.
        case .forgetAutomaticLogin(let mvpdID): if !isClosed { logins.forgetAutomaticLogin(with: mvpdID) }
        case .keepPage(let page): pages.keep(page)
        case .forgetPage(let page): if !isClosed { pages.forget(page) }
        case .answer(let calls, let answer, let calling):
            if let outcome = status(of: answer) {
                for _ in calling.selection(of: calls) { reports.notify(outcome) }
            }
            // The code disappears from the screen before the calls return.
            codes.whenShown(to: calls, with: (try? answer?.get())?.claims.providerID, actor) { [callers] in
                callers.answer(calls, answer)
            }
        }
    }

    /// Runs a step of an attempt.
    ///
    /// Outcomes that arrive after the attempt has ended are ignored.
    /// A login that the step finds is stored in the same turn of the actor, so no cancellation can come between the
    /// two.
    private func run(_ stage: LoginMachine.Stage, _ attempt: LoginAttempt, on actor: isolated any Actor) {
        let stopped = stoppedStep
        stoppedStep = nil
        step = Attempt(ticket, on: actor) { [self] (ticket) -> LoginOutcome in
            // Two pages at once would confuse the viewer.
            if let stopped { _ = await parts.clock.run(atMost: Self.presenterTimeLimit) { await stopped.value } }
            guard ticket.isValid else { return .failed(.loginAbandoned) }
            do throws(TVEError) {
                let outcome = try await steps.outcome(of: stage, attempt, under: ticket, on: actor)
                if outcome.login != nil { await logins.waitForStore() }
                return outcome
            } catch {
                return .failed(error)
            }
        } ended: { [self] outcome in
            ended(outcome, on: actor)
        }
    }

    private func ended(_ outcome: LoginOutcome, on actor: isolated any Actor) {
        step = nil
        switch outcome {
        case .platform(let answer):
            if let note = answer.note { reports.status(note) }
            if case .silent? = machine.attempt?.origin { platformNote = answer.note }
            logins.removeRevoked(answer.endedLogin)
        case .pageEnded(.otherRedirect): logins.record(hasOpenLogoutPage: false)
        case .cleared, .picked, .opened, .pageEnded, .found, .notFound, .failed: break
        }
        handle(.ended(stored(outcome)), on: actor)
    }

    /// Stores the login that a step has found, before it is reported.
    ///
    /// A TempPass that has expired is stored as the chosen provider, by which apps recognize it (row TP5).
    ///
    /// - Returns: the outcome, or an error if the login or the choice could not be stored.
    private func stored(_ outcome: LoginOutcome) -> LoginOutcome {
        do throws(TVEError) {
            if let login = outcome.login { try logins.store(login) }
            if case .failed(let error) = outcome, error.code == .temporaryAccessExpired, let mvpdID = machine.mvpdID {
                try logins.choose(mvpdID)
            }
            return outcome
        } catch {
            // A TempPass may also have expired by the time at which its login is stored.
            return stored(.failed(error))
        }
    }

    // MARK: - What is shown

    private func showAgain(_ attempt: LoginAttempt) {
        if let queueing = attempt.parameters.presenter as? any CallbackQueueingPresenter {
            queueing.repeatCallback()
        } else if let screen = Screen(attempt.parameters.presenter, ticket) {
            Task { await screen.showAgain() }
        }
    }

    /// Reports the status of a login that did not come from the viewer's account.
    private func announceSpecialLogin(with token: AuthenticationToken) {
        if token.claims.isDegraded {
            reports.status(StatusEvent(.authenticatedByDegradation, message: "The TV provider is degraded."))
        } else if providers.isTempPass(token) {
            reports.status(StatusEvent(.authenticatedByTempPass, message: "Logged in by a TempPass."))
        }
    }

    // MARK: - Answers

    /// Returns the status that an answer implies; `nil` for a call without an answer of its own, which reports nothing.
    private func status(of answer: LoginAnswer) -> AuthenticationStatus? {
        switch answer {
        case .success(let token)?: .authenticated(logins.profile(of: token))
        case .failure(let error)?: AuthenticationStatus(error)
        case .none: nil
        }
    }

    /// The time that a presenter has to dismiss what it shows.
    private static let presenterTimeLimit = Duration.seconds(5)
}
