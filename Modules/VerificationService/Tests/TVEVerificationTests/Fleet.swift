import Foundation
import TVEFleetFixture

/// A folder with a key and with configurations for verifiers that accept the tokens of an issuer.
///
/// The folder is removed at the end.
final class Fleet: Sendable {
    let folder: URL
    let mint: Mint

    init(bits: Int = 2_048) throws {
        folder = try temporaryFolder()
        mint = bits == 2_048 ? try Mint.shared.get() : try Mint(bits: bits)
        try Data(mint.publicKey.utf8).write(to: folder.appendingPathComponent("demo.pem"))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts a verifier with one requestor.
    ///
    /// All clocks are that of this machine, so the configuration allows no skew. The verifier grants tokens of the
    /// current second after `remembers()`.
    ///
    /// - Parameters:
    ///   - lines: further lines of the configuration.
    ///   - callers: the callers that are admitted.
    ///   - bits: the size of the key.
    func verifier(_ lines: String = "", callers: String = "anyone: true", bits: Int = 2_048) throws -> Verifier {
        let configuration = """
            requestors:
              - id: DEMO
                keys: [demo.pem]
                allows1024Bits: \(bits < 2_048)
            callers: { \(callers) }
            \(lines.contains("memory:") ? lines : "memory: { issuerClockSkew: 0 }\n" + lines)
            """
        return try Verifier(configuration, in: folder)
    }

    /// Returns the lines of a configuration with a memory in Redis.
    static func redis(_ server: RedisServer, _ more: String = "", whenAway: String = "refuse", clockSkew: Int = 0)
        -> String
    {
        """
        memory:
          whenAway: \(whenAway)
          redis: { servers: ["127.0.0.1:\(server.port)"], issuerClockSkew: \(clockSkew)\(more.isEmpty ? "" : ", " + more) }
        """
    }
}

extension HTTPAnswer {
    /// A text with the verdict, and with the first use or the reason of a refusal.
    var summary: String {
        let use = (json["firstUse"] as? Bool).map { $0 ? " first" : "" } ?? ""
        let reason = (json["reason"] as? String).map { " " + $0 } ?? ""
        return (json["verdict"] as? String ?? "\(status)") + use + reason + (json["memory"] == nil ? "" : " away")
    }

    /// The last part of the type of a problem document; `nil` for any other response.
    var problem: String? {
        guard headers["content-type"] == "application/problem+json" else { return nil }
        return (json["type"] as? String)?.split(separator: ":").last.map(String.init)
    }
}
