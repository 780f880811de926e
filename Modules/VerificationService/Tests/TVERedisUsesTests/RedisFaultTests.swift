import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVEModels
import TVETestTraits
import TVETokenVerification
import Testing

@testable import TVERedisUses

@Suite(.fourAtATime, .needs("redis-server"))
struct RedisFaultTests {
    @Test(.row("VR1")) func killedAndStartedAgainWithNothing_grantsNoTokenTwice_andRecoversByItself() async throws {
        let server = try RedisServer()
        let uses = try server.uses()
        #expect(await uses.recovers())
        // The token was issued after the memory began; the times in tokens are whole seconds.
        let issued = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.up))
        let tokens = (0..<50).map { _ in MediaTokenUse.random(issued: issued) }
        let unused = MediaTokenUse.random(issued: issued)
        for token in tokens { #expect(try await uses.spend(token)) }
        server.kill()
        #expect(await uses.failure() != nil)
        // The wait makes the tokens older than the new memory.
        waitUntil { Date().timeIntervalSince(issued) > 0.1 }
        try server.restart()
        #expect(await uses.recovers())
        for token in tokens { #expect(try await !uses.spend(token)) }
        // Such a token cannot be distinguished from a spent one.
        #expect(try await !uses.spend(unused))
        #expect(try await uses.spend(.random()))
    }

    @Test(.row("VR6"), arguments: RedisUsesConfiguration.Restarts.allCases)
    func emptiedByHand_grantsNoTokenTwice(restarts: RedisUsesConfiguration.Restarts) async throws {
        let server = try RedisServer()
        let uses = try server.uses { $0.restarts = restarts }
        #expect(await uses.recovers())
        let issued = Date.betweenMemories
        let old = MediaTokenUse.random(issued: issued)
        let other = MediaTokenUse.random(issued: issued)
        #expect(try await uses.spend(old))
        issued.isOver()
        try server.ask("FLUSHALL")
        // The call that detects the loss fails, because the token may have been spent and forgotten.
        await #expect(throws: RedisUsesError.memoryLost) { try await uses.spend(other) }
        #expect(await uses.recovers())
        #expect(try await !uses.spend(old))
    }

    @Test(.row("VP3")) func restartThatLosesNothing_keepsOldTokensGood() async throws {
        let server = try RedisServer(["--appendonly", "yes", "--appendfsync", "always"])
        let uses = try server.uses { $0.restarts = .keep }
        #expect(await uses.recovers())
        let issued = Date.betweenMemories
        let token = MediaTokenUse.random(issued: issued)
        let other = MediaTokenUse.random(issued: issued)
        #expect(try await uses.spend(token))
        issued.isOver()
        server.kill()
        try server.restart()
        #expect(await uses.recovers())
        #expect(try await !uses.spend(token))
        #expect(try await uses.spend(other))
    }

    /// The restart rule could not protect a token if the clock of Redis is a minute behind that of the issuer.
    @Test(.row("SE8", "VP6", "VR11")) func aClockThatIsBehind_grantsNothing_andSpendsNothing() async throws {
        let server = try RedisServer()
        let uses = try server.uses()
        let token = MediaTokenUse.random(issued: Date().addingTimeInterval(60))
        let other = MediaTokenUse.random(issued: Date().addingTimeInterval(0.5))
        for _ in 0..<2 {
            let refusal = try #require(try await uses.spend(token, at: Date()).refusal)
            #expect(refusal.reason == "clock-behind")
            #expect((30...60.1).contains(refusal.retryAfter ?? 0))
        }
        // Only the mark of the memory was written.
        #expect(try server.ask("DBSIZE") == ":1")
        // As soon as the clock permits, the same token is granted once.
        #expect(try await uses.spend(other))
        #expect(try await !uses.spend(other))
        try server.killAndRestart()
        #expect(await uses.recovers())
        #expect(try await uses.spend(token, at: Date()).refusal?.reason == "clock-behind")
        #expect(try await uses.spend(other, at: Date()) == .refused(.olderThanMemory))
    }

    /// A token that the last known time allows is written before the clock is read again.
    @Test func aClockThatIsSetBack_grantsNothing_andSpendsNothing() async throws {
        let start = Int64(Date().timeIntervalSince1970) * 1_000
        let world = NIOLockedValueBox((time: start, keys: Set<String>()))
        let server = try ScriptedRedis { command in
            switch command {
            case "TIME":
                world.withLockedValue { world in
                    "*2\r\n\(ScriptedRedis.text("\(world.time / 1_000)"))\(ScriptedRedis.text("0"))"
                }
            case _ where command.hasPrefix("SET "):
                world.withLockedValue { world in
                    let words = command.split(separator: " ").map(String.init)
                    if words[3] == "XX" { return world.keys.remove(words[1]) == nil ? "$-1\r\n" : "+OK\r\n" }
                    return world.keys.insert(words[1]).inserted ? "+OK\r\n" : "$-1\r\n"
                }
            // The script is sent after a token had to wait, and finds a clock that permits the token.
            case _ where command.hasPrefix("EVAL "):
                world.withLockedValue { world in
                    let words = command.split(separator: " ").map(String.init)
                    return world.keys.insert(words[words.count - 3]).inserted ? "*1\r\n+OK\r\n" : "*1\r\n$-1\r\n"
                }
            default: ScriptedRedis.primary(command)
            }
        }
        var configuration = RedisUsesConfiguration(servers: [.host("127.0.0.1", port: server.port)])
        configuration.timeout = 10
        configuration.connections = 1
        configuration.issuerClockSkew = 0
        // A check of the idle connection would read the clock between two steps.
        configuration.idleLimit = 3_600
        let uses = try RedisMediaTokenUses(configuration)
        let tokens = (0..<2).map { _ in
            MediaTokenUse.random(issued: Date(timeIntervalSince1970: Double(start) / 1_000 - 1))
        }
        #expect(try await uses.spend(tokens[0], at: Date()) == .granted)

        world.withLockedValue { $0.time = start - 5_000 }
        #expect(try await uses.spend(tokens[1], at: Date()) == .refused(.clockBehind(seconds: 4.001)))
        #expect(world.withLockedValue { $0.keys.count } == 1)
        // A known token is reported as spent, whatever the clock says.
        world.withLockedValue { $0.time = start }
        #expect(try await uses.spend(tokens[0], at: Date()) == .refused(.spent))
        #expect(try await uses.spend(tokens[1], at: Date()) == .granted)
        #expect(try await uses.spend(tokens[1], at: Date()) == .refused(.spent))
        uses.close()
    }

    /// A program may set what a configuration file would refuse.
    @Test(arguments: [.nan, -1, 0, .infinity, -.infinity] as [TimeInterval])
    func anySkew_isAnAnswer(skew: TimeInterval) async throws {
        let server = try RedisServer()
        let uses = try server.uses { $0.issuerClockSkew = skew }
        let outcome = try await uses.spend(.random(), at: Date())
        // The largest skew is a day, so every token may have been spent before the memory began.
        #expect(outcome == (skew == .infinity ? .refused(.olderThanMemory) : .granted))
    }

    /// The user of Redis has no permission for `DEL`.
    @Test func aTokenThatIsTakenBack_canBeSpent() async throws {
        let user = "--user verifier on >secret ~tve:* +set +get +time +info +eval"
        let server = try RedisServer(user.split(separator: " ").map(String.init))
        var configuration = RedisUsesConfiguration(servers: [server.address])
        configuration.username = "verifier"
        configuration.password = "secret"
        let uses = try server.uses { [configuration] in
            $0.username = configuration.username
            $0.password = configuration.password
        }
        let token = MediaTokenUse.random()
        #expect(try await uses.spend(token))
        let deadline = RedisDeadline.now.advanced(by: 10)
        let socket = try RedisSocket.open(server.address, at: server.address, configuration, until: deadline)
        var removal: [UInt8] = []
        RedisSpend(token, keptAfterEnd: 60).appendRemoval(to: &removal, RedisKeys(prefix: "tve", isCluster: false))
        #expect(try socket.exchange(removal, count: 1, until: deadline) == [.status("OK")])
        #expect(waitUntil { (try? server.ask("DBSIZE")) == ":1" })
        #expect(try await uses.spend(token))
    }

    @Test func theDifferenceOfTheClocks_isKnownBeforeATokenComes() async throws {
        let server = try RedisServer()
        let uses = try server.uses()
        // One machine has one clock, which may seem to be off by at most the time of a round trip.
        #expect(abs(try #require(uses.clockLead)) < 0.1)
        server.kill()
        #expect(waitUntil { uses.clockLead == nil })
    }

    @Test(
        arguments: [
            // The time of Redis in milliseconds, between a request at 10 s and an answer at 11 s.
            (9_000, -1), (10_000, 0), (10_500, 0), (11_000, 0), (16_500, 5.5),
        ] as [(Int64, TimeInterval)])
    func aSlowAnswer_isNoDifferenceOfTheClocks(time: Int64, lead: TimeInterval) {
        let asked = Date(timeIntervalSince1970: 10)
        let found = RedisObservation(time: time, asked: asked, answered: asked.addingTimeInterval(1), replicas: 0)
        #expect(found.clockLead == lead)
    }

    /// With `keep` an operator promises for one verifier that nothing was lost; another verifier has no such promise.
    @Test(.row("VR13")) func aMemoryThatKeepContinued_isNotTrustedByAVerifierThatForgets() async throws {
        let server = try RedisServer(["--appendonly", "yes", "--appendfsync", "always"])
        let keeps = try server.uses { $0.restarts = .keep }
        let issued = Date.betweenMemories
        let token = MediaTokenUse.random(issued: issued)
        let other = MediaTokenUse.random(issued: issued)
        #expect(try await keeps.spend(token))
        issued.isOver()
        server.kill()
        try server.restart()
        #expect(await keeps.recovers())
        // The mark states that the memory was continued, so this verifier begins a new one.
        let forgets = try server.uses()
        #expect(await forgets.recovers())
        #expect(try await forgets.spend(other, at: Date()) == .refused(.olderThanMemory))
        #expect(await keeps.recovers())
        #expect(try await keeps.spend(MediaTokenUse.random(issued: issued), at: Date()) == .refused(.olderThanMemory))
        // From now on both verifiers agree, and neither begins another memory.
        let new = MediaTokenUse.random()
        #expect(try await forgets.spend(new))
        #expect(try await !keeps.spend(new))
        #expect(try await keeps.spend(.random()))
        #expect(try await forgets.spend(.random()))
    }

    @Test(.row("VR12")) func paused_answersInTime_andRecoversByItself() async throws {
        let server = try RedisServer()
        let uses = try server.uses {
            $0.timeout = 0.3
            $0.connections = 2
        }
        #expect(await uses.recovers())
        server.pause()
        let tokens = (0..<400).map { _ in MediaTokenUse.random() }
        let start = ContinuousClock.now
        let failures = await withTaskGroup(of: Bool.self) { group in
            for token in tokens { group.addTask { (try? await uses.spend(token)) == nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        let taken = start.duration(to: .now)
        #expect(failures == 400)
        // One after the other, the calls would take a minute.
        #expect(taken < .seconds(20), "\(taken)")
        #expect(waitUntil { uses.failure != nil })
        #expect(await uses.failure() != nil)
        server.resume()
        #expect(await uses.recovers())
        // Tokens that Redis received before the pause may be spent, but none is granted twice. The memory has a longer
        // time limit for a busy machine.
        let patient = try server.uses()
        for token in tokens {
            let granted = [try await patient.spend(token), try await patient.spend(token)]
            #expect(granted[1] == false)
        }
    }

    @Test(.row("VR8")) func full_refuses_knowsWhatItKnows_andRecovers() async throws {
        let server = try RedisServer(["--maxmemory-policy", "noeviction"])
        let uses = try server.uses()
        let known = MediaTokenUse.random()
        #expect(try await uses.spend(known))
        try server.ask("CONFIG", "SET", "maxmemory", "1")
        await #expect(throws: RedisUsesError.full) { try await uses.spend(.random()) }
        await #expect(throws: RedisUsesError.full) { try await uses.spend(known) }
        try server.ask("CONFIG", "SET", "maxmemory", "0")
        #expect(try await uses.spend(.random()))
        #expect(try await !uses.spend(known))
    }

    /// Redis evicts tokens, but not the mark, which does not expire.
    @Test(.row("VR7"), arguments: RedisUsesConfiguration.Restarts.allCases, ["volatile-random", "allkeys-lru"])
    func aServerThatBeginsToThrowKeysAway_grantsNoTokenTwice(
        restarts: RedisUsesConfiguration.Restarts, policy: String
    ) async throws {
        let server = try RedisServer()
        let uses = try server.uses { $0.restarts = restarts }
        #expect(await uses.recovers())
        let issued = Date.betweenMemories
        let tokens = (0..<20).map { _ in MediaTokenUse.random(issued: issued) }
        for token in tokens { #expect(try await uses.spend(token)) }
        issued.isOver()
        try server.ask("CONFIG", "SET", "maxmemory-policy", policy)
        try server.ask("CONFIG", "SET", "maxmemory", "1")
        // Redis evicts keys for a write, as far as that is possible.
        try server.ask("SET", "other", "1")
        try server.ask("CONFIG", "SET", "maxmemory", "0")
        try server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
        for token in tokens { #expect((try? await uses.spend(token)) != true) }
        #expect(await uses.recovers())
        for token in tokens { #expect(try await !uses.spend(token)) }
    }

    @Test(.row("VR7"), arguments: ["100mb", "0"], ["allkeys-lru", "volatile-ttl"])
    func aServerThatThrowsKeysAway_isNotUsed(limit: String, policy: String) async throws {
        let server = try RedisServer(["--maxmemory", limit, "--maxmemory-policy", policy])
        let uses = try server.uses()
        #expect(await uses.failure() == .evicts(policy: policy))
        try server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
        #expect(await uses.recovers())
    }

    @Test func noServer_answersAtOnce_andNamesIt() async throws {
        let port = try LoopbackPort()
        defer { withExtendedLifetime(port) {} }
        let address = RedisAddress.host("127.0.0.1", port: port.number)
        var configuration = RedisUsesConfiguration(servers: [address])
        configuration.timeout = 10
        let uses = try RedisMediaTokenUses(configuration)
        guard case .unreachable(let reason) = await uses.failure() else {
            Issue.record("The error is another one.")
            return
        }
        #expect(reason.hasPrefix("\(address): "))
    }

    @Test func closed_answersAtOnce() async throws {
        let server = try RedisServer()
        let uses = try server.uses()
        #expect(await uses.recovers())
        uses.close()
        #expect(await uses.failure() == .closed)
    }

    // MARK: - Changes

    @Test func connectionsThatOpenAndBreak_areReportedOnceEach() async throws {
        let server = try RedisServer()
        let changes = NIOLockedValueBox<[RedisConnectionChange]>([])
        let uses = try server.uses(
            { $0.connections = 2 }, onChange: { change in changes.withLockedValue { $0.append(change) } })
        #expect(await uses.recovers())
        #expect(waitUntil { changes.withLockedValue { $0 } == [.connected] })
        server.kill()
        #expect(
            waitUntil {
                guard case .lost? = changes.withLockedValue({ $0.last }) else { return false }
                return true
            })
        try server.restart()
        #expect(waitUntil { changes.withLockedValue { $0.last } == .connected })
        let all = changes.withLockedValue { $0 }
        #expect(!zip(all, all.dropFirst()).contains { $0 == $1 })
    }

    // MARK: - Password

    @Test(
        arguments: [
            ("correct", nil),
            ("wrong", .refused(code: "WRONGPASS", words: "invalid username-password pair or user is disabled.")),
            (nil, .refused(code: "NOAUTH", words: "Authentication required.")),
        ] as [(String?, RedisUsesError?)])
    func password_isNeeded(password: String?, failure: RedisUsesError?) async throws {
        let server = try RedisServer(["--requirepass", "correct"])
        let uses = try server.uses { $0.password = password }
        #expect(await uses.failure() == failure)
    }

    // MARK: - Database, version, attempts

    /// Verifiers that used different databases would each grant a token.
    @Test func theDatabase_isTheOneOfTheConfiguration() async throws {
        let server = try RedisServer()
        func uses(_ database: Int) throws -> RedisMediaTokenUses { try server.uses { $0.database = database } }
        let third = try uses(3)
        let token = MediaTokenUse.random()
        #expect(try await third.spend(token))
        // The first database contains neither the token nor the mark.
        #expect(try server.ask("DBSIZE") == ":0")
        #expect(try await !uses(3).spend(token))
        let first = try uses(0)
        #expect(try await first.spend(.random()))
        #expect(try server.ask("DBSIZE") == ":2")
    }

    @Test(
        arguments: [
            ("6.0.16", true), ("6.1.240", true), ("5.9.3", true), ("2.8", true), ("x", true), ("6", true),
            ("6.2.0", false), ("7.0.15", false), ("10.0.0", false),
        ])
    func anOldServer_isNotUsed(version: String, isTooOld: Bool) async throws {
        let server = try ScriptedRedis { command in
            switch command {
            case "INFO server": ScriptedRedis.text("# Server\r\nredis_version:\(version)\r\nredis_mode:standalone\r\n")
            case "INFO replication": ScriptedRedis.text("# Replication\r\nrole:master\r\n")
            // These commands follow once the version was accepted.
            default: nil
            }
        }
        var configuration = RedisUsesConfiguration(servers: [.host("127.0.0.1", port: server.port)])
        configuration.timeout = 10
        let uses = try RedisMediaTokenUses(configuration)
        let failure = await uses.failure()
        #expect((failure == .tooOld(version: version)) == isTooOld, "\(String(describing: failure))")
        // This use keeps the server alive up to this point.
        #expect(server.connections > 0)
    }

    /// The pause is 50 ms after the first failure and doubles each time, so that an unavailable server is not flooded.
    @Test func attempts_becomeRarer() throws {
        let server = try ScriptedRedis { _ in nil }
        var configuration = RedisUsesConfiguration(servers: [.host("127.0.0.1", port: server.port)])
        configuration.connections = 1
        let start = ContinuousClock.now
        let uses = try RedisMediaTokenUses(configuration)
        #expect(waitUntil { server.connections >= 6 })
        // Each pause may be a quarter shorter: 0.75 of 50 + 100 + 200 + 400 + 800 ms.
        let taken = start.duration(to: .now)
        #expect(taken > .milliseconds(1_150), "\(taken)")
        uses.close()
    }
}
