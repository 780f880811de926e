import Foundation
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVEStorage

/// The steps of an attempt to log in: each asks the viewer, the platform or a service, and returns an outcome.
extension EntitlementSession {
    func outcome(of step: LoginStep, _ attempt: LoginAttempt) async throws(TVEError) -> LoginOutcome {
        switch step {
        case .clear:
            await finishLogout()
            await finishRefresh()
            return .cleared(try await loginFacts(attempt.terms))
        case .askPlatform:
            return .platform(try await signOn(attempt.terms))
        case .choose:
            let providers = try await configuration().requestor.providers
            guard !providers.isEmpty else { throw .noProviders }
            let chosen = await attempt.terms.presenter?.chooseProvider(among: providers)
            if let chosen, !providers.contains(where: { $0.id == chosen }) { throw .unknownProvider }
            return .picked(chosen)
        case .open(let mvpdID): return try await open(mvpdID, attempt.terms)
        case .showPage(let page): return .pageEnded(try await show(page, attempt.terms.presenter))
        case .fetch(let page, let isCertain): return try await fetch(page, isCertain)
        case .poll(let page): return .polled(await poll(page), uptime: clock.uptime())
        case .keep(let login):
            try keep(login)
            return .kept
        }
    }

    private func loginFacts(_ terms: LoginTerms) async throws(TVEError) -> LoginFacts {
        var login = try validLogin()
        var providers = loaded?.merged.requestor.providers
        if platform != nil, providers == nil, terms.isForced || login == nil {
            providers = try await configuration().requestor.providers
            login = try validLogin()
        }
        let remembered = try currentProvider()
        let canAuthenticate =
            try remembered.map { mvpdID throws(TVEError) in
                try read { try $0.canAuthenticate(requestorID: requestorID, mvpdID: mvpdID) }
            } ?? false
        let ladder = AuthenticationLadder(
            hasValidToken: login != nil, isForced: terms.isForced, providers: providers?.map(\.id),
            hasPlatformSignOn: platform != nil && providers?.contains(where: \.takesPartInPlatformSignOn) == true,
            remembered: remembered, remembersTempPass: try remembered.map(isKnownTempPass) ?? false,
            canAuthenticate: canAuthenticate)
        return LoginFacts(ladder: ladder, login: login)
    }

    /// Whether a provider is a TempPass, by what is known of it or by the login that it gave.
    func isKnownTempPass(_ mvpdID: MVPDID) throws(TVEError) -> Bool {
        if let provider = provider(mvpdID) { return provider.isTempPass }
        return try storedLogin(with: mvpdID)?.claims.kind == .tempPass
    }

    // MARK: - Page and code

    private func open(_ mvpdID: MVPDID, _ terms: LoginTerms) async throws(TVEError) -> LoginOutcome {
        try checkIsStarted()
        let service = try service(of: mvpdID)
        let isTempPass = try isKnownTempPass(mvpdID)
        let isOnSecondScreen = loginStyle == .secondScreen && !isTempPass
        await finishRefresh()
        var request = LoginRequest(
            requestorID: requestorID, mvpdID: mvpdID, kind: isOnSecondScreen ? .secondScreen : .browser,
            data: terms.data, redirectURL: isOnSecondScreen ? nil : redirectURL(of: mvpdID))
        request.domains = domains(for: mvpdID)
        request.isForced = terms.isForced
        if try mustBeNew(mvpdID) { request.isForced = true }
        let left = try unfinishedLogouts()
        let page = try await ask(during: .login) { () async throws(ServiceError) in try await service.login(request) }
        // A page means that the service has no login with the provider any more.
        if page.needsViewer, !Task.isCancelled { settleLogouts(mvpdID, service, asOf: left) }
        return .opened(opened(page, isOnSecondScreen: isOnSecondScreen))
    }

    func opened(_ page: LoginPage, isOnSecondScreen: Bool) -> OpenedLogin {
        OpenedLogin(page: page, isOnSecondScreen: isOnSecondScreen, deadline: clock.uptime() + lifetime(of: page))
    }

    /// How long a code is valid from now on.
    ///
    /// The service sends a date. A device whose clock is wrong cannot use it, and takes the usual lifetime.
    private func lifetime(of page: LoginPage) -> Duration {
        let seconds = page.expires.timeIntervalSince(clock.now())
        return (0...Self.longestCode.seconds).contains(seconds) ? .seconds(seconds) : Self.usualCode
    }

    /// Waits until the browser is at a redirect, the viewer has left, or the code of the page expires.
    private func show(
        _ page: LoginPage, _ presenter: (any AuthenticationPresenter)?
    ) async throws(TVEError) -> PageEnd {
        let browserPage = BrowserPage(page, needsSafari: usesSystemBrowser(page.mvpdID))
        // An expired code can no longer become a token, so waiting longer is pointless.
        let end = await clock.run(atMost: lifetime(of: page)) { await presenter?.presentLogin(browserPage) }
        guard let end else { return .ranOut }
        guard let url = end else { return .left }
        return browserPage.isExactRedirect(url) ? .redirect : .otherRedirect
    }

    private func fetch(_ page: LoginPage, _ isCertain: Bool) async throws(TVEError) -> LoginOutcome {
        let service = try service(of: page.mvpdID)
        // The redirect may have been another app's, or that of a logout whose page was left open.
        let mayBeAnother = !isCertain || logoutFlow.machine.hasLeftPage
        do throws(ServiceError) {
            return .fetched(try await newLogin(of: page, service, looks: mayBeAnother ? 2 : Self.looksAfterRedirect))
        } catch {
            guard page.needsViewer, error.isLoginPending, mayBeAnother else { throw TVEError(error, during: .login) }
            handle(LogoutEvent.redirectWasTaken)
            return .redirectWasNotOurs
        }
    }

    /// Fetches the login after its page has reached the redirect.
    ///
    /// Where the service keeps the logins, the browser may return before the login exists (REST API v2, 9.2). Nothing
    /// says whether it will: a viewer who cancelled at the provider's page returns in the same way.
    ///
    /// - Parameter looks: how often to ask.
    private func newLogin(
        of page: LoginPage, _ service: any EntitlementService, looks: Int
    ) async throws(ServiceError) -> NewLogin {
        guard service.keepsLogins, page.needsViewer else { return try await fetchOnce(of: page, service) }
        for _ in 1..<looks {
            do throws(ServiceError) {
                return try await fetchOnce(of: page, service)
            } catch .notLoggedIn {
                try? await clock.sleep(Self.pauseAfterRedirect)
                if Task.isCancelled { throw .notLoggedIn }
            }
        }
        return try await fetchOnce(of: page, service)
    }

    /// Whether a login can be fetched; it stays fetchable.
    func serviceHasLogin(of page: LoginPage) async -> Bool {
        guard let service = try? service(of: page.mvpdID) else { return false }
        return (try? await fetchOnce(of: page, service)) != nil
    }

    private func fetchOnce(of page: LoginPage, _ service: any EntitlementService) async throws(ServiceError) -> NewLogin
    {
        NewLogin(try await service.authentication(of: page), mvpdID: page.mvpdID)
    }

    private func poll(_ page: LoginPage) async -> SecondScreenPoll {
        try? await clock.sleep(Self.pollingInterval)
        guard !Task.isCancelled, let service = try? service(of: page.mvpdID) else { return .notYet }
        do throws(ServiceError) {
            return .found(try await fetchOnce(of: page, service))
        } catch {
            // The service is temporarily unreachable: the code lasts longer than most failures.
            if error.isTransient { return .notYet }
            if error.isCodeExpired { return .codeExpired(TVEError(error, during: .login)) }
            return error.isLoginPending ? .notYet : .failed(TVEError(error, during: .login))
        }
    }

    // MARK: - Storing

    /// Stores a new login; a refused login changes nothing in the store.
    ///
    /// - Parameter stillStands: whether a login that the viewer did not ask for may still be stored; checked in the
    ///   transaction that stores it.
    func keep(
        _ login: NewLogin,
        if stillStands: @escaping @Sendable (EntitlementChanges) throws(StorageError) -> Bool = { _ in true }
    ) throws(TVEError) {
        let (token, metadata, isFromPlatform) = (login.token, login.metadata, login.isFromPlatform)
        let isTempPass = token.claims.kind == .tempPass || provider(login.mvpdID)?.isTempPass == true
        if isTempPass, token.isExpired(at: clock.now()) {
            try choose(login.mvpdID)
            throw .tempPassExpired
        }
        try check(token, isFor: login.mvpdID)
        let isKept = try changeLogin { entitlements throws(StorageError) in
            guard try stillStands(entitlements) else { return false }
            try entitlements.save(
                token, metadata: metadata, canAuthenticate: !isTempPass, isFromPlatform: isFromPlatform)
            return true
        }
        guard isKept else { throw .loginAbandoned }
    }

    /// Refuses a token that is not for this device, requestor and provider, or has already expired.
    private func check(_ token: AuthenticationToken, isFor mvpdID: MVPDID) throws(TVEError) {
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

    // MARK: - Logouts that the service was not told about

    /// Whether a login ended on this device without the service knowing, or ended at the service: then the viewer must
    /// log in anew.
    func mustBeNew(_ mvpdID: MVPDID) throws(TVEError) -> Bool {
        guard keepsCopies else { return false }
        return try unfinishedLogouts().concerns(mvpdID)
    }

    func unfinishedLogouts() throws(TVEError) -> UnfinishedLogouts {
        try read { try $0.unfinishedLogouts(of: requestorID) }
    }

    /// The new login has begun, and the old one has ended: any later login, also of another process, is the new one.
    ///
    /// - Parameter left: the logouts of which the service did not know when the login was requested.
    private func settleLogouts(_ mvpdID: MVPDID, _ service: any EntitlementService, asOf left: UnfinishedLogouts) {
        guard service.keepsLogins, left.concerns(mvpdID) else { return }
        _ = try? change { [requestorID] entitlements throws(StorageError) in
            try entitlements.settleLogouts(requestorID: requestorID, mvpdID: mvpdID, asOf: left)
        }
    }

    // MARK: - The stored page

    func keepPendingLogin(_ page: LoginPage) {
        guard let pending = try? JSONEncoder().encode(page) else { return }
        _ = try? change { [requestorID] entitlements throws(StorageError) in
            try entitlements.setPendingLogin(pending, of: requestorID)
        }
    }

    /// Removes the stored page of a login that has ended; the page of a newer login in another process stays.
    func forgetPendingLogin(_ page: LoginPage) {
        _ = try? change { [requestorID] entitlements throws(StorageError) in
            let kept = try entitlements.pendingLogin(of: requestorID)
            let present = kept.flatMap { try? UntrustedJSON.decode(LoginPage.self, from: $0) }
            guard page.hasCode(of: present) else { return }
            try entitlements.setPendingLogin(nil, of: requestorID)
        }
    }

    /// Where a provider's pages end; nil for the usual redirect.
    func redirectURL(of mvpdID: MVPDID) -> URL? {
        usesSystemBrowser(mvpdID) ? safariRedirectURL() : nil
    }

    /// Whether a provider's pages open in the system's browser: over REST API v2 unless the app said otherwise, which
    /// then has to know its providers.
    func usesSystemBrowser(_ mvpdID: MVPDID) -> Bool {
        keepsCopies && loginBrowser == .system || provider(mvpdID)?.usesSafari == true
    }

    private static let pauseAfterRedirect = Duration.seconds(3)
    /// A minute: a viewer who cancelled waits no longer for the answer, and a login that is late comes within seconds.
    private static let looksAfterRedirect = 21
    /// Time between two questions for the token of a code; the documents ask for three to five seconds.
    private static let pollingInterval = Duration.seconds(5)
    /// How long codes last at the vendor's service.
    private static let usualCode = Duration.seconds(1_800)
    private static let longestCode = Duration.seconds(86_400)
}

extension LoginPage {
    /// Whether another page belongs to the same login.
    func hasCode(of other: LoginPage?) -> Bool { other?.registrationCode.isSameBytes(as: registrationCode) == true }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
