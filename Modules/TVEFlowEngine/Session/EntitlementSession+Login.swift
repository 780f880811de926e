public import Foundation
public import TVEModels

/// Calls that start the session, log in and log out, and report the authentication status.
extension EntitlementSession {
    /// Prepares the session: cleans up the store, and takes over a login that needs no interaction with the viewer.
    ///
    /// Such a login can come from an older store, from the platform's sign-on, from the service, and, with a presenter,
    /// from another requestor's login (API reference, rows Q1 to Q17).
    ///
    /// The classic dialect loads the requestor's configuration first, at every start. REST API v2 does so only for the
    /// platform's sign-on or with several services, and only while nobody is logged in or after the viewer's account on
    /// the platform has moved to another provider. Any other viewer who is logged in waits for no request to the
    /// service. If nobody is logged in, the session also requests the logins that the service keeps. An application
    /// that is not registered yet is registered first. The method may be called again, for example when the app returns
    /// to the foreground. Simultaneous calls share one start.
    ///
    /// - Parameter presenter: the presenter that opens the page of a silent login with another requestor's session.
    ///   Pass `nil` for no silent login.
    /// - Throws: `TVEError`: `applicationNotRegistered`, `redirectNotRegistered`, `accessTokenUnavailable`,
    ///   `unknownRequestor`, `serviceUnreachable`, `connectionNotTrusted`, `serviceFailed`, `clientTooOld`,
    ///   `throttled`, `storageFailed`, or `requestorNotConfigured` for a closed session. The status code is also
    ///   reported as an event (API reference, `setRequestor`).
    public func start(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError) {
        let report: (Result<Void, TVEError>) -> Void = report(.start)
        parts.household?.startBegins()
        let answer = await startFlow.start(using: presenter, on: self)
        report(answer)
        try answer.get()
    }

    /// Returns the authentication status from storage, without waiting for the service.
    ///
    /// If the service keeps the logins, the session sends a request to it afterwards, unless it has sent one within the
    /// last 30 seconds, and reports a different answer as an event.
    ///
    /// A viewer is logged in if there is a token of the current provider that has not expired and is bound to this
    /// device, and the provider is in the configuration, if one was loaded (API reference, rows CA1 to CA9).
    ///
    /// - Returns: the viewer's profile, or the reason for which there is none, or the error that prevented the
    ///   decision.
    public func authenticationStatus() -> AuthenticationStatus {
        defer { refreshFlow?.inBackground(on: self) }
        do throws(TVEError) {
            guard let token = try logins.valid() else { throw try logins.errorForMissingLogin() }
            return reports.announce(login: logins.profile(of: token), isCached: true)
        } catch {
            // The platform's status at the start explains why it did not help (rows CA6 to CA8).
            if error.code == .notAuthenticated, let note = loginFlow.platformNote { reports.status(note) }
            return reports.announce(failure: error)
        }
    }

    /// The time before the end of a login at which ``SessionEvent/loginEndsSoon(_:)`` reports it: a day.
    public static let noticeOfLoginEnd = Duration.seconds(86_400)

    /// Logs the viewer in, or returns the current login.
    ///
    /// Simultaneous calls share one login, with the first caller's presenter. A call whose task is cancelled fails at
    /// once. When all calls are cancelled, the login ends.
    ///
    /// - Parameters:
    ///   - presenter: the presenter that shows the provider picker, the login page or the code.
    ///   - isForced: a Boolean value that indicates whether to show a login even if the viewer is logged in. Over REST
    ///     API v2 the service shows no page of a provider whose login it keeps. That login ends at the service before
    ///     the page opens, so a viewer who leaves the page is logged out with the next request. The provider's logout
    ///     page opens before its login page, so that no cookies log the same viewer in again (checklist, CL19). A
    ///     viewer who leaves the picker or chooses another provider stays logged in.
    ///   - data: additional data for the service, for example the viewer's id for a promotional TempPass.
    ///   - filter: the selection of providers that the platform's picker offers.
    /// - Returns: the viewer's profile. Its token is already stored.
    /// - Throws: `TVEError`: `providerNotSelected` when the viewer left, `unknownProvider`, `authenticationFailed`,
    ///   `temporaryAccessExpired`, `viewerIdentityMissing` for a promotional TempPass without the viewer's id in
    ///   `data`, `deviceMismatch`, and the errors of ``start(using:)``, such as `requestorNotConfigured`,
    ///   `redirectNotRegistered`, `serviceUnreachable` and `storageFailed`. A failed login removes nothing from the
    ///   store (API reference, rows GA1 to GA9).
    @discardableResult
    public func authenticate(
        using presenter: any AuthenticationPresenter, isForced: Bool = false, data: [String: MetadataValue] = [:],
        filter: PlatformPickerFilter? = nil
    ) async throws(TVEError) -> Profile {
        let parameters = LoginParameters(data: data, isForced: isForced, filter: filter, presenter: presenter)
        let answer = await loginFlow.authenticate(parameters, on: self, answer: report(.authenticate))
        return logins.profile(of: try answer.get())
    }

    /// Finishes a login whose page an earlier session has opened, in this run of the app or an earlier one (API
    /// reference, row HX7).
    ///
    /// A running login ends, because the viewer has just finished the other one. Any app can open a URL with the
    /// redirect's scheme. A URL that differs from the redirect finishes the login only if the service has it, and
    /// otherwise changes nothing.
    ///
    /// - Parameter url: the URL that the browser was about to load.
    /// - Returns: the viewer's profile, or `nil` if there is no earlier login, if the login does not end at the URL, or
    ///   if another call finishes it.
    /// - Throws: the errors of ``authenticate(using:isForced:data:filter:)`` that can follow the login page. If no
    ///   answer arrived, another call can finish the login.
    @discardableResult
    public func resumeLogin(at url: URL) async throws(TVEError) -> Profile? {
        try await loginFlow.resumeLogin(at: url, on: self).map(logins.profile(of:))
    }

    /// Returns the TV provider that the viewer chose last, or whose shared login is used, if the requestor works with
    /// it.
    ///
    /// - Returns: the provider, or `nil` if none is remembered. The configuration is loaded only if nothing is stored
    ///   about the provider.
    /// - Throws: `TVEError`: `storageFailed`, `requestorNotConfigured`, and the errors of ``configuration()``.
    public func selectedProvider() async throws(TVEError) -> TVProvider? {
        guard let chosen = try chosenProvider() else { return nil }
        if let known = providers.provider(chosen) { return known }
        let configuration = try await providers.configuration(on: self)
        // The viewer may have chosen another provider or logged out in the meantime.
        return try chosenProvider().flatMap(configuration.requestor.provider)
    }

    /// Returns the provider that the viewer chose last, without a request to the service.
    ///
    /// For a provider that was chosen a moment ago, only the id may be known.
    package func knownSelectedProvider() throws(TVEError) -> TVProvider? {
        guard let chosen = try chosenProvider() else { return nil }
        return providers.provider(chosen) ?? TVProvider(id: chosen, displayName: chosen.text, logoURL: "")
    }

    /// Returns the id of the provider that the viewer chose last, or whose shared login is used.
    private func chosenProvider() throws(TVEError) -> MVPDID? {
        try logins.readiness.check()
        if let chosen = logins.pendingChoice.mvpdID ?? loginFlow.selected { return chosen }
        if let chosen = try logins.chosenProvider() { return chosen }
        return try logins.valid()?.claims.providerID
    }

    /// Chooses the TV provider of the next login, or removes the current choice.
    ///
    /// Stored tokens stay.
    ///
    /// A TempPass logs the viewer in at once. A running login continues with the chosen provider. A provider that the
    /// requestor does not have is refused, and the login continues unchanged. Passing `nil` ends a running login, which
    /// receives its answer, and removes the choice (API reference, rows SP6 to SP13).
    ///
    /// - Parameter mvpdID: the provider. Pass `nil` to remove the choice; the authentication status is then
    ///   `providerNotSelected`.
    /// - Returns: the authentication status, if the choice itself determines it; `nil` if a running login or the next
    ///   one determines it, or if a later choice, a logout, a cancellation or the end of the session overrides this
    ///   choice.
    /// - Throws: `TVEError`: `unknownProvider`, `storageFailed`, `requestorNotConfigured`, and with a TempPass the
    ///   errors of ``authenticate(using:isForced:data:filter:)``.
    @discardableResult
    public func selectProvider(_ mvpdID: MVPDID?) async throws(TVEError) -> AuthenticationStatus? {
        try await loginFlow.choose(mvpdID, on: self)
    }

    /// Logs the viewer out: removes every stored token, and then ends the sessions at the service and the provider in
    /// the browser.
    ///
    /// A running login is cancelled, and calls that wait for the service fail as not authenticated. The device is
    /// logged out whatever happens in the browser, and the wait for a page ends after a minute (API reference, rows
    /// LO1 to LO11). Over REST API v2 each login can have a page, and the pages open one after the other. The device
    /// leaves its households, those of other requestors too, and the other devices stay logged in; to log out all of
    /// them, see ``logoutHousehold(using:)``.
    ///
    /// - Parameter presenter: the presenter that opens the logout page. Pass `nil` to open no page. Over REST API v2
    ///   the login then still ends at the service, and in the classic dialect it ends on this device alone. A device
    ///   whose viewers log in on a second screen opens no page either.
    /// - Throws: `TVEError.storageFailed` if the tokens could not be removed, or `requestorNotConfigured` if the
    ///   session is closed. In both cases all tokens are still stored.
    public func logout(using presenter: (any AuthenticationPresenter)? = nil) async throws(TVEError) {
        try await logout(ofOnly: nil, using: presenter).get()
    }

    /// Ends the login with one TV provider, and no other login; see ``logout(using:)``.
    ///
    /// The chosen provider stays chosen. A login that is not stored on this device, but that the service may keep, ends
    /// as well. The classic dialect has one login at a time, which ends if it is with this provider. A device whose
    /// login may be that of its household leaves the household, because a member would receive the login again. Other
    /// logins that came from the household then end with the next request to the service.
    ///
    /// - Parameters:
    ///   - mvpdID: the TV provider.
    ///   - presenter: the presenter that opens the logout page. Pass `nil` to open no page.
    /// - Throws: `TVEError`: the errors of ``logout(using:)``.
    public func logout(
        of mvpdID: MVPDID, using presenter: (any AuthenticationPresenter)? = nil
    ) async throws(TVEError) {
        try await logout(ofOnly: mvpdID, using: presenter).get()
    }

    /// Ends the login with one TV provider, or all logins if the provider is `nil`.
    func logout(
        ofOnly mvpdID: MVPDID?, using presenter: (any AuthenticationPresenter)?
    ) async -> Result<Void, TVEError> {
        let report: (Result<Void, TVEError>) -> Void = report(.logout)
        guard parts.isOpen else {
            report(.failure(.sessionIsClosed))
            return .failure(.sessionIsClosed)
        }
        // The permission flow comes first, so that the app receives no outcome of a login that was shown for an
        // authorization.
        permissionFlow.loggedOut(of: mvpdID, on: self)
        loginFlow.loggedOut(of: mvpdID, on: self)
        return await logoutFlow.logOut(of: mvpdID, using: presenter, on: self, answer: report)
    }

    /// Returns the valid logins of this device, at most one for each TV provider, independently of the chosen provider.
    ///
    /// Over REST API v2 the session sends a request to every service. The list of a service contains no TempPass and no
    /// degraded provider. It contains a login from the platform's account or by a service token only while the request
    /// proves it. Stored logins of these kinds are added. The classic dialect has one login at a time and answers from
    /// storage. The method stores nothing and does not change the chosen provider.
    ///
    /// - Returns: the profiles in descending order of expiry, or an empty array if nobody is logged in.
    /// - Throws: `TVEError`: `authenticationFailed` if the service refuses the request, and the errors of
    ///   ``start(using:)``, such as `requestorNotConfigured` and `serviceUnreachable`.
    public func profiles() async throws(TVEError) -> [Profile] { try await logins.profiles() }

    /// Returns the login with one TV provider, independently of the chosen provider.
    ///
    /// For a TempPass, the result shows whether it is still valid.
    ///
    /// Over REST API v2 the session sends a request to the service. The classic dialect answers from storage, for the
    /// provider of its login. The method stores nothing and does not change the chosen provider.
    ///
    /// - Parameter mvpdID: the TV provider.
    /// - Returns: the profile, or `nil` if the viewer is not logged in with this provider.
    /// - Throws: `TVEError`: `temporaryAccessExpired`, `unknownProvider`, and the errors of ``profiles()``.
    public func profile(with mvpdID: MVPDID) async throws(TVEError) -> Profile? {
        try await logins.profile(with: mvpdID, on: self)
    }
}
