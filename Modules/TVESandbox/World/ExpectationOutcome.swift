import Foundation

/// Whether a client did what the tester expects.
public struct ExpectationOutcome: Sendable {
    /// What was seen.
    public enum Result: String, Sendable {
        /// In each flow that reached the step.
        case kept
        /// In some flow it was not.
        case broken
        /// Nobody has reached the step.
        case notSeen
    }

    /// What is expected.
    public let expectation: SandboxWorld.Expectation
    /// What was seen.
    public let result: Result
    /// A sentence for each place where it is broken, ten at most.
    public let problems: [String]
    /// The numbers of the exchanges that show it: those of the problems, or those at the step; twenty at most.
    public let exchanges: [Int]

    /// - Parameter exchanges: what was seen, in the order of arrival.
    package init(_ expectation: SandboxWorld.Expectation, in exchanges: [SandboxExchange]) {
        self.expectation = expectation
        let flows = Dictionary(grouping: exchanges) { $0.facts.flow }.sorted { $0.key ?? 0 < $1.key ?? 0 }
        var found: [(sentence: String, ids: [Int])] = []
        var seen: [Int] = []
        for (_, flow) in flows {
            let own = flow.filter { $0.facts.step == expectation.step }
            guard !own.isEmpty else { continue }
            seen += own.map(\.id)
            found += Self.problems(expectation, own, flow)
        }
        result = seen.isEmpty ? .notSeen : found.isEmpty ? .kept : .broken
        problems = found.prefix(10).map(\.sentence)
        self.exchanges = Array((found.isEmpty ? seen : found.flatMap(\.ids)).suffix(20))
    }

    private static func problems(
        _ expected: SandboxWorld.Expectation, _ own: [SandboxExchange], _ flow: [SandboxExchange]
    ) -> [(sentence: String, ids: [Int])] {
        var found: [(String, [Int])] = []
        let ids = own.map(\.id)
        if let least = expected.atLeast, own.count < least {
            found.append(("The step was taken \(own.count) of at least \(least) times.", ids))
        }
        if let most = expected.atMost, own.count > most {
            found.append(("The step was taken \(own.count) times, not at most \(most).", ids))
        }
        if let before = expected.follows, let first = own.first,
            !flow.contains(where: { $0.facts.step == before && $0.id < first.id })
        {
            found.append(("Exchange \(first.id) came before any \(before).", [first.id]))
        }
        guard let pause = expected.pause else { return found }
        for (answered, next) in zip(own, own.dropFirst())
        where expected.status == nil || answered.status == expected.status {
            let waited = next.began.timeIntervalSince(answered.began) - answered.milliseconds / 1_000
            guard waited < TimeInterval(pause) else { continue }
            let seconds = (max(0, waited) * 10).rounded() / 10
            found.append(
                (
                    "Exchange \(next.id) came \(seconds) s after the answer \(answered.status) of exchange \(answered.id), not \(pause) s.",
                    [answered.id, next.id]
                ))
        }
        return found
    }
}

extension Sandbox {
    /// Whether the clients so far did what the current world expects of them, in its order.
    public nonisolated var expectationOutcomes: [ExpectationOutcome] { routes.expectationOutcomes(in: exchanges) }
}

extension SandboxRoutes {
    /// Judges exchanges by the expectations of the current world.
    package func expectationOutcomes(in exchanges: [SandboxExchange]) -> [ExpectationOutcome] {
        let expectations = current.world.expectations
        guard !expectations.isEmpty else { return [] }
        let ordered = exchanges.sorted { $0.id < $1.id }
        return expectations.map { ExpectationOutcome($0, in: ordered) }
    }
}
