import TVETestSupport

/// All ledgers that explain the callbacks of an app.
///
/// The classic API does not say which call a callback answers. Each answer is therefore tried with every call that
/// waits for one, and a callback is a problem if it contradicts every ledger.
struct WalkLedgers {
    /// The ledgers, which differ only in the calls that they take to be answered.
    ///
    /// There is always at least one.
    private var possible: [WalkLedger]

    init(_ scene: WalkScene) {
        possible = [WalkLedger(scene)]
    }

    // MARK: - The state of the app

    /// The screen that the app may show, according to its callbacks; `nil` for none.
    var stage: WalkLedger.Stage? { possible.lazy.compactMap(\.stage).first }
    var logoutPage: String? { possible.first?.logoutPage }
    var requestor: String? { possible.first?.requestor }
    /// A Boolean value that indicates whether the last `setRequestor` failed, and no callback has shown since that a
    /// call has repeated its start.
    var hasFailed: Bool { possible.first?.hasFailed == true }
    var isStarting: Bool { possible.contains(where: \.isStarting) }
    /// A Boolean value that indicates whether no pending call can log the viewer in.
    var isQuiet: Bool { possible.allSatisfy(\.isQuiet) }

    /// Returns a Boolean value that indicates whether every choice of a provider was tracked.
    func hasTracked(_ mvpdID: String) -> Bool { possible.contains { $0.reports.hasTracked(mvpdID) } }

    // MARK: - The app's side

    mutating func made(_ call: WalkCall, _ number: Int) { changeAll { $0.made(call, number) } }
    mutating func leftDialog() { changeAll { $0.leftDialog() } }
    mutating func finished(_ url: String) { changeAll { $0.finished(url) } }
    mutating func timePassed(_ seconds: Double) { changeAll { $0.timePassed(seconds) } }
    /// Forgets older choices, which are no longer tracked.
    mutating func forgetChoices() { changeAll { $0.reports.forgetChoices() } }

    private mutating func changeAll(_ change: (inout WalkLedger) -> Void) {
        for index in possible.indices { change(&possible[index]) }
    }

    // MARK: - Callbacks

    /// Checks a callback.
    ///
    /// - Returns: the problem of the callback; `nil` if there is none.
    mutating func got(_ callback: ClassicCallback) -> String? {
        judge(
            numbers: { callback.isAnswer ? $0.numbers : [nil] },
            by: { ledger, number in ledger.got(callback, to: number) })
    }

    /// Records that the closure of `preauthorize` was called, which does say which call it answers.
    ///
    /// - Returns: the problem of the call; `nil` if there is none.
    mutating func preauthorized(_ number: Int) -> String? { judge(by: { ledger, _ in ledger.preauthorized(number) }) }

    /// A Boolean value that indicates whether an answer is missing according to any ledger.
    var mayMiss: Bool { possible.contains { $0.missing() != nil } }

    /// Returns the problem of a missing answer, or `nil` if a ledger misses none.
    func missing() -> String? {
        let missing = possible.compactMap { $0.missing() }
        return missing.count == possible.count ? missing.first : nil
    }

    /// Records that every call was answered, or waits for the viewer, the network or time to pass.
    ///
    /// - Parameter isWaitingForTime: `true` if a job waits for time to pass.
    /// - Returns: a problem; `nil` if there is none.
    mutating func settled(isWaitingForTime: Bool) -> String? {
        // Nothing will come that a ledger misses now.
        let complete = possible.filter { $0.missing() == nil }
        if !isWaitingForTime, !complete.isEmpty { possible = complete }
        return judge(by: { ledger, _ in ledger.settled(isWaitingForTime: isWaitingForTime) })
    }

    /// Tries an event with every ledger, and drops the ledgers that it contradicts unless it contradicts all of them.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the calls that the event may answer according to a ledger.
    ///   - event: a closure that returns the problem of a ledger after the event.
    /// - Returns: the problem of the first ledger if all of them have one.
    private mutating func judge(
        numbers: (WalkLedger) -> [Int?] = { _ in [nil] }, by event: (inout WalkLedger, Int?) -> String?
    ) -> String? {
        var problem: String?
        var next: [WalkLedger] = []
        for ledger in possible {
            for number in numbers(ledger) {
                var changed = ledger
                if let found = event(&changed, number) {
                    problem = problem ?? found
                } else if !next.contains(changed) {
                    next.append(changed)
                }
            }
        }
        guard next.isEmpty else {
            possible = next
            return nil
        }
        return problem
    }
}

extension ClassicCallback {
    /// A Boolean value that indicates whether the callback answers a call.
    fileprivate var isAnswer: Bool {
        switch self {
        case .requestorComplete, .authenticationStatus, .token, .tokenRequestFailed, .preauthorizedResources, .metadata,
            .selectedProvider:
            true
        default: false
        }
    }
}
