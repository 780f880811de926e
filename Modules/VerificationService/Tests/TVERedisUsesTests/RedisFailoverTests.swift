import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVEModels
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import Testing

@Suite(.fourAtATime, .needs("redis-server"))
struct RedisFailoverTests {
    private let primary: RedisServer
    private let replica: RedisServer

    init() throws {
        primary = try RedisServer()
        replica = try RedisServer(["--replicaof", "127.0.0.1", String(primary.port)])
        // The command returns the number of replicas that have caught up.
        try #require(waitUntil { (try? primary.ask("WAIT", "1", "1000")) == ":1" })
    }

    private func memory(_ change: (inout RedisUsesConfiguration) -> Void = { _ in }) throws -> RedisMediaTokenUses {
        try primary.uses {
            $0.servers = [replica.address, primary.address]
            change(&$0)
        }
    }

    @Test(.row("VR2")) func replicaThatTakesOver_isFound_andGrantsNoTokenTwice() async throws {
        let uses = try memory()
        let issued = Date()
        let tokens = (0..<50).map { _ in MediaTokenUse.random(issued: issued.addingTimeInterval(0.001)) }
        #expect(await uses.recovers())
        for token in tokens { _ = try await uses.spend(token) }
        primary.kill()
        try replica.ask("REPLICAOF", "NO", "ONE")
        #expect(await uses.recovers())
        // Replicated tokens are known, and the others are older than the memory of the new primary.
        for token in tokens { #expect(try await !uses.spend(token)) }
        #expect(try await uses.spend(.random()))
    }

    @Test func primaryThatBecomesAReplica_isLeft() async throws {
        let uses = try memory()
        #expect(await uses.recovers())
        try replica.ask("REPLICAOF", "NO", "ONE")
        try primary.ask("REPLICAOF", "127.0.0.1", String(replica.port))
        #expect(await uses.recovers())
        #expect(try replica.ask("DBSIZE") != ":0")
    }

    /// Meanwhile no verifier uses the replica, whose process stays the same.
    @Test(.row("VR2")) func aPrimaryThatWasAReplicaInBetween_grantsNoTokenTwice() async throws {
        let primary = primary
        let replica = replica
        let uses = try primary.uses()
        #expect(await uses.recovers())
        try replica.ask("REPLICAOF", "NO", "ONE")
        // Only the old primary has the token.
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

    @Test(.row("VR3")) func aReplicaThatTakesWrites_grantsNothing() async throws {
        let primary = primary
        let replica = replica
        let uses = try primary.uses()
        #expect(await uses.recovers())
        try primary.ask("CONFIG", "SET", "replica-read-only", "no")
        try replica.ask("REPLICAOF", "NO", "ONE")
        try primary.ask("REPLICAOF", "127.0.0.1", String(replica.port))
        // The old primary answers OK, and forgets the token with its next synchronization.
        #expect(await uses.failure() != nil)
    }

    @Test(.row("VR4")) func twoPrimaries_grantNothing() async throws {
        try replica.ask("REPLICAOF", "NO", "ONE")
        let uses = try memory()
        #expect(await uses.failure() == .severalPrimaries)
    }

    @Test(.row("VR4")) func oneServerWithTwoAddresses_isOnePrimary() async throws {
        let primary = primary
        let socket = RedisAddress.socket(path: primary.folder.appendingPathComponent("redis.sock").path)
        let uses = try memory { $0.servers = [primary.address, socket, primary.address] }
        #expect(await uses.failure() == nil)
    }

    @Test func noPrimary_grantsNothing() async throws {
        let replica = replica
        let uses = try primary.uses { $0.servers = [replica.address] }
        #expect(await uses.failure() == .noPrimary)
        #expect(uses.unavailableShare == 1)
    }

    @Test(
        .row("VP4"),
        arguments: [
            // The values are the replicas that must confirm, all replicas, and whether that is a majority with the
            // primary.
            (1, 1, true), (1, 2, true), (1, 3, false), (2, 3, true), (1, 4, false), (2, 4, true), (2, 5, false),
            (3, 5, true), (3, 3, true), (4, 3, false), (0, 0, false), (0, 1, false), (1, 0, false), (-1, -2, false),
        ])
    func replicas_mustBeAMajority(required: Int, count: Int, isSafe: Bool) {
        #expect((RedisReplication(required: required, of: count) != nil) == isSafe)
        if isSafe { #expect(required >= RedisReplication.smallest(of: count)) }
    }

    /// A primary with three replicas is partitioned into halves, and the other half elects a primary of its own.
    @Test(.row("SE9", "VP4", "VR5")) func aNetworkThatIsCutInHalves_grantsOnNeitherSide() async throws {
        let primary = primary
        let near = replica
        let far = try RedisServer(["--replicaof", "127.0.0.1", String(primary.port)])
        let farReplica = try RedisServer(["--replicaof", "127.0.0.1", String(primary.port)])
        #expect(waitUntil { (try? primary.ask("WAIT", "3", "1000")) == ":3" })
        func memory(of server: RedisServer) throws -> RedisMediaTokenUses {
            try server.uses {
                $0.replication = .majority(2, of: 3)
                // Half of the time limit is for replicas, and the other half for a busy machine.
                $0.timeout = 4
            }
        }
        let here = try memory(of: primary)
        let there = try memory(of: far)
        #expect(await here.recovers())
        try far.ask("REPLICAOF", "NO", "ONE")
        try farReplica.ask("REPLICAOF", "127.0.0.1", String(far.port))
        #expect(waitUntil { (try? far.ask("WAIT", "1", "1000")) == ":1" })
        #expect(waitUntil { (try? primary.ask("INFO", "replication")) != nil && there.isConnected })
        // Each side has half of the servers. With `replicas: 1` both would grant the same token.
        let token = MediaTokenUse.random()
        await #expect(throws: RedisUsesError.notReplicated(count: 1)) { try await here.spend(token) }
        await #expect(throws: RedisUsesError.notReplicated(count: 1)) { try await there.spend(token) }
        // With a majority one side continues.
        try farReplica.ask("REPLICAOF", "127.0.0.1", String(primary.port))
        #expect(await here.recovers())
        await #expect(throws: RedisUsesError.notReplicated(count: 0)) { try await there.spend(.random()) }
        withExtendedLifetime(near) {}
    }

    /// The smaller side began a memory before the other side granted the token, and the network heals in its favor.
    @Test(.row("VR5", "VP4")) func aTokenOfTheOtherSide_isNotGrantedAgain_whenTheCutHeals() async throws {
        let primary = primary
        let near = replica
        let far = try RedisServer(["--replicaof", "127.0.0.1", String(primary.port)])
        #expect(waitUntil { (try? primary.ask("WAIT", "2", "1000")) == ":2" })
        func memory(of server: RedisServer) throws -> RedisMediaTokenUses {
            try server.uses {
                $0.replication = .majority(1, of: 2)
                $0.timeout = 4
            }
        }
        let here = try memory(of: primary)
        #expect(await here.recovers())
        try far.ask("REPLICAOF", "NO", "ONE")
        let there = try memory(of: far)
        await #expect(throws: RedisUsesError.notReplicated(count: 0)) { try await there.spend(.random()) }
        let token = MediaTokenUse.random(issued: .betweenMemories)
        #expect(try await here.spend(token))
        for server in [near, primary] { try server.ask("REPLICAOF", "127.0.0.1", String(far.port)) }
        #expect(waitUntil { (try? far.ask("WAIT", "2", "1000")) == ":2" })
        #expect((try? await there.spend(token)) != true)
        #expect(await there.recovers())
        #expect(try await !there.spend(token))
        // A second verifier finds the confirmed memory, and grants later tokens.
        let other = try memory(of: far)
        #expect(await other.recovers())
        #expect(try await !other.spend(token))
        #expect(try await other.spend(.random()))
    }

    @Test(.row("VP5")) func moreReplicasThanConfigured_areReportedOnce() async throws {
        let primary = primary
        let replica = replica
        let changes = NIOLockedValueBox<[RedisConnectionChange]>([])
        let uses = try primary.uses(
            { $0.replication = .majority(1, of: 1) },
            onChange: { change in changes.withLockedValue { $0.append(change) } })
        #expect(await uses.recovers())
        #expect(uses.excessReplicas == 0)
        let second = try RedisServer(["--replicaof", "127.0.0.1", String(primary.port)])
        #expect(waitUntil { (try? primary.ask("WAIT", "2", "1000")) == ":2" })
        for _ in 0..<3 { #expect(try await uses.spend(.random())) }
        #expect(uses.excessReplicas == 1)
        let report = RedisConnectionChange.moreReplicas(primary.address, connected: 2)
        #expect(waitUntil { changes.withLockedValue { $0.filter { $0 != .connected } } == [report] })
        withExtendedLifetime((replica, second)) {}
    }

    @Test(.row("VP4")) func aTokenThatNoReplicaTook_isNotGranted() async throws {
        let uses = try memory {
            $0.replication = .majority(1, of: 1)
            // Half of the time limit is for replicas, and the other half for a busy machine.
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
