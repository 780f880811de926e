import Foundation
import TVEModels
import TVENetworking
import TVEStorage

extension EntitlementSession {
    /// Logs in without the viewer, where a provider authenticates each requestor separately and the viewer is logged in
    /// for another one (API reference, rows PA1 to PA5).
    ///
    /// Only with providers whose pages Safari shows: its cookies make the login silent. For web views the original gave
    /// this up in 3.1. A failure has no effect.
    func logInPassively(_ presenter: any AuthenticationPresenter) async {
        // A viewer who is at a login page must not lose it to this login.
        guard !loginFlow.machine.isRunning, let loaded, (try? validLogin()) == .some(nil),
            let shared = try? passiveCandidate(loaded.merged)
        else {
            return
        }
        let mvpdID = shared.claims.providerID
        listeners.emit(
            .status(StatusEvent(.passiveStarted, message: "Logging in with the session of another requestor.")))
        let service = loaded.service(of: mvpdID)
        await logInPassively(with: mvpdID, shared, service, presenter)
    }

    private func logInPassively(
        with mvpdID: MVPDID, _ shared: AuthenticationToken, _ service: any EntitlementService,
        _ presenter: any AuthenticationPresenter
    ) async {
        do {
            let request = LoginRequest(
                requestorID: requestorID, mvpdID: mvpdID, kind: .passive, redirectURL: safariRedirectURL())
            let page = try await service.login(request)
            let end = await clock.run(atMost: Self.passiveLoginTimeLimit) {
                await presenter.presentLogin(
                    BrowserPage(url: page.url, redirectURL: page.redirectURL, needsSafari: true, mustBeSeen: false))
            }
            guard case .some(.some) = end else { return }
            let found = NewLogin(try await service.authentication(of: page), mvpdID: mvpdID)
            // A login in the meantime that the viewer saw takes precedence.
            guard !Task.isCancelled, !loginFlow.machine.isRunning, try validLogin() == nil else { return }
            // This login depends on the other requestor's login, and is void without it.
            try keep(found) { [requestorID] entitlements throws(StorageError) in
                guard try entitlements.contains(shared) else { return false }
                return try !entitlements.isProviderDeselected(for: requestorID)
            }
            announce(.loggedIn(found.token, isNew: true))
        } catch {
            // The viewer logs in as if nothing had happened.
        }
    }

    /// A provider that allows silent logins and that another requestor has a valid login with; not when this
    /// requestor's viewer cancelled the choice or chose another provider.
    ///
    /// - Returns: that login.
    private func passiveCandidate(_ configuration: RequestorConfiguration) throws -> AuthenticationToken? {
        let choice = try store.providerChoice(of: requestorID)
        guard !choice.isCancelled else { return nil }
        let candidates = configuration.requestor.providers.filter { provider in
            provider.authenticatesPerRequestor && provider.allowsPassiveAuthentication && provider.usesSafari
                && choice.allows(provider.id)
        }
        return try store.sharedAuthenticationTokens(with: requestorID, mvpdIDs: candidates.map(\.id))
            .first(where: isValid)
    }

    private static let passiveLoginTimeLimit = Duration.seconds(30)
}
