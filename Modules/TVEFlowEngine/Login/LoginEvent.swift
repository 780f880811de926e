import TVEModels
import TVENetworking

/// Events of logins: calls, decisions of the viewer or the app, and outcomes of steps.
enum LoginEvent: Sendable {
    /// A call wants the viewer logged in.
    case called(CallID, LoginTerms)
    /// The redirect has come for a page that an earlier run of the app had opened.
    case redirected(CallID, LoginPage)
    /// A start wants to log the viewer in without the viewer.
    case startedSilently(CallID, SilentLogin, LoginTerms)
    /// The viewer chose a TempPass while no login runs.
    case choseTempPass(CallID, MVPDID)
    /// The viewer chose a TempPass that is still valid.
    case choseKeptTempPass
    /// The viewer chose a provider.
    case chose(MVPDID)
    case cancelledChoice
    /// The app has begun a call that changes who is logged in.
    case viewerActed
    case left(CallID)
    case loggedOut
    /// The session ends.
    case closed
    /// A step of the current attempt has ended.
    case ended(LoginOutcome)

    /// Whether a login that nobody has asked for ends: whatever the viewer does comes first.
    var endsSilentLogins: Bool {
        switch self {
        case .called, .redirected, .choseTempPass, .choseKeptTempPass, .chose, .cancelledChoice, .viewerActed,
            .loggedOut:
            true
        case .startedSilently, .left, .closed, .ended: false
        }
    }
}

/// The outcome of a step of an attempt; a login in it is stored by now.
enum LoginOutcome: Sendable {
    case cleared(LoginFacts)
    case platform(PlatformAnswer)
    /// The viewer's choice, nil for none.
    case picked(MVPDID?)
    /// The service has begun a login.
    case opened(OpenedLogin)
    /// The browser is at a redirect, or the viewer has left.
    case pageEnded(PageEnd)
    /// The service was asked for the outcome of the login.
    case looked(LoginLook, uptime: Duration)
    case failed(TVEError)
}

/// How the viewer left a login page.
enum PageEnd: Sendable, CaseIterable {
    /// The browser reached the redirect that was sent to the service.
    case redirect
    /// The browser reached another URL with its scheme, which any app can open: it counts if the login exists.
    case otherRedirect
    /// The viewer closed the page.
    case left
    /// No end was seen: the code has expired.
    case ranOut
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
        case .platform(let answer): if case .found(let login) = answer.outcome { login } else { nil }
        case .looked(.found(let login), _): login
        case .cleared, .picked, .opened, .pageEnded, .looked, .failed: nil
        }
    }
}
