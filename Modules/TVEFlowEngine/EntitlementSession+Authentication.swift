import Foundation
import TVEDeviceBinding
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Says whether somebody is logged in, from storage alone.
    ///
    /// Logged in means: a token of the current provider, not run out, bound to this device, and the provider still in
    /// the configuration (API reference, rows CA1 to CA4).
    ///
    /// - Returns: the viewer's profile, or why there is none.
    public func authenticationStatus() -> AuthenticationStatus {
        do throws(TVEError) {
            guard let token = try validLogin() else {
                throw TVEError(.notAuthenticated, status: .notAuthenticated, message: "Nobody is logged in.")
            }
            let profile = profile(of: token)
            track(.authentication(TrackedLogin(profile, isCached: true)))
            return announced(.authenticated(profile))
        } catch {
            return announcedFailure(error)
        }
    }

    /// Makes sure that somebody is logged in, showing a login when nobody is.
    ///
    /// Calls at the same time share one login. A call whose task is cancelled fails at once; when all are, the login ends.
    ///
    /// - Parameters:
    ///   - presenter: shows provider picker and login page.
    ///   - isForced: whether to show a login even when somebody is logged in.
    /// - Returns: the viewer's profile; the token behind it is already stored.
    /// - Throws: `TVEError`: `providerNotSelected` when the viewer left, `unknownProvider`, `authenticationFailed`,
    ///   `deviceMismatch`, `requestorNotConfigured`, `serviceUnreachable`, `serviceFailed`, `storageFailed`. Nothing that
    ///   was stored is lost then (API reference, rows GA1 to GA8).
    @discardableResult
    public func authenticate(
        using presenter: any AuthenticationPresenter, isForced: Bool = false
    ) async throws(TVEError) -> Profile {
        let outcome = await logins.run { [self] in
            do throws(TVEError) {
                return .success(try await climb(presenter, isForced: isForced))
            } catch {
                await announcedFailure(error)
                return .failure(error)
            }
        }
        // Cancelled while others still wait for the shared login: this caller is out of it.
        guard let outcome else { throw Self.abandoned }
        return try outcome.get()
    }

    /// The AuthN token that counts as logged in, nil when there is none.
    func validLogin() throws(TVEError) -> AuthenticationToken? {
        let configuration = try configured()
        if let mvpdID = try stored({ () throws(StorageError) in try store.currentProvider(of: requestorID) }),
            configuration.requestor.provider(mvpdID) != nil,
            let token = try readable({ () throws(StorageError) in
                try store.authenticationToken(requestorID: requestorID, mvpdID: mvpdID)
            }), isValid(token)
        {
            return token
        }
        return try sharedLogin(configuration)
    }

    /// A login of another requestor in the same store, with a provider that both work with.
    ///
    /// Not with a provider that authenticates per requestor, not when this requestor's viewer chose another provider, and not
    /// when that choice was taken back (API reference, rows T-14, T-17, T-18, T-29).
    private func sharedLogin(_ configuration: RequestorConfiguration) throws(TVEError) -> AuthenticationToken? {
        let chosen = try stored { () throws(StorageError) in try store.currentProvider(of: requestorID) }
        let providers = configuration.requestor.providers.filter { provider in
            !provider.authenticatesPerRequestor && chosen ?? provider.id == provider.id
        }
        return try stored { () throws(StorageError) in
            guard try !store.hasForgottenProvider(of: requestorID) else { return nil }
            return try store.sharedAuthenticationTokens(with: requestorID, mvpdIDs: Set(providers.map(\.id)))
                .first(where: isValid)
        }
    }

    /// Bound to this device and not run out.
    private func isValid(_ token: AuthenticationToken) -> Bool {
        device.binding(of: token.claims.fingerprint) == .mine && !token.isExpired(at: clock.now())
    }

    // MARK: - The ladder

    private func climb(
        _ presenter: any AuthenticationPresenter, isForced: Bool
    ) async throws(TVEError) -> Profile {
        let providers = try configured().requestor.providers
        let login = try validLogin()
        let remembered = try stored { () throws(StorageError) in try store.currentProvider(of: requestorID) }
        let canAuthenticate = try stored { () throws(StorageError) in
            guard let remembered else { return false }
            return try store.canAuthenticate(requestorID: requestorID, mvpdID: remembered)
        }
        let ladder = AuthenticationLadder(
            hasValidToken: login != nil, isForced: isForced, providers: providers.map(\.id), preselected: preselected,
            remembered: remembered, canAuthenticate: canAuthenticate)
        switch (ladder.next, login) {
        case (.alreadyAuthenticated, let login?):
            let profile = profile(of: login)
            track(.authentication(TrackedLogin(profile, isCached: true)))
            announced(.authenticated(profile))
            return profile
        case (.logIn(let mvpdID), _):
            return try await logIn(with: mvpdID, presenter)
        case (.chooseProvider, _):
            guard let mvpdID = await presenter.chooseProvider(among: providers) else { throw Self.abandoned }
            guard providers.contains(where: { $0.id == mvpdID }) else { throw Self.unknownProvider }
            track(.providerSelected(mvpdID: mvpdID))
            return try await logIn(with: mvpdID, presenter)
        case (.noProviders, _), (.alreadyAuthenticated, nil):
            throw TVEError(
                .authenticationFailed, status: .authenticationFailed, message: "The requestor has no TV providers.")
        }
    }

    private func logIn(
        with mvpdID: String, _ presenter: any AuthenticationPresenter
    ) async throws(TVEError) -> Profile {
        do throws(TVEError) {
            let page = try await served(.login) { () async throws(ServiceError) in
                try await service.login(requestorID: requestorID, mvpdID: mvpdID)
            }
            // A code that has run out can no longer become a token, so waiting longer is pointless.
            let timeLeft = Duration.seconds(page.expires.timeIntervalSince(clock.now()))
            let end = await clock.run(atMost: timeLeft) {
                await presenter.presentLogin(page.url, endingAt: page.redirectURL)
            }
            guard case .some(.some) = end, !Task.isCancelled else { throw Self.abandoned }
            let (token, metadata) = try await served(.login) { () async throws(ServiceError) in
                try await service.authentication(of: page)
            }
            try check(token, isFor: mvpdID)
            guard !Task.isCancelled else { throw Self.abandoned }
            try stored { () throws(StorageError) in try store.save(token, metadata: metadata) }
            preselected = nil
            let profile = profile(of: token)
            track(.authentication(TrackedLogin(profile, isCached: false)))
            announced(.authenticated(profile))
            return profile
        } catch {
            preselected = nil
            // The next attempt shows the picker again; tokens that are there stay. What the login failed of matters more
            // than a mark that could not be taken away.
            try? stored { () throws(StorageError) in
                guard try store.canAuthenticate(requestorID: requestorID, mvpdID: mvpdID) else { return }
                try store.clearCanAuthenticate(requestorID: requestorID, mvpdID: mvpdID)
            }
            // Whatever the cancelled step failed of, the reason is that the viewer left.
            throw Task.isCancelled ? Self.abandoned : error
        }
    }

    /// Refuses a token that is not for this device, requestor and provider, or already over.
    private func check(_ token: AuthenticationToken, isFor mvpdID: String) throws(TVEError) {
        guard device.binding(of: token.claims.fingerprint) == .mine else {
            throw TVEError(
                .deviceMismatch, status: .deviceMismatch, message: "The service sent a token for another device.")
        }
        guard token.claims.requestorID == requestorID, token.claims.providerID == mvpdID,
            !token.isExpired(at: clock.now())
        else {
            throw TVEError(
                .authenticationFailed, status: .authenticationFailed,
                message: "The service sent a token for another login.")
        }
    }

    private static let abandoned = TVEError(
        .providerNotSelected, status: .providerSelectionCancelled, message: "The viewer chose no TV provider or left.")

    static let unknownProvider = TVEError(
        .unknownProvider, status: .authenticationFailed, message: "The requestor has no such TV provider.")

    // MARK: - Announcing

    @discardableResult
    func announced(_ status: AuthenticationStatus) -> AuthenticationStatus {
        hub.emit(.authentication(status))
        return status
    }

    /// Reports a failed question or login: status code, tracking, answer.
    @discardableResult
    func announcedFailure(_ error: TVEError) -> AuthenticationStatus {
        _ = reported(error)
        track(.authentication(nil))
        return announced(.notAuthenticated(error))
    }
}
