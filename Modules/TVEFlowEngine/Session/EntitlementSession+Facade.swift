import Foundation
package import TVEModels
import TVEStorage

/// Calls for a facade that notifies an app of each outcome in the turn of the actor that decides it.
///
/// Nothing of a later call can therefore arrive earlier. The outcomes of a closed session are ignored.
extension EntitlementSession {
    /// A closure that notifies an app of the authentication status.
    package typealias Tell = @Sendable (AuthenticationStatus) -> Void

    /// See ``authenticate(using:isForced:data:filter:)``.
    ///
    /// - Parameter tell: a closure that is called with the outcome of the login, unless another call that shares the
    ///   login reports it.
    package func authenticate(_ terms: LoginTerms, tell: @escaping Tell) {
        loginFlow.authenticate(terms, on: self, tell: teller(tell), answer: report(.authenticate))
    }

    /// See ``resumeLogin(at:)``.
    ///
    /// - Parameter tell: a closure that is called with the outcome, unless another call receives it. It is not called
    ///   if there is no earlier login, if its page cannot be read, or if the login does not end at the URL.
    package func resumeLogin(at url: URL, tell: @escaping Tell) async {
        guard let page = try? await loginFlow.resumablePage(endingAt: url) else { return }
        loginFlow.resumeLogin(page, at: url, on: self, tell: teller(tell))
    }

    /// See ``selectProvider(_:)``.
    ///
    /// - Parameter tell: a closure that is called with the authentication status, if the choice itself determines it.
    package func selectProvider(_ mvpdID: MVPDID?, tell: @escaping Tell) async {
        _ = try? await loginFlow.choose(mvpdID, on: self, tell: teller(tell))
    }

    /// See ``logout(using:)``.
    ///
    /// - Parameter ended: a closure that is called with the reason for which nobody is logged in, or with the error
    ///   that prevented the removal of the tokens. Without a page it is called at once, and otherwise when the page has
    ///   ended. It is not called for a page of the app that the viewer never finishes.
    package func logout(using presenter: (any AuthenticationPresenter)?, ended: @escaping @Sendable (TVEError) -> Void)
    {
        guard parts.isOpen else { return }
        endForLogout()
        logoutFlow.logOut(using: presenter, on: self, ended: ended, answer: report(.logout))
    }

    /// See ``authorize(_:data:using:)``.
    ///
    /// - Parameters:
    ///   - loginEnded: a closure that is called with the outcome of a login that was shown for this call.
    ///   - answer: a closure that is called with the answer.
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

    /// Returns a Boolean value that indicates whether a URL that the system passes to the app can be the end of a login
    /// of this session.
    package nonisolated func mayEndLogin(at url: URL) -> Bool { parts.redirects?.mayEnd(at: url) == true }

    package var hasStarted: Bool { logins.readiness.hasStarted }

    /// A Boolean value that indicates whether the service has not yet received a logout of this device.
    ///
    /// The next start of a session with the same store sends the logout again, and so does the next logout. Until then
    /// the service may have the login, which this device ignores. The value is false if the store cannot be read, and
    /// for the classic services, which store no logins.
    package var hasPendingLogout: Bool {
        logins.areCopies && (try? logins.pendingLogouts().isEmpty) == false
    }
}
