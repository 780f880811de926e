/// Why a text is no world: everything that is wrong, at once.
public struct SandboxWorldDocumentError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence for each thing that is wrong, with the path of the field it is about.
    public let problems: [String]

    package init(problems: [String]) {
        self.problems = problems
    }

    /// All sentences in a row.
    public var description: String { problems.joined(separator: " ") }
}
