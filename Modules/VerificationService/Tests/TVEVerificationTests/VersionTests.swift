import Foundation
import Testing

@testable import tve_verifier

/// The service is a package of its own, and has the same version as the client's package.
struct VersionTests {
    @Test(arguments: ["Modules/tve/TVE.swift", "Modules/TVENetworking/Device/DeviceFacts.swift"])
    func theVersion_isThatOfTheClient(path: String) throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        #expect(text.contains("\"\(VerifierCommand.version)\""))
    }
}
