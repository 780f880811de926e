import AccessEnabler
import TVETestSupport

/// A record of the callbacks that an app may still receive, and of those that it must receive.
///
/// The rules are those in Documentation/Behaviour.md. Each call has a number.
struct WalkLedger: Equatable {
    /// A screen on which the viewer must act.
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
    private struct Open: Equatable {
        let call: WalkCall
        /// The number of times that the app had changed its requestor before this call.
        let requestor: Int
        /// A Boolean value that indicates whether the login within an authorization was answered.
        var isTold = false
        /// A Boolean value that indicates whether a logout may remain without an answer, because another call followed.
        var isOptional = false
        /// A Boolean value that indicates whether the page of a logout was shown.
        var hasPage = false
    }

    /// The screen that the app must show, according to its callbacks; `nil` for none.
    private(set) var stage: Stage?
    /// The page of a logout that the app must finish; `nil` for none.
    private(set) var logoutPage: String?
    /// The minimum time for which the page of the logout has been shown, in seconds.
    private var logoutPageAge = 0.0
    private(set) var requestor: String?
    /// The calls without an answer, by number.
    private var open: [Int: Open] = [:]
    var reports = WalkReports()
    private var requestorCount = 0
    private var openRequestors = 0
    /// A Boolean value that indicates whether any `setRequestor` was ever completed.
    private var hasStarted = false
    /// A Boolean value that indicates whether the last `setRequestor` failed, and no callback has shown since that a
    /// call has repeated its start.
    private(set) var hasFailed = false
    /// A Boolean value that indicates whether the last call about the login that requires an answer has none yet.
    private var isOwed = false
    /// A Boolean value that indicates whether anything has ended logins since all jobs last waited.
    private var hasCancelled = false
    /// A Boolean value that indicates whether only a change of the requestor can have ended a login since then.
    private var onlyRequestorEndsLogins = true
    /// The screen of the login when the app chose a provider, to which it returns if the choice is refused.
    private var stageOfChoice: Stage?
    /// A Boolean value that indicates whether a login may be shown.
    private var mayShowLogin = false
    private var dialogs = 0
    /// A Boolean value that indicates whether viewers choose providers in the platform's dialog.
    let hasPlatform: Bool
    /// The lifetime of a code, in seconds.
    private let codeLifetime: Double

    init(_ scene: WalkScene) {
        hasPlatform = scene.hasPlatform
        codeLifetime = Double(scene.code)
    }

    /// A Boolean value that indicates whether a `setRequestor` has no answer yet.
    ///
    /// Until then, later calls may be queued.
    var isStarting: Bool { openRequestors > 0 }

    /// A Boolean value that indicates whether no pending call can log the viewer in.
    var isQuiet: Bool { stage == nil && !open.values.contains { $0.call.isAboutLogin } }

    /// The numbers of the calls that an answer may be for, in order; `nil` if there is no such call.
    ///
    /// Of equal calls only the oldest is tried, because every rule allows a newer one to wait for longer.
    var numbers: [Int?] {
        var calls: [Open] = []
        let oldest = open.sorted { $0.key < $1.key }.filter { entry in
            defer { calls.append(entry.value) }
            return !calls.contains(entry.value)
        }
        return oldest.isEmpty ? [nil] : oldest.map { Optional($0.key) }
    }

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
            // Setting the same requestor again changes nothing, and the first requestor gets the earlier calls.
            guard id != requestor else { break }
            if requestor != nil {
                requestorCount += 1
                isOwed = false
                leaveScreen()
                hasCancelled = true
            }
            requestor = id
        case .check: isOwed = true
        case .login, .forcedLogin:
            isOwed = true
            mayShowLogin = true
        case .choose(nil):
            isOwed = true
            leaveScreen()
            hasCancelled = true
            // An authorization whose request is running may turn out to need a login.
            if !open.values.contains(where: { $0.call.resource != nil && $0.requestor == requestorCount }) {
                mayShowLogin = false
            }
        case .choose(let id?):
            // Until an earlier choice has shown its page or was refused, the screen is the one before it.
            stageOfChoice = stage ?? stageOfChoice
            if stage == .picker { stage = nil }
            reports.chose(id)
        case .logout:
            leaveScreen()
            logoutPage = nil
            mayShowLogin = false
            hasCancelled = true
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

    /// Records that the login has ended, so that no refused choice returns to its screen.
    private mutating func leaveScreen() {
        stage = nil
        stageOfChoice = nil
    }

    private mutating func makeLogoutsOptional() {
        for (number, call) in open where call.call == .logout { open[number]?.isOptional = true }
    }

    /// Records that the viewer has left the platform's dialog.
    mutating func leftDialog() {
        hasCancelled = true
        onlyRequestorEndsLogins = false
    }

    /// Records that the app has finished a page, which may be that of a logout.
    mutating func finished(_ url: String) {
        if logoutPage == url { logoutPage = nil }
    }

    // MARK: - Callbacks

    /// Checks a callback.
    ///
    /// - Parameters:
    ///   - callback: the callback.
    ///   - number: the number of the call that the callback answers in this ledger; `nil` for none.
    /// - Returns: the problem of the callback; `nil` if there is none.
    mutating func got(_ callback: ClassicCallback, to number: Int?) -> String? {
        switch callback {
        case .status("REGCODE", _, let code, _):
            return shown(.code(code ?? ""))
        case .status(let id, _, _, _):
            // The service has ended the login. A running authorization logs in once more, and reports that login too.
            if id == "N000" { for number in open.keys { open[number]?.isTold = false } }
            // Either the choice is refused and the login returns to its screen, or the login has failed and its answer
            // follows.
            if id == "N500", stage == nil { stage = stageOfChoice }
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
        if case .requestorComplete(let status) = callback { return complete(status, of: call, number: number) }
        guard hasStarted else { return "an answer before setRequestorComplete" }
        let hasSession = !hasFailed && openRequestors == 0
        if let problem = reports.got(callback, to: call.call, hasSession: hasSession) { return problem }
        switch callback {
        case .authenticationStatus(1, _), .token: hasFailed = false
        default: break
        }
        switch (callback, call.call) {
        case (.authenticationStatus(_, let code), _) where call.call.isAboutLogin:
            return told(code, of: call, number: number)
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

    private mutating func told(_ code: String, of call: Open, number: Int) -> String? {
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
        // A check does not end a login.
        case .check: break
        case .logout:
            open[number] = nil
            // A logout ends the calls for tokens before it is answered.
            let older = open.keys.contains { $0 < number && open[$0]?.call.resource != nil }
            return older && code == USER_NOT_AUTHENTICATED_ERROR ? "a call for a token outlives it" : nil
        default: endStage(number)
        }
        open[number] = nil
        return nil
    }

    /// Ends the screen of a login whose call was answered.
    ///
    /// The platform's dialog does not wait for the callbacks in the app's queue, so it may belong to a later call.
    private mutating func endStage(_ number: Int) {
        if stage == .dialog, open.contains(where: { $0.key > number && $0.value.call.mayShowLogin }) { return }
        leaveScreen()
    }

    private mutating func complete(_ status: Int32, of call: Open, number: Int) -> String? {
        guard case .setRequestor = call.call else { return "no answer to \(call.call)" }
        open[number] = nil
        hasFailed = status == 0
        hasStarted = true
        openRequestors -= 1
        guard openRequestors == 0 else { return nil }
        let old = open.filter { $0.value.requestor < requestorCount }.sorted { $0.key < $1.key }
        for (number, _) in old { open[number] = nil }
        return old.first { $0.value.call.needsNoViewer || $0.value.call.resource != nil }
            .map { "\($0.value.call) of the previous requestor has no answer" }
    }

    /// Records that the closure of `preauthorize` was called.
    ///
    /// - Returns: the problem of the call; `nil` if there is none.
    mutating func preauthorized(_ number: Int) -> String? {
        open.removeValue(forKey: number) == nil ? "a second answer" : nil
    }

    private mutating func shownPage(_ url: String) -> String? {
        if url.contains("/logout") {
            logoutPage = url
            logoutPageAge = 0
            for (number, call) in open where call.call == .logout { open[number]?.hasPage = true }
            return nil
        }
        return shown(.page(url))
    }

    private mutating func shown(_ next: Stage) -> String? {
        stage = next
        // A logout that is not finished by now remains without an answer during the next login. The platform's dialog
        // comes at once, perhaps before an answer that is on its way.
        if next != .dialog {
            // Only a session shows a screen, so a start has been repeated with success.
            hasFailed = false
            for (number, call) in open where call.call == .logout && call.isOptional && call.hasPage {
                open[number] = nil
            }
        }
        if !mayShowLogin { return "\(next.name) is shown after a cancel or a logout" }
        return open.values.contains { $0.call.mayShowLogin } ? nil : "\(next.name) is shown that no call waits for"
    }

    // MARK: - When all jobs wait

    /// Returns the problem of a missing answer, or `nil` if there is none.
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

    /// Records that every call was answered, or waits for the viewer, the network or time to pass.
    ///
    /// - Parameter isWaitingForTime: `true` if a job waits for time to pass.
    /// - Returns: a problem; `nil` if there is none.
    mutating func settled(isWaitingForTime: Bool) -> String? {
        onlyRequestorEndsLogins = true
        if stage != .dialog, dialogs > 0 { return "a dialog that is never dismissed" }
        guard stage == nil, !isWaitingForTime else { return nil }
        hasCancelled = false
        // The calls about the login shared one answer.
        for (number, call) in open where call.call.isAboutLogin { open[number] = nil }
        return nil
    }

    /// Records that time passes while all jobs wait.
    ///
    /// A logout whose page was shown and is not finished after a minute is never answered.
    mutating func timePassed(_ seconds: Double) {
        logoutPageAge += seconds
        // The page of an expired code is abandoned without an answer.
        if case .page = stage, seconds >= codeLifetime { isOwed = false }
        guard openRequestors == 0, logoutPageAge >= 60 else { return }
        for (number, call) in open where call.call == .logout && call.hasPage { open[number] = nil }
    }
}
