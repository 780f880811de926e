import TVEModels
import TVENetworking

/// The flow that logs the viewer out: it removes the stored tokens at once, then notifies the service, and ends each
/// login on its provider's page.
///
/// Each call is a separate logout with its own answer. A new login does not wait for a page that the viewer never
/// finishes.
final class Logout: Flow, EndsBeforeLogin {
    /// A logout that is under way.
    private struct Running {
        let call: CallID
        let removed: Removed
        let presenter: (any AuthenticationPresenter)?
        /// A Boolean value that indicates whether the logout opens the providers' pages, if the service names any.
        let opensPage: Bool
        /// A Boolean value that indicates whether the logout ends the logins of the whole household.
        ///
        /// Such a logout is not repeated later.
        let isOfHousehold = HouseholdWideLogout.current != nil
        /// A Boolean value that indicates whether a provider's page is open.
        var isOpen = false
        /// A Boolean value that indicates whether a provider's page is open and the app shows it.
        var isOpenInApp: Bool {
            isOpen && (presenter as? any CallbackQueueingPresenter)?.appShowsPage != false
        }
        var work: Attempt?
        var limit: Attempt?
    }

    /// The result of removing logins from the store.
    private struct Removed {
        /// The valid login whose page opens first, if there was one.
        let login: AuthenticationToken?
        /// The provider of this login; without one, the provider of a logout page that has not been opened; `nil` if
        /// there is neither.
        let provider: MVPDID?
        /// A Boolean value that indicates whether the login came from the platform, so that the viewer was already
        /// asked to sign out in the system's settings.
        let isFromPlatform: Bool
        /// A Boolean value that indicates whether the logout ended all logins or the viewer's current one, so that it
        /// is announced.
        let isOfViewer: Bool
    }

    private let callers = Callers<Result<Void, TVEError>>()
    private var running: Running? {
        didSet { logins.record(isLogoutUnderWay: running != nil) }
    }

    // MARK: - Calls

    /// Logs out and waits until the logout has ended; see ``EntitlementSession/logout(using:)``.
    ///
    /// All work for a login has ended before this call.
    ///
    /// - Parameters:
    ///   - mvpdID: the only provider whose login ends, or `nil` to end all logins.
    ///   - presenter: the presenter that opens the logout page, or `nil` to open none.
    ///   - actor: the session.
    ///   - answer: a closure that receives the answer before anything else happens on the actor.
    func logOut(
        of mvpdID: MVPDID?, using presenter: (any AuthenticationPresenter)?, on actor: isolated any Actor,
        answer: @escaping (Result<Void, TVEError>) -> Void
    ) async -> Result<Void, TVEError> {
        await callers.wait(on: actor, onAnswer: answer) { call in
            let removed: Removed
            do throws(TVEError) {
                // The tokens are removed before the first wait, so that the next call finds no login.
                removed = try removeLogins(of: mvpdID)
            } catch {
                reports.notify(reports.announce(failure: error))
                return callers.answer([call], .failure(error))
            }
            if let running {
                // A second logout ends a newer login as well, or finds none.
                guard removed.login != nil else {
                    announceEnd(of: removed)
                    return callers.answer([call], .success(()))
                }
                // Unlike a logout of all providers, that of a single one does not report what the running logout has
                // ended.
                end(running.call, isAnnounced: mvpdID != nil)
            }
            // A TempPass and a degraded provider's login have no page.
            let opensPage =
                presenter != nil && parts.loginStyle == .browser && removed.provider != nil
                && removed.login.map { !logins.isWithoutAccount($0) } ?? true
            // Without a page to open, the logout is reported at once.
            if !opensPage { announceEnd(of: removed) }
            begin(Running(call: call, removed: removed, presenter: presenter, opensPage: opensPage), on: actor)
        } leave: { [self] call in
            end(call, isAnnounced: true)
        }
    }

    /// Ends the running logout when the session ends.
    func close() { if let running { end(running.call, isAnnounced: false) } }

    // MARK: - The page

    /// Ends the running logout soon, because a login begins.
    ///
    /// If a page has to be shown, the logout ends only after the page has opened: without it, the provider's cookie
    /// would log the same viewer in again.
    func endBeforeLogin(on actor: isolated any Actor) async {
        guard let logout = running else { return }
        guard logout.opensPage || logout.isOfHousehold else { return end(logout.call, isAnnounced: false) }
        if !logout.isOpen, let sending = logout.work?.task {
            _ = await parts.clock.run(atMost: Self.limitForOpening) { await sending.value }
        }
        if let running, running.call == logout.call, running.isOpen, let showing = running.work?.task {
            _ = await parts.clock.run(atMost: Self.limitWithThePageOpen) { await showing.value }
        }
        // The login that waited for the end of the page may itself have ended.
        guard let running, running.call == logout.call, !Task.isCancelled else { return }
        logins.record(hasOpenLogoutPage: running.isOpen)
        end(logout.call, isAnnounced: false)
    }

    private func begin(_ logout: Running, on actor: isolated any Actor) {
        running = logout
        running?.work = Attempt(Ticket(parts.listeners), on: actor) { [self] (_) -> Bool? in
            await endAtService(logout, on: actor)
        } ended: { [self] leadsToSettings in
            // The login came from the platform, but the store did not contain it.
            if leadsToSettings == true, !logout.removed.isFromPlatform { reportSettings() }
            if leadsToSettings == nil { end(logout.call, isAnnounced: true) } else { showNextPage(logout, on: actor) }
        }
        startLimit(of: logout, on: actor)
    }

    private func startLimit(of logout: Running, on actor: isolated any Actor) {
        running?.limit?.stop()
        running?.limit = Attempt(Ticket(parts.listeners), on: actor) { [clock = parts.clock] _ in
            // The closure names the actor so that it runs in turns of the session.
            _ = actor
            try? await clock.sleep(Self.limit)
        } ended: { [self] in
            // An app that never had a page has nothing to finish, and still waits for the end of the logout.
            end(logout.call, isAnnounced: running?.isOpenInApp != true)
        }
    }

    /// Opens the next logout page, or ends the logout if there is none.
    ///
    /// The page of the removed login is the first one, and each further page has a minute of its own.
    private func showNextPage(_ logout: Running, on actor: isolated any Actor) {
        guard logout.opensPage, let next = logins.unopenedLogoutPage(first: logout.removed.provider) else {
            return end(logout.call, isAnnounced: true)
        }
        logins.forget(logoutPageOf: next.mvpdID)
        if running?.isOpen == true { startLimit(of: logout, on: actor) }
        let page = providers.browserPage(for: next.page, of: next.mvpdID)
        running?.isOpen = true
        running?.work = Attempt(Ticket(parts.listeners), on: actor) { ticket in
            // The closure names the actor so that it runs in turns of the session.
            _ = actor
            await Screen(logout.presenter, ticket)?.presentLogout(page)
        } ended: { [self] in
            showNextPage(logout, on: actor)
        }
    }

    /// Ends the logout of a call, if it is the running one.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - isAnnounced: a Boolean value that indicates whether the end is announced. It is not if the viewer never
    ///     finished the page and may already be at the next login.
    private func end(_ call: CallID, isAnnounced: Bool) {
        guard let logout = running, logout.call == call else { return }
        running = nil
        logout.work?.stop()
        logout.limit?.stop()
        if logout.opensPage, isAnnounced { announceEnd(of: logout.removed) }
        callers.answer([logout.call], .success(()))
    }

    // MARK: - Steps of a logout

    /// Removes the stored logins.
    ///
    /// - Parameter mvpdID: the only provider whose login ends, or `nil` to end all logins.
    private func removeLogins(of mvpdID: MVPDID?) throws(TVEError) -> Removed {
        // Without a configuration or a readable token there is no page to open, but there may be data to remove.
        let viewers = logins.readable
        let login = logins.login(toEndWith: mvpdID, beside: viewers)
        let provider = login?.claims.providerID ?? logins.unopenedLogoutPage(of: mvpdID)?.mvpdID
        let isFromPlatform = login.map { (try? logins.isFromPlatform($0)) == true } ?? false
        // The device leaves its household first, because a member would receive the household's login again, even one
        // that it has made itself. A login with another provider does not concern the household.
        let kind = login.map(logins.kind(of:))
        let isOfHousehold =
            if let kind { kind == .serviceToken || kind == .regular } else {
                (try? logins.chosenProvider()) == mvpdID
            }
        if mvpdID == nil || isOfHousehold, HouseholdWideLogout.current == nil {
            try parts.household?.forget(onlyAsMember: mvpdID != nil && kind == .regular)
        }
        try logins.removeLogin(login, with: mvpdID)
        if isFromPlatform { reportSettings() }
        let isOfViewer = mvpdID == nil || viewers?.claims.providerID == mvpdID
        return Removed(login: login, provider: provider, isFromPlatform: isFromPlatform, isOfViewer: isOfViewer)
    }

    private func reportSettings() {
        let text = "The viewer must also sign out of the TV provider in the system's settings."
        reports.status(StatusEvent(.platformLogout, message: text))
    }

    /// Announces the end of a logout of the viewer.
    ///
    /// "Not logged in" is an answer after a logout, and not an error to report.
    private func announceEnd(of removed: Removed) {
        if removed.isOfViewer { reports.notify(reports.announce(.notAuthenticated(Self.hasLoggedOut))) }
    }

    /// Ends the login at the service, and removes everything else that the service keeps for this device.
    ///
    /// - Returns: a Boolean value that indicates whether the viewer must also sign out in the system's settings, or
    ///   `nil` if the service did not answer.
    private func endAtService(_ logout: Running, on actor: isolated any Actor) async -> Bool? {
        var leadsToSettings = false
        if let provider = logout.removed.provider {
            switch await logins.endAtService(provider, logout.removed.login, recordsPages: logout.opensPage) {
            case .unconfirmed(let page): if logout.opensPage { logins.record(logoutPage: page, of: provider) }
            case .done(let step): leadsToSettings = step == .signOutInSettings
            case .refused: break
            // The pending logouts stay recorded until there is an answer.
            case .unreachable: return nil
            }
        }
        return await logins.sendPendingLogouts(
            but: logout.removed.provider, recordsPages: logout.presenter != nil) || leadsToSettings
    }

    private static let hasLoggedOut = TVEError(.notAuthenticated, message: "The viewer has logged out.")
    /// The time limit for the service and the first page together, and for each further page.
    private static let limit = Duration.seconds(60)
    /// The time limit for opening the provider's page while a login waits.
    private static let limitForOpening = Duration.seconds(5)
    /// The time limit for an open page while a login waits.
    private static let limitWithThePageOpen = Duration.milliseconds(50)
}
