public import Foundation
public import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// Calls that log in. The machine decides their outcomes.
extension EntitlementSession {
    /// Makes sure that the viewer is logged in, and shows a login if not.
    ///
    /// Calls at the same time share one login, with the first caller's presenter. A call whose task is cancelled fails
    /// at once; when all are cancelled, the login ends.
    ///
    /// - Parameters:
    ///   - presenter: shows provider picker, login page or code.
    ///   - isForced: whether to show a login even when the viewer is logged in.
    ///   - data: what the service receives, for example the viewer's id for a promotional TempPass.
    ///   - filter: which providers the platform's picker offers.
    /// - Returns: the viewer's profile; the token behind it is already stored.
    /// - Throws: `TVEError`: `providerNotSelected` when the viewer left, `unknownProvider`, `authenticationFailed`,
    ///   `temporaryAccessExpired`, `deviceMismatch`, `requestorNotConfigured`, `serviceUnreachable`, `serviceFailed`,
    ///   `throttled`, `storageFailed`. A failed login removes nothing from the store (API reference, rows GA1 to GA9).
    @discardableResult
    public func authenticate(
        using presenter: any AuthenticationPresenter, isForced: Bool = false, data: [String: MetadataValue] = [:],
        filter: PlatformPickerFilter? = nil
    ) async throws(TVEError) -> Profile {
        try await authenticate(using: presenter, isForced: isForced, data: data, filter: filter) { _, _ in }
    }

    /// The same, for a facade that reports the outcome of each call to the app.
    ///
    /// - Parameters:
    ///   - presenter: see ``authenticate(using:isForced:data:filter:)``, as the next three.
    ///   - isForced: see there.
    ///   - data: see there.
    ///   - filter: see there.
    ///   - isForPermission: whether an authorization needs this login; then calls for a login report before it.
    ///   - tell: is called with the login's outcome, unless another call that shares the login reports it.
    package func authenticate(
        using presenter: any AuthenticationPresenter, isForced: Bool, data: [String: MetadataValue],
        filter: PlatformPickerFilter?, isForPermission: Bool = false,
        answer tell: @escaping LoginCall.Telling
    ) async throws(TVEError) -> Profile {
        let terms = LoginTerms(data: data, isForced: isForced, filter: filter, presenter: presenter)
        return try await measured(.authenticate) { () async throws(TVEError) in
            let answer = await answer(isForPermission: isForPermission, telling: tell) { .called($0, terms) }
            return try outcome(of: answer).get()
        }
    }

    /// What an answer means to a call that wants the viewer logged in.
    func outcome(of answer: LoginAnswer) -> Result<Profile, TVEError> {
        switch answer {
        case .loggedIn(let token): .success(profile(of: token))
        case .failed(let error): .failure(error)
        case .settled: .failure(.loginAbandoned)
        }
    }

    /// Finishes a login whose page was opened before the app was closed (API reference, row HX7).
    ///
    /// A login that is running ends, because the viewer has just finished the other one. Any app can open a URL with the
    /// redirect's scheme: one that differs from the redirect finishes the login if the service has it, and otherwise
    /// changes nothing.
    ///
    /// - Parameter url: the URL that the browser was about to load.
    /// - Returns: the viewer's profile; nil when there is no earlier login, when the URL is not where it ends, or when
    ///   another call finishes it.
    /// - Throws: what ``authenticate(using:isForced:data:filter:)`` throws after the login page. If no answer came,
    ///   another call can finish the login.
    @discardableResult
    public func resumeLogin(at url: URL) async throws(TVEError) -> Profile? {
        guard let page = try earlierPage(endingAt: url) else { return nil }
        return try await resumeLogin(of: page, at: url)
    }

    /// The page of a login that an earlier run of the app had opened, if it ends at a URL.
    package func earlierPage(endingAt url: URL) throws(TVEError) -> LoginPage? {
        let kept = try read { try $0.pendingLogin(of: requestorID) }
        guard let page = kept.flatMap({ try? UntrustedJSON.decode(LoginPage.self, from: $0) }),
            page.expires > clock.now(), !page.hasCode(of: loginFlow.machine.ownPage),
            BrowserPage(page)?.ends(at: url) == true
        else { return nil }
        return page
    }

    /// Finishes the login of a page; see ``resumeLogin(at:)``.
    ///
    /// - Parameter tell: is called with the outcome, unless another call has it.
    package func resumeLogin(
        of page: LoginPage, at url: URL, answer tell: @escaping LoginCall.Telling = { _, _ in }
    ) async throws(TVEError) -> Profile? {
        if BrowserPage(page)?.isExactRedirect(url) != true {
            // The viewer may have begun another login meanwhile, or logged out.
            guard loginFlow.machine.isFree, await serviceHasLogin(of: page), loginFlow.machine.isFree,
                try earlierPage(endingAt: url) == page
            else { return nil }
        }
        switch await answer(telling: tell, { .redirected($0, page) }) {
        case .loggedIn(let token): return profile(of: token)
        case .failed(let error): throw error
        case .settled: return nil
        }
    }

    /// Logs in with a TempPass that the viewer has just chosen, which needs no further call (API reference, rows SP9,
    /// SP10).
    ///
    /// A promotional TempPass logs no viewer in before it has the viewer's id; this is not a failure.
    ///
    /// - Returns: the login; nil where a later choice or the next login has the answer.
    func enterTempPass(
        _ mvpdID: MVPDID, telling tell: @escaping LoginCall.Telling
    ) async throws(TVEError) -> AuthenticationStatus? {
        switch await answer(telling: tell, { .choseTempPass($0, mvpdID) }) {
        case .loggedIn(let token): .authenticated(profile(of: token))
        case .failed(let error): throw error
        case .settled: nil
        }
    }

    /// Passes a call to the machine, and waits for its answer.
    func answer(
        isForPermission: Bool = false, telling tell: @escaping LoginCall.Telling = { _, _ in },
        _ event: @Sendable (CallID) -> LoginEvent
    ) async -> LoginAnswer {
        // On a closed session, every call ends at once.
        if !listeners.isOpen { handle(LoginEvent.closed) }
        return await answer { call, waiting in
            loginFlow.calls[call] = LoginCall(isForPermission: isForPermission, tell: tell, waiting: waiting)
            handle(event(call))
        } leave: { session, call in
            session.handle(LoginEvent.left(call))
        }
    }
}
