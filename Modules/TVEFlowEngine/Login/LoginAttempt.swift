import TVEModels
import TVENetworking

/// One attempt to log in.
///
/// All calls that wait for it receive its outcome.
struct LoginAttempt: Sendable {
    /// The event that begins an attempt.
    enum Origin: Sendable {
        /// A call wants the viewer logged in; the ladder decides how.
        case call
        /// The viewer has just chosen a TempPass, which logs the device in without a page.
        case chosenTempPass(MVPDID)
        /// The page of a login that an earlier session has opened has reached its redirect.
        case redirect(LoginPage)
        /// A start logs the viewer in without interaction.
        ///
        /// The attempt ends as soon as the viewer or the app does anything about logins.
        case silent(SilentLogin)
    }

    let origin: Origin
    var parameters: LoginParameters
    /// The calls that wait for the attempt.
    var calls: [CallID]
    /// The number of codes that this attempt has shown.
    var codes = 0
    /// A Boolean value that indicates whether a call has added data since the login was begun at the service.
    var hasNewData = false

    /// The TempPass that began the attempt when it was chosen; otherwise `nil`.
    var chosenTempPass: MVPDID? { if case .chosenTempPass(let mvpdID) = origin { mvpdID } else { nil } }
    /// A Boolean value that indicates whether neither the viewer nor the app has requested the login.
    var isSilent: Bool { if case .silent = origin { true } else { false } }
    /// A Boolean value that indicates whether the login began in an earlier session.
    var isOfRedirect: Bool { if case .redirect = origin { true } else { false } }
    /// A Boolean value that indicates whether the provider's page ends without the viewer, with the session of another
    /// requestor's login.
    var isPassive: Bool { if case .silent(.passive) = origin { true } else { false } }
}

/// A login during a start, without interaction of the viewer.
enum SilentLogin: Sendable {
    /// A login with the viewer's account on the platform.
    case platform
    /// A login with the browser's session of another requestor's login, which is the associated value.
    case passive(AuthenticationToken)
}
