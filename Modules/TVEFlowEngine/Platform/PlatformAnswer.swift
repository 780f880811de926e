import TVEModels
import TVENetworking

/// The answer of the platform's sign-on.
struct PlatformAnswer: Sendable {
    var outcome = PlatformOutcome.notPossible
    /// A status to report before anything else.
    var note: StatusEvent?
    /// A login from the platform that has ended on the platform.
    var endedLogin: AuthenticationToken?
}

/// The outcome of the platform's sign-on.
enum PlatformOutcome: Sendable {
    /// The service returned a login for the platform's answer.
    case found(NewLogin)
    /// The viewer chose a provider in the platform's picker that logs in with its own page.
    case chosen(MVPDID)
    /// The service has begun an ordinary login instead of the platform's, whose code ends at an uptime.
    case begun(LoginPage, codeEnds: Duration)
    /// The viewer must choose in the app's picker.
    case notPossible
}
