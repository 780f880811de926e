import TVEModels
import TVENetworking

/// An event that concerns logins: a call, a decision of the viewer or the app, or the outcome of a step.
enum LoginEvent: Sendable {
    /// A call wants the viewer logged in.
    case called(CallID, LoginParameters)
    /// The redirect of a page that an earlier session had opened has arrived.
    case redirected(CallID, LoginPage)
    /// A start wants to log the viewer in without interaction.
    case startedSilently(CallID, SilentLogin, parameters: LoginParameters)
    /// The viewer chose a TempPass whose stored login is not valid.
    case choseTempPass(CallID, MVPDID)
    /// The viewer chose a TempPass that is still valid.
    case choseKeptTempPass
    /// The viewer chose a provider.
    case chose(MVPDID)
    /// The app has begun a call that changes who is logged in.
    case viewerActed
    case left(CallID)
    /// The choice of a provider was cancelled, the viewer has logged out, or the session has ended.
    case allLoginsEnd
    /// A step of the current attempt has ended.
    case ended(LoginOutcome)

    /// A Boolean value that indicates whether the event ends a silent login.
    ///
    /// Everything that the viewer does has precedence.
    var endsSilentLogins: Bool {
        switch self {
        case .called, .redirected, .choseTempPass, .choseKeptTempPass, .chose, .viewerActed, .allLoginsEnd: true
        case .startedSilently, .left, .ended: false
        }
    }
}

/// The outcome of a step of an attempt.
///
/// The flow stores a login that it contains before the machine receives the outcome.
enum LoginOutcome: Sendable {
    case cleared(AuthenticationLadder)
    case platform(PlatformAnswer)
    /// The provider that the viewer chose, or `nil` if the viewer chose none.
    case picked(MVPDID?)
    /// The service has begun a login, whose code ends at an uptime.
    case opened(LoginPage, codeEnds: Duration)
    /// The browser has reached a redirect, or the viewer has left the page.
    case pageEnded(PageEnd)
    /// The service has the login.
    case found(NewLogin)
    /// A request for the login of a code returned none, which does not decide the attempt by itself.
    ///
    /// The login may still arrive if `mayCome` is true, even if the service did not answer this request.
    case notFound(ServiceError, mayCome: Bool, uptime: Duration)
    case failed(TVEError)

    /// The login that the step found, if any.
    var login: NewLogin? {
        switch self {
        case .platform(let answer): if case .found(let login) = answer.outcome { login } else { nil }
        case .found(let login): login
        case .cleared, .picked, .opened, .pageEnded, .notFound, .failed: nil
        }
    }
}

/// The event that ended a login page.
enum PageEnd: Sendable, CaseIterable {
    /// The browser reached the redirect that was sent to the service.
    case redirect
    /// The browser reached another URL with the scheme of the redirect.
    ///
    /// Any app can open such a URL, so it is valid only if the service has the login.
    case otherRedirect
    /// The viewer closed the page.
    case abandoned
    /// The page of the app did not end before its code expired.
    case ranOut
}
