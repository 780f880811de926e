import TVEModels
import TVENetworking

/// One attempt to log in: all calls that wait for it get its outcome.
struct LoginAttempt: Sendable {
    /// How an attempt begins.
    enum Origin: Sendable {
        /// A call wants the viewer logged in; the ladder decides how.
        case call
        /// The viewer has just chosen a TempPass, which logs the device in without a page.
        case tempPass(MVPDID)
        /// The page of a login that was opened before the app was closed has reached its redirect.
        case redirect(LoginPage)
        /// A start logs the viewer in without the viewer; ends as soon as the viewer or the app does anything about logins.
        case silent(SilentLogin)
    }

    /// A unique number.
    ///
    /// An attempt that continues with another provider gets a new one, so that late outcomes of the old one are
    /// dropped.
    var number: Int
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

/// What a call for a login asks for, apart from the provider.
struct LoginTerms: Sendable {
    /// The app's data for the service.
    var data: [String: MetadataValue] = [:]
    /// Whether the viewer must log in even if already logged in, or if the service still knows a login.
    var isForced = false
    /// Which providers the platform's picker offers.
    var filter: PlatformPickerFilter?
    /// Shows the login; nil where nothing may be shown: a page that comes anyway is left at once.
    var presenter: (any AuthenticationPresenter)?
}

/// What is known when an attempt may begin: read in one step, after everything before it has ended.
struct LoginFacts: Sendable {
    /// The ladder; the machine knows the provider that was just chosen.
    var ladder: AuthenticationLadder
    /// The valid login, if there is one.
    var login: AuthenticationToken?
}

/// A login from a service, before it is stored.
struct NewLogin: Sendable {
    let token: AuthenticationToken
    let metadata: UserMetadata?
    /// The provider that was asked for.
    let mvpdID: MVPDID
    /// Whether the login came from the platform's sign-on.
    var isFromPlatform = false
    /// What must still be true in the moment in which the login is stored.
    var condition = Condition.none

    /// What a login depends on that the viewer has not asked for.
    enum Condition: Sendable {
        case none
        /// No other provider was chosen and no other login stored.
        case sameChoice(ChosenLogin?)
        /// The other requestor's login is stored, and the viewer has not cancelled the choice of a provider.
        case otherLogin(AuthenticationToken)
    }

    init(_ answer: AuthenticationAnswer, mvpdID: MVPDID, isFromPlatform: Bool = false) {
        token = answer.token
        metadata = answer.metadata
        self.mvpdID = mvpdID
        self.isFromPlatform = isFromPlatform
    }
}

/// A call that waits for a login.
package struct LoginCall: Sendable {
    /// Tells an app the outcome of a login, in the turn of the actor that decides it: a later call's answer comes later.
    package typealias Telling = @Sendable (isolated EntitlementSession, AuthenticationStatus) -> Void

    /// Whether the call is an authorization, which needs a login.
    let isForPermission: Bool
    /// Tells the app, if this is the call that reports: at once, so that nothing of the next login comes before it.
    let tell: Telling
    let waiting: CheckedContinuation<LoginAnswer, Never>
}

/// The session's state of the running login.
struct LoginFlow {
    /// The attempt, its stage and its calls.
    var machine = LoginMachine()
    /// The calls that wait for it.
    var calls: [CallID: LoginCall] = [:]
    /// The logins whose end was reported, by provider.
    var noticedEnds: [MVPDID: TokenText] = [:]
    /// How often the viewer chose a provider, cancelled a choice or logged out.
    var choices = 0
    var step: Step?
    /// The step that was stopped last; the next one waits until its page is dismissed.
    var leftStep: Task<Void, Never>?
    /// What the screen is showing or hiding, until it has done so.
    var codeDisplay: CodeDisplay?

    /// A code that is being shown or hidden; each after the one before it.
    struct CodeDisplay {
        let number: Int
        let task: Task<Void, Never>
    }

    /// A step of the attempt with a number.
    struct Step {
        let attempt: Int
        let task: Task<Void, Never>
    }
}
