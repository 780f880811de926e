import Foundation
import Testing

/// The example package has a target with default isolation `MainActor`.
struct MainActorExampleTests {
    /// The protocols to which an app's types do not conform.
    private static let withoutAnExample: Set = ["StorageReading"]

    /// `.ci/package/examples` compiles the conformances, and this test finds a protocol without one.
    @Test func everyPublicProtocol_hasAConformance() throws {
        let folder = "Documentation/Examples/Sources/MainActorTypes"
        let examples = try Repository.files(folder).map(Repository.text).joined()
        var found = 0
        for file in try Repository.files("Modules") {
            let text = try Repository.text(file)
            // A quick search comes first, because nearly no source has a protocol.
            guard text.contains("\npublic protocol ") else { continue }
            for match in text.matches(of: /\npublic protocol (\w+)/) {
                found += 1
                let name = String(match.output.1)
                if Self.withoutAnExample.contains(name) { continue }
                // A conformance to a protocol that inherits from another one is a conformance to both.
                let conformance = try Regex("\\b(?:class|struct) \\w+: [^{]*\\b\(name)\\b|protocol \\w+: \(name) ")
                let inherited = name == "EntitlementService"
                #expect(inherited || examples.contains(conformance), "\(name) has no example")
            }
        }
        #expect(found > 15)
    }
}
