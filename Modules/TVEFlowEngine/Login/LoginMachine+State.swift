import TVEModels
import TVENetworking

extension LoginMachine {
    enum State: Sendable {
        case idle
        case running(LoginAttempt, Stage)
        /// The session has ended; no login begins any more.
        case closed
    }

    /// The stage of an attempt.
    enum Stage: Sendable {
        /// Everything that must not run during a login is ending: a logout's page, a question about the logins the
        /// service keeps.
        case clearing
        /// The viewer is with the platform's sign-on.
        case atPlatform(LoginFacts)
        /// The viewer is at the picker.
        case choosing(LoginFacts)
        /// The provider's service is asked to begin a login.
        case opening(mvpdID: String)
        /// The viewer is at the provider's page.
        case atPage(LoginPage)
        /// The service is asked for the outcome of the login.
        ///
        /// With `isCertain` the browser certainly returned from the page.
        case fetching(LoginPage, isCertain: Bool)
        /// A code is shown, and the service is asked repeatedly whether the viewer has typed it.
        case showingCode(SecondScreenMachine)
        /// The login is being stored.
        case keeping(NewLogin)

        /// The provider of the login, once it is known.
        var mvpdID: String? {
            switch self {
            case .clearing, .atPlatform, .choosing: nil
            case .opening(let mvpdID): mvpdID
            case .atPage(let page), .fetching(let page, _): page.mvpdID
            case .showingCode(let screen): screen.page.mvpdID
            case .keeping(let login): login.mvpdID
            }
        }
    }
}
