import Foundation
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Loads the requestor's configuration, registering the application first if that was never done.
    ///
    /// All services are asked at once; one that answers is enough, and once one has, the others have five seconds. Then the store
    /// is brought in order, and a login is taken over where that needs no viewer: from an older store, from the platform's
    /// sign-on, and with a presenter from another requestor's login (API reference, rows Q1 to Q17). May be called again, for
    /// example when the app returns to the foreground; the old configuration serves until the new one is there. Calls at the
    /// same time share one start.
    ///
    /// - Parameter presenter: opens the page of a silent login with another requestor's session; without it there is none.
    /// - Returns: the configuration with its providers.
    /// - Throws: `TVEError`: `applicationNotRegistered`, `accessTokenUnavailable`, `unknownRequestor`,
    ///   `serviceUnreachable`, `connectionNotTrusted`, `serviceFailed`, `clientTooOld`, `throttled`, `storageFailed`. The
    ///   status code goes out as an event as well (API reference, `setRequestor`).
    @discardableResult
    public func start(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError)
        -> RequestorConfiguration
    {
        try await measured(.start) { () async throws(TVEError) in
            let call = nextCall()
            let answer = await withTaskCancellationHandler {
                await withCheckedContinuation { waiting in
                    startFlow.calls[call] = waiting
                    handle(StartEvent.called(call, presenter))
                    if Task.isCancelled { handle(StartEvent.left(call)) }
                }
            } onCancel: {
                Task { await self.handle(StartEvent.left(call)) }
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
            // A task that has nothing to do would cost the start some hops between threads.
            handle(StartEvent.ended)
        case .run(let stage, let start): run(stage, start)
        case .stop(let number): if startFlow.step?.start == number { startFlow.step?.task.cancel() }
        case .tidyUp:
            tidyUp()
            guard isClockSkewed else { return }
            hub.emit(.status(StatusEvent(.clockSkew, message: "The device's clock differs from the service's.")))
        case .report(let error): _ = reported(error)
        case .answer(let calls, let answer):
            for call in calls { startFlow.calls.removeValue(forKey: call)?.resume(returning: answer) }
        }
    }

    /// Takes a step of a start; what it brings after the start is over is dropped here.
    private func run(_ stage: StartMachine.Stage, _ start: Start) {
        let task = Task {
            guard hub.isOpen else { return }
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
                return .loaded(try await load())
            } catch {
                return .failed(error)
            }
        case .signingOn: await signOnSilently()
        case .takingOver: await takeOverLogins()
        case .loggingInPassively: if let presenter = start.presenter { await logInPassively(presenter) }
        }
        return .ended
    }

    private func load() async throws(TVEError) -> LoadedConfiguration {
        guard !requestorID.isEmpty else {
            throw TVEError(.unknownRequestor, status: .unknownRequestor, message: "The requestor id is empty.")
        }
        checkStore()
        return try await askServices()
    }

    /// Looks at what is stored, once in the life of the session (API reference, rows T-64 to T-74).
    ///
    /// A store that cannot be read just now was not looked at, and the next start tries again.
    private func checkStore() {
        if let report = startFlow.earlyReport { hub.emit(.integrity(report)) }
        startFlow.earlyReport = nil
        guard !startFlow.hasCheckedStore, housekeeping.integrityCheck != .none else { return }
        let report = store.check(housekeeping.integrityCheck, loggingOut: keepsCopies ? [requestorID] : [])
        if case .unavailable = report.outcome {} else { startFlow.hasCheckedStore = true }
        hub.emit(.integrity(report))
    }

    /// Takes over what a check before the session found.
    func remember(_ report: IntegrityReport?) {
        startFlow.earlyReport = report
        if report != nil { startFlow.hasCheckedStore = true }
    }

    /// Brings the store in order before anybody asks it: other devices' entitlements, logins of older versions, tokens that
    /// have run out (API reference, sanitizer and importer).
    ///
    /// A store that cannot be used now is none of the start's business; whoever needs it will say so.
    private func tidyUp() {
        let now = clock.now()
        // Before the sanitizer, which might take what can still be had.
        _ = try? store.importLogin(of: requestorID, from: housekeeping.legacyStores, at: now)
        if let removed = try? store.sanitize(housekeeping.foreignTokens), removed > 0 {
            hub.emit(.status(StatusEvent(.deviceMismatch, message: "Entitlements of another device were removed.")))
        }
        // A clock that is wrong must not cost anybody a login.
        if !isClockSkewed { _ = try? store.removeExpired(at: now, permissionsOnly: loaded?.merged.serverTime == nil) }
    }

    private var isClockSkewed: Bool {
        guard let serverTime = loaded?.merged.serverTime else { return false }
        return abs(serverTime.timeIntervalSince(clock.now())) > Self.toleratedSkew
    }

    /// Seconds by which the device's clock may differ (wire protocol, configuration `time`).
    private static let toleratedSkew: TimeInterval = 59
}
