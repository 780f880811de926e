public import Foundation
import TVEDeviceBinding
public import TVEModels
import TVENetworking
import TVEStorage

extension EntitlementSession {
    /// Logs in with a provider, wherever this device's viewers log in.
    func logIn(
        with mvpdID: String, _ presenter: any AuthenticationPresenter, _ data: [String: MetadataValue]
    ) async throws(TVEError) -> Profile {
        do throws(TVEError) {
            let (token, metadata) =
                switch (loginStyle, try configured().requestor.provider(mvpdID)?.isTempPass) {
                case (.secondScreen, false?): try await secondScreenLogin(mvpdID, presenter, data)
                default: try await browserLogin(mvpdID, presenter, data)
                }
            return try accept(token, metadata, from: mvpdID)
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

    /// Logs in with a provider, or with another one that the viewer chooses meanwhile (API reference, `setSelectedProvider`).
    func logInOrChange(
        _ mvpdID: String, _ presenter: any AuthenticationPresenter, _ data: [String: MetadataValue]
    ) async throws(TVEError) -> Profile {
        var mvpdID = mvpdID
        while true {
            let attempt = Task { [mvpdID] () -> Result<Profile, TVEError> in
                do throws(TVEError) {
                    return .success(try await logIn(with: mvpdID, presenter, data))
                } catch {
                    return .failure(error)
                }
            }
            self.attempt = attempt
            let outcome = await withTaskCancellationHandler {
                await attempt.value
            } onCancel: {
                attempt.cancel()
            }
            self.attempt = nil
            defer { changedProvider = nil }
            guard case .failure = outcome, let changedProvider, !Task.isCancelled else { return try outcome.get() }
            mvpdID = changedProvider
        }
    }

    /// Logs in with a TempPass that the viewer has just chosen, which needs no further call (API reference, rows SP9, SP10).
    ///
    /// A promotional one does not let anybody in before it knows who asks, which is no failure.
    func enterTempPass(_ mvpdID: String) async throws(TVEError) {
        let outcome = await entries.run { [self] in await entry(with: mvpdID) }
        do throws(TVEError) {
            _ = try (outcome ?? .failure(Self.abandoned)).get()
        } catch {
            guard error.underlying as? ServiceError == .notLoggedIn else { throw error }
        }
    }

    private func entry(with mvpdID: String) async -> Result<Profile, TVEError> {
        do throws(TVEError) {
            guard !Task.isCancelled else { throw Self.abandoned }
            await finishLogout()
            return .success(try await logIn(with: mvpdID, Nobody(), [:]))
        } catch {
            // Before whoever waits for this goes on: the choice counts for the next login.
            if error.underlying as? ServiceError == .notLoggedIn { preselected = mvpdID }
            return .failure(error)
        }
    }

    /// Finishes a login whose page was opened before the app was closed (API reference, row HX7).
    ///
    /// A login that is on its way here ends, since the viewer has just finished the other one.
    ///
    /// - Parameter url: the URL that the browser was about to load.
    /// - Returns: the viewer's profile; nil when no earlier login is on its way or the URL is not where it ends.
    /// - Throws: what ``authenticate(using:isForced:data:filter:)`` throws after the login page. A login that failed for want of
    ///   an answer can be finished by another call.
    @discardableResult
    public func resumeLogin(at url: URL) async throws(TVEError) -> Profile? {
        let kept = try stored { () throws(StorageError) in try store.pendingLogin(of: requestorID) }
        guard let page = kept.flatMap({ try? JSONDecoder().decode(LoginPage.self, from: $0) }),
            page.expires > clock.now(),
            page.registrationCode != ownLogin?.registrationCode,
            BrowserPage(url: page.url, redirectURL: page.redirectURL).ends(at: url)
        else { return nil }
        _ = logins.cancel()
        let outcome = await logins.run { [self] in
            do throws(TVEError) {
                return .success(try await finish(page))
            } catch {
                await announcedFailure(error)
                return .failure(error)
            }
        }
        return try (outcome ?? .failure(Self.abandoned)).get()
    }

    private func finish(_ page: LoginPage) async throws(TVEError) -> Profile {
        do throws(TVEError) {
            let service = try configuredServices().service(of: page.mvpdID)
            let (token, metadata) = try await served(.login) { () async throws(ServiceError) in
                try await service.authentication(of: page)
            }
            let profile = try accept(token, metadata, from: page.mvpdID)
            forgetPendingLogin()
            return profile
        } catch {
            // Whoever could not be asked can be asked again, and what could not be kept can be fetched again.
            let canAskAgain =
                error.recovery == .retry || error.code == .requestorNotConfigured || error.code == .storageFailed
            if !canAskAgain && !Task.isCancelled { forgetPendingLogin() }
            throw Task.isCancelled ? Self.abandoned : error
        }
    }

    // MARK: - In a browser

    private func browserLogin(
        _ mvpdID: String, _ presenter: any AuthenticationPresenter, _ data: [String: MetadataValue]
    ) async throws(TVEError) -> (AuthenticationToken, UserMetadata?) {
        let service = try configuredServices().service(of: mvpdID)
        let request = LoginRequest(
            requestorID: requestorID, mvpdID: mvpdID, data: data, redirectURL: try redirectURL(of: mvpdID))
        let page = try await served(.login) { () async throws(ServiceError) in try await service.login(request) }
        if page.needsViewer { try await show(page, to: presenter) }
        do throws(ServiceError) {
            return try await service.authentication(of: page)
        } catch {
            // The redirect may have been that of a logout that nobody waited for any longer: the viewer is still at the page.
            guard page.needsViewer, hasCutLogoutShort, error.meansNotYet else { throw TVEError(error, during: .login) }
            hasCutLogoutShort = false
        }
        try await show(page, to: presenter)
        return try await served(.login) { () async throws(ServiceError) in
            try await service.authentication(of: page)
        }
    }

    /// Where a provider's pages end; nil for the usual place.
    func redirectURL(of mvpdID: String) throws(TVEError) -> URL? {
        try configured().requestor.provider(mvpdID)?.usesSafari == true ? safariRedirectURL : nil
    }

    private func show(_ page: LoginPage, to presenter: any AuthenticationPresenter) async throws(TVEError) {
        let needsSafari = try configured().requestor.provider(page.mvpdID)?.usesSafari == true
        // Should the app be closed meanwhile, the redirect can still be finished; without, the viewer logs in again.
        ownLogin = page
        try? store.setPendingLogin(try JSONEncoder().encode(page), of: requestorID)
        defer { forgetPendingLogin() }
        // A code that has run out can no longer become a token, so waiting longer is pointless.
        let timeLeft = Duration.seconds(page.expires.timeIntervalSince(clock.now()))
        let end = await clock.run(atMost: timeLeft) {
            await presenter.presentLogin(
                BrowserPage(url: page.url, redirectURL: page.redirectURL, needsSafari: needsSafari))
        }
        guard case .some(.some) = end, !Task.isCancelled else { throw Self.abandoned }
    }

    func forgetPendingLogin() {
        try? store.setPendingLogin(nil, of: requestorID)
    }

    // MARK: - On a second screen

    /// Shows a code and asks for the token until somebody has typed it elsewhere (API reference, rows TV1 to TV7).
    private func secondScreenLogin(
        _ mvpdID: String, _ presenter: any AuthenticationPresenter, _ data: [String: MetadataValue]
    ) async throws(TVEError) -> (AuthenticationToken, UserMetadata?) {
        let service = try configuredServices().service(of: mvpdID)
        let request = LoginRequest(requestorID: requestorID, mvpdID: mvpdID, kind: .secondScreen, data: data)
        do throws(TVEError) {
            for _ in 0..<Self.codesPerLogin {
                let page = try await served(.login) { () async throws(ServiceError) in try await service.login(request)
                }
                guard page.needsViewer else {
                    return try await served(.login) { () async throws(ServiceError) in
                        try await service.authentication(of: page)
                    }
                }
                let code = ActivationCode(code: page.registrationCode, mvpdID: mvpdID, expires: page.expires)
                activationCode = code
                announce(code)
                await presenter.show(code)
                if let login = try await poll(page, service) {
                    await hideCode(presenter)
                    return login
                }
            }
            throw TVEError(
                .authenticationFailed, status: .noTokenOnSession, message: "Nobody typed the code in while it lasted.")
        } catch {
            await hideCode(presenter)
            throw error
        }
    }

    private func hideCode(_ presenter: any AuthenticationPresenter) async {
        activationCode = nil
        await presenter.show(nil)
    }

    /// Asks for the token of a code until it is there; nil when the code has run out.
    private func poll(
        _ page: LoginPage, _ service: any EntitlementService
    ) async throws(TVEError) -> (AuthenticationToken, UserMetadata?)? {
        while clock.now() < page.expires {
            try? await clock.sleep(Self.pollingInterval)
            guard !Task.isCancelled else { throw Self.abandoned }
            do throws(ServiceError) {
                return try await service.authentication(of: page)
            } catch .status, .transport {
                // Not to be reached just now: the code lasts longer than most failures.
            } catch {
                guard error.meansNotYet else { throw TVEError(error, during: .login) }
            }
        }
        return nil
    }

    /// Between two questions; the documents ask for three to five seconds.
    private static let pollingInterval = Duration.seconds(5)
    /// A code lasts half an hour, and a television may be left on.
    private static let codesPerLogin = 4

    // MARK: - The token

    /// Keeps a new login and announces it; nothing that is refused changes what is stored.
    func accept(
        _ token: AuthenticationToken, _ metadata: UserMetadata?, from mvpdID: String, isFromPlatform: Bool = false
    ) throws(TVEError) -> Profile {
        let isTempPass = try configured().requestor.provider(mvpdID)?.isTempPass == true
        if isTempPass, token.isExpired(at: clock.now()) {
            try stored { () throws(StorageError) in try store.setCurrentProvider(mvpdID, of: requestorID) }
            throw Self.tempPassExpired
        }
        try check(token, isFor: mvpdID)
        guard !Task.isCancelled else { throw Self.abandoned }
        try stored { () throws(StorageError) in
            try store.save(
                token, metadata: metadata, canAuthenticate: !isTempPass, isFromPlatform: isFromPlatform)
        }
        preselected = nil
        if token.claims.isDegraded {
            hub.emit(.status(StatusEvent(.authenticatedByDegradation, message: "The TV provider is degraded.")))
        } else if isTempPass {
            hub.emit(.status(StatusEvent(.authenticatedByTempPass, message: "Logged in by a TempPass.")))
        }
        announcedLogin(token, isCached: false)
        return profile(of: token)
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
}

/// A presenter for logins that show nothing: a page that comes nevertheless is left at once.
private struct Nobody: AuthenticationPresenter {
    func chooseProvider(among providers: [TVProvider]) async -> String? { nil }
    func presentLogin(_ page: BrowserPage) async -> URL? { nil }
    func presentLogout(_ page: BrowserPage) async {}
}

extension ServiceError {
    /// Whether nobody has finished the login so far: somebody may be at it, or gave up and may come again (wire protocol,
    /// pendingLogout on session).
    fileprivate var meansNotYet: Bool {
        switch self {
        case .notLoggedIn: true
        case .pendingLogout(let signal): !signal.isDeviceMismatch
        default: false
        }
    }
}
