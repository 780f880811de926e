import Foundation
// A file that imports the traits does not need to import `Testing`.
@_exported public import Testing

/// The rows that a test covers, from `Documentation/Specification` and from other pages that contain promises.
///
/// The pages do not name the tests. `TestsByRowTests` writes `Documentation/TestsByRow.md` if `TVE_WRITE_ROWS` is set.
public struct RowTrait: TestTrait, SuiteTrait {
    /// The ids of rows as the pages write them, such as `GA5` or `T-17`, and chapters as they are cited.
    public let ids: [String]

    /// The text that a failure shows in addition to the test's name.
    public var comments: [Comment] { ids.map { Comment(rawValue: "Row \($0)") } }
}

extension Trait where Self == RowTrait {
    /// Cites the rows that a test covers.
    ///
    /// - Parameter ids: the ids of rows as the pages write them, such as `GA5`. A chapter of the API reference is cited
    ///   by its number alone, such as `B7`, and any other chapter with its source, such as `wire protocol, 6.2`.
    public static func row(_ ids: String...) -> Self { RowTrait(ids: ids) }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, and states the reason, if a program that the test runs is not installed.
    ///
    /// - Parameter programs: the names of the programs, which are searched in `PATH` and in the usual folders.
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

/// The tests with loops that take minutes, which run only with `TVE_LONG_TESTS=1`.
public enum LongTests {
    /// A Boolean value that indicates whether the long loops run.
    ///
    /// Shorter loops of the same kind always run.
    public static let areOn = ProcessInfo.processInfo.environment["TVE_LONG_TESTS"] == "1"
}
