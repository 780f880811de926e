import Foundation
import Testing

/// Checks `Documentation/Compatibility.md`: every test that it names exists.
struct CompatibilityTests {
    @Test func everyNamedTest_isThere() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let matrix = try String(
            contentsOf: root.appendingPathComponent("Documentation/Compatibility.md"), encoding: .utf8)
        let named = matrix.split(separator: "\n").filter { $0.hasPrefix("| `") || $0.hasPrefix("| the ") }
            .compactMap { $0.split(separator: "|").last }
            .flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.1) } }
            .filter { !$0.hasPrefix(".ci/") }
        #expect(named.count > 60)
        let sources = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent("Tests").path)
            .filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: root.appendingPathComponent("Tests/\($0)"), encoding: .utf8) }.joined()
        for name in Set(named) { #expect(sources.contains("func \(name)("), "\(name)") }
    }
}
