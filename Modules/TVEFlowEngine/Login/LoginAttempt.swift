import TVEModels
import TVENetworking

/// One attempt to log in: all calls that wait for it get its outcome.
struct LoginAttempt: Sendable {
    /// How an attempt begins.
    enum Origin: Sendable {
        /// A call wants the viewer logged in; the ladder decides how.
        case call
        /// The viewer has just chosen a TempPass, which logs the device in without a page.
        case chosenTempPass(MVPDID)
        /// The page of a login that was opened before the app was closed has reached its redirect.
        case redirect(LoginPage)
        /// A start logs the viewer in without the viewer; ends as soon as the viewer or the app does anything about logins.
        case silent(SilentLogin)
    }

    let origin: Origin
    var terms: LoginTerms
    /// The calls that wait for it.
    var calls: [CallID]
    /// How many codes this attempt has shown.
    var codes = 0

    /// Whether nobody has asked for the login.
    var isSilent: Bool { if case .silent = origin { true } else { false } }
    /// Whether the login began in an earlier run of the app.
    var isOfRedirect: Bool { if case .redirect = origin { true } else { false } }
    /// Whether the provider's page ends by itself, with the session of another requestor's login.
    var isPassive: Bool { if case .silent(.passive) = origin { true } else { false } }
}

/// A login that a start makes without the viewer.
enum SilentLogin: Sendable {
    /// With the viewer's account at the platform.
    case platform
    /// With the browser's session of another requestor's login, which is this one.
    case passive(AuthenticationToken)
}

/// What is known when an attempt may begin: read in one step, after everything before it has ended.
struct LoginFacts: Sendable {
    /// The ladder; the machine knows the provider that was just chosen.
    var ladder: AuthenticationLadder
    /// The valid login, if there is one.
    var login: AuthenticationToken?
}
