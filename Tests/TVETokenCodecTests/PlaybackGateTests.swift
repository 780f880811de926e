import Foundation
import TVEModels
import TVETokenCodec
import Testing

/// Checks `Documentation/VerifyingMediaTokens.md`: its example is this code, and it works.
struct PlaybackGateTests {
    // <example>
    struct PlaybackGate {
        let verifier: MediaTokenVerifier
        let uses = MemoryMediaTokenUses()

        init(certificate: Data) throws {
            verifier = MediaTokenVerifier(
                keys: [try TokenVerificationKey(certificate: certificate)], requestorID: "DEMO")
        }

        func mayPlay(_ token: String, resource: Resource, now: Date = Date()) async throws -> Bool {
            guard let use = verifier.verify(token, resource: resource, at: now).use else { return false }
            return try uses.spend(use, at: now)
        }
    }
    // </example>

    @Test func letsNobodyIn_withoutAToken() async throws {
        let gate = try PlaybackGate(certificate: Data(CertificateSamples.version3.utf8))
        #expect(try await !gate.mayPlay("", resource: "SBX-1"))
        // A valid signature for another requestor than the gate's.
        let foreign = "<signatureInfo>\(CertificateSamples.signature)<signatureInfo>\(TokenSamples.mediaBody)"
        let issued = Date(timeIntervalSince1970: 1_795_282_200)
        #expect(try await !gate.mayPlay(foreign, resource: "SBX-1", now: issued))
    }

    @Test func standsInTheDocument() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex(of: "    // <example>"))
        let end = try #require(lines.firstIndex(of: "    // </example>"))
        let example = lines[(begin + 1)..<end].map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }.joined(
            separator: "\n")
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = try String(
            contentsOf: root.appendingPathComponent("Documentation/VerifyingMediaTokens.md"), encoding: .utf8)
        #expect(document.contains(example))
    }
}
