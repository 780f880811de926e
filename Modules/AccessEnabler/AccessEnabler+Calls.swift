import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking

extension AccessEnabler {
    /// Establishes the requestor at the vendor's production service; ends with `setRequestorComplete`.
    ///
    /// - Parameter requestorID: the requestor.
    public func setRequestor(_ requestorID: String) {
        setRequestor(requestorID, serviceProviders: nil)
    }

    /// Establishes the requestor at a service of choice; ends with `setRequestorComplete`.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - serviceProviders: endpoints as texts, https when without scheme; the first is used, nil or empty means
    ///     ``DEFAULT_SP_URL``. With the same requestor and endpoint as before, the session goes on and its configuration
    ///     is loaded again (row Q14).
    public func setRequestor(_ requestorID: String, serviceProviders: [Any]?) {
        let endpoint = serviceProviders?.first.map { "\($0)" } ?? DEFAULT_SP_URL
        calls.open { [weak self] in await self?.establish(requestorID, at: endpoint) }
    }

    private func establish(_ requestorID: String, at endpoint: String) async {
        do throws(TVEError) {
            try await session(for: requestorID, at: endpoint).start()
            callbacks.toDelegate { $0.setRequestorComplete(ACCESS_ENABLER_STATUS_SUCCESS) }
        } catch {
            callbacks.toDelegate { $0.setRequestorComplete(ACCESS_ENABLER_STATUS_ERROR) }
        }
    }

    /// Asks whether the viewer is logged in, from storage alone; ends with `setAuthenticationStatus`.
    public func checkAuthentication() {
        submit { session in
            _ = await session.authenticationStatus()
        } orFail: { [callbacks] in
            callbacks.authentication(.notAuthenticated($0))
        }
    }

    /// Logs the viewer in unless somebody is; ends with `setAuthenticationStatus`.
    public func getAuthentication() {
        submitLong { [presenter] session in
            // The outcome arrives as an event, which the callbacks translate.
            _ = try? await session.authenticate(using: presenter)
        } orFail: { [callbacks] in
            callbacks.authentication(.notAuthenticated($0))
        }
    }

    /// Answers `displayProviderDialog`, cancels a login with nil, or chooses the provider of the next login.
    ///
    /// - Parameter mvpdID: the provider, nil when the viewer left.
    public func setSelectedProvider(_ mvpdID: String?) {
        switch presenter.select(mvpdID) {
        case .taken: break
        // A provider that is not offered is the session's to refuse; the picker goes on waiting.
        case .notTaken:
            submit { session in
                try? await session.selectProvider(mvpdID)
            } orFail: { [callbacks] in
                callbacks.authentication(.notAuthenticated($0))
            }
        }
    }

    /// Asks for the remembered provider; ends with `selectedProvider`.
    public func getSelectedProvider() {
        submit { [callbacks] session in
            let provider = try? await session.selectedProvider()
            callbacks.toDelegate { $0.selectedProvider(provider.map(MVPD.init)) }
        } orFail: { [callbacks] _ in
            callbacks.toDelegate { $0.selectedProvider(nil) }
        }
    }

    /// Finishes the login or logout whose page has reached the redirect.
    ///
    /// Other URLs, nil and repeats are ignored.
    ///
    /// - Parameter url: the URL that the browser was about to load.
    public func handleExternalURL(_ url: String?) {
        presenter.redirected(to: url)
    }

    /// Asks for a media token without ever starting a login; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameter resource: a plain id or an MRSS document.
    public func checkAuthorization(_ resource: String?) {
        authorize(resource, using: nil)
    }

    /// Asks for a media token, logging the viewer in first if needed; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameter resource: a plain id or an MRSS document.
    public func getAuthorization(_ resource: String?) {
        authorize(resource, using: presenter)
    }

    /// Logs out: storage is wiped, the logout page opened; ends with `setAuthenticationStatus`.
    public func logout() {
        submitLong { [presenter] session in
            try? await session.logout(using: presenter)
        } orFail: { [callbacks] in
            callbacks.authentication(.notAuthenticated($0))
        }
    }

    // MARK: - Translation

    private func authorize(_ resource: String?, using presenter: CallbackPresenter?) {
        let resource = resource ?? ""
        let fail: @Sendable (TVEError) -> Void = { [callbacks] error in
            let code = ClassicErrorCode.authorization(error)
            let text = error.code == .notAuthorized ? error.message ?? "" : ""
            callbacks.toDelegate { $0.tokenRequestFailed(resource, errorCode: code, errorDescription: text) }
        }
        submitLong { [callbacks] session in
            do throws(TVEError) {
                let token = try await session.authorize(Resource(resource), using: presenter)
                callbacks.toDelegate { $0.setToken(token.text.rawValue, forResource: resource) }
            } catch {
                fail(error)
            }
        } orFail: {
            fail($0)
        }
    }

    /// Runs a short call in the queue's order; it fails when `setRequestor` could not make a session.
    private func submit(
        _ call: @escaping @Sendable (EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void
    ) {
        // Weak, since the queue belongs to the access enabler and may hold the call for a long time.
        calls.submit { [weak self] in
            // The queue opens with `setRequestor`, so there is an outcome by now.
            switch self?.session.withLock(\.self) {
            case .success(let established): await call(established.session)
            case .failure(let error): fail(error)
            case nil: break
            }
        }
    }

    /// Starts a call that may wait for the viewer in the queue's order, and lets the queue go on meanwhile.
    private func submitLong(
        _ call: @escaping @Sendable (EntitlementSession) async -> Void,
        orFail fail: @escaping @Sendable (TVEError) -> Void
    ) {
        submit({ session in Task { await call(session) } }, orFail: fail)
    }

    /// The session of a requestor: the present one, if it is for the same, else a new one in its place.
    private func session(for requestorID: String, at endpoint: String) async throws(TVEError) -> EntitlementSession {
        if case .success(let established)? = session.withLock(\.self), established.isFor(requestorID, at: endpoint) {
            return established.session
        }
        // A login of another requestor has nobody left to answer to.
        presenter.leave()
        do throws(TVEError) {
            guard let provider = ServiceProvider(endpoint) else {
                throw TVEError(.serviceUnreachable, status: .serviceNotFound, message: "This is no service URL.")
            }
            let made = try await EntitlementSession.classic(
                requestorID: requestorID, softwareStatement: softwareStatement.rawValue, serviceProvider: provider,
                environment: environment, observer: { [callbacks] in callbacks.event($0) })
            session.withLock { $0 = .success(EstablishedSession(endpoint: endpoint, session: made)) }
            return made
        } catch {
            session.withLock { $0 = .failure(error) }
            if let status = error.status { callbacks.event(.status(StatusEvent(status, message: error.message))) }
            throw error
        }
    }
}
