import Foundation
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// The call that logs out, and the effects of the logout machine.
extension EntitlementSession {
    /// Logs out: removes every stored token first; then the browser ends the sessions at the service and the provider.
    ///
    /// A running login is cancelled, and calls that wait for the service fail as not authenticated. The device counts
    /// as logged out whatever the browser does; the wait for the page ends after a minute (API reference, rows LO1 to
    /// LO11).
    ///
    /// - Parameter presenter: opens the logout page; with nil only this device is logged out. A device whose viewers
    ///   log in on a second screen opens no page.
    /// - Throws: `TVEError.storageFailed` when the tokens could not be removed, `requestorNotConfigured` when the session is
    ///   closed; then they are all still stored.
    public func logout(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError) {
        try await logout(using: presenter) { _ in }
    }

    /// The same, for a caller that needs the end of the logout: at once without a page, else when the page has ended.
    ///
    /// - Parameter finished: is called with why nobody is logged in, or why the tokens could not be removed; not for a page
    ///   that the viewer never finishes.
    package func logout(
        using presenter: (any AuthenticationPresenter)?, finished: @escaping @Sendable (TVEError) -> Void
    ) async throws(TVEError) {
        try await measured(.logout) { () async throws(TVEError) in
            guard listeners.isOpen else { throw .sessionIsClosed }
            let login: AuthenticationToken?
            do throws(TVEError) {
                // Before the first wait, so that the next call finds no login.
                login = try removeAllLogins()
            } catch {
                if listeners.isOpen { finished(error) }
                throw error
            }
            // A TempPass and a degraded provider's login have no page.
            let isSeen = presenter != nil && loginStyle == .browser && login.map { !isWithoutAccount($0) } ?? false
            await answer { call, waiting in
                logoutFlow.calls[call] = LogoutCall(presenter: presenter, finished: finished, waiting: waiting)
                handle(LogoutEvent.called(call, login: login, isSeen: isSeen))
            } leave: { session, call in
                session.handle(LogoutEvent.left(call))
            }
        }
    }

    /// Waits until a logout no longer prevents a new login.
    func finishLogout() async {
        await pause {
            handle(LogoutEvent.loginWaits($0))
        } leave: { session, login in
            session.handle(LogoutEvent.loginLeft(login))
        }
    }

    func handle(_ event: LogoutEvent) {
        for effect in logoutFlow.machine.handle(event) { perform(effect) }
    }

    private func perform(_ effect: LogoutEffect) {
        switch effect {
        case .run(let step, let logout): begin(logout) { await self.outcome(of: step, logout) }
        case .wait(let patience, let logout):
            begin(logout) { [clock] in
                try? await clock.sleep(patience.duration)
                return .waited(patience)
            }
        case .stop(let number):
            for task in logoutFlow.tasks.removeValue(forKey: number) ?? [] { task.cancel() }
        case .announce(let call):
            announceLogout()
            // A page that is dismissed because the session ends was not finished by the viewer.
            if listeners.isOpen { logoutFlow.calls[call]?.finished(Self.hasLoggedOut) }
        case .answer(let calls): for call in calls { logoutFlow.calls.removeValue(forKey: call)?.waiting.resume() }
        case .proceed(let logins): proceed(logins)
        }
    }

    /// Starts work that belongs to a logout; outcomes that arrive after the logout has ended are dropped here.
    private func begin(_ logout: Logout, _ work: @escaping @Sendable () async -> LogoutEvent) {
        let task = Task {
            let event = await work()
            guard !Task.isCancelled, logoutFlow.machine.logout?.number == logout.number else { return }
            handle(event)
        }
        logoutFlow.tasks[logout.number, default: []].append(task)
    }

    private func outcome(of step: LogoutStep, _ logout: Logout) async -> LogoutEvent {
        switch step {
        case .tell:
            guard keepsCopies || logout.isSeen else { return .told(nil) }
            return .told(await endLoginAtService(logout.login))
        case .show(let page):
            await logoutFlow.calls[logout.call]?.presenter?.presentLogout(page)
            return .pageEnded
        }
    }

    /// Ends what is running and removes what is stored.
    ///
    /// - Returns: the login that was removed.
    private func removeAllLogins() throws(TVEError) -> AuthenticationToken? {
        // First, so that the app is not told the end of a login that was shown for an authorization.
        endPermissions(.loggedOut)
        loginFlow.choices += 1
        // Otherwise a running login would log the viewer in again right afterwards.
        handle(LoginEvent.loggedOut)
        // Without a configuration or a readable token there is no page to open, but there may be data to remove.
        let login = (try? validLogin()).flatMap(\.self)
        let isFromPlatform = login.map { (try? self.isFromPlatform($0)) == true } ?? false
        do throws(TVEError) {
            try changeLogin { [requestorID, keepsCopies] entitlements throws(StorageError) in
                // In either dialect: a session of the other dialect reads the notes.
                let copies = try entitlements.authenticationTokens().filter(\.isCopy)
                let requestors = copies.map(\.claims.requestorID) + (keepsCopies ? [requestorID] : [])
                try entitlements.removeAllEntitlements(pending: copies, everyLoginOf: requestors)
            }
        } catch {
            announcedFailure(error)
            throw error
        }
        if isFromPlatform {
            let text = "The viewer must also sign out of the TV provider in the system's settings."
            listeners.emit(.status(StatusEvent(.platformLogout, message: text)))
        }
        return login
    }

    /// After a logout, "not logged in" is an answer, not an error to report.
    private func announceLogout() {
        track(.authentication(nil))
        announced(.notAuthenticated(Self.hasLoggedOut))
    }

    /// Ends the login at the service, and removes everything else that the service keeps for this device.
    ///
    /// - Returns: the page that ends the login at the provider too; a TempPass and a degraded provider's login have none.
    private func endLoginAtService(_ login: AuthenticationToken?) async -> BrowserPage? {
        let mvpdID = login?.claims.providerID
        var page: LogoutPage?
        if let login, let mvpdID {
            switch await tellService(mvpdID, login) {
            case .done(let found): page = found
            case .refused: break
            // The notes stay until there is an answer.
            case .unreachable: return nil
            }
        }
        await finishOldLogouts(but: mvpdID)
        let provider = mvpdID.flatMap(provider)
        guard let page, let login, login.claims.isDegraded == false, !isTempPass(login) else { return nil }
        let needsSafari = mvpdID.map(usesSystemBrowser) ?? false
        var browserPage = BrowserPage(
            url: page.url, redirectURL: page.redirectURL, needsSafari: needsSafari,
            mustBeSeen: needsSafari || provider?.needsForegroundLogout == true)
        browserPage.isLogout = true
        return browserPage
    }

    private static let hasLoggedOut = TVEError(.notAuthenticated, message: "The viewer has logged out.")
}
