import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVEModels
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import Testing

@Suite(.fourAtATime, .needs("redis-server"))
struct RedisConformanceTests {
    @Test(.row("SE3", "VP2")) func memory_keepsThePromises() async throws {
        #expect(
            try await MediaTokenUsesConformance.violations(isShared: false, issuerClockSkew: 0, restart: {}) {
                MemoryMediaTokenUses(issuerClockSkew: 0)
            } == [])
    }

    @Test(.row("SE3"), arguments: [1, 2, 8])
    func redis_keepsThePromises(connections: Int) async throws {
        let server = try RedisServer()
        #expect(
            try await MediaTokenUsesConformance.violations(
                isShared: true, issuerClockSkew: 0, restart: server.killAndRestart
            ) {
                try server.uses { $0.connections = connections }
            } == [])
    }

    @Test func redis_keepsThePromises_overAUnixSocket_inAnotherDatabase() async throws {
        let server = try RedisServer()
        let path = server.folder.appendingPathComponent("redis.sock").path
        #expect(
            try await MediaTokenUsesConformance.violations(
                isShared: true, issuerClockSkew: 0, restart: server.killAndRestart
            ) {
                try server.uses {
                    $0.servers = [.socket(path: path)]
                    $0.database = 3
                    $0.prefix = "other"
                }
            } == [])
    }

    /// Without this test, the conformance suite could accept every memory.
    @Test func suite_findsBrokenMemories() async throws {
        struct GrantsAll: MediaTokenUses {
            func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome { .granted }
        }
        struct GrantsNone: MediaTokenUses {
            func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome { .refused(.spent) }
        }
        @Sendable func violations(
            isShared: Bool = false, _ open: @Sendable () throws -> any MediaTokenUses
        ) async throws -> [String] {
            try await MediaTokenUsesConformance.violations(
                isShared: isShared, issuerClockSkew: 0, restart: {}, open: open)
        }
        // The suite waits for some seconds at each memory, so it judges all of them at the same time.
        async let grantsAll = violations { GrantsAll() }
        async let grantsNone = violations { GrantsNone() }
        async let sharesNothing = violations(isShared: true) { MemoryMediaTokenUses(issuerClockSkew: 0) }
        async let hasNoBeginning = violations { MemoryMediaTokenUses(began: .distantPast, issuerClockSkew: 0) }
        // One memory grants tokens from the future, and another remembers them as spent.
        async let isEarly = violations { EarlyUses(remembersEarlyTokens: false) }
        async let remembersEarly = violations { EarlyUses(remembersEarlyTokens: true) }
        let found = try await [grantsAll, grantsNone, sharesNothing, hasNoBeginning, isEarly, remembersEarly]
        #expect(found[0].count > 5)
        #expect(found[1].count > 3)
        #expect(found[2].contains("Another handle knows what was spent."))
        #expect(found[3] == ["A token that was spent before a restart is not granted after it."])
        #expect(
            found[4] == [
                "A token that was issued in the future of the memory's clock is not granted.",
                "The answer to a token that was issued in the future names the seconds to wait.",
                "A token that has to wait for the memory's clock is not remembered as spent.",
                "A token that was spent before a restart is not granted after it.",
            ])
        #expect(found[5] == ["A token that has to wait for the memory's clock is not remembered as spent."])
    }

    /// The memory as it was before it checked its own clock, and a memory that checks too late.
    private struct EarlyUses: MediaTokenUses {
        let remembersEarlyTokens: Bool
        private let uses = MemoryMediaTokenUses(issuerClockSkew: 0)

        init(remembersEarlyTokens: Bool) { self.remembersEarlyTokens = remembersEarlyTokens }

        func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome {
            guard let seconds = use.secondsUntilGrantable(at: now, issuerClockSkew: 0), seconds < 1e9 else {
                return try uses.spend(use, at: now)
            }
            // The call behaves as if the clock of the memory had caught up.
            let outcome = try uses.spend(use, at: use.issued.addingTimeInterval(0.001))
            return remembersEarlyTokens ? .refused(.clockBehind(seconds: seconds)) : outcome
        }
    }

    @Test(.row("VR9")) func aVerifierWithALargerTolerance_isNotGrantedWhatAnotherSpent() async throws {
        let server = try RedisServer()
        let uses = try server.uses { $0.keptAfterEnd = 0 }
        #expect(await uses.recovers())
        // On a busy machine some tokens have expired before Redis receives them.
        var spent: MediaTokenUse?
        for _ in 0..<100 where spent == nil {
            let use = MediaTokenUse.random(seconds: 0.5, remembered: 300)
            if try await uses.spend(use) { spent = use }
        }
        let use = try #require(spent)
        #expect(waitUntil { Date() > use.expires.addingTimeInterval(0.2) })
        let later = MediaTokenUse(digest: use.digest, expires: use.rememberedUntil, issued: use.issued)
        #expect(try await !uses.spend(later))
    }

    @Test func aToken_isRemovedFromRedis_afterItExpired() async throws {
        let server = try RedisServer()
        let uses = try server.uses { $0.keptAfterEnd = 0 }
        #expect(try await uses.spend(.random(seconds: 400)))
        // On a busy machine some tokens have expired before Redis receives them.
        var isGranted = false
        for _ in 0..<100 where !isGranted { isGranted = try await uses.spend(.random(seconds: 0.5)) }
        #expect(isGranted)
        // The mark of the memory remains.
        #expect(waitUntil { (try? server.ask("DBSIZE")) == ":2" })
    }

    @Test func manyTokensOfManyCallers_shareRoundTrips() async throws {
        let server = try RedisServer()
        // All calls wait for the last one to begin.
        let uses = try server.uses { $0.timeout = 300 }
        #expect(try await uses.spend(.random()))
        let before = try count(server, "total_reads_processed")
        let begun = NIOLockedValueBox(0)
        // The pause lets calls wait for each other even if the server is faster than their callers.
        server.pause()
        let granted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2_000 {
                group.addTask {
                    begun.withLockedValue { $0 += 1 }
                    return (try? await uses.spend(.random())) == true
                }
            }
            while begun.withLockedValue({ $0 }) < 2_000 { await Task.shortPause() }
            server.resume()
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(granted == 2_000)
        // Sent one by one, the calls would need 2,000 reads.
        #expect(try count(server, "total_reads_processed") - before < 200)
    }

    private func count(_ server: RedisServer, _ field: String) throws -> Int {
        let socket = try RawSocket(path: server.folder.appendingPathComponent("redis.sock").path)
        try socket.send(Data("INFO stats\r\n".utf8))
        while true {
            let line = try socket.line()
            if line.hasPrefix(field + ":") { return Int(line.dropFirst(field.count + 1)) ?? 0 }
        }
    }
}
