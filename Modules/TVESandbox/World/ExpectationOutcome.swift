import Foundation
import TVEModels

/// The result of the comparison of clients' requests with a tester's expectation.
public struct ExpectationOutcome: Sendable {
    /// The result of the comparison.
    public enum Result: String, Sendable, CaseIterable {
        /// Every flow that has reached the step meets the expectation.
        case kept
        /// At least one flow does not meet the expectation, or a run has ended without a step that must be taken.
        case broken
        /// No flow has reached the step so far.
        case notSeen
    }

    /// The expectation.
    public let expectation: SandboxWorld.Expectation
    /// The result of the comparison.
    public let result: Result
    /// The sentences about the places where a flow breaks the expectation, ten at most.
    public let problems: [String]
    /// The numbers of the exchanges that prove the result, twenty at most: those of the problems, or those at the step
    /// when there are none.
    public let exchanges: [Int]

    /// Compares exchanges with an expectation.
    ///
    /// - Parameters:
    ///   - expectation: the expectation.
    ///   - exchanges: the recorded exchanges, in the order of arrival.
    ///   - isEnd: a Boolean value that indicates whether no further exchange follows, so that a step that no flow has
    ///     taken breaks an expectation of a least number of requests.
    init(_ expectation: SandboxWorld.Expectation, in exchanges: [SandboxExchange], isEnd: Bool) {
        self.expectation = expectation
        let flows = Dictionary(grouping: exchanges) { $0.facts.flow }.sorted { $0.key ?? 0 < $1.key ?? 0 }
        var found: [(sentence: String, ids: [Int])] = []
        var seen: [Int] = []
        for (_, flow) in flows {
            let own = flow.filter { $0.facts.step == expectation.step }
            guard !own.isEmpty else { continue }
            seen += own.map(\.id)
            found += Self.problems(expectation, atStep: own, inFlow: flow)
        }
        if isEnd, seen.isEmpty, let least = expectation.atLeast, least > 0 {
            found.append((Self.sentence(taken: 0, ofAtLeast: least), []))
        }
        result = !found.isEmpty ? .broken : seen.isEmpty ? .notSeen : .kept
        problems = found.prefix(10).map(\.sentence)
        self.exchanges = Array((found.isEmpty ? seen : found.flatMap(\.ids)).suffix(20))
    }

    private static func problems(
        _ expected: SandboxWorld.Expectation, atStep own: [SandboxExchange], inFlow flow: [SandboxExchange]
    ) -> [(sentence: String, ids: [Int])] {
        var found: [(String, [Int])] = []
        let ids = own.map(\.id)
        if let least = expected.atLeast, own.count < least {
            found.append((Self.sentence(taken: own.count, ofAtLeast: least), ids))
        }
        if let most = expected.atMost, own.count > most {
            let times = own.count == 1 ? "1 time" : "\(own.count) times"
            found.append(("The step was taken \(times), not at most \(most).", ids))
        }
        if let before = expected.follows, let first = own.first,
            !flow.contains(where: { $0.facts.step == before && $0.id < first.id })
        {
            found.append(("Exchange \(first.id) came before any \(before).", [first.id]))
        }
        guard let pause = expected.pause else { return found }
        for (place, answered) in own.enumerated()
        where answered.isSent && !answered.isAnswerLost
            && (expected.status == nil || answered.status == expected.status)
        {
            // A request that arrived before the end of the answer could not wait for it.
            guard let next = own[(place + 1)...].first(where: { $0.id > answered.lastArrival }) else { continue }
            let waited = next.machineTime.timeIntervalSince(answered.machineTime) - answered.milliseconds / 1_000
            guard waited < TimeInterval(pause) else { continue }
            let seconds = (max(0, waited) * 10).rounded() / 10
            let sentence =
                "Exchange \(next.id) came \(seconds) s after the answer \(answered.status)"
                + " of exchange \(answered.id), not \(pause) s."
            found.append((sentence, [answered.id, next.id]))
        }
        return found
    }

    private static func sentence(taken count: Int, ofAtLeast least: Int) -> String {
        "The step was taken \(count) of at least \(least) time\(least == 1 ? "" : "s")."
    }
}

extension Sandbox {
    /// The results of the current world's expectations for the exchanges so far, in the order of the expectations.
    public nonisolated var expectationOutcomes: [ExpectationOutcome] { routes.expectationOutcomes(in: exchanges) }
}

extension SandboxRoutes {
    /// Returns the results of the current world's expectations for some exchanges, in the order of the expectations.
    ///
    /// - Parameters:
    ///   - exchanges: the exchanges, in any order.
    ///   - isEnd: a Boolean value that indicates whether no further exchange follows. It is ignored unless all
    ///     exchanges are given, because one of the others may have taken a step that seems to be missing.
    package func expectationOutcomes(in exchanges: [SandboxExchange], isEnd: Bool = false) -> [ExpectationOutcome] {
        let expectations = current.world.expectations
        guard !expectations.isEmpty else { return [] }
        let ordered = exchanges.sorted { $0.id < $1.id }
        // Some are missing if exchanges were cleared, were too many to store, or are still without an answer.
        let isEnd = isEnd && !ordered.isEmpty && ordered.count == log.state.withLock(\.arrived)
        return expectations.map { ExpectationOutcome($0, in: ordered, isEnd: isEnd) }
    }
}
