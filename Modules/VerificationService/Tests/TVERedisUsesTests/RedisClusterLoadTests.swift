import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVEModels
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import Testing

/// A cluster with replicas that changes while tokens are spent.
@Suite(.oneAtATime, .needs("redis-server", "redis-cli"))
struct RedisClusterLoadTests {

    @Test(.row("VC3")) func aClusterThatChangesUnderLoad_grantsNoTokenTwice_andRecoversByItself() async throws {
        let cluster = try RedisCluster(replicas: 1)
        let load = try Load(cluster)
        async let spending: Void = load.run()
        let slots = LongTests.areOn ? 2_000 : 200
        var killed = 0
        var victim = cluster.servers[1]
        try load.goesOn("at first")
        for round in 0..<(LongTests.areOn ? 5 : 1) {
            try cluster.move(slots, from: cluster.servers[2], to: cluster.servers[0])
            try load.goesOn("after slots moved, round \(round)")
            let new = try cluster.addPrimary()
            try cluster.move(slots, from: cluster.servers[0], to: new)
            try load.goesOn("with a new server, round \(round)")
            // Each round kills another primary that has slots.
            victim.kill()
            killed += 1
            try load.goesOn("after a failover, round \(round)")
            // The server returns without its data, and follows the one that took over.
            try victim.restart()
            try cluster.awaitAgreement()
            try load.goesOn("with all servers, round \(round)")
            // No replica takes over, because the server is back at once, without its data.
            try new.killAndRestart()
            try cluster.awaitAgreement()
            try load.goesOn("after a restart without data, round \(round)")
            victim = new
        }
        load.stop()
        await spending
        #expect(load.grantedTwice == 0)
        #expect(load.granted > 200 * killed)
    }
}

/// A load of tokens, each of which is sent to two of three verifiers at once, and some of them again later.
private final class Load: Sendable {
    private let handles: [RedisMediaTokenUses]
    private let state = NIOLockedValueBox(State())

    private struct State {
        var grants: [Data: Int] = [:]
        /// The number of grants in each quarter of the parts of the cluster's keys.
        var byQuarter = [0, 0, 0, 0]
        var isOver = false
    }

    init(_ cluster: RedisCluster) throws {
        let servers = cluster.servers
        handles = try (0..<3).map { number in
            try servers[number].uses {
                // The servers are seeds, and one of them is enough.
                $0.servers = [servers[number].address, servers[number + 3].address]
                $0.timeout = 1
                $0.connections = 2
            }
        }
    }

    var granted: Int { state.withLockedValue { $0.grants.count } }
    var grantedTwice: Int { state.withLockedValue { $0.grants.values.filter { $0 > 1 }.count } }

    func stop() { state.withLockedValue { $0.isOver = true } }

    /// Waits until new tokens in each quarter of the parts of the cluster's keys were granted.
    func goesOn(_ when: String) throws {
        let before = state.withLockedValue { $0.byQuarter }
        let goesOn = waitUntil { state.withLockedValue { zip($0.byQuarter, before).allSatisfy { $0 >= $1 + 25 } } }
        try #require(goesOn, "\(when): \(handles.map { String(describing: $0.failure) })")
    }

    func run() async {
        await withTaskGroup { group in
            for task in 0..<6 { group.addTask { await self.spend(task) } }
        }
    }

    private func spend(_ task: Int) async {
        var mine: [MediaTokenUse] = []
        // A test that fails throws, and then waits for this load, which it has cancelled.
        while !Task.isCancelled, !state.withLockedValue({ $0.isOver }) {
            let new = (0..<8).map { _ in MediaTokenUse.random() }
            mine += new
            // Each call sends new tokens to two verifiers, and some older ones that a server may have lost since.
            let old = (0..<4).compactMap { _ in mine.randomElement() }
            async let here = handles[task % 3].spend(new + old, at: Date())
            async let there = handles[(task + 1) % 3].spend(new + old, at: Date())
            for results in [await here, await there] {
                for (use, result) in zip(new + old, results) where (try? result.get()) == .granted {
                    state.withLockedValue { state in
                        state.grants[use.digest, default: 0] += 1
                        state.byQuarter[Int(use.digest[0] & 3)] += 1
                    }
                }
            }
            await Task.shortPause()
        }
    }
}
