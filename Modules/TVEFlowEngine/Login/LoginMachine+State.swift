import TVEModels
import TVENetworking

extension LoginMachine {
    enum State: Sendable {
        case idle
        case running(LoginAttempt, Stage)
        /// The session has ended; nothing begins any more.
        case closed
    }

    /// How far an attempt is.
    enum Stage: Sendable {
        /// What has no business beside a login comes to its end: a logout's page, a question about the logins the service keeps.
        case clearing
        /// The viewer is with the platform's sign-on.
        case atPlatform(LoginFacts)
        /// The viewer is at the picker.
        case choosing(LoginFacts)
        /// The provider's service is asked to begin a login.
        case opening(mvpdID: String)
        /// The viewer is at the provider's page.
        case atPage(LoginPage)
        /// The service is asked what the login came to.
        ///
        /// With `isCertain` the browser came back from the page for sure.
        case fetching(LoginPage, isCertain: Bool)
        /// A code is shown, and the service is asked again and again whether somebody has typed it.
        case showingCode(SecondScreenMachine)
        /// The login is being stored.
        case keeping(NewLogin)

        /// The provider that is being logged in with, once that is known.
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
