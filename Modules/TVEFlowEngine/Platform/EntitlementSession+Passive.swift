import Foundation
import TVEModels
import TVEStorage

extension EntitlementSession {
    /// Logs in without the viewer, where a provider authenticates each requestor separately and the viewer is logged in
    /// for another one (API reference, rows PA1 to PA5).
    ///
    /// Only with providers whose pages Safari shows: its cookies make the login silent. For web views the original gave
    /// this up in 3.1. A failure has no effect, and the login is void without the other requestor's.
    func logInPassively(_ presenter: any AuthenticationPresenter) async {
        guard loginStyle == .browser, let loaded, (try? validLogin()) == .some(nil),
            let shared = try? passiveCandidate(loaded.merged)
        else { return }
        await logInSilently(.passive(shared), LoginTerms(presenter: presenter))
    }

    /// Logs in without the viewer; whatever the viewer does meanwhile ends that.
    func logInSilently(_ login: SilentLogin, _ terms: LoginTerms) async {
        // A viewer who is at a login page must not lose it to this login, and one who logs out not the page of that.
        guard !loginFlow.machine.isRunning, logoutFlow.machine.logout == nil else { return }
        if case .passive = login {
            let text = "Logging in with the session of another requestor."
            listeners.emit(.status(StatusEvent(.passiveStarted, message: text)))
        }
        _ = await answer { .startedSilently($0, login, terms) }
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
}
