import AccessEnabler
import TVETestSupport

/// A record of statuses and tracking events, which arrive before the answer that they explain.
struct WalkReports: Equatable {
    private struct Tracked: Equatable {
        let number: Int32
        let data: [String]
    }

    /// The last tracking event; `nil` after an answer of another kind.
    private var tracked: Tracked?
    /// The statuses since the last answer of another kind.
    private var statuses: [String] = []
    /// The number of choices of each provider, by the app or the viewer, that may still be tracked.
    private var choices: [String: Int] = [:]

    /// Records that the app or the viewer has chosen a provider.
    mutating func chose(_ mvpdID: String) { choices[mvpdID, default: 0] += 1 }

    /// Returns a Boolean value that indicates whether every choice of a provider was tracked.
    func hasTracked(_ mvpdID: String) -> Bool { choices[mvpdID] == nil }

    /// A Boolean value that indicates whether the storage has failed, so that it is unknown who is logged in.
    ///
    /// Several calls may then have that answer, without an event that reports the viewer as not logged in.
    private var cannotTell = false

    /// Forgets older choices, which are no longer tracked.
    mutating func forgetChoices() { choices = [:] }

    mutating func gotStatus(_ id: String) {
        statuses.append(id)
        if id == "500" { cannotTell = true }
    }

    mutating func gotTracking(_ number: Int32, _ data: [String], chosenElsewhere: Bool) -> String? {
        guard number == 2 else {
            tracked = Tracked(number: number, data: data)
            return nil
        }
        if chosenElsewhere { return nil }
        guard let id = data.first, let count = choices[id] else { return "a choice that nobody made" }
        choices[id] = count == 1 ? nil : count - 1
        return nil
    }

    /// Checks the reports before an answer.
    ///
    /// - Returns: the problem of the reports; `nil` if there is none.
    mutating func got(_ callback: ClassicCallback, to call: WalkCall, hasSession: Bool) -> String? {
        switch callback {
        case .authenticationStatus(let status, let code):
            defer { statuses = [] }
            // Without a session there are no reports.
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
            // A call that is answered because its session has ended has no reports.
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

    private mutating func forget() {
        tracked = nil
        statuses = []
    }
}
