import TVEModels
import TVENetworking

/// What happens to logins from outside: calls, and what else the viewer or the app decides.
enum LoginEvent: Sendable {
    /// A call wants the viewer logged in.
    case called(CallID, LoginTerms)
    /// The redirect of a page came that an earlier run of the app had opened.
    case redirected(CallID, LoginPage)
    /// The viewer chose a TempPass while nobody logs in.
    case choseTempPass(CallID, String)
    /// The viewer chose a TempPass that still lasts.
    case choseKeptTempPass
    /// The viewer chose a provider.
    case chose(String)
    /// The viewer took the choice of a provider back.
    case tookChoiceBack
    /// A call was cancelled.
    case left(CallID)
    /// The viewer logged out.
    case loggedOut
    /// The session ends.
    case closed
    /// A step of the present attempt has come to its end.
    case ended(LoginOutcome)
}

/// What a step of an attempt came to.
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
    /// There is no login yet, and the redirect may have been another one: the viewer is still at the page.
    case redirectWasNotOurs
    case polled(SecondScreenPoll, uptime: Duration)
    /// The login is stored.
    case kept
    case failed(TVEError)
}

/// How the viewer left a login page.
enum PageEnd: Sendable, CaseIterable {
    /// At the redirect that was sent to the service.
    case redirect
    /// At another URL with its scheme, which any app can open: it counts if the login is there.
    case otherRedirect
    /// Without one.
    case left
    /// Not at all, as far as anybody knows: its code has run out.
    case ranOut
}

/// What came of asking for the token of a code.
enum SecondScreenPoll: Sendable {
    case found(NewLogin)
    case notYet
    /// The service no longer knows the code.
    case codeExpired(TVEError)
    case failed(TVEError)
}

/// What came of asking the platform's sign-on.
enum PlatformOutcome: Sendable {
    /// The service gave a login for the platform's answer.
    case found(NewLogin)
    /// The viewer chose a provider there that logs in here.
    case chosen(String)
    /// The viewer must choose here.
    case notPossible
}
