import Foundation
import Testing

/// The part of a test's file that is printed in `Documentation/VerifyingMediaTokens.md`.
enum PageExample {
    /// Returns a Boolean value that indicates whether the page contains the lines between the two marks of a file.
    ///
    /// The indentation of the suite is removed from the lines.
    static func isInThePage(of file: String) throws -> Bool {
        let lines = try String(contentsOfFile: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex(of: "    // <example>"))
        let end = try #require(lines.firstIndex(of: "    // </example>"))
        let example = lines[(begin + 1)..<end].map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }.joined(
            separator: "\n")
        let root = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appendingPathComponent("Documentation/VerifyingMediaTokens.md")
        return try String(contentsOf: page, encoding: .utf8).contains(example)
    }
}
