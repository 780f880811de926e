import Foundation
import Testing

/// Checks `Documentation/Compatibility.md`: the tests and apps that it names exist, and an app in Objective-C uses the elements of the
/// rows that name it.
struct CompatibilityTests {
    /// The cells of every row.
    private static func rows() throws -> [[Substring]] {
        try Repository.text("Documentation/Compatibility.md").split(separator: "\n").filter { $0.hasPrefix("| ") }.map {
            $0.split(separator: "|")
        }
    }

    /// What stands in code marks.
    private static func names(_ cell: Substring) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    @Test func everyNamedTest_isThere() throws {
        let named = try Self.rows().compactMap(\.last).flatMap(Self.names)
            .filter { !$0.hasPrefix(".ci/") && !$0.hasSuffix(".m") }
        #expect(named.count > 70)
        let functions = try Repository.files("Tests").flatMap { file in
            Specification.matches(of: #"func (\w+)\("#, in: try Repository.text(file)).map { $0[1] }
        }
        for name in Set(named).subtracting(functions) { Issue.record("\(name)") }
    }

    @Test func everyNamedApp_usesWhatTheRowIsAbout() throws {
        var seen = 0
        for row in try Self.rows() where row.count == 4 {
            let apps = Self.names(row[3]).filter { $0.hasSuffix(".m") }
            if apps.isEmpty { continue }
            seen += 1
            let text = try apps.map { try Repository.text("Tests/AppleSide/ObjectiveC/Apps/\($0)") }.joined()
            for part in Self.names(row[2]).flatMap({ $0.matches(of: /\w+:?/).map { String($0.output) } }) {
                #expect(text.contains(part), "\(row[0]): \(apps) have no \(part)")
            }
        }
        #expect(seen > 40)
    }
}
