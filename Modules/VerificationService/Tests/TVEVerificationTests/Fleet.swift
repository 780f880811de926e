import Foundation
import TVEFleetFixture

/// A folder with a key and configurations for verifiers that accept a mint's tokens.
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

    /// A verifier with one requestor, to whose configuration lines are added.
    ///
    /// One machine has one clock, so no skew is allowed for. It grants tokens of this second after `remembers()`.
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

    /// Lines of a configuration with a memory in Redis.
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
    /// The verdict, and whether it was the first use.
    var summary: String {
        let use = (json["firstUse"] as? Bool).map { $0 ? " first" : "" } ?? ""
        let reason = (json["reason"] as? String).map { " " + $0 } ?? ""
        return (json["verdict"] as? String ?? "\(status)") + use + reason + (json["memory"] == nil ? "" : " away")
    }

    /// The last part of a problem's type.
    var problem: String? {
        guard headers["content-type"] == "application/problem+json" else { return nil }
        return (json["type"] as? String)?.split(separator: ":").last.map(String.init)
    }
}
