#if VerificationService
import FleetFixture
import Foundation
import TVERedisUses
import TVETokenCodec
import TestTraits
import Testing

@Suite(.oneAtATime, .needs("redis-server"))
struct RedisFailoverTests {
    private let primary: RedisServer
    private let replica: RedisServer

    init() throws {
        primary = try RedisServer()
        replica = try RedisServer(["--replicaof", "127.0.0.1", String(primary.port)])
        // Returns how many replicas have caught up.
        try #require(waitUntil { (try? primary.ask("WAIT", "1", "1000")) == ":1" })
    }

    private func memory(_ change: (inout RedisUsesConfiguration) -> Void = { _ in }) throws -> RedisMediaTokenUses {
        try primary.uses {
            $0.servers = [replica.address, primary.address]
            change(&$0)
        }
    }

    @Test func replicaThatTakesOver_isFound_andGrantsNoTokenTwice() async throws {
        let uses = try memory()
        let issued = Date()
        let tokens = (0..<50).map { _ in MediaTokenUse.random(issued: issued.addingTimeInterval(0.001)) }
        #expect(await uses.recovers())
        for token in tokens { _ = try await uses.spend(token) }
        primary.kill()
        try replica.ask("REPLICAOF", "NO", "ONE")
        #expect(await uses.recovers())
        // Replicated tokens are known; the others are older than the new primary.
        for token in tokens { #expect(try await !uses.spend(token)) }
        #expect(try await uses.spend(.random(issued: Date().addingTimeInterval(1))))
    }

    @Test func primaryThatBecomesAReplica_isLeft() async throws {
        let uses = try memory()
        #expect(await uses.recovers())
        try replica.ask("REPLICAOF", "NO", "ONE")
        try primary.ask("REPLICAOF", "127.0.0.1", String(replica.port))
        #expect(await uses.recovers())
        #expect(try replica.ask("DBSIZE") != ":0")
    }

    /// No verifier speaks to the replica in between, and the process stays the same.
    @Test func aPrimaryThatWasAReplicaInBetween_grantsNoTokenTwice() async throws {
        let (primary, replica) = (primary, replica)
        let uses = try primary.uses()
        #expect(await uses.recovers())
        try replica.ask("REPLICAOF", "NO", "ONE")
        // Only the old primary has it.
        let token = MediaTokenUse.random(issued: .betweenMemories)
        #expect(try await uses.spend(token))
        token.issued.isOver()
        try primary.ask("REPLICAOF", "127.0.0.1", String(replica.port))
        #expect(waitUntil { (try? replica.ask("WAIT", "1", "1000")) == ":1" })
        try primary.ask("REPLICAOF", "NO", "ONE")
        #expect((try? await uses.spend(token)) != true)
        #expect(await uses.recovers())
        #expect(try await !uses.spend(token))
    }

    @Test func aReplicaThatTakesWrites_grantsNothing() async throws {
        let (primary, replica) = (primary, replica)
        let uses = try primary.uses()
        #expect(await uses.recovers())
        try primary.ask("CONFIG", "SET", "replica-read-only", "no")
        try replica.ask("REPLICAOF", "NO", "ONE")
        try primary.ask("REPLICAOF", "127.0.0.1", String(replica.port))
        // It answers OK, and forgets the token with its next synchronization.
        #expect(await uses.failure() != nil)
    }

    @Test func twoPrimaries_grantNothing() async throws {
        try replica.ask("REPLICAOF", "NO", "ONE")
        let uses = try memory()
        #expect(await uses.failure() == .severalPrimaries)
    }

    @Test func noPrimary_grantsNothing() async throws {
        let replica = replica
        let uses = try primary.uses { $0.servers = [replica.address] }
        #expect(await uses.failure() == .noPrimary)
    }

    @Test func aTokenThatNoReplicaTook_isNotGranted() async throws {
        let uses = try memory {
            $0.replicas = 1
            // Half of it is the time for replicas, the other half for a busy machine.
            $0.timeout = 4
        }
        #expect(await uses.recovers())
        replica.pause()
        let token = MediaTokenUse.random()
        await #expect(throws: RedisUsesError.notReplicated(count: 0)) { try await uses.spend(token) }
        replica.resume()
        #expect(await uses.recovers())
        #expect(try await !uses.spend(token))
    }
}
#endif
