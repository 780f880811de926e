import Foundation
import Testing

/// Checks `Documentation/Compatibility.md`: the tests that it names exist, and each app in Objective-C uses the elements that its row
/// lists.
struct CompatibilityTests {
    private static func page() throws -> String { try Repository.text("Documentation/Compatibility.md") }

    /// What stands in code marks.
    private static func names(_ cell: Substring) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    @Test func everyNamedTest_isThere() throws {
        let page = Specification(["Compatibility.md": try Self.page()])
        let functions = try Specification.functions()
        let named = page.mentions.filter { $0.contains(".") }
        #expect(named.count > 5)
        for name in named {
            if let complaint = page.complaint(about: "`\(name)`", functions: functions) {
                Issue.record("\(name) \(complaint)")
            }
        }
    }

    @Test func everyApp_usesTheElementsOfItsRow() throws {
        var seen: Set<String> = []
        for row in try Self.page().split(separator: "\n").filter({ $0.hasPrefix("| `") }) {
            let cells = row.split(separator: "|")
            let app = try #require(Self.names(cells[0]).first)
            let text = try Repository.text("Tests/AppleSide/ObjectiveC/Apps/\(app)")
            let elements = Self.names(cells[1])
            for part in elements.flatMap({ $0.matches(of: /\w+:?/).map { String($0.output) } }) {
                #expect(text.contains(part), "\(app) has no \(part)")
            }
            seen.formUnion(elements)
        }
        #expect(seen.count > 90)
    }
}
