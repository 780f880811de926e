import Foundation
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Logs out: every stored token goes first, then the browser ends the sessions at the service and the provider.
    ///
    /// A login that is on its way is cancelled, and calls that wait for the service fail as not authenticated.
    /// The device counts as logged out whatever the browser does; after a minute without an answer it is no longer
    /// waited for (API reference, rows LO1 to LO11).
    ///
    /// - Parameter presenter: opens the logout page; with nil only this device is logged out. A device whose viewers log in on
    ///   a second screen opens none.
    /// - Throws: `TVEError.storageFailed` when the tokens could not be removed; they are all still there then.
    public func logout(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError) {
        try await measured(.logout) { () async throws(TVEError) in
            // Before the first wait, so that whatever is asked next finds nobody logged in.
            let login = try forgetEverything()
            guard let presenter, login != nil, loginStyle == .browser else {
                announceLogout()
                guard keepsCopies else { return }
                // The answer is given; what follows ends with the service's.
                _ = await quietLogouts.run { [self] in
                    _ = await clock.run(atMost: Self.patience) { [self] in _ = await endEverywhere(login) }
                }
                return
            }
            let due = AsyncStream<Void>.makeStream()
            pageDue = due.stream
            defer { due.continuation.finish() }
            _ = await logouts.run { [self] in
                _ = await clock.run(atMost: Self.patience) { [self] in
                    await end(login, presenter, due.continuation)
                }
                await announceLogout()
            }
        }
    }

    private func end(
        _ login: AuthenticationToken?, _ presenter: any AuthenticationPresenter,
        _ due: AsyncStream<Void>.Continuation
    ) async {
        let page = await endEverywhere(login)
        guard let page, !Task.isCancelled else { return }
        isShowingLogout = true
        due.finish()
        await presenter.presentLogout(page)
        isShowingLogout = false
    }

    /// Ends a logout that waits for its page, and waits until it has said so.
    func finishLogout() async {
        if let pageDue, logouts.callers > 0 {
            // Without the provider's page its cookie would log the same person in again, so the page gets to be opened.
            _ = await clock.run(atMost: Self.patienceBeforeALogin) { for await _ in pageDue {} }
            if isShowingLogout { try? await clock.sleep(.milliseconds(50)) }
            // A further logout has ended this login meanwhile, and is not for it to end.
            if Task.isCancelled { return }
        }
        // Of the login that begins now: what an earlier one cut short is long over.
        let isShowing = isShowingLogout
        hasCutLogoutShort = logouts.cancel() && isShowing
        _ = quietLogouts.cancel()
        pageDue = nil
        await logouts.settle()
        await quietLogouts.settle()
    }

    /// Ends what is on its way and removes what is stored.
    ///
    /// - Returns: the login that was.
    private func forgetEverything() throws(TVEError) -> AuthenticationToken? {
        // A login that is still on its way would else log the viewer in again right afterwards.
        _ = logins.cancel()
        _ = entries.cancel()
        _ = silentLogins.cancel()
        // Without a configuration or a readable token there is no page to open, but still something to remove.
        let login = (try? validLogin()).flatMap(\.self)
        let isFromPlatform = login.map { (try? self.isFromPlatform($0)) == true } ?? false
        do throws(TVEError) {
            try stored { () throws(StorageError) in
                try store.change { [requestorID, keepsCopies] entitlements throws(StorageError) in
                    // Whichever dialect this session speaks: a session of the other one reads the notes.
                    let copies = try entitlements.authenticationTokens().filter(\.isCopy)
                    let requestors = copies.map(\.claims.requestorID) + (keepsCopies ? [requestorID] : [])
                    try entitlements.removeAllEntitlements(untold: copies, everyLoginOf: requestors)
                }
            }
        } catch {
            announcedFailure(error)
            throw error
        }
        preselected = nil
        decisions += 1
        if isFromPlatform {
            let text = "The viewer must also sign out of the TV provider in the system's settings."
            hub.emit(.status(StatusEvent(.platformLogout, message: text)))
        }
        return login
    }

    /// Not logged in is what logout is for, so this is an answer, not an error to report.
    private func announceLogout() {
        track(.authentication(nil))
        announced(.notAuthenticated(TVEError(.notAuthenticated, message: "The viewer has logged out.")))
    }

    /// Ends the login at the service, and whatever else it keeps for this device.
    ///
    /// - Returns: the page that ends the login at the provider too; a TempPass and a degraded provider's login have none.
    private func endEverywhere(_ login: AuthenticationToken?) async -> BrowserPage? {
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
        let provider = mvpdID.flatMap { loaded?.merged.requestor.provider($0) }
        guard let page, login?.claims.isDegraded == false, provider?.isTempPass != true else { return nil }
        let needsSafari = provider?.usesSafari == true
        return BrowserPage(
            url: page.url, redirectURL: page.redirectURL, needsSafari: needsSafari,
            mustBeSeen: needsSafari || provider?.needsForegroundLogout == true)
    }

    private static let patience = Duration.seconds(60)
    private static let patienceBeforeALogin = Duration.seconds(5)
}
