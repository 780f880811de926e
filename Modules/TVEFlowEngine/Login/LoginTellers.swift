/// The closures with which calls for a login report to an app, apart from their answers.
struct LoginTellers {
    private var tellers: [CallID: LoginTeller] = [:]

    mutating func add(_ teller: LoginTeller?, for call: CallID) { tellers[call] = teller }

    /// Removes the closures of calls that have an answer, and returns those that report it.
    ///
    /// - Parameter telling: how often the app expects the answer.
    mutating func take(_ calls: [CallID], _ telling: LoginTelling) -> [LoginTeller] {
        let found = calls.compactMap { tellers.removeValue(forKey: $0) }
        return switch telling {
        case .each: found
        // An authorization has an answer of its own and may have ended already, so a call for a login comes first.
        case .first: Array((found.filter { !$0.isForPermission } + found).prefix(1))
        case .nobody: []
        }
    }
}
