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
        case .askPlatformSilently:
            return .platform(await signOnSilently())
        case .choose:
            let providers = try await configuration().requestor.providers
            guard !providers.isEmpty else { throw .noProviders }
            let chosen = await attempt.terms.presenter?.chooseProvider(among: providers)
            if let chosen, !providers.contains(where: { $0.id == chosen }) { throw .unknownProvider }
            return .picked(chosen)
        case .open(let mvpdID): return .opened(try await open(mvpdID, attempt))
        case .showPage(let page): return .pageEnded(await show(page, attempt))
        case .look(let page, let pause):
            // A look at once needs no thread to change.
            if pause > .zero { try? await clock.sleep(pause) }
            return .looked(await look(for: page, attempt), uptime: clock.uptime())
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

    private func open(_ mvpdID: MVPDID, _ attempt: LoginAttempt) async throws(TVEError) -> OpenedLogin {
        try checkIsStarted()
        try checkRedirect()
        let service = try service(of: mvpdID)
        let isTempPass = try isKnownTempPass(mvpdID)
        await finishRefresh()
        let kind: LoginRequest.Kind =
            if attempt.isPassive {
                .passive(redirect: redirects?.ofSystemBrowser)
            } else if loginStyle == .secondScreen, !isTempPass {
                .otherScreen
            } else {
                .here(redirect: redirectURL(of: mvpdID))
            }
        let terms = attempt.terms
        var request = LoginRequest(requestorID: requestorID, mvpdID: mvpdID, kind: kind, data: terms.data)
        request.domains = domains(for: mvpdID)
        request.isForced = terms.isForced
        if try mustBeNew(mvpdID) { request.isForced = true }
        let left = try unfinishedLogouts()
        noteBegunLogin(at: service)
        let page = try await ask(during: .login) { () async throws(ServiceError) in try await service.login(request) }
        // A page means that the service has no login with the provider any more.
        if page.needsViewer, !Task.isCancelled { settleLogouts(mvpdID, service, asOf: left) }
        return opened(page)
    }

    /// Over REST API v2 a page that cannot come back to the app is no login.
    func checkRedirect() throws(TVEError) {
        guard keepsCopies, loginStyle == .browser, redirects?.isUsable(in: loginBrowser) == false else { return }
        throw .noUsableRedirect
    }

    func opened(_ page: LoginPage) -> OpenedLogin {
        OpenedLogin(page: page, deadline: clock.uptime() + lifetime(of: page))
    }

    /// How long a code is valid from now on.
    ///
    /// The service sends a date. A device whose clock is wrong cannot use it, and takes the usual lifetime.
    private func lifetime(of page: LoginPage) -> Duration {
        let seconds = page.expires.timeIntervalSince(clock.now())
        return (0...Self.longestCode.seconds).contains(seconds) ? .seconds(seconds) : Self.usualCode
    }

    /// Waits until the browser is at a redirect, the viewer has left, or the code of the page expires.
    private func show(_ page: LoginPage, _ attempt: LoginAttempt) async -> PageEnd {
        let needsSafari = attempt.isPassive || usesSystemBrowser(page.mvpdID)
        guard let presenter = attempt.terms.presenter,
            let browserPage = BrowserPage(page, needsSafari: needsSafari, mustBeSeen: !attempt.isPassive)
        else { return .left }
        // An expired code can no longer become a token, so waiting longer is pointless.
        let limit = attempt.isPassive ? Self.passiveLoginTimeLimit : lifetime(of: page)
        let end = await clock.run(atMost: limit) { await presenter.presentLogin(browserPage) }
        guard let end else { return .ranOut }
        guard let url = end else { return .left }
        // The redirect may have been another app's, or that of a logout whose page was left open.
        guard browserPage.isExactRedirect(url), !logoutFlow.machine.hasLeftPage else {
            handle(LogoutEvent.redirectWasTaken)
            return .otherRedirect
        }
        return .redirect
    }

    /// Asks the service for the login of a code.
    ///
    /// Where the service keeps the logins, the browser may return before the login exists (REST API v2, 9.2). Nothing
    /// says whether it will: a viewer who cancelled at the provider's page returns in the same way.
    private func look(for page: LoginPage, _ attempt: LoginAttempt) async -> LoginLook {
        do throws(TVEError) {
            let service = try service(of: page.mvpdID)
            let mayCome = page.step == .typeCode || service.keepsLogins && page.needsViewer
            do throws(ServiceError) {
                return .found(try await fetchOnce(of: page, service, attempt))
            } catch {
                let failure = TVEError(error, during: .login)
                if error.isLoginPending { return .notYet(failure, mayCome: mayCome) }
                // The service is temporarily unreachable: the code lasts longer than most failures.
                if error.isTransient, mayCome { return .notYet(failure, mayCome: true) }
                return error.isCodeExpired ? .codeExpired(failure) : .failed(failure)
            }
        } catch {
            return .failed(error)
        }
    }

    /// Whether a login can be fetched; it stays fetchable.
    func serviceHasLogin(of page: LoginPage) async -> Bool {
        guard let service = try? service(of: page.mvpdID) else { return false }
        return (try? await service.authentication(of: page)) != nil
    }

    private func fetchOnce(
        of page: LoginPage, _ service: any EntitlementService, _ attempt: LoginAttempt
    ) async throws(ServiceError) -> NewLogin {
        var login = NewLogin(try await service.authentication(of: page), mvpdID: page.mvpdID)
        if case .silent(.passive(let other)) = attempt.origin { login.condition = .otherLogin(other) }
        return login
    }

    // MARK: - Storing

    /// Stores the login that a step has found, before anybody hears of it; and a TempPass that has expired as the chosen
    /// provider, by which apps recognize it (row TP5).
    ///
    /// - Returns: the outcome; an error if this could not be stored.
    func stored(_ outcome: LoginOutcome) -> LoginOutcome {
        var ended = outcome
        do throws(TVEError) {
            if let login = outcome.login { try keep(login) }
        } catch {
            ended = .failed(error)
        }
        guard ended.error?.code == .temporaryAccessExpired, let mvpdID = loginFlow.machine.mvpdID else { return ended }
        do throws(TVEError) {
            try choose(mvpdID)
            return ended
        } catch {
            return .failed(error)
        }
    }

    /// Stores a new login; a refused login changes nothing in the store.
    private func keep(_ login: NewLogin) throws(TVEError) {
        let (token, metadata, isFromPlatform) = (login.token, login.metadata, login.isFromPlatform)
        let isTempPass = token.claims.kind == .tempPass || provider(login.mvpdID)?.isTempPass == true
        if isTempPass, token.isExpired(at: clock.now()) { throw .tempPassExpired }
        try check(token, isFor: login.mvpdID)
        let isKept = try changeLogin { [requestorID] entitlements throws(StorageError) in
            guard try login.condition.isMet(entitlements, requestorID) else { return false }
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

    /// From now on the service may have a login that this device never hears of; a logout ends that one too.
    private func noteBegunLogin(at service: any EntitlementService) {
        guard service.keepsLogins else { return }
        _ = try? change { [requestorID] entitlements throws(StorageError) in
            try entitlements.noteBegunLogin(of: requestorID)
        }
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
        usesSystemBrowser(mvpdID) ? redirects?.ofSystemBrowser : nil
    }

    /// Whether a provider's pages open in the system's browser: over REST API v2 unless the app said otherwise, which
    /// then has to know its providers.
    func usesSystemBrowser(_ mvpdID: MVPDID) -> Bool {
        keepsCopies && loginBrowser == .system || provider(mvpdID)?.usesSafari == true
    }

    private static let passiveLoginTimeLimit = Duration.seconds(30)
    /// How long codes last at the vendor's service.
    private static let usualCode = Duration.seconds(1_800)
    private static let longestCode = Duration.seconds(86_400)
}

extension NewLogin.Condition {
    /// Whether the login may still be stored; asked in the transaction that stores it.
    func isMet(_ entitlements: some EntitlementReading, _ requestorID: RequestorID) throws(StorageError) -> Bool {
        switch self {
        case .none: return true
        case .sameChoice(let choice): return try choice == entitlements.chosenLogin(of: requestorID)
        case .otherLogin(let other):
            guard try entitlements.contains(other) else { return false }
            return try !entitlements.isProviderDeselected(for: requestorID)
        }
    }
}

extension LoginPage {
    /// Whether another page belongs to the same login.
    func hasCode(of other: LoginPage?) -> Bool { other?.registrationCode.isSameBytes(as: registrationCode) == true }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension LoginOutcome {
    /// Why the login fails, where the step decides that.
    var error: TVEError? {
        switch self {
        case .failed(let error), .looked(.failed(let error), _): error
        case .cleared, .platform, .picked, .opened, .pageEnded, .looked: nil
        }
    }

    /// The login that the step has found.
    var login: NewLogin? {
        switch self {
        case .platform(.found(let login)), .looked(.found(let login), _): login
        case .cleared, .platform, .picked, .opened, .pageEnded, .looked, .failed: nil
        }
    }
}
