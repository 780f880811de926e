/// The result for one row, according to a recording.
public struct Finding: Sendable, Codable {
    /// The result.
    public enum Outcome: String, Sendable, Codable, CaseIterable {
        /// The recording shows that the client follows the row, and nothing that breaks it.
        case pass
        /// The recording shows that the client breaks the row.
        case fail
        /// The recording shows nothing about the row.
        case notSeen
    }

    /// An occurrence in which the client breaks the row.
    public struct Problem: Sendable, Codable {
        /// The description of what happened.
        public let sentence: String
        /// The numbers of the exchanges that show it, in their order.
        public let exchanges: [Int]
    }

    /// The row.
    public let row: Row
    /// The result.
    public let outcome: Outcome
    /// The first ten occurrences in which the client breaks the row.
    public let problems: [Problem]
    /// The total number of occurrences.
    public let problemCount: Int
    /// The numbers of the first ten exchanges that show that the client follows the row.
    public let evidence: [Int]
    /// The total number of exchanges that show it.
    public let evidenceCount: Int
    /// The reason why nothing was seen, or nil when something was.
    public let note: String?

    /// The maximum number of occurrences and exchanges that a finding lists.
    static let limit = 10

    init(_ row: Row, _ verdict: Verdict) {
        self.row = row
        problems = Array(verdict.problems.prefix(Self.limit))
        problemCount = verdict.problems.count
        evidence = Array(verdict.evidence.sorted().prefix(Self.limit))
        evidenceCount = verdict.evidence.count
        // With this order of conditions, no row passes without evidence.
        outcome = !problems.isEmpty ? .fail : evidence.isEmpty || verdict.note != nil ? .notSeen : .pass
        note = outcome == .notSeen ? verdict.note ?? "The recording lacks what would show this: \(row.evidence)." : nil
    }
}

/// The findings of a rule so far.
struct Verdict {
    private(set) var problems: [Finding.Problem] = []
    private(set) var evidence: Set<Int> = []
    /// The reason why the recording cannot show that the client follows the row.
    var note: String?

    /// Records evidence that the client follows the row.
    mutating func keep(_ calls: [Call]) { evidence.formUnion(calls.map(\.id)) }

    /// Records an occurrence in which the client breaks the row.
    mutating func fail(_ sentence: String, _ calls: [Call]) {
        problems.append(.init(sentence: sentence, exchanges: Array(calls.map(\.id).prefix(Finding.limit))))
    }
}
