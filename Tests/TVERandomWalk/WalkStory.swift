/// What happened in a walk, and the problem that ended it.
struct WalkStory {
    private(set) var lines: [String] = []
    private(set) var problem: String?
    /// The known findings that were met; the walk ends at the first problem of either kind.
    private(set) var known: KnownFinding?
    private let api: KnownFinding.API
    /// Parts of problems that are none.
    private let exceptions: [String]

    var hasEnded: Bool { problem != nil || known != nil }

    init(_ api: KnownFinding.API, except exceptions: [String]) {
        self.api = api
        self.exceptions = exceptions
    }

    mutating func tell(_ line: String) { lines.append(line) }

    mutating func found(_ problem: String) {
        guard !hasEnded, !exceptions.contains(where: { problem.contains($0) }) else { return }
        known = KnownFinding.matching(problem, in: api)
        if known == nil { self.problem = problem }
        lines.append("PROBLEM: \(problem)")
    }
}
