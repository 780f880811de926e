import AccessEnabler
import TVETestSupport

/// Which callbacks an app may still get, and which it must get: the table of Documentation/Behaviour.md as counts.
///
/// Calls of one kind cannot be distinguished by their answers, so each call allows one answer, and each answer uses
/// one up.
struct WalkLedger {
    /// What the viewer must do.
    enum Stage: Sendable, Equatable { case picker, page(String) }

    /// What the app must show, as far as it knows.
    private(set) var stage: Stage?
    /// The page of a logout that the app must finish.
    private(set) var logoutPage: String?
    /// Answers about the login that may still come, and answers of logouts, which are optional.
    private var rights = 0
    private var logoutRights = 0
    /// How many of these belong to logouts before the last time all jobs waited.
    private var oldLogoutRights = 0
    private(set) var requestor: String?
    private var hasFailed = false
    /// Whether the last call that requires an answer has none yet.
    private var isOwed = false
    private var checks = 0
    private var openChecks = 0
    private var openCancels = 0
    private var answers = 0
    /// Authorizations without an answer, by resource; also those of the previous requestor until the current one is
    /// complete.
    private var questions: [String: Int] = [:]
    private var oldQuestions: [String: Int] = [:]
    private var requestors = 0
    /// Whether a `setRequestor` has no answer yet; later calls may be held until then.
    var isStarting: Bool { requestors > 0 }
    /// Whether a login may be shown.
    private var mayShowLogin = false

    // MARK: - Calls

    mutating func made(_ call: WalkCall) {
        switch call {
        case .setRequestor(let id):
            requestors += 1
            // The same requestor again continues where it was.
            guard id != requestor else { return }
            requestor = id
            oldQuestions.merge(questions, uniquingKeysWith: +)
            (questions, checks, openChecks, isOwed, stage) = ([:], 0, 0, false, nil)
        case .check:
            rights += 1
            checks += 1
            openChecks += 1
            isOwed = true
        case .login, .forcedLogin:
            rights += 1
            (isOwed, mayShowLogin) = (true, true)
        case .choose(nil):
            rights += 1
            openCancels += 1
            (isOwed, stage) = (true, nil)
            // An authorization that is asking the service may find out later that it needs a login.
            if questions.isEmpty { mayShowLogin = false }
        case .choose:
            if stage == .picker { stage = nil }
            // Without a requestor it fails.
            if hasFailed || requestors > 0 { rights += 1 }
        case .logout:
            logoutRights += 1
            (stage, logoutPage, mayShowLogin) = (nil, nil, false)
        case .authorize(let resource):
            questions[resource, default: 0] += 1
            rights += 1
            mayShowLogin = true
        case .checkAuthorization(let resource): questions[resource, default: 0] += 1
        case .redirect:
            rights += 1
            if case .page = stage { stage = nil }
        case .foreignRedirect: rights += 1
        }
    }

    // MARK: - Callbacks

    /// - Returns: the error about a callback, if there is one.
    mutating func got(_ callback: ClassicCallback) -> String? {
        switch callback {
        case .requestorComplete(let status):
            hasFailed = status == 0
            guard requestors > 0 else { return "a requestor that nobody set" }
            requestors -= 1
            if requestors == 0 { oldQuestions = [:] }
        case .authenticationStatus(_, let code):
            answers += 1
            isOwed = false
            if logoutRights > 0, rights == 0 || code == USER_NOT_AUTHENTICATED_ERROR {
                logoutRights -= 1
                oldLogoutRights = min(oldLogoutRights, logoutRights)
                return nil
            }
            // While a check waits, this may be its answer, and the viewer's page has not changed.
            if openCancels > 0, code == PROVIDER_NOT_SELECTED_ERROR {
                // A page that came between the cancel and its answer has ended.
                openCancels -= 1
                stage = nil
            } else if openChecks > 0 {
                openChecks -= 1
            } else if code != USER_NOT_AUTHENTICATED_ERROR {
                // This does not end a login.
                stage = nil
            }
            guard rights > 0 else { return "an answer that nobody asked for" }
            rights -= 1
        case .providerDialog: return shown(.picker)
        case .navigate(let url), .navigateInSafari(let url):
            guard url.contains("/logout") else { return shown(.page(url)) }
            logoutPage = url
        case .token(_, let resource), .tokenRequestFailed(let resource, _, _):
            if let count = oldQuestions[resource] {
                oldQuestions[resource] = count == 1 ? nil : count - 1
            } else if let count = questions[resource] {
                questions[resource] = count == 1 ? nil : count - 1
            } else {
                return "a second answer, or one for the requestor before"
            }
        default: break
        }
        return nil
    }

    private mutating func shown(_ next: Stage) -> String? {
        stage = next
        // A logout that is not finished by now has no answer during the next login.
        logoutRights -= oldLogoutRights
        oldLogoutRights = 0
        return mayShowLogin ? nil : "a login is shown after a cancel or a logout"
    }

    // MARK: - When all jobs wait

    /// - Returns: the missing answer, if there is one.
    func missing() -> String? {
        if requestors > 0 { return "setRequestor has no answer" }
        if answers < checks { return "checkAuthentication has no answer" }
        guard stage == nil else { return nil }
        if isOwed { return "the last call about the login has no answer" }
        return questions.isEmpty ? nil : "getAuthorization has no answer"
    }

    /// Every call has its answer or waits for the viewer, or otherwise for the network or for time to pass.
    mutating func settled(isWaitingForTime: Bool) {
        (checks, openChecks, openCancels, answers, oldLogoutRights) = (0, 0, 0, 0, logoutRights)
        if stage == nil, !isWaitingForTime { rights = 0 }
    }

    /// Time passes while all jobs wait: a logout whose page is shown and not finished by now is never answered.
    mutating func timePassed() {
        guard requestors == 0, logoutPage != nil else { return }
        (logoutRights, oldLogoutRights) = (0, 0)
    }
}
