import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVEModels
import TVETestTraits
import TVETokenVerification
import Testing

@testable import TVERedisUses

extension RedisCluster {
    /// Returns a memory in this cluster that knows one of its servers.
    func uses(_ change: (inout RedisUsesConfiguration) -> Void = { _ in }) throws -> RedisMediaTokenUses {
        try servers[servers.count - 1].uses(change)
    }

    /// Waits until the memory of each server has begun, so that each server grants a new token.
    ///
    /// A memory begins with the first request to its server.
    func haveBegun(_ uses: RedisMediaTokenUses) async -> Bool {
        var missing = Set(servers.map(\.port))
        for _ in 0..<30_000 where !missing.isEmpty {
            let token = MediaTokenUse.random()
            if (try? await uses.spend(token)) == true, let owner = owner(of: Self.slot(of: token)) {
                missing.remove(owner.port)
            } else {
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
        return missing.isEmpty
    }

    /// Returns the slot of a token under the usual prefix.
    static func slot(of use: MediaTokenUse) -> Int {
        RedisSlot.of(RedisKeys(prefix: "tve", isCluster: true).token(RedisSpend(use, keptAfterEnd: 0)))
    }
}

/// A cluster of real servers; `RedisClusterLoadTests` changes one under load.
@Suite(.fourAtATime, .needs("redis-server", "redis-cli"))
struct RedisClusterTests {
    @Test(.row("SE3"), arguments: [1, 3])
    func cluster_keepsThePromises(primaries: Int) async throws {
        let cluster = try RedisCluster(primaries: primaries)
        #expect(
            try await MediaTokenUsesConformance.violations(
                isShared: true, issuerClockSkew: 0,
                restart: {
                    for server in cluster.servers { try server.killAndRestart() }
                    try cluster.awaitAgreement()
                }
            ) { try cluster.uses() } == [])
    }

    @Test func tokens_areSpreadOverTheServers_andOneBatchReachesAll() async throws {
        let cluster = try RedisCluster()
        let uses = try cluster.uses()
        #expect(await cluster.haveBegun(uses))
        func keys(of server: RedisServer) throws -> (marks: Int, tokens: Int) {
            let keys = try cluster.ask(server, "--scan", "--pattern", "tve:*").split(separator: "\n")
            let marks = keys.count { $0.hasSuffix(":began") }
            return (marks: marks, tokens: keys.count - marks)
        }
        // The slower the last server is, the more tokens the others have by now.
        let earlier = try cluster.servers.map { try keys(of: $0).tokens }
        let tokens = (0..<300).map { _ in MediaTokenUse.random() }
        #expect(await uses.spend(tokens, at: Date()).allSatisfy { (try? $0.get()) == .granted })
        #expect(await uses.spend(tokens, at: Date()).allSatisfy { (try? $0.get()) == .refused(.spent) })
        for (server, earlier) in zip(cluster.servers, earlier) {
            let found = try keys(of: server)
            // Each server has a third of the marks.
            #expect((340...343).contains(found.marks))
            #expect((40...160).contains(found.tokens - earlier))
        }
    }

    /// A known token is refused while its slot moves, whereas another token waits and is then spent at the new server.
    @Test(.row("VC2")) func aSlotThatMoves_isWaitedFor() async throws {
        let cluster = try RedisCluster(primaries: 2)
        let uses = try cluster.uses()
        #expect(await cluster.haveBegun(uses))
        let known = MediaTokenUse.random()
        #expect(try await uses.spend(known))
        let new = MediaTokenUse.random(like: known)
        let (from, to) = try cluster.ends(of: RedisCluster.slot(of: known))
        try cluster.begin(moving: RedisCluster.slot(of: known), from, to)
        #expect(try await !uses.spend(known))
        let patient = try cluster.uses {
            $0.timeout = 300
            // The tokens move with the slot, so the new one, which is older than the move, may be granted.
            $0.restarts = .keep
        }
        let hasAnswer = NIOLockedValueBox(false)
        async let granted = { () async throws -> Bool in
            defer { hasAnswer.withLockedValue { $0 = true } }
            return try await patient.spend(new)
        }()
        // The old server redirects the token, and the memory sends it again.
        let before = try Self.redirections(cluster, from)
        #expect(waitUntil { (try? Self.redirections(cluster, from)) ?? 0 > before + 3 })
        #expect(!hasAnswer.withLockedValue { $0 })
        try cluster.finish(moving: RedisCluster.slot(of: known), from, to)
        #expect(try await granted)
        #expect(try await !uses.spend(new))
        #expect(try await !uses.spend(known))
    }

    private static func redirections(_ cluster: RedisCluster, _ server: RedisServer) throws -> Int {
        try cluster.ask(server, "INFO", "errorstats").split(separator: "\n").compactMap { line in
            line.hasPrefix("errorstat_ASK:") ? Int(line.split(separator: "=").last ?? "") : nil
        }.first ?? 0
    }

    @Test(.row("VC2")) func aSlotThatNeverArrives_isAnErrorInTime() async throws {
        let cluster = try RedisCluster(primaries: 2)
        #expect(await cluster.haveBegun(try cluster.uses()))
        let known = MediaTokenUse.random()
        #expect(try await cluster.uses().spend(known))
        let slot = RedisCluster.slot(of: known)
        let (from, to) = try cluster.ends(of: slot)
        try cluster.begin(moving: slot, from, to)
        let uses = try cluster.uses { $0.timeout = 3 }
        #expect(waitUntil { uses.unavailableShare == 0 })
        await #expect(throws: RedisUsesError.slotMoved) { try await uses.spend(.random(like: known)) }
        try cluster.ask(from, "CLUSTER", "SETSLOT", String(slot), "STABLE")
        try cluster.ask(to, "CLUSTER", "SETSLOT", String(slot), "STABLE")
        #expect(try await cluster.uses().spend(.random(like: known)))
    }

    /// A slot arrives without any key, or with the mark but without the tokens, which only a manual move can cause.
    @Test(.row("VC1")) func aSlotThatArrivesWithoutItsTokens_grantsNoTokenTwice() async throws {
        let cluster = try RedisCluster(primaries: 2)
        // With `keep`, whoever moves a slot promises to move all of it.
        for (hasMark, restarts) in [(false, RedisUsesConfiguration.Restarts.forget), (true, .forget), (false, .keep)] {
            let uses = try cluster.uses { $0.restarts = restarts }
            #expect(await cluster.haveBegun(uses))
            let issued = Date.betweenMemories
            let token = MediaTokenUse.random(issued: issued)
            #expect(try await uses.spend(token))
            issued.isOver()
            let slot = RedisCluster.slot(of: token)
            let (from, to) = try cluster.ends(of: slot)
            try cluster.begin(moving: slot, from, to)
            if hasMark { try cluster.moveKeys(of: slot, from, to) { $0.hasSuffix(":began") } }
            try cluster.ask(to, "CLUSTER", "SETSLOT", String(slot), "NODE", try cluster.id(of: to))
            // The old server learns that it lost the slot, and removes the rest.
            #expect(waitUntil { (try? cluster.ask(from, "CLUSTER", "COUNTKEYSINSLOT", String(slot))) == "0" })
            #expect((try? await uses.spend(token)) != true)
            // The memory of that part begins with the first request.
            #expect(await uses.recovers(like: token))
            #expect(try await !uses.spend(token))
        }
    }

    @Test(.row("VC1")) func aSlotThatArrivesWithItsTokens_keepsUnusedOnesGood_ifNothingIsLost() async throws {
        let cluster = try RedisCluster(primaries: 2)
        for restarts in RedisUsesConfiguration.Restarts.allCases {
            let uses = try cluster.uses { $0.restarts = restarts }
            #expect(await cluster.haveBegun(uses))
            let issued = Date.betweenMemories
            let token = MediaTokenUse.random(issued: issued)
            let unused = MediaTokenUse.random(like: token, issued: issued)
            #expect(try await uses.spend(token))
            issued.isOver()
            let slot = RedisCluster.slot(of: token)
            let (from, to) = try cluster.ends(of: slot)
            try cluster.begin(moving: slot, from, to)
            try cluster.finish(moving: slot, from, to)
            #expect(try await !uses.spend(token))
            #expect(try await uses.spend(unused) == (restarts == .keep))
        }
    }

    @Test(.row("VC3")) func anEmptiedServer_forgetsItsTokensOnly_andGrantsNoneTwice() async throws {
        let cluster = try RedisCluster(primaries: 2)
        let uses = try cluster.uses()
        #expect(await cluster.haveBegun(uses))
        let issued = Date.betweenMemories
        let tokens = (0..<40).map { _ in MediaTokenUse.random(issued: issued) }
        let unused = (0..<40).map { _ in MediaTokenUse.random(issued: issued) }
        for token in tokens { #expect(try await uses.spend(token)) }
        issued.isOver()
        try cluster.ask(cluster.servers[0], "FLUSHALL")
        for token in tokens { #expect((try? await uses.spend(token)) != true) }
        #expect(await cluster.haveBegun(uses))
        for token in tokens { #expect(try await !uses.spend(token)) }
        for token in unused {
            let isElsewhere = cluster.owner(of: RedisCluster.slot(of: token))?.port != cluster.servers[0].port
            #expect(((try? await uses.spend(token)) == true) == isElsewhere)
        }
    }

    /// The primary is suspended with a token in its queue, is replaced, and continues.
    @Test(.row("VC5")) func aPrimaryThatIsPausedAndReplaced_grantsNothing_whenItGoesOn() async throws {
        let cluster = try RedisCluster(replicas: 1)
        let settings: (inout RedisUsesConfiguration) -> Void = {
            $0.replication = .majority(1, of: 1)
            $0.restarts = .keep
            // The time limit is longer than a replacement takes.
            $0.timeout = 120
        }
        let uses = try cluster.uses(settings)
        // Each primary begins its memory on its own, so the tokens of this test belong to the one that has begun.
        let first = MediaTokenUse.random()
        #expect(await uses.recovers(like: first))
        let known = MediaTokenUse.random(like: first)
        #expect(try await uses.spend(known))
        let victim = try #require(cluster.owner(of: RedisCluster.slot(of: known)))
        func says(_ server: RedisServer, _ line: String) -> Bool {
            (try? cluster.ask(server, "INFO", "replication"))?.contains(line) == true
        }
        let replica = try #require(cluster.servers.first { says($0, "master_port:\(victim.port)") })
        let token = MediaTokenUse.random(like: known)
        victim.pause()
        async let late = { try? await uses.spend(token) }()
        #expect(waitUntil { says(replica, "role:master") })
        victim.resume()
        #expect(waitUntil { says(victim, "master_link_status:up") })
        let other = try cluster.uses(settings)
        #expect(await other.recovers(like: known))
        let isGranted = try await other.spend(token)
        // At most one of the two memories granted the token. It is none if the new primary records the token for the
        // first one before its replica is there, which then cannot confirm it.
        let isGrantedLate = await late == true
        #expect(!(isGrantedLate && isGranted))
        for token in [token, known] { #expect(try await !other.spend(token)) }
    }

    @Test(.row("VC6")) func aPrimaryThatIsGone_isToldOf_withItsShareOfTheTokens() async throws {
        // The other primaries continue.
        let cluster = try RedisCluster(arguments: ["--cluster-require-full-coverage", "no"])
        let changes = NIOLockedValueBox<[RedisConnectionChange]>([])
        let uses = try cluster.servers[1].uses(onChange: { change in changes.withLockedValue { $0.append(change) } })
        #expect(waitUntil { uses.unavailableShare == 0 })
        let victim = cluster.servers[0]
        #expect(waitUntil { changes.withLockedValue { $0 }.contains(.primaryConnected(victim.address)) })
        victim.kill()
        #expect(waitUntil { (0.3...0.4).contains(uses.unavailableShare) })
        #expect(uses.isConnected)
        let isReported = waitUntil {
            changes.withLockedValue { $0 }.contains { change in
                if case .primaryLost(victim.address, _) = change { true } else { false }
            }
        }
        #expect(isReported)
        #expect(!changes.withLockedValue { $0 }.contains { if case .lost = $0 { true } else { false } })
        try victim.restart()
        #expect(waitUntil { uses.unavailableShare == 0 })
        #expect(waitUntil { changes.withLockedValue { $0.last } == .primaryConnected(victim.address) })
    }

    @Test(.row("VC4")) func serversOfTwoClusters_grantNothing() async throws {
        let clusters = [try RedisCluster(primaries: 1), try RedisCluster(primaries: 1)]
        let plain = try RedisServer()
        for others in [clusters[1].servers[0], plain] {
            let uses = try clusters[0].uses { $0.servers.append(others.address) }
            #expect(await uses.failure() == .severalPrimaries)
        }
    }

    /// The address stays the same, but the server behind it does not have the tokens of this cluster.
    @Test(.row("VC4")) func anotherClusterAtTheSameAddress_isFound_andGrantsNoTokenTwice() async throws {
        let cluster = try RedisCluster(primaries: 1)
        let server = cluster.servers[0]
        let uses = try cluster.uses()
        #expect(await uses.recovers())
        let issued = Date.betweenMemories
        let token = MediaTokenUse.random(issued: issued)
        #expect(try await uses.spend(token))
        issued.isOver()
        server.kill()
        try FileManager.default.removeItem(at: server.folder.appendingPathComponent("nodes.conf"))
        try server.restart()
        #expect(await uses.failure() != nil)
        try cluster.ask(server, "CLUSTER", "ADDSLOTSRANGE", "0", "16383")
        #expect(await uses.recovers())
        #expect(try await !uses.spend(token))
    }

    /// The memory of the other cluster has begun, so nothing but the id of the server shows that it is another one.
    @Test func anAddressThatBelongsToAnotherCluster_getsNoToken() async throws {
        let cluster = try RedisCluster(primaries: 2)
        let known = cluster.servers[0]
        let victim = cluster.servers[1]
        let uses = try known.uses()
        #expect(await cluster.haveBegun(uses))
        var token = MediaTokenUse.random()
        while cluster.owner(of: RedisCluster.slot(of: token))?.port != victim.port { token = .random() }
        #expect(try await uses.spend(token))
        victim.kill()
        try FileManager.default.removeItem(at: victim.folder.appendingPathComponent("nodes.conf"))
        try victim.restart()
        try cluster.ask(victim, "CLUSTER", "ADDSLOTSRANGE", "0", "16383")
        let other = try victim.uses()
        #expect(await other.recovers(like: token))
        let new = MediaTokenUse.random(like: token)
        // The time suffices for several attempts to connect.
        for _ in 0..<100 {
            #expect((try? await uses.spend(new)) != true)
            await Task.shortPause()
        }
        #expect(try await other.spend(new))
    }

    @Test func user_needsTheRightsOfAFewCommands() async throws {
        let commands = "+set +get +time +wait +info +eval +cluster|nodes +cluster|myid +auth"
        let user = "--user verifier on >secret ~tve:* \(commands)"
        let cluster = try RedisCluster(primaries: 2, arguments: user.split(separator: " ").map(String.init))
        let uses = try cluster.uses {
            $0.username = "verifier"
            $0.password = "secret"
        }
        #expect(await uses.recovers())
    }
}

extension RedisCluster {
    /// Returns the server that has a slot, and another server.
    func ends(of slot: Int) throws -> (from: RedisServer, to: RedisServer) {
        let from = try #require(owner(of: slot))
        return (from, try #require(servers.first { $0.port != from.port }))
    }

    func begin(moving slot: Int, _ from: RedisServer, _ to: RedisServer) throws {
        try ask(to, "CLUSTER", "SETSLOT", String(slot), "IMPORTING", id(of: from))
        try ask(from, "CLUSTER", "SETSLOT", String(slot), "MIGRATING", id(of: to))
    }

    func moveKeys(
        of slot: Int, _ from: RedisServer, _ to: RedisServer, where isMoved: (String) -> Bool = { _ in true }
    ) throws {
        let keys = try ask(from, "CLUSTER", "GETKEYSINSLOT", String(slot), "1000").split(separator: "\n")
        for key in keys where isMoved(String(key)) {
            #expect(try ask(from, "MIGRATE", "127.0.0.1", String(to.port), String(key), "0", "600000") == "OK")
        }
    }

    func finish(moving slot: Int, _ from: RedisServer, _ to: RedisServer) throws {
        try moveKeys(of: slot, from, to)
        for server in [to, from] { try ask(server, "CLUSTER", "SETSLOT", String(slot), "NODE", id(of: to)) }
    }
}

extension MediaTokenUse {
    /// Returns a new token in the slot of another one, by default issued a moment ago.
    static func random(
        like use: MediaTokenUse, issued: Date = .aMomentAgo
    ) -> MediaTokenUse {
        let new = random(issued: issued)
        return MediaTokenUse(
            digest: use.digest.prefix(2) + new.digest.dropFirst(2), expires: new.expires, issued: new.issued)
    }
}
