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
    private var openChoices = 0
    /// Whether nothing that ends a login was called since the last time all jobs waited, but for another requestor.
    private var onlyRequestorEndsLogins = true
    /// Whether operations of the store may fail.
    private var storageFails = false
    private var answers = 0
    /// Authorizations without an answer, by resource; also those of the previous requestor until the current one is
    /// complete.
    private var questions: [String: Int] = [:]
    private var oldQuestions: [String: Int] = [:]
    /// Calls that never wait for the viewer and have no answer, by name; likewise those of the previous requestor.
    private var lookups: [String: Int] = [:]
    private var oldLookups: [String: Int] = [:]
    private var requestors = 0
    /// Whether a `setRequestor` has no answer yet; later calls may be held until then.
    var isStarting: Bool { requestors > 0 }
    /// Whether a login may be shown.
    private var mayShowLogin = false

    // MARK: - Calls

    mutating func made(_ call: WalkCall) {
        switch call {
        case .setRequestor, .check, .checkAuthorization, .preauthorize, .metadata, .selectedProvider: break
        case .login, .forcedLogin, .choose, .logout, .authorize, .redirect, .foreignRedirect:
            onlyRequestorEndsLogins = false
        }
        switch call {
        case .setRequestor(let id):
            requestors += 1
            // The same requestor again continues where it was.
            guard id != requestor else { return }
            requestor = id
            oldQuestions.merge(questions, uniquingKeysWith: +)
            oldLookups.merge(lookups, uniquingKeysWith: +)
            (questions, lookups, checks, openChecks, isOwed, stage) = ([:], [:], 0, 0, false, nil)
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
            openChoices += 1
            // Without a requestor it fails, and when it cannot be stored.
            if hasFailed || requestors > 0 || storageFails { rights += 1 }
        case .logout:
            logoutRights += 1
            (stage, logoutPage, mayShowLogin) = (nil, nil, false)
        case .authorize(let resource):
            questions[resource, default: 0] += 1
            rights += 1
            mayShowLogin = true
        case .checkAuthorization(let resource): questions[resource, default: 0] += 1
        case .preauthorize: lookups["checkPreauthorizedResources", default: 0] += 1
        case .metadata: lookups["getMetadata", default: 0] += 1
        case .selectedProvider: lookups["getSelectedProvider", default: 0] += 1
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
            guard requestors == 0 else { break }
            let old = oldQuestions.merging(oldLookups, uniquingKeysWith: +)
            (oldQuestions, oldLookups) = ([:], [:])
            if let (name, _) = old.first { return "\(name) of the previous requestor has no answer" }
        case .authenticationStatus(_, let code):
            answers += 1
            isOwed = false
            if code == PROVIDER_NOT_SELECTED_ERROR, requestors > 0, onlyRequestorEndsLogins {
                return "the answer to a login of the previous requestor"
            }
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
            return Self.take(resource, from: &oldQuestions, or: &questions)
        case .preauthorizedResources: return Self.take("checkPreauthorizedResources", from: &oldLookups, or: &lookups)
        case .metadata: return Self.take("getMetadata", from: &oldLookups, or: &lookups)
        case .selectedProvider: return Self.take("getSelectedProvider", from: &oldLookups, or: &lookups)
        default: break
        }
        return nil
    }

    /// Counts the answer to a call, of the previous requestor first.
    private static func take(_ name: String, from old: inout [String: Int], or current: inout [String: Int]) -> String?
    {
        if let count = old[name] {
            old[name] = count == 1 ? nil : count - 1
        } else if let count = current[name] {
            current[name] = count == 1 ? nil : count - 1
        } else {
            return "a second answer, or one for the requestor before"
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

    // MARK: - The store

    /// Operations of the store may fail from now on, also those of calls that were made before.
    mutating func storageChanged(fails: Bool) {
        if fails, !storageFails { rights += openChoices }
        storageFails = fails
    }

    // MARK: - When all jobs wait

    /// - Returns: the missing answer, if there is one.
    func missing() -> String? {
        if requestors > 0 { return "setRequestor has no answer" }
        if answers < checks { return "checkAuthentication has no answer" }
        if let (name, _) = lookups.first { return "\(name) has no answer" }
        guard stage == nil else { return nil }
        if isOwed { return "the last call about the login has no answer" }
        return questions.isEmpty ? nil : "getAuthorization has no answer"
    }

    /// Every call has its answer or waits for the viewer, or otherwise for the network or for time to pass.
    mutating func settled(isWaitingForTime: Bool) {
        (checks, openChecks, openCancels, openChoices, answers, oldLogoutRights) = (0, 0, 0, 0, 0, logoutRights)
        onlyRequestorEndsLogins = true
        if stage == nil, !isWaitingForTime { rights = 0 }
    }

    /// Time passes while all jobs wait: a logout whose page is shown and not finished by now is never answered.
    mutating func timePassed() {
        guard requestors == 0, logoutPage != nil else { return }
        (logoutRights, oldLogoutRights) = (0, 0)
    }
}
