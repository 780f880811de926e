import Foundation
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Prepares the session: tidies the store, and takes over a login where that needs no viewer: from an older store,
    /// from the platform's sign-on, from the service, and with a presenter from another requestor's login (API
    /// reference, rows Q1 to Q17).
    ///
    /// The classic dialect loads the requestor's configuration first. REST API v2 does so only for the platform's
    /// sign-on, or with several services: a viewer who is logged in waits for no request, and for anyone else the
    /// service is asked which logins it keeps. Registers the application first if it is not registered yet. May be called
    /// again, for example when the app returns to the foreground. Calls at the same time share one start.
    ///
    /// - Parameter presenter: opens the page of a silent login with another requestor's session; with nil there is no
    ///   silent login.
    /// - Throws: `TVEError`: `applicationNotRegistered`, `redirectNotRegistered`, `accessTokenUnavailable`,
    ///   `unknownRequestor`, `serviceUnreachable`, `connectionNotTrusted`, `serviceFailed`, `clientTooOld`, `throttled`, `storageFailed`.
    ///   The status code is also reported as an event (API reference, `setRequestor`).
    public func start(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError) {
        try await measured(.start) { () async throws(TVEError) in
            let answer = await answer { call, waiting in
                startFlow.calls[call] = waiting
                handle(StartEvent.called(call, presenter))
            } leave: { session, call in
                session.handle(StartEvent.left(call))
            }
            return try answer.get()
        }
    }

    // MARK: - Effects

    func handle(_ event: StartEvent) {
        for effect in startFlow.machine.handle(event) { perform(effect) }
    }

    private func perform(_ effect: StartEffect) {
        switch effect {
        case .run(.signingOn, _) where platform == nil, .run(.takingOver, _) where !keepsCopies:
            // A task with nothing to do would cost the start some thread switches.
            handle(StartEvent.ended)
        case .run(let stage, let start): run(stage, start)
        case .stop(let number): if startFlow.step?.start == number { startFlow.step?.task.cancel() }
        case .tidyUp(let expired):
            tidyUp(expired)
            if !keepsCopies { reportClock() }
        case .report(let error): _ = reported(error)
        case .answer(let calls, let answer):
            startFlow.failure = if case .failure(let error) = answer { error } else { nil }
            for call in calls { startFlow.calls.removeValue(forKey: call)?.resume(returning: answer) }
        }
    }

    /// Takes a step of a start; outcomes that arrive after the start has ended are dropped here.
    private func run(_ stage: StartMachine.Stage, _ start: Start) {
        let task = Task {
            guard listeners.isOpen else { return }
            let event = await outcome(of: stage, start)
            guard !Task.isCancelled, startFlow.machine.start?.number == start.number else { return }
            handle(event)
        }
        startFlow.step = StartFlow.Step(start: start.number, task: task)
    }

    private func outcome(of stage: StartMachine.Stage, _ start: Start) async -> StartEvent {
        switch stage {
        case .asking:
            do throws(TVEError) {
                return try await load()
            } catch {
                return .failed(error)
            }
        case .signingOn: await logInSilently(.platform, LoginTerms())
        case .takingOver:
            do throws(TVEError) {
                try await takeOverLogins()
                // A viewer who is logged in plays on; nobody else could log in.
                if (try? validLogin()) ?? nil == nil { try checkRedirect() }
            } catch {
                return .failed(error)
            }
        case .loggingInPassively: if let presenter = start.presenter { await logInPassively(presenter) }
        }
        return .ended
    }

    private func load() async throws(TVEError) -> StartEvent {
        guard !requestorID.text.isEmpty else {
            throw TVEError(.unknownRequestor, status: .unknownRequestor, message: "The requestor id is empty.")
        }
        checkStore()
        // Read while the services are asked: a large store takes longer than an answer. Not with `async let`, which would
        // wake another thread only to wait for this actor.
        let expired = Task { expiredTokens() }
        if !keepsCopies {
            keep(try await askServices())
        } else if isConfigurationNeeded {
            do throws(TVEError) {
                _ = try await configuration()
            } catch {
                // Without it there is no silent sign-on with the platform; a viewer's own login needs none.
                if services.count > 1 { throw error }
            }
        }
        return .asked(await expired.value)
    }

    /// Whether a start over a service that keeps the logins needs the configuration: nobody is logged in, and only the
    /// configuration can say whom to ask.
    private var isConfigurationNeeded: Bool {
        (platform != nil || services.count > 1) && (try? storedLogin(with: currentProvider()).map(isValid)) != true
    }

    private func expiredTokens() -> [ExpiredToken] { (try? store.expiredTokens(at: clock.now())) ?? [] }

    /// Checks what is stored, at most once per session (API reference, rows T-64 to T-74).
    ///
    /// A store that cannot be read now was not checked, and the next start tries again.
    private func checkStore() {
        if let report = startFlow.earlyReport { listeners.emit(.integrity(report)) }
        startFlow.earlyReport = nil
        guard !startFlow.hasCheckedStore, housekeeping.integrityCheck != .none else { return }
        let report = store.check(housekeeping.integrityCheck, loggingOut: keepsCopies ? [requestorID] : [])
        if case .unavailable = report.outcome {} else { startFlow.hasCheckedStore = true }
        listeners.emit(.integrity(report))
    }

    /// Takes over the result of a check before the session.
    func remember(_ report: IntegrityReport?) {
        startFlow.earlyReport = report
        if report != nil { startFlow.hasCheckedStore = true }
    }

    /// Tidies the store before any call reads it: other devices' entitlements, logins of older versions, expired tokens
    /// (API reference, sanitizer and importer).
    ///
    /// The start ignores a store that cannot be used now; calls that need it report the error.
    private func tidyUp(_ expired: [ExpiredToken]) {
        // Before the sanitizer, which might remove what can still be imported.
        _ = try? store.importLogin(of: requestorID, from: housekeeping.legacyStores, at: clock.now())
        if let removed = try? store.sanitize(housekeeping.foreignTokens), removed > 0 {
            listeners.emit(
                .status(StatusEvent(.deviceMismatch, message: "Entitlements of another device were removed.")))
        }
        // A wrong clock must not remove a login.
        if !configurationFlow.isClockSkewed {
            _ = try? store.remove(expired, permissionsOnly: loaded?.merged.serverTime == nil)
        }
    }
}
