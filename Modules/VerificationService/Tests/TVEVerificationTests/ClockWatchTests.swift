import Foundation
import TVEFleetFixture
import TVEModels
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import Testing

@testable import TVEVerification
@testable import tve_verifier

/// The warnings and metrics of the clock of Redis and of the clock of the service that issues tokens.
@Suite(.timeLimit(.hanging))
struct ClockWatchTests {
    private static let ahead = "The clock of Redis is N ahead of this machine's. Synchronize the clocks."
    private static let behind = "The clock of Redis is N behind this machine's. Synchronize the clocks."
    private static let issuer =
        "The clock of the service that issues tokens is N ahead of the clock of Redis. If this exceeds "
        + "issuerClockSkew, N, new tokens are not granted at once. Synchronize the clocks."

    // The large differences are minutes, so that the time of an answer on a busy machine does not matter.
    @Test(
        arguments: [
            (300, 0, [ahead]), (300, 500, [ahead]), (300, 700, []),
            (-300, 0, [issuer, behind]), (-300, 500, [issuer, behind]), (-300, 700, []),
            // Smaller differences than half a second or half of the skew are no reason to act.
            (0.4, 0, []), (0.8, 2, []),
        ] as [(TimeInterval, TimeInterval, [String])])
    func aDifferentClockOfRedis_isSeen(lead: TimeInterval, skew: TimeInterval, warnings: [String]) async throws {
        let server = try ScriptedRedis { command in
            guard command == "TIME" else { return ScriptedRedis.primary(command) }
            let time = Int64((Date().timeIntervalSince1970 + lead) * 1_000_000)
            let parts = [time / 1_000_000, time % 1_000_000].map { ScriptedRedis.text(String($0)) }
            return "*2\r\n\(parts.joined())"
        }
        var configuration = RedisUsesConfiguration(servers: [.host("127.0.0.1", port: server.port)])
        configuration.timeout = 10
        let redis = try RedisMediaTokenUses(configuration)
        let mint = try Mint.shared.get()
        let key = try TokenVerificationKey(pemRepresentation: mint.publicKey)
        let judge = MediaTokenJudge(
            requestors: [RequestorPolicy(id: "DEMO", keys: MediaTokenKeySet([MediaTokenKey(name: "demo", key: key)]))],
            uses: redis)
        let registry = PrometheusRegistry()
        let clocks = ClockWatch(judge, redis: redis, issuerClockSkew: skew, metrics: registry)
        #expect(await soon { redis.clockLead != nil })
        _ = try await judge.judge([VerificationRequest(token: mint.token(), spend: false)])
        let found = clocks.warnings.map { $0.replacing(/[0-9.]+ seconds/, with: "N") }
        #expect(found == warnings)
        clocks.measure()
        func value(_ name: String) throws -> Double {
            let line = registry.page.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
            return try #require(line?.split(separator: " ").last.flatMap { Double($0) })
        }
        #expect(try abs(value("tve_memory_clock_lead_seconds") - lead) < 30)
        #expect(try abs(value("tve_issuer_clock_lead_seconds") + lead) < 30)
        #expect(try value("tve_issuer_clock_skew_seconds") == skew)
        redis.close()
        #expect(server.connections > 0)
    }
}
