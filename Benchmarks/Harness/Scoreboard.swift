import Foundation
import Synchronization

/// The limit of a ratio.
public struct Goal: Sendable {
    /// The largest ratio of our figure to the peer's that passes.
    public let most: Double
    /// The largest ratio that does not fail the run, which is larger than ``most`` only for a known miss.
    public let limit: Double
    /// The reason for a known miss; `nil` for a goal that must be reached.
    public let reason: String?

    /// Returns a goal that must be reached.
    public static func atMost(_ ratio: Double) -> Goal { Goal(most: ratio, limit: ratio, reason: nil) }

    /// Returns a goal that is known to be missed.
    ///
    /// - Parameters:
    ///   - ratio: the largest ratio that passes.
    ///   - limit: the largest ratio that is known. A larger one fails the run.
    ///   - reason: the reason for the miss, as a sentence.
    public static func atMost(_ ratio: Double, knownUpTo limit: Double, because reason: String) -> Goal {
        Goal(most: ratio, limit: limit, reason: reason)
    }
}

/// A figure of a benchmark, with that of a peer.
public struct Score: Sendable {
    /// The name of the measured work.
    public let question: String
    /// The name of the peer.
    public let peer: String
    /// Our figure with its unit.
    public let ours: String
    /// The peer's figure with its unit.
    public let theirs: String
    /// Our figure divided by the peer's.
    public let ratio: Double
    /// The goal for the ratio; `nil` for a figure that only informs.
    public let goal: Goal?

    /// Creates a figure.
    public init(question: String, peer: String, ours: String, theirs: String, ratio: Double, goal: Goal?) {
        self.question = question
        self.peer = peer
        self.ours = ours
        self.theirs = theirs
        self.ratio = ratio
        self.goal = goal
    }

    /// A Boolean value that indicates whether the goal is reached, or there is none.
    public var isMet: Bool { goal.map { ratio <= $0.most } ?? true }

    /// The reason for which the run fails; `nil` if the goal is reached, or the miss is known.
    public var miss: String? {
        guard let goal, ratio > goal.limit else { return nil }
        return String(format: "%@ against %@: %.3f, and at most %.3f passes", question, peer, ratio, goal.limit)
    }

    fileprivate var result: String {
        guard goal != nil else { return "–" }
        return isMet ? "pass" : miss == nil ? "known miss" : "FAIL"
    }
}

/// The figures of a run, which are printed as one table after all other output.
public enum Scoreboard {
    private static let scores = Mutex<[Score]>([])

    /// Adds a figure to the table, and prints it at once.
    ///
    /// - Returns: the reason for which the run fails; `nil` if it does not.
    @discardableResult
    public static func record(_ score: Score) -> String? {
        let isFirst = scores.withLock { scores in
            scores.append(score)
            return scores.count == 1
        }
        // The table follows the summary of XCTest, which ends the process.
        if isFirst { atexit { Scoreboard.printTable() } }
        print(
            String(
                format: "RATIO %@ vs %@: %.4f (%@ against %@)", score.question, score.peer, score.ratio, score.ours,
                score.theirs))
        return score.miss
    }

    private static func printTable() {
        let scores = scores.withLock(\.self)
        let head = ["question", "peer", "ours", "theirs", "ratio", "goal", "result"]
        let rows = scores.map { score in
            [
                score.question, score.peer, score.ours, score.theirs, String(format: "%.3f", score.ratio),
                score.goal.map { String(format: "≤ %g", $0.most) } ?? "–", score.result,
            ]
        }
        print("\n" + line(head) + "\n" + line(head.map { _ in "---" }))
        for row in rows { print(line(row)) }
        let known = scores.filter { !$0.isMet && $0.miss == nil }
        if !known.isEmpty { print("\nKnown misses:") }
        for score in known { print("* \(score.question) against \(score.peer): \(score.goal?.reason ?? "")") }
        let failed = scores.count { $0.miss != nil }
        let goals = scores.count { $0.goal != nil }
        print("\n\(goals) goals: \(goals - known.count - failed) pass, \(known.count) known misses, \(failed) fail.")
    }

    /// Returns a row of a table in Markdown, so that the table can be pasted into a page.
    private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
