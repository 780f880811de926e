/// What a recording says about one row.
public struct Finding: Sendable, Codable {
    /// The result.
    public enum Outcome: String, Sendable, Codable, CaseIterable {
        /// The recording shows that the client keeps the row, and nothing that breaks it.
        case pass
        /// The recording shows that the client breaks the row.
        case fail
        /// The recording shows nothing about the row.
        case notSeen
    }

    /// A place where the row is broken.
    public struct Problem: Sendable, Codable {
        /// What happened.
        public let sentence: String
        /// Numbers of the exchanges that show it, in their order.
        public let exchanges: [Int]
    }

    /// The row.
    public let row: Row
    /// The result.
    public let outcome: Outcome
    /// Where the row is broken: the first ten places.
    public let problems: [Problem]
    /// How many places there are in all.
    public let problemCount: Int
    /// Numbers of the exchanges that show that the row is kept: the first ten.
    public let evidence: [Int]
    /// How many exchanges show it in all.
    public let evidenceCount: Int
    /// Why nothing was seen; nil when something was.
    public let note: String?

    /// How many places and exchanges a finding names.
    static let limit = 10

    init(_ row: Row, _ verdict: Verdict) {
        self.row = row
        problems = Array(verdict.problems.prefix(Self.limit))
        problemCount = verdict.problems.count
        evidence = Array(verdict.evidence.sorted().prefix(Self.limit))
        evidenceCount = verdict.evidence.count
        // In this order, nothing passes without evidence.
        outcome = !problems.isEmpty ? .fail : evidence.isEmpty || verdict.note != nil ? .notSeen : .pass
        note = outcome == .notSeen ? verdict.note ?? "Nothing was recorded that shows it: \(row.evidence)" : nil
    }
}

/// What a rule has found so far.
struct Verdict {
    private(set) var problems: [Finding.Problem] = []
    private(set) var evidence: Set<Int> = []
    /// Why the recording cannot show that the row is kept.
    var note: String?

    /// Something shows that the row is kept.
    mutating func keep(_ calls: [Call]) { evidence.formUnion(calls.map(\.id)) }

    /// Something shows that the row is broken.
    mutating func fail(_ sentence: String, _ calls: [Call]) {
        problems.append(.init(sentence: sentence, exchanges: Array(calls.map(\.id).prefix(Finding.limit))))
    }
}
