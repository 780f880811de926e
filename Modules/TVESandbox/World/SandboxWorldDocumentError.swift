/// Why a text is not a valid world: all errors at once.
public struct SandboxWorldDocumentError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence for each error, with the path of its field.
    public let problems: [String]

    package init(problems: [String]) {
        self.problems = problems
    }

    /// All sentences in a row.
    public var description: String { problems.joined(separator: " ") }
}
