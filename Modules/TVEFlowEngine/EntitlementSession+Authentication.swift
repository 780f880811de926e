import Foundation
import TVEDeviceBinding
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

extension EntitlementSession {
    /// Says whether somebody is logged in, from storage alone; where the service keeps the logins, it is asked afterwards, and what it
    /// says otherwise comes as an event.
    ///
    /// Logged in means: a token of the current provider, not run out, bound to this device, and the provider still in
    /// the configuration (API reference, rows CA1 to CA9).
    ///
    /// - Returns: the viewer's profile, or why there is none.
    public func authenticationStatus() -> AuthenticationStatus {
        defer { refreshBehind() }
        do throws(TVEError) {
            guard let token = try validLogin() else { throw try whyNobodyIsLoggedIn() }
            return announcedLogin(token, isCached: true)
        } catch {
            // What the platform said at the start explains why it did not help (rows CA6 to CA8).
            if error.code == .notAuthenticated, let platformNote { hub.emit(.status(platformNote)) }
            return announcedFailure(error)
        }
    }

    /// Makes sure that somebody is logged in, showing a login when nobody is.
    ///
    /// Calls at the same time share one login, with the first caller's presenter. A call whose task is cancelled fails at once;
    /// when all are, the login ends.
    ///
    /// - Parameters:
    ///   - presenter: shows provider picker, login page or code.
    ///   - isForced: whether to show a login even when somebody is logged in.
    ///   - data: what the service is told, for example who asks for a promotional TempPass.
    ///   - filter: which providers the platform's picker offers.
    /// - Returns: the viewer's profile; the token behind it is already stored.
    /// - Throws: `TVEError`: `providerNotSelected` when the viewer left, `unknownProvider`, `authenticationFailed`,
    ///   `temporaryAccessExpired`, `deviceMismatch`, `requestorNotConfigured`, `serviceUnreachable`, `serviceFailed`,
    ///   `throttled`, `storageFailed`. Nothing that was stored is lost then (API reference, rows GA1 to GA9).
    @discardableResult
    public func authenticate(
        using presenter: any AuthenticationPresenter, isForced: Bool = false, data: [String: MetadataValue] = [:],
        filter: PlatformPickerFilter? = nil
    ) async throws(TVEError) -> Profile {
        try await measured(.authenticate) { () async throws(TVEError) in
            // A second call joins the first; a viewer who looks for the code again gets to see it (row GA9).
            if let activationCode, logins.callers > 0 { announce(activationCode) }
            let outcome = await logins.run { [self] in
                do throws(TVEError) {
                    try await clearTheWay()
                    return .success(try await climb(presenter, LoginTerms(data: data, isForced: isForced), filter))
                } catch {
                    await announcedFailure(error)
                    return .failure(error)
                }
            }
            // Cancelled while others still wait for the shared login: this caller is out of it.
            guard let outcome else { throw Self.abandoned }
            return try outcome.get()
        }
    }

    // MARK: - Who is logged in

    /// The AuthN token that counts as logged in, nil when there is none.
    func validLogin() throws(TVEError) -> AuthenticationToken? {
        let configuration = try configured()
        if let mvpdID = try currentProvider(), let provider = configuration.requestor.provider(mvpdID),
            let token = try storedLogin(), isValid(token), try isAllowed(token, with: provider)
        {
            return token
        }
        return try sharedLogin(configuration)
    }

    /// Not a login of the platform with a provider whose platform sign-on was switched off since (row CA5).
    private func isAllowed(_ token: AuthenticationToken, with provider: TVProvider) throws(TVEError) -> Bool {
        if provider.allowsPlatformSignOn { return true }
        return try !isFromPlatform(token)
    }

    func currentProvider() throws(TVEError) -> String? {
        try stored { () throws(StorageError) in try store.currentProvider(of: requestorID) }
    }

    /// Why ``validLogin()`` found nothing.
    func whyNobodyIsLoggedIn() throws(TVEError) -> TVEError {
        // The choice of a TempPass outlives its token, so a missing one has run out (rows CA9 and TP5).
        if let mvpdID = try currentProvider(), try configured().requestor.provider(mvpdID)?.isTempPass == true {
            return Self.tempPassExpired
        }
        let problem: LoginProblem = try storedLogin() == nil ? .missing : .expired
        return TVEError(
            .notAuthenticated, status: .notAuthenticated, message: "Nobody is logged in.", underlying: problem)
    }

    /// The current provider's AuthN token, whether still valid or not.
    func storedLogin() throws(TVEError) -> AuthenticationToken? {
        guard let mvpdID = try currentProvider() else { return nil }
        let stored = try readable { () throws(StorageError) in
            try store.authenticationToken(requestorID: requestorID, mvpdID: mvpdID)
        }
        return stored.flatMap { isOfThisDialect($0) ? $0 : nil }
    }

    /// Whether the services can do anything with a login; an app that changed its dialect finds those of the other one.
    func isOfThisDialect(_ token: AuthenticationToken) -> Bool {
        services.first?.recognizes(token) ?? true
    }

    /// A login of another requestor in the same store, with a provider that both work with.
    ///
    /// Not with a provider that authenticates per requestor, not when this requestor's viewer chose another provider, and not
    /// when that choice was taken back (API reference, rows T-14, T-17, T-18, T-29).
    private func sharedLogin(_ configuration: RequestorConfiguration) throws(TVEError) -> AuthenticationToken? {
        let chosen = try currentProvider()
        let providers = configuration.requestor.providers.filter { provider in
            !provider.authenticatesPerRequestor && !provider.isTempPass
                && (chosen ?? provider.id).isSameBytes(as: provider.id)
        }
        return try stored { () throws(StorageError) in
            guard try !store.hasForgottenProvider(of: requestorID) else { return nil }
            return try store.sharedAuthenticationTokens(with: requestorID, mvpdIDs: providers.map(\.id))
                .first(where: isValid)
        }
    }

    /// Bound to this device and not run out.
    func isValid(_ token: AuthenticationToken) -> Bool {
        isOfThisDialect(token) && device.binding(of: token.claims.fingerprint) == .mine
            && !token.isExpired(at: clock.now())
    }

    /// Whether a login came from the platform's sign-on.
    func isFromPlatform(_ token: AuthenticationToken) throws(TVEError) -> Bool {
        try stored { () throws(StorageError) in
            try store.isFromPlatform(requestorID: token.claims.requestorID, mvpdID: token.claims.providerID)
        }
    }

    // MARK: - The ladder

    /// Ends what has no business beside a login: the page of a logout; and waits for a TempPass that was just chosen.
    ///
    /// A login that was cancelled before it began ends nothing.
    private func clearTheWay() async throws(TVEError) {
        guard !Task.isCancelled else { throw Self.abandoned }
        await finishLogout()
        await finishRefresh()
        await entries.settle()
        guard !Task.isCancelled else { throw Self.abandoned }
    }

    private func climb(
        _ presenter: any AuthenticationPresenter, _ terms: LoginTerms, _ filter: PlatformPickerFilter?
    ) async throws(TVEError) -> Profile {
        let providers = try configured().requestor.providers
        let login = try validLogin()
        let remembered = try currentProvider()
        let canAuthenticate = try stored { () throws(StorageError) in
            guard let remembered else { return false }
            return try store.canAuthenticate(requestorID: requestorID, mvpdID: remembered)
        }
        var ladder = AuthenticationLadder(
            hasValidToken: login != nil, isForced: terms.isForced, providers: providers.map(\.id),
            preselected: preselected,
            hasPlatformSignOn: platform != nil && providers.contains(where: \.takesPartInPlatformSignOn),
            remembered: remembered,
            remembersTempPass: providers.contains { remembered.isSameBytes(as: $0.id) && $0.isTempPass },
            canAuthenticate: canAuthenticate)
        if ladder.next == .askPlatform {
            switch try await signOn(presenter, filter, isForced: terms.isForced) {
            case .loggedIn(let profile): return profile
            case .chosen(let mvpdID):
                track(.providerSelected(mvpdID: mvpdID))
                return try await logInOrChange(mvpdID, presenter, terms)
            case .notPossible:
                // Whoever came this far wants to choose (rows AS5 to AS9).
                ladder.hasPlatformSignOn = false
                ladder.canAuthenticate = false
            }
        }
        switch (ladder.next, login) {
        case (.alreadyAuthenticated, let login?):
            announcedLogin(login, isCached: true)
            return profile(of: login)
        case (.logIn(let mvpdID), _):
            return try await logInOrChange(mvpdID, presenter, terms)
        case (.chooseProvider, _), (.askPlatform, _):
            guard let mvpdID = await presenter.chooseProvider(among: providers) else { throw Self.abandoned }
            guard providers.contains(where: { $0.id.isSameBytes(as: mvpdID) }) else { throw Self.unknownProvider }
            track(.providerSelected(mvpdID: mvpdID))
            return try await logInOrChange(mvpdID, presenter, terms)
        case (.noProviders, _), (.alreadyAuthenticated, nil):
            throw TVEError(
                .authenticationFailed, status: .authenticationFailed, message: "The requestor has no TV providers.")
        }
    }

    static let abandoned = TVEError(
        .providerNotSelected, status: .providerSelectionCancelled, message: "The viewer chose no TV provider or left.")

    static let unknownProvider = TVEError(
        .unknownProvider, status: .authenticationFailed, message: "The requestor has no such TV provider.")

    static let tempPassExpired = TVEError(
        .temporaryAccessExpired, status: .tempPassExpired, message: "The TempPass has run out.")

    // MARK: - Announcing

    @discardableResult
    func announced(_ status: AuthenticationStatus) -> AuthenticationStatus {
        hub.emit(.authentication(status))
        return status
    }

    @discardableResult
    func announcedLogin(_ token: AuthenticationToken, isCached: Bool) -> AuthenticationStatus {
        let profile = profile(of: token)
        track(.authentication(TrackedLogin(profile, isCached: isCached)))
        return announced(.authenticated(profile))
    }

    /// Reports a failed question or login: status code, tracking, answer.
    @discardableResult
    func announcedFailure(_ error: TVEError) -> AuthenticationStatus {
        _ = reported(error)
        track(.authentication(nil))
        return announced(.notAuthenticated(error))
    }

    func announce(_ code: ActivationCode) {
        hub.emit(.status(StatusEvent(registrationCode: code.code)))
    }
}
