import TVEModels
import TVENetworking

/// An action that a login machine requests from its flow.
enum LoginEffect: Sendable {
    /// Take the step of a stage.
    ///
    /// The end of the step is reported as an event.
    case run(LoginMachine.Stage, LoginAttempt)
    /// End the running step, ignore its outcome, and dismiss everything that is shown for the attempt.
    case stop
    /// Show the current page or code again, for a call that joins the attempt.
    case showAgain(LoginAttempt)
    case showCode(RegistrationCode, LoginAttempt)
    /// Report the provider that the viewer chose.
    case announceSelection(MVPDID)
    case announceCode(RegistrationCode)
    case announceLogin(AuthenticationToken, isNew: Bool)
    case announceFailure(TVEError)
    /// Show the picker again at the next login with this provider.
    case forgetAutomaticLogin(mvpdID: MVPDID)
    /// Store a page whose redirect may arrive after the session or the app was closed.
    case keepPage(LoginPage)
    /// Stop waiting for the redirect of this page.
    case forgetPage(LoginPage)
    /// Answer calls.
    ///
    /// All announcements come before this effect, and the attempt has ended.
    case answer([CallID], LoginAnswer, calling: CallbackSelection = .each)
}

/// The answer to a call that waited for an attempt: the login, or an error.
typealias LoginAnswer = Result<AuthenticationToken, TVEError>?

/// The selection of answered calls that report to the app.
enum CallbackSelection: Sendable {
    case each
    /// Only the first call reports, because the calls share one login, which the viewer saw once.
    case first
    /// No call reports, because the app expects no report: the viewer did not request the login, the call was
    /// cancelled, or the app closed the page.
    case nobody

    /// Returns the calls that report an answer, out of those that receive it.
    func selection(of calls: [CallID]) -> ArraySlice<CallID> {
        switch self {
        case .each: calls[...]
        case .first: calls.prefix(1)
        case .nobody: []
        }
    }
}

extension Optional where Wrapped == Result<AuthenticationToken, TVEError> {
    /// The call has no answer of its own: a later call receives it, or the choice applies to the next login.
    static var settled: LoginAnswer { nil }
}
