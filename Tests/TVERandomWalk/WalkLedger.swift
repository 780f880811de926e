import AccessEnabler
import TVETestSupport

/// Which callbacks an app may still get, and which it must get: the list of Documentation/Behaviour.md.
///
/// Each call has a number, and each answer says which call it answers.
struct WalkLedger {
    /// What the viewer must do.
    enum Stage: Sendable, Equatable {
        case picker, page(String), code(String), dialog

        fileprivate var name: String {
            switch self {
            case .picker: "a picker"
            case .page: "a page"
            case .code: "a code"
            case .dialog: "a dialog"
            }
        }
    }

    /// A call without an answer.
    private struct Open {
        let call: WalkCall
        /// How many requestors the app has set before this one.
        let requestor: Int
        /// Whether the login inside an authorization was answered.
        var isTold = false
        /// Whether a logout may have no answer, because something else has come.
        var isOptional = false
        /// Whether the page of a logout was shown.
        var hasPage = false
    }

    /// What the app must show, as far as it knows.
    private(set) var stage: Stage?
    /// The page of a logout that the app must finish.
    private(set) var logoutPage: String?
    /// How long it is shown, in seconds at least.
    private var logoutPageAge = 0.0
    private(set) var requestor: String?
    /// The calls without an answer, by number.
    private var open: [Int: Open] = [:]
    var reports = WalkReports()
    private var requestorCount = 0
    private var openRequestors = 0
    /// Whether a `setRequestor` was ever complete, and whether the last one failed.
    private var hasStarted = false
    private(set) var hasFailed = false
    /// Whether the last call that requires an answer has none yet.
    private var isOwed = false
    /// Whether anything has ended logins since the last time all jobs waited.
    private var hasCancelled = false
    /// Whether nothing that ends a login was called since then, but for another requestor.
    private var onlyRequestorEndsLogins = true
    /// Where the login was when the app chose a provider, which may be refused.
    private var stageOfChoice: Stage?
    /// Whether a login may be shown.
    private var mayShowLogin = false
    private var dialogs = 0
    /// Whether providers are chosen in the platform's dialog.
    let hasPlatform: Bool
    /// How long a code lasts, in seconds.
    private let codeLifetime: Double

    init(_ scene: WalkScene) {
        (hasPlatform, codeLifetime) = (scene.hasPlatform, Double(scene.code))
    }

    /// Whether a `setRequestor` has no answer yet; later calls may be held until then.
    var isStarting: Bool { openRequestors > 0 }

    /// Whether nothing waits that may log the viewer in.
    var isQuiet: Bool { stage == nil && !open.values.contains { $0.call.isAboutLogin } }

    // MARK: - Calls

    mutating func made(_ call: WalkCall, _ number: Int) {
        switch call {
        case .setRequestor, .check, .checkAuthorization, .preauthorize, .preauthorizeWithReasons, .metadata,
            .selectedProvider:
            break
        case .login, .forcedLogin, .choose, .logout, .authorize, .redirect, .foreignRedirect:
            onlyRequestorEndsLogins = false
        }
        if call != .check, call.isAboutLogin { makeLogoutsOptional() }
        switch call {
        case .setRequestor(let id):
            openRequestors += 1
            makeLogoutsOptional()
            // The same requestor again continues where it was, and the first one has the calls before it.
            guard id != requestor else { break }
            if requestor != nil {
                requestorCount += 1
                (isOwed, stage, hasCancelled) = (false, nil, true)
            }
            requestor = id
        case .check: isOwed = true
        case .login, .forcedLogin: (isOwed, mayShowLogin) = (true, true)
        case .choose(nil):
            (isOwed, stage, hasCancelled) = (true, nil, true)
            // An authorization that is asking the service may find out later that it needs a login.
            if !open.values.contains(where: { $0.call.resource != nil && $0.requestor == requestorCount }) {
                mayShowLogin = false
            }
        case .choose(let id?):
            stageOfChoice = stage
            if stage == .picker { stage = nil }
            reports.chose(id)
        case .logout:
            (stage, logoutPage, mayShowLogin, hasCancelled) = (nil, nil, false, true)
        case .authorize: mayShowLogin = true
        case .redirect:
            if case .page = stage { stage = nil }
            hasCancelled = true
        case .foreignRedirect, .checkAuthorization, .preauthorize, .preauthorizeWithReasons, .metadata,
            .selectedProvider:
            break
        }
        open[number] = Open(call: call, requestor: requestorCount)
    }

    private mutating func makeLogoutsOptional() {
        for (number, call) in open where call.call == .logout { open[number]?.isOptional = true }
    }

    /// The viewer has left the platform's dialog.
    mutating func leftDialog() { (hasCancelled, onlyRequestorEndsLogins) = (true, false) }

    /// The app has finished the page of a logout.
    mutating func finished(_ url: String) {
        if logoutPage == url { logoutPage = nil }
    }

    // MARK: - Callbacks

    /// - Parameter number: which call the callback answers.
    /// - Returns: the error about a callback, if there is one.
    mutating func got(_ callback: ClassicCallback, to number: Int?) -> String? {
        switch callback {
        case .status("REGCODE", _, let code, _):
            return shown(.code(code ?? ""))
        case .status(let id, _, _, _):
            // The service has ended the login: an authorization that goes on logs in once more, and tells it again.
            if id == "N000" { for number in open.keys { open[number]?.isTold = false } }
            // The choice is refused, and the login stays where it was; or the login has failed, and its answer follows.
            if id == "N500", let stageOfChoice { stage = stageOfChoice }
            reports.gotStatus(id)
            return nil
        case .tracking(let data, let event):
            return reports.gotTracking(event, data, chosenElsewhere: hasPlatform)
        case .providerDialog: return shown(.picker)
        case .navigate(let url), .navigateInSafari(let url, _): return shownPage(url)
        case .presentPlatformDialog:
            dialogs += 1
            return dialogs > 1 ? "two dialogs at once" : shown(.dialog)
        case .dismissPlatformDialog:
            dialogs -= 1
            if stage == .dialog { stage = nil }
            return dialogs < 0 ? "a dialog that the app has never presented" : nil
        case .requestorComplete, .authenticationStatus, .token, .tokenRequestFailed, .preauthorizedResources, .metadata,
            .selectedProvider:
            return answered(by: callback, number)
        }
    }

    private mutating func answered(by callback: ClassicCallback, _ number: Int?) -> String? {
        guard let number, let call = open[number] else {
            return "an answer that no call waits for"
        }
        if case .requestorComplete(let status) = callback { return complete(status, call, number) }
        guard hasStarted else { return "an answer before setRequestorComplete" }
        let hasSession = !hasFailed && openRequestors == 0
        if let problem = reports.got(callback, to: call.call, hasSession: hasSession) { return problem }
        switch (callback, call.call) {
        case (.authenticationStatus(_, let code), _) where call.call.isAboutLogin:
            return told(code, call, number)
        case (.token(_, let resource), _) where call.call.resource == resource,
            (.tokenRequestFailed(let resource, _, _), _) where call.call.resource == resource:
            break
        case (.preauthorizedResources, .preauthorize), (.selectedProvider, .selectedProvider): break
        case (.metadata(_, _, let key, let arguments), .metadata(let question))
        where key == question && ClassicCallback.topic(of: arguments) == WalkCall.metadataName: break
        default: return "no answer to \(call.call)"
        }
        open[number] = nil
        return nil
    }

    private mutating func told(_ code: String, _ call: Open, _ number: Int) -> String? {
        isOwed = false
        if code == PROVIDER_NOT_SELECTED_ERROR {
            if call.requestor < requestorCount, onlyRequestorEndsLogins {
                return "the answer to a login of the previous requestor"
            }
            if !hasCancelled { return "a cancel that nobody has asked for" }
        }
        switch call.call {
        case .check where code == PROVIDER_NOT_SELECTED_ERROR: return "not an answer to \(call.call)"
        case .choose(nil) where ![PROVIDER_NOT_SELECTED_ERROR, GENERIC_AUTHENTICATION_ERROR].contains(code),
            .logout where ![USER_NOT_AUTHENTICATED_ERROR, GENERIC_AUTHENTICATION_ERROR].contains(code):
            return "not an answer to \(call.call)"
        case .authorize:
            guard !call.isTold else { return "a second answer" }
            open[number]?.isTold = true
            endStage(number)
            return nil
        // These do not end a login.
        case .check: break
        case .logout:
            open[number] = nil
            // It ends them first.
            let older = open.keys.contains { $0 < number && open[$0]?.call.resource != nil }
            return older && code == USER_NOT_AUTHENTICATED_ERROR ? "a call for a token outlives it" : nil
        default: endStage(number)
        }
        open[number] = nil
        return nil
    }

    /// A call for a login has its answer.
    ///
    /// The platform's dialog overtakes the callbacks in the app's queue: it may be that of a later call.
    private mutating func endStage(_ number: Int) {
        if stage == .dialog, open.contains(where: { $0.key > number && $0.value.call.mayShowLogin }) { return }
        stage = nil
    }

    private mutating func complete(_ status: Int32, _ call: Open, _ number: Int) -> String? {
        guard case .setRequestor = call.call else { return "no answer to \(call.call)" }
        open[number] = nil
        (hasFailed, hasStarted) = (status == 0, true)
        openRequestors -= 1
        guard openRequestors == 0 else { return nil }
        let old = open.filter { $0.value.requestor < requestorCount }.sorted { $0.key < $1.key }
        for (number, _) in old { open[number] = nil }
        return old.first { $0.value.call.needsNoViewer || $0.value.call.resource != nil }
            .map { "\($0.value.call) of the previous requestor has no answer" }
    }

    /// The closure of `preauthorize` was called.
    mutating func preauthorized(_ number: Int) -> String? {
        open.removeValue(forKey: number) == nil ? "a second answer" : nil
    }

    private mutating func shownPage(_ url: String) -> String? {
        if url.contains("/logout") {
            (logoutPage, logoutPageAge) = (url, 0)
            for (number, call) in open where call.call == .logout { open[number]?.hasPage = true }
            return nil
        }
        return shown(.page(url))
    }

    private mutating func shown(_ next: Stage) -> String? {
        stage = next
        // A logout that is not finished by now has no answer during the next login.
        for (number, call) in open where call.call == .logout && call.isOptional && call.hasPage { open[number] = nil }
        if !mayShowLogin { return "\(next.name) is shown after a cancel or a logout" }
        return open.values.contains { $0.call.mayShowLogin } ? nil : "\(next.name) is shown that no call waits for"
    }

    // MARK: - When all jobs wait

    /// - Returns: the missing answer, if there is one.
    func missing() -> String? {
        let calls = open.sorted { $0.key < $1.key }.map(\.value)
        if openRequestors > 0 { return "setRequestor has no answer" }
        if let call = calls.first(where: { $0.call.needsNoViewer }) { return "\(call.call) has no answer" }
        guard stage == nil else { return nil }
        if isOwed { return "the last call about the login has no answer" }
        if let call = calls.first(where: { $0.call.resource != nil }) { return "\(call.call) has no answer" }
        let hasLogout = calls.contains { $0.call == .logout && !$0.isOptional && !$0.hasPage }
        return hasLogout ? "logout has no answer" : nil
    }

    /// Every call has its answer or waits for the viewer, or otherwise for the network or for time to pass.
    mutating func settled(isWaitingForTime: Bool) -> String? {
        onlyRequestorEndsLogins = true
        if stage != .dialog, dialogs > 0 { return "a dialog that is never dismissed" }
        guard stage == nil, !isWaitingForTime else { return nil }
        hasCancelled = false
        // The calls shared the answer to a login.
        for (number, call) in open where call.call.isAboutLogin { open[number] = nil }
        return nil
    }

    /// Time passes while all jobs wait: a logout whose page is shown and not finished after a minute is never answered.
    mutating func timePassed(_ seconds: Double) {
        logoutPageAge += seconds
        // The page of a code that has ended is given up, without an answer.
        if case .page = stage, seconds >= codeLifetime { isOwed = false }
        guard openRequestors == 0, logoutPageAge >= 60 else { return }
        for (number, call) in open where call.call == .logout && call.hasPage { open[number] = nil }
    }
}
