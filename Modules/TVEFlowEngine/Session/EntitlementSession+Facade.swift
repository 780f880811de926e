import Foundation
package import TVEModels
import TVEStorage

/// The calls of the session, for a facade that notifies an app of each outcome in the turn of the actor that decides
/// it.
///
/// Nothing of a later call can therefore arrive earlier. The outcomes of a closed session are ignored.
extension EntitlementSession {
    /// A closure that notifies an app of the authentication status.
    package typealias StatusHandler = @Sendable (AuthenticationStatus) -> Void

    /// See ``authenticate(using:isForced:data:filter:)``.
    ///
    /// - Parameter notify: a closure that is called with the outcome of the login, unless another call that shares the
    ///   login reports it. Pass `nil` if the call reports nothing but its answer.
    @discardableResult
    package func authenticate(_ parameters: LoginParameters, notify: StatusHandler?) async -> Result<Profile, TVEError>
    {
        let callback = notify.map { loginCallback($0) }
        let answer = await loginFlow.authenticate(
            parameters, on: self, callback: callback, answer: report(.authenticate))
        return answer.map(logins.profile(of:))
    }

    /// See ``resumeLogin(at:)``.
    ///
    /// - Parameter notify: a closure that is called with the outcome, unless another call receives it. It is not called
    ///   if there is no earlier login, if its page cannot be read, or if the login does not end at the URL. Pass `nil`
    ///   if the call reports nothing but its answer.
    package func resumeLogin(at url: URL, notify: StatusHandler?) async throws(TVEError) -> Profile? {
        guard let page = try await loginFlow.resumablePage(endingAt: url) else { return nil }
        let answer = await loginFlow.resumeLogin(page, at: url, on: self, callback: notify.map { loginCallback($0) })
        return try answer?.map(logins.profile(of:)).get()
    }

    /// See ``selectProvider(_:)``.
    ///
    /// - Parameter notify: a closure that is called with the authentication status, if the choice itself determines it.
    package func selectProvider(_ mvpdID: MVPDID?, notify: @escaping StatusHandler) async {
        _ = try? await loginFlow.choose(mvpdID, on: self, callback: loginCallback(notify))
    }

    /// See ``logout(using:)`` and ``logout(of:using:)``.
    ///
    /// Running work ends and its calls are answered before the logout is.
    ///
    /// - Parameters:
    ///   - mvpdID: the only provider whose login ends, or `nil` to end all logins.
    ///   - presenter: the presenter that opens the logout page, or `nil` to open none.
    ///   - ended: a closure that is called with the reason for which nobody is logged in, or with the error that
    ///     prevented the removal of the tokens. Without a page it is called at once, and otherwise when the page has
    ///     ended. It is not called for a page of the app that the viewer never finishes.
    @discardableResult
    package func logout(
        ofOnly mvpdID: MVPDID?, using presenter: (any AuthenticationPresenter)?,
        ended: @escaping @Sendable (TVEError) -> Void = { _ in }
    ) async -> Result<Void, TVEError> {
        let report: (Result<Void, TVEError>) -> Void = report(.logout)
        guard parts.isOpen else {
            report(.failure(.sessionIsClosed))
            return .failure(.sessionIsClosed)
        }
        // The permission flow comes first, so that the app receives no outcome of a login that was shown for an
        // authorization.
        permissionFlow.loggedOut(of: mvpdID, on: self)
        loginFlow.loggedOut(of: mvpdID, on: self)
        return await logoutFlow.logOut(of: mvpdID, using: presenter, on: self, ended: ended, answer: report)
    }

    /// See ``authorize(_:data:using:)``.
    ///
    /// - Parameters:
    ///   - loginEnded: a closure that is called with the outcome of a login that was shown for this call.
    ///   - answer: a closure that is called with the answer.
    @discardableResult
    package func authorize(
        _ parameters: PermissionParameters, loginEnded: @escaping StatusHandler = { _ in },
        answer: @escaping @Sendable (Result<MediaToken, TVEError>) -> Void = { _ in }
    ) async -> Result<MediaToken, TVEError> {
        let report: (Result<MediaToken, TVEError>) -> Void = report(.authorize)
        let notify = loginCallback(loginEnded).notify
        return await permissionFlow.authorize(parameters, on: self, loginEnded: notify) { result in
            report(result)
            answer(result)
        }
    }

    private func loginCallback(_ notify: @escaping StatusHandler) -> LoginCallback {
        LoginCallback { [parts] status in if parts.isOpen { notify(status) } }
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
    package var hasPendingLogout: Bool { logins.hasPendingLogout }
}
