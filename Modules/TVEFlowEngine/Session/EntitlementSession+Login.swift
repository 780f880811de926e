public import Foundation
public import TVEModels

/// Who is logged in.
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
    ///   `unknownRequestor`, `serviceUnreachable`, `connectionNotTrusted`, `serviceFailed`, `clientTooOld`, `throttled`,
    ///   `storageFailed`. The status code is also reported as an event (API reference, `setRequestor`).
    public func start(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError) {
        let report: (Result<Void, TVEError>) -> Void = report(.start)
        let answer = await startFlow.start(using: presenter, on: self)
        report(answer)
        try answer.get()
    }

    /// Says whether the viewer is logged in, from storage alone.
    ///
    /// A service that keeps the logins is asked afterwards, and a different answer comes as an event.
    ///
    /// Logged in means: a token of the current provider that has not expired, is bound to this device, and whose
    /// provider is still in the configuration, if one was loaded (API reference, rows CA1 to CA9).
    ///
    /// - Returns: the viewer's profile, or why there is none, or why nobody can tell.
    public func authenticationStatus() -> AuthenticationStatus {
        defer { refreshFlow?.inBackground(on: self) }
        do throws(TVEError) {
            guard let token = try logins.valid() else { throw try logins.whyNobody() }
            return reports.announce(login: logins.profile(of: token), isCached: true)
        } catch {
            // The platform's status at the start explains why it did not help (rows CA6 to CA8).
            if error.code == .notAuthenticated, let note = platformFlow.note { reports.status(note) }
            return reports.announce(failure: error)
        }
    }

    /// How long before its end a login is reported with ``SessionEvent/loginEndsSoon(_:)``: a day.
    public static let noticeOfLoginEnd = Duration.seconds(86_400)

    /// Makes sure that the viewer is logged in, and shows a login if not.
    ///
    /// Calls at the same time share one login, with the first caller's presenter. A call whose task is cancelled fails
    /// at once; when all are cancelled, the login ends.
    ///
    /// - Parameters:
    ///   - presenter: shows provider picker, login page or code.
    ///   - isForced: whether to show a login even when the viewer is logged in. Over REST API v2 the service shows no page
    ///     of a provider whose login it keeps: that login ends there before the page opens, so a viewer who leaves the page
    ///     is logged out with the next question. A viewer who leaves the picker or chooses another provider is not.
    ///   - data: what the service receives, for example the viewer's id for a promotional TempPass.
    ///   - filter: which providers the platform's picker offers.
    /// - Returns: the viewer's profile; the token behind it is already stored.
    /// - Throws: `TVEError`: `providerNotSelected` when the viewer left, `unknownProvider`, `authenticationFailed`,
    ///   `temporaryAccessExpired`, `viewerIdentityMissing` for a promotional TempPass without the viewer's id in `data`,
    ///   `deviceMismatch`, `requestorNotConfigured`, `serviceUnreachable`, `serviceFailed`,
    ///   `throttled`, `storageFailed`. A failed login removes nothing from the store (API reference, rows GA1 to GA9).
    @discardableResult
    public func authenticate(
        using presenter: any AuthenticationPresenter, isForced: Bool = false, data: [String: MetadataValue] = [:],
        filter: PlatformPickerFilter? = nil
    ) async throws(TVEError) -> Profile {
        let report: (Result<Profile, TVEError>) -> Void = report(.authenticate)
        let terms = LoginTerms(data: data, isForced: isForced, filter: filter, presenter: presenter)
        let result = loginFlow.result(of: await loginFlow.authenticate(terms, on: self))
        report(result)
        return try result.get()
    }

    /// Finishes a login whose page was opened before the app was closed (API reference, row HX7).
    ///
    /// A login that is running ends, because the viewer has just finished the other one. Any app can open a URL with the
    /// redirect's scheme: one that differs from the redirect finishes the login if the service has it, and otherwise
    /// changes nothing.
    ///
    /// - Parameter url: the URL that the browser was about to load.
    /// - Returns: the viewer's profile; nil when there is no earlier login, when the URL is not where it ends, or when
    ///   another call finishes it.
    /// - Throws: what ``authenticate(using:isForced:data:filter:)`` throws after the login page. If no answer came,
    ///   another call can finish the login.
    @discardableResult
    public func resumeLogin(at url: URL) async throws(TVEError) -> Profile? {
        guard let page = try loginFlow.earlierPage(endingAt: url), try await loginFlow.mayResume(page, at: url) else {
            return nil
        }
        switch await loginFlow.resumeLogin(page, at: url, on: self) {
        case .isLoggedIn(let token): return logins.profile(of: token)
        case .failed(let error): throw error
        case .settled: return nil
        }
    }

    /// The TV provider that the viewer chose last, or whose shared login counts, if the requestor works with it.
    ///
    /// - Returns: the provider, or nil when none is remembered. The configuration is loaded only for a provider of which
    ///   nothing is stored.
    /// - Throws: `TVEError`: `storageFailed`, `requestorNotConfigured`, and what ``configuration()`` throws.
    public func selectedProvider() async throws(TVEError) -> TVProvider? {
        try logins.readiness.check()
        guard let chosen = try chosenProvider() else { return nil }
        if let known = providers.provider(chosen) { return known }
        return try await providers.configuration(on: self).requestor.provider(chosen)
    }

    /// The id of the provider that the viewer chose last, or whose shared login counts.
    func chosenProvider() throws(TVEError) -> MVPDID? {
        if let chosen = logins.pendingChoice.mvpdID ?? loginFlow.preselected { return chosen }
        if let chosen = try logins.chosenProvider() { return chosen }
        return try logins.valid()?.claims.providerID
    }

    /// Chooses the TV provider of the next login, or forgets the chosen one; tokens stay.
    ///
    /// A TempPass logs the viewer in at once. A running login continues with the chosen provider; one that the requestor
    /// does not have is refused, and the login stays where it is. Nil ends a running login, which gets its answer, and
    /// forgets the provider (API reference, rows SP6 to SP13).
    ///
    /// - Parameter mvpdID: the provider; nil forgets it, and the answer to "who is logged in" becomes
    ///   `providerNotSelected`.
    /// - Returns: who is logged in now, where the choice itself decides that; nil where a running login or the next one
    ///   has the answer.
    /// - Throws: `TVEError`: `unknownProvider`, `storageFailed`, `requestorNotConfigured`, and with a TempPass what
    ///   ``authenticate(using:isForced:data:filter:)`` throws.
    @discardableResult
    public func selectProvider(_ mvpdID: MVPDID?) async throws(TVEError) -> AuthenticationStatus? {
        try await loginFlow.choose(mvpdID, on: self)
    }

    /// Logs out: removes every stored token first; then the browser ends the sessions at the service and the provider.
    ///
    /// A running login is cancelled, and calls that wait for the service fail as not authenticated. The device counts
    /// as logged out whatever the browser does; the wait for the page ends after a minute (API reference, rows LO1 to
    /// LO11). A member of a household leaves it, and the other devices stay logged in: see
    /// ``logoutHousehold(using:)`` for a logout of all.
    ///
    /// - Parameter presenter: opens the logout page; with nil only this device is logged out. A device whose viewers
    ///   log in on a second screen opens no page.
    /// - Throws: `TVEError.storageFailed` when the tokens could not be removed, `requestorNotConfigured` when the session is
    ///   closed; then they are all still stored.
    public func logout(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError) {
        try await logout(ofOnly: nil, using: presenter)
    }

    /// Ends the login with one TV provider, and no other; see ``logout(using:)``.
    ///
    /// The chosen provider stays chosen. A login that is not stored here, and that the service may keep, ends too. The
    /// classic dialect has one login at a time: it ends if it is with this provider.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider.
    ///   - presenter: opens the logout page; with nil no page is opened.
    /// - Throws: `TVEError`: what ``logout(using:)`` throws.
    public func logout(
        of mvpdID: MVPDID, using presenter: (any AuthenticationPresenter)? = nil
    ) async throws(TVEError) {
        try await logout(ofOnly: mvpdID, using: presenter)
    }

    private func logout(
        ofOnly mvpdID: MVPDID?, using presenter: (any AuthenticationPresenter)?
    ) async throws(TVEError) {
        try await result(ofLogout: mvpdID, using: presenter).get()
    }

    /// - Parameter mvpdID: the only provider whose login ends; nil where all end.
    func result(
        ofLogout mvpdID: MVPDID?, using presenter: (any AuthenticationPresenter)?
    ) async -> Result<Void, TVEError> {
        let report: (Result<Void, TVEError>) -> Void = report(.logout)
        let answer: Result<Void, TVEError>
        if parts.isOpen {
            endForLogout(of: mvpdID)
            answer = await logoutFlow.logOut(of: mvpdID, using: presenter, on: self)
        } else {
            answer = .failure(.sessionIsClosed)
        }
        report(answer)
        return answer
    }

    /// Tells the flows that the viewer logs out: what runs ends and has its answer, before the logout has one.
    ///
    /// - Parameter mvpdID: the only provider whose login ends; nil where all end.
    func endForLogout(of mvpdID: MVPDID? = nil) {
        // First, so that the app is not told the end of a login that was shown for an authorization.
        permissionFlow.loggedOut(of: mvpdID, on: self)
        loginFlow.loggedOut(of: mvpdID, on: self)
    }

    /// The logins that count on this device: at most one for each TV provider, whichever is chosen.
    ///
    /// Over REST API v2 every service is asked. Its list has no TempPass and no degraded provider, and a login from the
    /// platform's account or by a service token only while the request confirms it: stored logins of these kinds are
    /// added. The classic dialect has one login at a time, and answers from storage. Nothing is stored, and the chosen
    /// provider stays.
    ///
    /// - Returns: the profiles in descending order of expiry; empty when nobody is logged in.
    /// - Throws: `TVEError`: `requestorNotConfigured`, `serviceUnreachable`, `serviceFailed`, `throttled`,
    ///   `accessTokenUnavailable`, `storageFailed`.
    public func profiles() async throws(TVEError) -> [Profile] { try await logins.profiles() }

    /// The login with one TV provider, whichever is chosen: also whether a TempPass still lasts.
    ///
    /// Over REST API v2 the service is asked; the classic dialect answers from storage, for the provider of its login.
    /// Nothing is stored, and the chosen provider stays.
    ///
    /// - Parameter mvpdID: the TV provider.
    /// - Returns: the profile; nil when the viewer is not logged in with this provider.
    /// - Throws: `TVEError`: `temporaryAccessExpired`, and what ``profiles()`` throws.
    public func profile(with mvpdID: MVPDID) async throws(TVEError) -> Profile? {
        try await logins.profile(with: mvpdID, on: self)
    }
}
