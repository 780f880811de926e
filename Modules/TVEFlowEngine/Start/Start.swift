import Foundation
import TVEModels
import TVEStorage

/// Prepares a session: tidies the store, and takes over a login where that needs no viewer.
///
/// Equal starts at the same time are one, whose stages follow one another. A start that fails takes nothing away that an
/// earlier one has found.
final class Start: Flow {
    private let login: Login
    private let refresh: Refresh?
    private let run: Run<Result<Void, TVEError>>
    /// Opens the page of a silent login: that of the first caller who has one.
    private var presenter: (any AuthenticationPresenter)?
    /// Whether the store was checked as the housekeeping requests.
    private var hasCheckedStore: Bool
    /// The result of a check before the session was made.
    private var earlyReport: IntegrityReport?

    /// - Parameter checked: the result of a check before the session was made.
    init(_ logins: Logins, _ login: Login, _ refresh: Refresh?, checked: IntegrityReport?) {
        self.login = login
        self.refresh = refresh
        run = Run(logins.parts.listeners)
        earlyReport = checked
        hasCheckedStore = checked != nil
        super.init(logins)
    }

    private var readiness: Readiness { logins.readiness }

    // MARK: - Calls

    /// Starts the session; see ``EntitlementSession/start(using:)``.
    func start(
        using presenter: (any AuthenticationPresenter)?, on actor: isolated any Actor
    ) async -> Result<Void, TVEError> {
        guard parts.isOpen else { return .failure(.sessionIsClosed) }
        // That of a start whose calls have left is not the next one's.
        if run.isIdle { self.presenter = nil }
        self.presenter = self.presenter ?? presenter
        let (answer, _) = await run.answer(on: actor, ifLeft: .failure(.startCancelled)) { [self] ticket in
            do throws(TVEError) {
                try await takeStages(under: ticket, on: actor)
                readiness.startEnded(.success(()))
                return .success(())
            } catch {
                guard ticket.isValid else { return .failure(error) }
                readiness.startEnded(.failure(error))
                return .failure(reports.reported(error))
            }
        }
        guard run.isIdle else { return answer }
        self.presenter = nil
        if case .failure(let error) = answer { readiness.startEnded(.failure(error)) }
        return answer
    }

    /// The start that is under way.
    var task: Task<Void, Never>? { run.task }

    /// The session ends.
    func close() { run.end(.failure(.sessionIsClosed)) }

    // MARK: - Stages

    private func takeStages(under ticket: Ticket, on actor: isolated any Actor) async throws(TVEError) {
        let expired = try await ask(on: actor)
        try ticket.check()
        tidyUp(expired)
        readiness.storeIsTidy()
        if parts.platform != nil {
            await login.silently(.platform, LoginTerms(), on: actor)
            try ticket.check()
        }
        if let refresh {
            try await refresh.takeOver(on: actor)
            try ticket.check()
            // A viewer who is logged in plays on; nobody else could log in.
            if logins.readable == nil { try providers.checkRedirect() }
        }
        if let presenter {
            await logInPassively(presenter, on: actor)
            try ticket.check()
        }
    }

    /// Checks the store, and asks the services for the configuration where it is needed.
    ///
    /// - Returns: the stored tokens that had expired before.
    private func ask(on actor: isolated any Actor) async throws(TVEError) -> [ExpiredToken] {
        guard !parts.requestorID.text.isEmpty else {
            throw TVEError(.unknownRequestor, status: .unknownRequestor, message: "The requestor id is empty.")
        }
        checkStore()
        // Read while the services are asked: a large store takes longer than an answer. Not with `async let`, which would
        // wake another thread only to wait for this actor.
        let expired = Task { expiredTokens(on: actor) }
        if providers.isNeededAtStart {
            try await providers.load()
        } else if isConfigurationNeeded {
            do throws(TVEError) {
                _ = try await providers.configuration(on: actor)
            } catch {
                // Without it there is no silent sign-on with the platform; a viewer's own login needs none.
                if parts.services.count > 1 { throw error }
            }
        }
        return await expired.value
    }

    private func expiredTokens(on actor: isolated any Actor) -> [ExpiredToken] {
        (try? parts.store.expiredTokens(at: parts.clock.now())) ?? []
    }

    /// Whether nobody is logged in, and only the configuration can say whom to ask.
    private var isConfigurationNeeded: Bool {
        (parts.platform != nil || parts.services.count > 1)
            && (try? logins.stored(with: logins.chosenProvider()).map(logins.isValid)) != true
    }

    /// Checks what is stored, at most once per session (API reference, rows T-64 to T-74).
    ///
    /// A store that cannot be read now was not checked, and the next start tries again.
    private func checkStore() {
        if let report = earlyReport { reports.emit(.integrity(report)) }
        earlyReport = nil
        guard !hasCheckedStore, parts.housekeeping.integrityCheck != .none else { return }
        let report = parts.store.check(
            parts.housekeeping.integrityCheck, loggingOut: logins.requestorsWithoutNotice)
        if case .unavailable = report.outcome {} else { hasCheckedStore = true }
        reports.emit(.integrity(report))
    }

    /// Tidies the store before any call reads it: other devices' entitlements, logins of older versions, expired tokens
    /// (API reference, sanitizer and importer).
    ///
    /// The start ignores a store that cannot be used now; calls that need it report the error.
    private func tidyUp(_ expired: [ExpiredToken]) {
        let (store, housekeeping) = (parts.store, parts.housekeeping)
        // Before the sanitizer, which might remove what can still be imported.
        _ = try? store.importLogin(of: parts.requestorID, from: housekeeping.legacyStores, at: parts.clock.now())
        if let removed = try? store.sanitize(housekeeping.foreignTokens), removed > 0 {
            reports.status(StatusEvent(.deviceMismatch, message: "Entitlements of another device were removed."))
        }
        // A wrong clock must not remove a login.
        if !providers.isClockSkewed {
            _ = try? store.remove(expired, permissionsOnly: providers.loaded?.merged.serverTime == nil)
        }
    }

    // MARK: - The login of another requestor

    /// Logs in without the viewer, where a provider authenticates each requestor separately and the viewer is logged in
    /// for another one (API reference, rows PA1 to PA5).
    ///
    /// Only with providers whose pages Safari shows: its cookies make the login silent. For web views the original gave
    /// this up in 3.1. A failure has no effect, and the login is void without the other requestor's.
    private func logInPassively(_ presenter: any AuthenticationPresenter, on actor: isolated any Actor) async {
        guard parts.loginStyle == .browser, let loaded = providers.loaded, (try? logins.valid()) == .some(nil),
            let shared = try? passiveCandidate(loaded.merged)
        else { return }
        await login.silently(.passive(shared), LoginTerms(presenter: presenter), on: actor)
    }

    /// A provider that allows silent logins and that another requestor has a valid login with; not when this
    /// requestor's viewer cancelled the choice or chose another provider.
    ///
    /// - Returns: that login.
    private func passiveCandidate(_ configuration: RequestorConfiguration) throws -> AuthenticationToken? {
        let choice = try parts.store.providerChoice(of: parts.requestorID)
        guard !choice.isCancelled else { return nil }
        let candidates = configuration.requestor.providers.filter { provider in
            provider.authenticatesPerRequestor && provider.allowsPassiveAuthentication && provider.usesSafari
                && choice.allows(provider.id)
        }
        return try parts.store.sharedAuthenticationTokens(with: parts.requestorID, mvpdIDs: candidates.map(\.id))
            .first(where: logins.isValid)
    }
}
