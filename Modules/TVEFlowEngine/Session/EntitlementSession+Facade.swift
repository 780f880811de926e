import Foundation
package import TVEModels
package import TVENetworking

/// Calls for a facade that tells an app each outcome in the turn of the actor that decides it, so that nothing of a later
/// call comes before it. What is told of a closed session has no one left to hear it.
extension EntitlementSession {
    /// Tells an app who is logged in.
    package typealias Tell = @Sendable (AuthenticationStatus) -> Void

    /// See ``authenticate(using:isForced:data:filter:)``.
    ///
    /// - Parameter tell: is called with the login's outcome, unless another call that shares the login reports it.
    package func authenticate(_ terms: LoginTerms, tell: @escaping Tell) {
        let report: (Result<Profile, TVEError>) -> Void = report(.authenticate)
        loginFlow.authenticate(terms, on: self, tell: teller(tell)) { [loginFlow] in report(loginFlow.result(of: $0)) }
    }

    /// The page of a login that an earlier run of the app had opened, if it ends at a URL.
    package func earlierPage(endingAt url: URL) throws(TVEError) -> LoginPage? {
        try loginFlow.earlierPage(endingAt: url)
    }

    /// Finishes the login of a page; see ``resumeLogin(at:)``.
    ///
    /// - Parameter tell: is called with the outcome, unless another call has it.
    package func resumeLogin(of page: LoginPage, at url: URL, tell: @escaping Tell) async {
        guard (try? await loginFlow.mayResume(page, at: url)) == true else { return }
        loginFlow.resumeLogin(page, at: url, on: self, tell: teller(tell)) { _ in }
    }

    /// The provider that the viewer chose last, from what is known now: of one that was chosen a moment ago perhaps its id.
    package func knownSelectedProvider() throws(TVEError) -> TVProvider? {
        try logins.readiness.check()
        guard let chosen = try chosenProvider() else { return nil }
        return providers.provider(chosen) ?? TVProvider(id: chosen, displayName: chosen.text, logoURL: "")
    }

    /// See ``selectProvider(_:)``.
    ///
    /// - Parameter tell: is called with who is logged in now, where the choice itself decides that.
    package func selectProvider(_ mvpdID: MVPDID?, tell: @escaping Tell) async {
        _ = try? await loginFlow.choose(mvpdID, on: self, tell: teller(tell))
    }

    /// See ``logout(using:)``.
    ///
    /// - Parameter ended: is called with why nobody is logged in, or why the tokens could not be removed: at once without
    ///   a page, else when the page has ended; not for a page that the viewer never finishes.
    package func logout(using presenter: (any AuthenticationPresenter)?, ended: @escaping @Sendable (TVEError) -> Void)
    {
        guard parts.isOpen else { return }
        endForLogout()
        logoutFlow.logOut(using: presenter, on: self, ended: ended, answer: report(.logout))
    }

    /// See ``authorize(_:data:using:)``.
    ///
    /// - Parameters:
    ///   - loginEnded: is called with the outcome of a login that was shown for this call.
    ///   - answer: is called with the answer.
    package func authorize(
        _ terms: PermissionTerms, loginEnded: @escaping Tell,
        answer: @escaping @Sendable (Result<MediaToken, TVEError>) -> Void
    ) {
        let report: (Result<MediaToken, TVEError>) -> Void = report(.authorize)
        let tell = teller(loginEnded).tell
        permissionFlow.authorize(terms, on: self, loginEnded: tell) { result in
            report(result)
            answer(result)
        }
    }

    private func teller(_ tell: @escaping Tell) -> LoginTeller {
        LoginTeller { [parts] status in if parts.isOpen { tell(status) } }
    }

    /// Whether a URL that the system passes to the app may be the end of a login of this session.
    package nonisolated func mayEndLogin(at url: URL) -> Bool { parts.redirects?.mayEnd(at: url) == true }

    package var hasStarted: Bool { logins.readiness.hasStarted }
}
