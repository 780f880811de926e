import TVEModels
import TVENetworking

/// Events of logins: calls, decisions of the viewer or the app, and outcomes of steps.
enum LoginEvent: Sendable {
    /// A call wants the viewer logged in.
    case called(CallID, LoginTerms)
    /// The redirect has come for a page that an earlier run of the app had opened.
    case redirected(CallID, LoginPage)
    /// The viewer chose a TempPass while no login runs.
    case choseTempPass(CallID, String)
    /// The viewer chose a TempPass that is still valid.
    case choseKeptTempPass
    /// The viewer chose a provider.
    case chose(String)
    /// The viewer cancelled the choice of a provider.
    case tookChoiceBack
    /// A call was cancelled.
    case left(CallID)
    /// The viewer logged out.
    case loggedOut
    /// The session ends.
    case closed
    /// A step of the current attempt has ended.
    case ended(LoginOutcome)
}

/// The outcome of a step of an attempt.
enum LoginOutcome: Sendable {
    case cleared(LoginFacts)
    case platform(PlatformOutcome)
    /// The viewer's choice, nil for none.
    case picked(String?)
    /// The service has begun a login; with `onSecondScreen` the viewer types its code elsewhere.
    case opened(LoginPage, onSecondScreen: Bool, uptime: Duration, lifetime: Duration)
    /// The browser is at a redirect, or the viewer has left.
    case pageEnded(PageEnd)
    case fetched(NewLogin)
    /// There is no login yet, and the redirect may have been another page's: the viewer is still at the page.
    case redirectWasNotOurs
    case polled(SecondScreenPoll, uptime: Duration)
    /// The login is stored.
    case kept
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

/// The outcome of asking for the token of a code.
enum SecondScreenPoll: Sendable {
    case found(NewLogin)
    case notYet
    /// The service no longer knows the code.
    case codeExpired(TVEError)
    case failed(TVEError)
}

/// The outcome of asking the platform's sign-on.
enum PlatformOutcome: Sendable {
    /// The service gave a login for the platform's answer.
    case found(NewLogin)
    /// The viewer chose a provider in the platform's picker that logs in with its own page.
    case chosen(String)
    /// The viewer must choose in the app's picker.
    case notPossible
}
