/// The events of a walk, and the problem that ended it.
struct WalkStory {
    private(set) var lines: [String] = []
    private(set) var problem: String?
    /// The texts of problems to ignore.
    private let exceptions: [String]

    var hasEnded: Bool { problem != nil }

    init(except exceptions: [String]) {
        self.exceptions = exceptions
    }

    mutating func tell(_ line: String) { lines.append(line) }

    mutating func found(_ problem: String) {
        guard !hasEnded, !exceptions.contains(where: { problem.contains($0) }) else { return }
        self.problem = problem
        lines.append("PROBLEM: \(problem)")
    }
}
