import AccessEnabler
import TVETestSupport

/// Statuses and tracking events, which come before the answer that they explain.
struct WalkReports {
    /// The last tracking event, until an answer of another kind comes.
    private var tracked: (number: Int32, data: [String])?
    /// The statuses since the last answer of another kind.
    private var statuses: [String] = []
    /// The providers that the app or the viewer chose, as often as their choice may still be tracked.
    private var choices: [String: Int] = [:]

    /// The app or the viewer has chosen a provider.
    mutating func chose(_ mvpdID: String) { choices[mvpdID, default: 0] += 1 }

    /// Whether every choice of a provider was tracked.
    func hasTracked(_ mvpdID: String) -> Bool { choices[mvpdID] == nil }

    /// Whether the storage failed, so that nobody can tell who is logged in: several calls may get that answer, and no
    /// event says that the viewer is not.
    private var cannotTell = false

    /// Older choices are not tracked any more.
    mutating func forgetChoices() { choices = [:] }

    mutating func gotStatus(_ id: String) {
        statuses.append(id)
        if id == "500" { cannotTell = true }
    }

    mutating func gotTracking(_ number: Int32, _ data: [String], chosenElsewhere: Bool) -> String? {
        guard number == 2 else {
            tracked = (number, data)
            return nil
        }
        if chosenElsewhere { return nil }
        guard let id = data.first, let count = choices[id] else { return "a choice that nobody made" }
        choices[id] = count == 1 ? nil : count - 1
        return nil
    }

    /// - Returns: the error about the reports before an answer, if there is one.
    mutating func got(_ callback: ClassicCallback, to call: WalkCall, hasSession: Bool) -> String? {
        switch callback {
        case .authenticationStatus(let status, let code):
            defer { statuses = [] }
            // Without a session there is nobody who could report.
            if !hasSession || cannotTell, code == GENERIC_AUTHENTICATION_ERROR { return nil }
            cannotTell = false
            guard tracked?.number == 0, tracked?.data.first == "\(status == 1)" else {
                return "its tracking event is missing"
            }
            guard code == USER_NOT_AUTHENTICATED_ERROR, call != .logout else { return nil }
            let explains = statuses.contains { ["N000", "N111", "SEC412"].contains($0) }
            return explains ? nil : "its status is missing"
        case .token:
            defer { forget() }
            return tracked?.number == 1 && tracked?.data.first == "true" ? nil : "its tracking event is missing"
        case .tokenRequestFailed(_, let code, _):
            defer { forget() }
            // A call that its session's end answers reports nothing.
            if code == GENERIC_AUTHORIZATION_ERROR { return nil }
            guard tracked?.number == 1, tracked?.data.first == "false", tracked?.data.dropFirst(4).first == code else {
                return "its tracking event is missing"
            }
            return nil
        default:
            forget()
            return nil
        }
    }

    private mutating func forget() { (tracked, statuses) = (nil, []) }
}
