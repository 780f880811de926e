import Foundation
// A file that imports the traits has `Testing` too.
@_exported public import Testing

/// The rows that a test covers: of `Documentation/Specification`, and of other pages that promise something.
///
/// No page names a test: `.ci/documents/rows --write` writes `Documentation/TestsByRow.md` from the traits.
public struct RowTrait: TestTrait, SuiteTrait {
    /// Ids as the pages write them, `GA5` or `T-17`, and chapters as they are cited.
    public let ids: [String]

    /// The text of a failure in addition to the test's name.
    public var comments: [Comment] { ids.map { Comment(rawValue: "Row \($0)") } }
}

extension Trait where Self == RowTrait {
    /// Cites the rows that a test covers.
    ///
    /// - Parameter ids: ids as the pages write them, such as `GA5`; chapters of the API reference by their number alone,
    ///   such as `B7`, others with their source, such as `wire protocol, 6.2`.
    public static func row(_ ids: String...) -> Self { RowTrait(ids: ids) }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, with the reason, where programs are not installed that it runs.
    ///
    /// - Parameter programs: names of programs; their folders are those of `PATH` and the usual ones.
    public static func needs(_ programs: String...) -> Self {
        let missing = programs.filter { !isInstalled($0) }
        return .enabled(if: missing.isEmpty, "not installed here: \(missing.joined(separator: ", "))")
    }

    private static func isInstalled(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
}

/// The loops that take minutes: off in `swift test`, on with `TVE_LONG_TESTS=1`.
public enum LongTests {
    /// Whether they run.
    ///
    /// Short ones of the same kind always do.
    public static let areOn = ProcessInfo.processInfo.environment["TVE_LONG_TESTS"] == "1"
}
