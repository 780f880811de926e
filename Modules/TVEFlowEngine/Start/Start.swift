import TVEModels
import TVEStorage

/// The flow that prepares a session: it cleans up the store, and takes over a login that needs no interaction with the
/// viewer.
///
/// Simultaneous starts share one run of the stages, one stage after the other. A failed start does not undo the success
/// of an earlier one.
final class Start: Flow {
    private let readiness: Readiness.Changes
    private let login: Login
    private let refresh: Refresh?
    private let run: Run<Result<Void, TVEError>>
    /// The presenter that opens the page of a silent login, from the first caller that has one.
    private var presenter: (any AuthenticationPresenter)?
    /// A Boolean value that indicates whether the store was checked as the housekeeping requests.
    private var hasCheckedStore: Bool
    /// The result of a check before the session was created.
    private var earlyReport: IntegrityReport?

    /// Creates the flow of starts.
    ///
    /// - Parameters:
    ///   - readiness: the changes of the readiness that the other flows read.
    ///   - checked: the result of a check before the session was created.
    init(_ logins: Logins, _ readiness: Readiness.Changes, login: Login, refresh: Refresh?, checked: IntegrityReport?) {
        self.readiness = readiness
        self.login = login
        self.refresh = refresh
        run = Run(logins.parts.listeners)
        earlyReport = checked
        hasCheckedStore = checked != nil
        super.init(logins)
    }

    // MARK: - Calls

    /// Starts the session; see ``EntitlementSession/start(using:)``.
    func start(
        using presenter: (any AuthenticationPresenter)?, on actor: isolated any Actor
    ) async -> Result<Void, TVEError> {
        guard parts.isOpen else { return .failure(.sessionIsClosed) }
        // The presenter of a start whose calls were all cancelled is not used for the next start.
        if run.isIdle { self.presenter = nil }
        self.presenter = self.presenter ?? presenter
        let (answer, _) = await run.answer(on: actor, ifLeft: .failure(.startCancelled)) { [self] ticket in
            do throws(TVEError) {
                try await takeStages(under: ticket, on: actor)
                readiness.startEnded(nil)
                return .success(())
            } catch {
                guard ticket.isValid else { return .failure(error) }
                readiness.startEnded(error)
                return .failure(reports.reported(error))
            }
        }
        guard run.isIdle else { return answer }
        self.presenter = nil
        if case .failure(let error) = answer { readiness.startEnded(error) }
        return answer
    }

    /// The task of the running start.
    var task: Task<Void, Never>? { run.task }

    /// Ends all running work because the session ends.
    func close() { run.end(.failure(.sessionIsClosed)) }

    // MARK: - Stages

    private func takeStages(under ticket: Ticket, on actor: isolated any Actor) async throws(TVEError) {
        cleanUpStore(try await ticket.after(loadData(under: ticket, on: actor)))
        readiness.cleanUpEnded()
        if parts.platform != nil {
            try await ticket.after(login.silently(.platform, LoginParameters(), on: actor))
        }
        // A viewer who is logged in can continue. Without a usable redirect nobody else could log in.
        if let refresh, try await !ticket.after(refresh.takeOver(on: actor)) { try providers.checkRedirect() }
        if let presenter { try await ticket.after(logInPassively(presenter, on: actor)) }
    }

    /// Checks the store, and loads the configuration if it is needed.
    ///
    /// - Returns: the stored tokens that had already expired.
    private func loadData(under ticket: Ticket, on actor: isolated any Actor) async throws(TVEError) -> [ExpiredToken] {
        guard !parts.requestorID.text.isEmpty else {
            throw TVEError(.unknownRequestor, status: .unknownRequestor, message: "The requestor id is empty.")
        }
        checkStore()
        // Without a request, a task for the tokens would only wake another thread before the first play.
        guard isConfigurationNeeded else { return logins.expiredTokens(on: actor) }
        // The tokens are read during the requests, because a large store takes longer than an answer. An `async let`
        // would wake another thread only to wait for this actor.
        let expired = Task { logins.expiredTokens(on: actor) }
        try await providers.load(under: ticket, on: actor)
        return await expired.value
    }

    /// A Boolean value that indicates whether every start needs the configuration, or nobody is logged in and only the
    /// configuration can identify the service or the platform's providers.
    private var isConfigurationNeeded: Bool {
        providers.isNeededAtStart
            || (parts.platform != nil || parts.services.count > 1)
                && (try? logins.stored(with: logins.chosenProvider()).map(logins.isValid)) != true
    }

    /// Checks the store at most once per session (API reference, rows T-64 to T-74).
    ///
    /// A store that cannot be read now is not considered checked, and the next start tries again. After a start that
    /// has succeeded, the store may contain a login of this session, so a late check only reports.
    private func checkStore() {
        if let report = earlyReport { reports.emit(.integrity(report)) }
        earlyReport = nil
        guard !hasCheckedStore, parts.housekeeping.integrityCheck != .none else { return }
        let mode = logins.readiness.hasStarted ? .report : parts.housekeeping.integrityCheck
        let report = parts.store.check(mode, loggingOut: logins.requestorsWithoutNotice)
        if case .unavailable = report.outcome {} else { hasCheckedStore = true }
        reports.emit(.integrity(report))
    }

    /// Cleans up the store before any call reads it: removes other devices' entitlements and expired tokens, and
    /// imports logins of older versions (API reference, sanitizer and importer).
    ///
    /// The start ignores a store that cannot be used now; calls that need it report the error.
    private func cleanUpStore(_ expired: [ExpiredToken]) {
        let housekeeping = parts.housekeeping
        // The import comes before the sanitizer, which might remove data that can still be imported.
        _ = try? parts.store.importLogin(of: parts.requestorID, from: housekeeping.legacyStores, at: parts.clock.now())
        if let removed = try? parts.store.sanitize(housekeeping.foreignTokens), removed > 0 {
            reports.status(StatusEvent(.deviceMismatch, message: "Entitlements of another device were removed."))
        }
        // A wrong clock must not remove a login. If the service keeps the logins, a start loads no configuration, so an
        // earlier verdict may no longer be true, and there are no logins amongst the expired tokens.
        if providers.isClockSkewed != true {
            _ = try? parts.store.remove(expired, permissionsOnly: providers.isClockSkewed == nil)
        }
    }

    // MARK: - The login of another requestor

    /// Logs in without interaction if a provider authenticates each requestor separately and the viewer is logged in
    /// for another requestor (API reference, rows PA1 to PA5).
    ///
    /// This works only with providers whose pages open in Safari, whose cookies make the login silent. The original
    /// library gave this up for web views in 3.1. A failure has no effect, and the login is invalid without the other
    /// requestor's login.
    private func logInPassively(_ presenter: any AuthenticationPresenter, on actor: isolated any Actor) async {
        guard parts.loginStyle == .browser, (try? logins.valid()) == .some(nil), let choice = try? logins.choice()
        else { return }
        let shared = try? logins.shared(choice) { provider in
            provider.authenticatesPerRequestor && provider.allowsPassiveAuthentication && provider.usesSafari
        }
        guard let shared else { return }
        await login.silently(.passive(shared), LoginParameters(presenter: presenter), on: actor)
    }
}
