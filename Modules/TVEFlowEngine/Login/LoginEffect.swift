import TVEModels
import TVENetworking

/// What a login machine wants done.
enum LoginEffect: Sendable {
    /// Take the next step of an attempt; its end is an event.
    case run(LoginStep, LoginAttempt)
    /// Cancel whatever step of an attempt runs; nothing that it still brings counts.
    case stop(attempt: Int)
    /// Show what the viewer has to do once more, for a call that joins.
    case showAgain(LoginAttempt)
    /// Show a code, or no longer one.
    case showCode(ActivationCode?, LoginAttempt)
    case announce(LoginAnnouncement)
    /// The next login with this provider shows the picker again.
    case forgetAutomaticLogin(mvpdID: String)
    /// Keep a page whose redirect may come when the app was closed and opened again.
    case keepPage(LoginPage)
    /// The redirect of this page is no longer waited for.
    case forgetPage(LoginPage)
    /// Answer calls. Whatever is announced was announced before, and the attempt is over.
    ///
    case answer([CallID], LoginAnswer, telling: LoginTelling = .each)
}

/// Which of the calls that get an answer tell it to the app.
enum LoginTelling: Sendable {
    case each
    /// They share one login, which the viewer saw once.
    case first
    /// The app has closed the page without a word, and expects nothing any more.
    case nobody
}

/// A step of an attempt.
enum LoginStep: Sendable {
    /// End what has no business beside a login, and read what is known.
    case clear
    case askPlatform
    case choose
    /// Begin a login at the provider's service.
    case open(mvpdID: String)
    case showPage(LoginPage)
    /// Ask what a login came to; unless the browser came back for sure, the viewer may still be at it.
    case fetch(LoginPage, isCertain: Bool)
    /// Wait, and ask for the token of a code.
    case poll(LoginPage)
    case keep(NewLogin)
}

/// What is reported about logins.
enum LoginAnnouncement: Sendable {
    case selected(mvpdID: String)
    case code(ActivationCode)
    case loggedIn(AuthenticationToken, isNew: Bool)
    case failed(TVEError)
}

/// What a call gets that waited for an attempt.
enum LoginAnswer: Sendable {
    case loggedIn(AuthenticationToken)
    case failed(TVEError)
    /// Nothing: a later call has the answer, or the choice counts for the next login.
    case settled
}
