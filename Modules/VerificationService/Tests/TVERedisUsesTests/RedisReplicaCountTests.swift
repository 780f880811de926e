import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import Testing

/// Reports about the number of replicas, which a script changes.
@Suite(.eightAtATime)
struct RedisReplicaCountTests {
    private let replicas = NIOLockedValueBox(1)
    private let changes = NIOLockedValueBox<[RedisConnectionChange]>([])

    /// Starts a primary whose memory one replica confirms, and that grants every token.
    private func server() throws -> ScriptedRedis {
        try ScriptedRedis { [replicas] command in
            switch command {
            case "INFO replication":
                ScriptedRedis.primary(command)?.replacingOccurrences(
                    of: "connected_slaves:0", with: "connected_slaves:\(replicas.withLockedValue { $0 })")
            case _ where command.hasPrefix("GET "): ScriptedRedis.text("4 1f 7 0 1 1")
            case _ where command.hasPrefix("SET "): "+OK\r\n"
            case _ where command.hasPrefix("WAIT "): ":1\r\n"
            default: ScriptedRedis.primary(command)
            }
        }
    }

    private func uses(_ server: ScriptedRedis, _ replication: RedisReplication) throws -> RedisMediaTokenUses {
        var configuration = RedisUsesConfiguration(servers: [server.address])
        configuration.timeout = 10
        configuration.connections = 1
        configuration.replication = replication
        return try RedisMediaTokenUses(configuration) { [changes] change in
            changes.withLockedValue { $0.append(change) }
        }
    }

    /// Spends a token, whose answer contains a number of replicas.
    private func spend(_ uses: RedisMediaTokenUses, with replicas: Int) async throws {
        self.replicas.withLockedValue { $0 = replicas }
        let token = MediaTokenUse.random(issued: Date().addingTimeInterval(-60))
        #expect(try await uses.spend(token, at: Date()) == .granted)
    }

    @Test func replicasThatAreTooMany_areReportedForEachNumber_andWhenTheyComeBack() async throws {
        let server = try server()
        let uses = try uses(server, .majority(1, of: 1))
        for number in [1, 2, 2, 1, 2, 3, 3] { try await spend(uses, with: number) }
        #expect(uses.excessReplicas == 2)
        let reports = [2, 2, 3].map { RedisConnectionChange.moreReplicas(server.address, connected: $0) }
        #expect(waitUntil { changes.withLockedValue { $0 } == [RedisConnectionChange.connected] + reports })
        uses.close()
    }

    /// Without a setting there is no number that they could exceed.
    @Test func replicasThatConfirmNothing_areNotTooMany() async throws {
        let server = try server()
        let uses = try uses(server, .primaryAlone)
        for number in [1, 2, 3] { try await spend(uses, with: number) }
        #expect(uses.excessReplicas == 0)
        #expect(waitUntil { changes.withLockedValue { $0 } == [.connected] })
        uses.close()
        #expect(server.connections > 0)
    }
}
