import Foundation
import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    func handle(_ event: LoginEvent) {
        for effect in loginFlow.machine.handle(event) { perform(effect) }
    }

    private func perform(_ effect: LoginEffect) {
        switch effect {
        case .run(let step, let attempt): run(step, attempt)
        case .stop(let number):
            guard loginFlow.step?.attempt == number else { return }
            loginFlow.step?.task.cancel()
            loginFlow.leftStep = loginFlow.step?.task
            loginFlow.step = nil
        case .showAgain(let attempt):
            guard let presenter = attempt.terms.presenter else { return }
            if let queueing = presenter as? any CallbackQueueingPresenter {
                queueing.tellAgain()
            } else {
                Task { await presenter.showAgain() }
            }
        case .promptEnded(let attempt): (attempt.terms.presenter as? any CallbackQueueingPresenter)?.promptEnded()
        case .showCode(let code, let attempt):
            guard let presenter = attempt.terms.presenter else { return }
            show(code.map { withPage($0) }, presenter)
        case .announce(let announcement): announce(announcement)
        case .forgetAutomaticLogin(let mvpdID):
            // Stored tokens stay. The cause of the failed login matters more than a mark that could not be removed.
            _ = try? change { [requestorID] entitlements throws(StorageError) in
                try entitlements.clearCanAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
            }
        case .keepPage(let page): keepPendingLogin(page)
        case .forgetPage(let page): forgetPendingLogin(page)
        case .answer(let calls, let answer, let telling):
            let waiting = calls.compactMap { loginFlow.calls.removeValue(forKey: $0) }
            tell(waiting, answer, telling)
            guard let showing = loginFlow.codeDisplay?.task else { return end(waiting, answer) }
            // The code disappears from the screen before the calls return.
            Task {
                _ = await clock.run(atMost: Self.presenterTimeLimit) { await showing.value }
                end(waiting, answer)
            }
        }
    }

    /// Shows or hides a code when the screen has done what came before, of this login or the last one; a screen that does not
    /// answer must not keep the next code back.
    private func show(_ code: RegistrationCode?, _ presenter: any AuthenticationPresenter) {
        let last = loginFlow.codeDisplay
        let number = (last?.number ?? 0) + 1
        let task = Task {
            if let last { _ = await clock.run(atMost: Self.presenterTimeLimit) { await last.task.value } }
            if let code { await presenter.show(code) } else { await presenter.hideCode() }
            if loginFlow.codeDisplay?.number == number { loginFlow.codeDisplay = nil }
        }
        loginFlow.codeDisplay = LoginFlow.CodeDisplay(number: number, task: task)
    }

    /// A code with the page at which the viewer types it.
    private func withPage(_ code: RegistrationCode) -> RegistrationCode {
        var code = code
        code.activationURL = activationURL?.appending(queryItems: [URLQueryItem(name: "code", value: code.code)])
        return code
    }

    private func tell(_ calls: [LoginCall], _ answer: LoginAnswer, _ telling: LoginTelling) {
        // A call without an answer of its own reports nothing.
        if case .settled = answer { return }
        let status = AuthenticationStatus(outcome(of: answer))
        switch telling {
        case .each: for call in calls { call.tell(self, status) }
        case .first:
            // An authorization has an answer of its own, and may have ended already.
            let teller = calls.first { !$0.isForPermission } ?? calls.first
            teller?.tell(self, status)
        case .nobody: break
        }
    }

    private func end(_ calls: [LoginCall], _ answer: LoginAnswer) {
        for call in calls { call.waiting.resume(returning: answer) }
    }

    /// Takes a step of an attempt; outcomes that arrive after the attempt has ended are dropped here, and only here.
    ///
    /// A login that was found is stored in the same turn of the actor, so no cancel can come between.
    private func run(_ step: LoginStep, _ attempt: LoginAttempt) {
        let left = loginFlow.leftStep
        loginFlow.leftStep = nil
        let task = Task {
            // Two pages at once would confuse the viewer.
            if let left { _ = await clock.run(atMost: Self.presenterTimeLimit) { await left.value } }
            guard !Task.isCancelled, listeners.isOpen else { return }
            let outcome: LoginOutcome
            do throws(TVEError) {
                outcome = try await self.outcome(of: step, attempt)
            } catch {
                outcome = .failed(error)
            }
            guard !Task.isCancelled, loginFlow.machine.attempt?.number == attempt.number else { return }
            handle(.ended(stored(outcome)))
        }
        loginFlow.step = LoginFlow.Step(attempt: attempt.number, task: task)
    }

    func announce(_ announcement: LoginAnnouncement) {
        switch announcement {
        case .selected(let mvpdID): track(.providerSelected(mvpdID: mvpdID))
        case .code(let code): listeners.emit(.status(StatusEvent(registrationCode: code.code)))
        case .failed(let error): announcedFailure(error)
        case .loggedIn(let token, let isNew):
            if isNew { announceSpecialLogin(with: token) }
            announcedLogin(token, isCached: !isNew)
        }
    }

    /// Reports a login that did not come from the viewer's account.
    private func announceSpecialLogin(with token: AuthenticationToken) {
        if token.claims.isDegraded {
            listeners.emit(.status(StatusEvent(.authenticatedByDegradation, message: "The TV provider is degraded.")))
        } else if isTempPass(token) {
            listeners.emit(.status(StatusEvent(.authenticatedByTempPass, message: "Logged in by a TempPass.")))
        }
    }

    /// Waits until the login with a TempPass that was just chosen has succeeded or failed.
    func tempPassSettled() async {
        while case .tempPass? = loginFlow.machine.attempt?.origin, let step = loginFlow.step?.task { await step.value }
    }

    /// How long a presenter may take to dismiss what it shows.
    private static let presenterTimeLimit = Duration.seconds(5)
}
