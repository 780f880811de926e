import Foundation
import Testing

/// The example package has a target with default isolation `MainActor`.
struct MainActorExampleTests {
    /// Protocols that only this package's own types read, not an app's.
    private static let withoutAnExample: Set = ["StorageReading"]

    /// `.ci/package/examples` compiles the conformances: this test finds the protocol that has none.
    @Test func everyPublicProtocol_hasAConformance() throws {
        let folder = "Documentation/Examples/Sources/MainActorTypes"
        let examples = try Repository.files(folder).map(Repository.text).joined()
        var found = 0
        for file in try Repository.files("Modules") {
            for match in try Repository.text(file).matches(of: /\npublic protocol (\w+)/) {
                found += 1
                let name = String(match.output.1)
                if Self.withoutAnExample.contains(name) { continue }
                // A protocol that inherits another has the conformance of both.
                let conformance = try Regex("\\b(?:class|struct) \\w+: [^{]*\\b\(name)\\b|protocol \\w+: \(name) ")
                let inherited = name == "EntitlementService"
                #expect(inherited || examples.contains(conformance), "\(name) has no example")
            }
        }
        #expect(found > 15)
    }
}
