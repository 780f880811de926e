import Foundation
import NIOConcurrencyHelpers

/// The page with the texts of all errors, whose last sections the tests of this package write.
public enum ErrorTextsPage {
    /// Suites that write the page at the same time take turns.
    private static let turn = NIOLockedValueBox(())

    /// Compares a section of the page with its content, or writes it if `TVE_WRITE_ERROR_TEXTS` is set.
    ///
    /// A comment that names a suite begins its section, which ends where the next one begins.
    ///
    /// - Parameters:
    ///   - content: the text of the section, without the comment.
    ///   - suite: the name of the suite that calls this function.
    /// - Returns: `true` if the page has this content.
    /// - Throws: an error if the page cannot be read or written, or has no such section.
    public static func has(_ content: String, by suite: String) throws -> Bool {
        var page = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { page.deleteLastPathComponent() }
        page.append(path: "Documentation/ErrorTexts.md")
        return try turn.withLockedValue { _ in
            let present = try String(contentsOf: page, encoding: .utf8)
            let comment = " written by \(suite) with TVE_WRITE_ERROR_TEXTS=1. -->\n"
            guard let start = present.range(of: comment)?.upperBound else {
                throw FixtureError("The page has no section of \(suite).")
            }
            let end = present.range(of: "\n<!-- ", range: start..<present.endIndex)?.lowerBound ?? present.endIndex
            let wanted = "\(present[..<start])\(content)\(present[end...])"
            guard ProcessInfo.processInfo.environment["TVE_WRITE_ERROR_TEXTS"] != nil else { return present == wanted }
            try wanted.write(to: page, atomically: true, encoding: .utf8)
            return true
        }
    }
}
