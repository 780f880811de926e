import TVEModels
import TVENetworking
import TVETracking

/// Logs out: the stored tokens are removed at once; then the service is told, and the provider's page ends the login there.
///
/// Each call is a logout of its own with an answer of its own. A new login does not wait for a page that the viewer never
/// finishes.
final class Logout: Flow, GivesWay {
    /// A logout that is under way.
    private final class Running {
        let call: CallID
        let login: AuthenticationToken?
        /// Whether the viewer was told to sign out in the system's settings.
        let isFromPlatform: Bool
        let presenter: (any AuthenticationPresenter)?
        /// Whether the provider's page is opened.
        let isSeen: Bool
        /// Whether it is open.
        var isOpen = false
        /// Hears of the end of a logout with a page; nil where nothing is announced.
        let ended: ((TVEError) -> Void)?
        var work: Attempt?
        var limit: Attempt?

        init(
            _ call: CallID, _ removed: Removed, presenter: (any AuthenticationPresenter)?, isSeen: Bool,
            ended: ((TVEError) -> Void)?
        ) {
            self.call = call
            login = removed.login
            isFromPlatform = removed.isFromPlatform
            self.presenter = presenter
            self.isSeen = isSeen
            self.ended = ended
        }
    }

    /// What a logout has removed from the store.
    private struct Removed {
        /// The valid login, if there was one.
        let login: AuthenticationToken?
        /// Whether it came from the platform.
        let isFromPlatform: Bool
        /// Whether nobody is logged in now who was before.
        let isOfViewer: Bool
    }

    /// What a logout has found out at the service.
    private struct Remaining: Sendable {
        /// The page that ends the login at the provider too.
        var page: BrowserPage?
        /// Whether the viewer has to sign out in the system's settings as well.
        var leadsToSettings = false
    }

    /// How a logout ends.
    private enum End {
        /// As it should, or because its call was cancelled.
        case finished
        /// With a page that the viewer never finished: by now the viewer may be at the next login, and nothing is
        /// reported.
        case unfinished
    }

    private let callers = Callers<Result<Void, TVEError>>()
    private var running: Running? {
        didSet { logins.isLogoutUnderWay = running != nil }
    }

    // MARK: - Calls

    /// Logs out; see ``EntitlementSession/logout(using:)``.
    ///
    /// Whatever runs for a login has ended by now.
    ///
    /// - Parameters:
    ///   - mvpdID: the only provider whose login ends; nil where all end.
    ///   - ended: hears of the end of the logout: at once without a page, else when the page has ended; not for a page that
    ///     the viewer never finishes.
    ///   - answer: gets the answer, before anything else happens on the actor.
    func logOut(
        using presenter: (any AuthenticationPresenter)?, on actor: isolated any Actor,
        ended: @escaping (TVEError) -> Void, answer: @escaping (Result<Void, TVEError>) -> Void
    ) {
        begin(callers.add(answer), nil, presenter, on: actor, ended: ended)
    }

    /// The same for a call that waits.
    ///
    /// - Parameter mvpdID: the only provider whose login ends; nil where all end.
    func logOut(
        of mvpdID: MVPDID?, using presenter: (any AuthenticationPresenter)?, on actor: isolated any Actor
    ) async -> Result<Void, TVEError> {
        await callers.wait(on: actor) { call in
            begin(call, mvpdID, presenter, on: actor) { _ in }
        } leave: { [self] call in
            if let running, running.call == call { end(running, .finished) }
        }
    }

    private func begin(
        _ call: CallID, _ mvpdID: MVPDID?, _ presenter: (any AuthenticationPresenter)?, on actor: isolated any Actor,
        ended: @escaping (TVEError) -> Void
    ) {
        let removed: Removed
        do throws(TVEError) {
            // Before the first wait, so that the next call finds no login.
            removed = try removeLogins(of: mvpdID)
        } catch {
            if parts.isOpen { ended(error) }
            return callers.answer([call], .failure(error))
        }
        let ended = removed.isOfViewer ? ended : nil
        if let running {
            // A second logout ends a newer login as well, or finds none.
            guard removed.login != nil else {
                announce(ended)
                return callers.answer([call], .success(()))
            }
            end(running, .unfinished)
        }
        // A TempPass and a degraded provider's login have no page.
        let isSeen =
            presenter != nil && parts.loginStyle == .browser
            && removed.login.map { !logins.isWithoutAccount($0) } ?? false
        // Without a page to open, the logout is reported at once.
        if !isSeen { announce(ended) }
        begin(Running(call, removed, presenter: presenter, isSeen: isSeen, ended: ended), on: actor)
    }

    /// The session ends.
    func close() { if let running { end(running, .unfinished) } }

    // MARK: - The page

    /// Ends soon for a login that begins: when the provider's page is open, without which the provider's cookie would log
    /// the same viewer in again.
    func giveWay(on actor: isolated any Actor) async {
        guard let logout = running else { return }
        guard logout.isSeen else { return end(logout, .unfinished) }
        if !logout.isOpen, let telling = logout.work?.task {
            _ = await parts.clock.run(atMost: Self.limitForOpening) { await telling.value }
        }
        if running === logout, logout.isOpen, let showing = logout.work?.task {
            _ = await parts.clock.run(atMost: Self.limitWithThePageOpen) { await showing.value }
        }
        // The login for which the page was to be closed may have ended.
        guard running === logout, !Task.isCancelled else { return }
        logins.hasOpenLogoutPage = logout.isOpen
        end(logout, .unfinished)
    }

    private func begin(_ logout: Running, on actor: isolated any Actor) {
        running = logout
        let isKept = logins.areCopies
        logout.work = Attempt(Ticket(parts.listeners), on: actor) { [self] _ in
            isKept || logout.isSeen ? await endAtService(logout.login, on: actor) : Remaining()
        } ended: { [self] remaining in
            // The login came from the platform, and the store did not know it.
            if remaining.leadsToSettings, !logout.isFromPlatform { reportSettings() }
            guard let page = remaining.page, logout.isSeen else { return end(logout, .finished) }
            show(page, logout, on: actor)
        }
        logout.limit = Attempt(Ticket(parts.listeners), on: actor) { [clock = parts.clock] _ in
            // Named, so that this runs in turns of the session.
            _ = actor
            try? await clock.sleep(Self.limit)
        } ended: { [self] in
            end(logout, .unfinished)
        }
    }

    private func show(_ page: BrowserPage, _ logout: Running, on actor: isolated any Actor) {
        logout.isOpen = true
        logout.work = Attempt(Ticket(parts.listeners), on: actor) { ticket in
            // Named, so that this runs in turns of the session.
            _ = actor
            await Screen(logout.presenter, ticket)?.presentLogout(page)
        } ended: { [self] in
            end(logout, .finished)
        }
    }

    private func end(_ logout: Running, _ end: End) {
        guard running === logout else { return }
        running = nil
        logout.work?.stop()
        logout.limit?.stop()
        if logout.isSeen, end == .finished { announce(logout.ended) }
        callers.answer([logout.call], .success(()))
    }

    // MARK: - What a logout does

    /// Removes what is stored.
    ///
    /// - Parameter mvpdID: the only provider whose login ends; nil where all end.
    private func removeLogins(of mvpdID: MVPDID?) throws(TVEError) -> Removed {
        // Without a configuration or a readable token there is no page to open, but there may be data to remove.
        let viewers = logins.readable
        let login = if let mvpdID { login(with: mvpdID, viewers) } else { viewers }
        let isFromPlatform = login.map { (try? logins.isFromPlatform($0)) == true } ?? false
        do throws(TVEError) {
            // First: a member would find the household's login again.
            if HouseholdLogout.current == nil { try parts.household?.forget() }
            if let mvpdID { try logins.removeLogin(login, with: mvpdID) } else { try logins.removeEveryLogin() }
        } catch {
            reports.announce(failure: error)
            throw error
        }
        if isFromPlatform { reportSettings() }
        let isOfViewer = mvpdID == nil || viewers?.claims.providerID == mvpdID
        return Removed(login: login, isFromPlatform: isFromPlatform, isOfViewer: isOfViewer)
    }

    /// The valid login with one provider; in the classic dialect only the viewer's own.
    private func login(with mvpdID: MVPDID, _ viewers: AuthenticationToken?) -> AuthenticationToken? {
        if viewers?.claims.providerID == mvpdID { return viewers }
        let stored = logins.areCopies ? (try? logins.stored(with: mvpdID)) ?? nil : nil
        return stored.flatMap { logins.isValid($0) ? $0 : nil }
    }

    private func reportSettings() {
        let text = "The viewer must also sign out of the TV provider in the system's settings."
        reports.status(StatusEvent(.platformLogout, message: text))
    }

    /// After a logout, "not logged in" is an answer, not an error to report.
    private func announce(_ ended: ((TVEError) -> Void)?) {
        guard let ended else { return }
        reports.track(.authentication(nil))
        reports.announce(.notAuthenticated(Self.hasLoggedOut))
        // A page that is dismissed because the session ends was not finished by the viewer.
        if parts.isOpen { ended(Self.hasLoggedOut) }
    }

    /// Ends the login at the service, and removes everything else that the service keeps for this device.
    ///
    /// - Returns: what remains to be done; a TempPass and a degraded provider's login have no page.
    private func endAtService(
        _ login: AuthenticationToken?, on actor: isolated any Actor
    ) async -> Remaining {
        var remaining = Remaining()
        var page: LogoutPage?
        if let login {
            switch await logins.endAtService(login.claims.providerID, login) {
            case .done(.open(let found)): page = found
            case .done(.signOutInSettings): remaining.leadsToSettings = true
            case .done(.nothing), .refused: break
            // The notes stay until there is an answer.
            case .unreachable: return remaining
            }
        }
        if await logins.tellUntold(but: login?.claims.providerID) { remaining.leadsToSettings = true }
        guard let page, let login, !logins.isWithoutAccount(login) else { return remaining }
        let mvpdID = login.claims.providerID
        let needsSafari = providers.usesSystemBrowser(mvpdID)
        var browserPage = BrowserPage(
            url: page.url, redirectURL: page.redirectURL, needsSafari: needsSafari,
            mustBeSeen: needsSafari || providers.provider(mvpdID)?.needsForegroundLogout == true)
        browserPage.isLogout = true
        remaining.page = browserPage
        return remaining
    }

    private static let hasLoggedOut = TVEError(.notAuthenticated, message: "The viewer has logged out.")
    /// For the service and the viewer together.
    private static let limit = Duration.seconds(60)
    /// For opening the provider's page while a login waits.
    private static let limitForOpening = Duration.seconds(5)
    /// With the page open, while a login waits.
    private static let limitWithThePageOpen = Duration.milliseconds(50)
}
