import TVEModels
import TVENetworking

/// What a login machine requests.
enum LoginEffect: Sendable {
    /// Take the next step of an attempt; its end is an event.
    case run(LoginStep, LoginAttempt)
    /// End the running step and everything that is shown for it; its outcome is dropped.
    case stop
    /// Show again what the viewer has to do, for a call that joins.
    case showAgain(LoginAttempt)
    /// Show a code, or hide it.
    case showCode(RegistrationCode?, LoginAttempt)
    case announce(LoginAnnouncement)
    /// The next login with this provider shows the picker again.
    case forgetAutomaticLogin(mvpdID: MVPDID)
    /// Store a page whose redirect may come after the app was closed and opened again.
    case keepPage(LoginPage)
    /// Stop waiting for the redirect of this page.
    case forgetPage(LoginPage)
    /// Answer calls. All announcements were made before, and the attempt has ended.
    case answer([CallID], LoginAnswer, telling: LoginTelling = .each)
}

/// Which of the answered calls report to the app.
enum LoginTelling: Sendable {
    case each
    /// The calls share one login, which the viewer saw once.
    case first
    /// The app closed the page without an answer, and expects none.
    case nobody
}

enum LoginStep: Sendable {
    /// End what must not run during a login, and read what is known.
    case clear
    case askPlatform
    /// Ask for the viewer's account, showing nothing.
    case askPlatformSilently
    case choose
    /// Begin a login at the provider's service.
    case open(mvpdID: MVPDID)
    case showPage(LoginPage)
    /// Ask for the outcome of a login, after a pause.
    case look(LoginPage, after: Duration)
}

/// What is reported about logins.
enum LoginAnnouncement: Sendable {
    case selected(mvpdID: MVPDID)
    case code(RegistrationCode)
    case isLoggedIn(AuthenticationToken, isNew: Bool)
    case failed(TVEError)
}

/// The answer to a call that waited for an attempt.
enum LoginAnswer: Sendable {
    case isLoggedIn(AuthenticationToken)
    case failed(TVEError)
    /// No answer: a later call has it, or the choice counts for the next login.
    case settled
}
