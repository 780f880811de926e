import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVETestTraits
import TVETokenVerification
import Testing

@testable import TVERedisUses

/// Servers that redirect, vanish or never answer, and calls whose time limit ends meanwhile.
///
/// The script decides which requests remain without an answer, so no result depends on the speed of the machine. The
/// tests do not share their threads with all others, because a call must go on before its time limit ends.
@Suite(.eightAtATime)
struct RedisObstacleTests {
    /// A token of the first part of the keys, which is never too new for Redis.
    private static let token = MediaTokenUse(
        digest: Data(repeating: 0, count: 32), expires: .distantFuture, issued: Date(timeIntervalSince1970: 0))

    /// A token of the same part, which is younger than the memory of the script.
    private static var youngToken: MediaTokenUse {
        MediaTokenUse(digest: token.digest, expires: .distantFuture, issued: Date().addingTimeInterval(-60))
    }

    private static func configuration(_ server: ScriptedRedis, timeout: TimeInterval) -> RedisUsesConfiguration {
        var configuration = RedisUsesConfiguration(servers: [server.address])
        configuration.timeout = timeout
        configuration.connections = 1
        return configuration
    }

    @Test(arguments: ["ASK 3 127.0.0.1:1", "MOVED 3 127.0.0.1:1", "TRYAGAIN the slot moves"])
    func aSlotThatMoves_isTheError_ifTheLimitEndsWithinTheNextRequest(redirection: String) async throws {
        let count = NIOLockedValueBox(0)
        let server = try ScriptedRedis { command in
            guard command.hasPrefix("SET ") else { return ScriptedRedis.primary(command, mode: "cluster") }
            let number = count.withLockedValue { count in
                count += 1
                return count
            }
            return number == 1 ? "-\(redirection)\r\n" : ""
        }
        let uses = try RedisMediaTokenUses(Self.configuration(server, timeout: 8))
        #expect(await soon { uses.isConnected })
        await #expect(throws: RedisUsesError.slotMoved) { try await uses.spend(Self.token, at: Date()) }
        // The second request may have spent the token, so there is no third one.
        #expect(count.withLockedValue { $0 } == 2)
        uses.close()
        #expect(server.connections > 0)
    }

    /// The second attempt to connect has no end, so a call that waited for it would time out, with another error.
    @Test(.row("VR12")) func aCallFailsAtOnce_ifTheServerWasUnavailableAMomentAgo() async throws {
        let attempts = NIOLockedValueBox(0)
        let server = try ScriptedRedis { _ in
            attempts.withLockedValue { attempts in
                attempts += 1
                return attempts == 1 ? nil : ""
            }
        }
        let uses = try RedisMediaTokenUses(Self.configuration(server, timeout: 30))
        #expect(await soon { attempts.withLockedValue { $0 } > 1 })
        let failure: RedisUsesError = try #require(uses.failure)
        #expect(failure != .timedOut)
        await #expect(throws: failure) { try await uses.spend(Self.token, at: Date()) }
        uses.close()
        #expect(server.connections > 0)
    }

    /// Nobody waits for the answer to a cancelled call.
    @Test func aCancelledCall_isNotSentAgain() async throws {
        let count = NIOLockedValueBox(0)
        let server = try ScriptedRedis { command in
            guard command.hasPrefix("SET ") else { return ScriptedRedis.primary(command, mode: "cluster") }
            count.withLockedValue { $0 += 1 }
            return "-TRYAGAIN the slot moves\r\n"
        }
        let uses = try RedisMediaTokenUses(Self.configuration(server, timeout: 30))
        let call = Task { try await uses.spend(Self.token, at: Date()) }
        #expect(await soon { count.withLockedValue { $0 } > 2 })
        call.cancel()
        let before = count.withLockedValue { $0 }
        await #expect(throws: RedisUsesError.slotMoved) { try await call.value }
        // One request may have been on its way.
        #expect(count.withLockedValue { $0 } <= before + 1)
        uses.close()
        #expect(server.connections > 0)
    }

    /// The answers to tokens that are newer than the last known time follow those to all others.
    @Test func tokensOfABatch_haveTheirOwnAnswers_whetherTheyAreOlderOrNewer() async throws {
        let start = Int64(Date().timeIntervalSince1970)
        let time = NIOLockedValueBox(start)
        let server = try ScriptedRedis { command in
            switch command {
            case "TIME": "*2\r\n\(ScriptedRedis.text("\(time.withLockedValue { $0 })"))\(ScriptedRedis.text("0"))"
            case _ where command.hasPrefix("SET "): "$-1\r\n"
            // The script spends two tokens.
            case _ where command.hasPrefix("EVAL "): "*2\r\n+OK\r\n$-1\r\n"
            default: ScriptedRedis.primary(command)
            }
        }
        var configuration = Self.configuration(server, timeout: 10)
        // A check between the two times would make the newer tokens older ones.
        configuration.idleLimit = 3_600
        let uses = try RedisMediaTokenUses(configuration)
        #expect(await soon { uses.isConnected })
        time.withLockedValue { $0 += 100 }
        let tokens = [50, -60, 51].map { (seconds: Int64) in
            MediaTokenUse(
                digest: Data("\(seconds)".utf8), expires: .distantFuture,
                issued: Date(timeIntervalSince1970: Double(start + seconds)))
        }
        let found = await uses.spend(tokens, at: Date()).map { try? $0.get() }
        let expected: [MediaTokenUseOutcome?] = [.granted, .refused(.spent), .refused(.spent)]
        #expect(found == expected)
        uses.close()
        #expect(server.connections > 0)
    }

    /// A verifier that took the cluster for a single server would send it every token, and most of them would be
    /// redirected.
    @Test(arguments: ["redis_mode", "server_mode"])
    func aCluster_isFound_whateverTheFieldWithItsModeIsCalled(field: String) async throws {
        let hasAskedForSlots = NIOLockedValueBox(false)
        let server = try ScriptedRedis { command in
            if command == "CLUSTER NODES" { hasAskedForSlots.withLockedValue { $0 = true } }
            return command.hasPrefix("SET ") ? "+OK\r\n" : ScriptedRedis.primary(command, mode: "cluster", in: field)
        }
        let uses = try RedisMediaTokenUses(Self.configuration(server, timeout: 10))
        #expect(try await uses.spend(Self.youngToken, at: Date()) == .granted)
        #expect(hasAskedForSlots.withLockedValue { $0 })
        uses.close()
        #expect(server.connections > 0)
    }

    /// A machine that loses its power does not end its connections.
    @Test func aServerThatVanishes_isNoticed_beforeATokenComes() async throws {
        let world = NIOLockedValueBox((isGone: false, checks: 0))
        let server = try ScriptedRedis { command in
            let isGone = world.withLockedValue { world in
                if command == "TIME" { world.checks += 1 }
                return world.isGone
            }
            return isGone ? "" : ScriptedRedis.primary(command)
        }
        var configuration = Self.configuration(server, timeout: 2)
        configuration.idleLimit = 0.02
        let uses = try RedisMediaTokenUses(configuration)
        // A server that answers stays connected.
        #expect(await soon { world.withLockedValue { $0.checks } > 5 })
        #expect(uses.isConnected && server.connections == 1)
        world.withLockedValue { $0.isGone = true }
        #expect(await soon { !uses.isConnected })
        uses.close()
        #expect(server.connections > 0)
    }

    /// A server whose process is suspended, or whose machine has vanished, must not take the place of the others.
    @Test(arguments: [true, false])
    func aServerThatNeverAnswers_leavesTimeForThePrimary(isFirst: Bool) async throws {
        let silent = try ScriptedRedis { _ in "" }
        let primary = try ScriptedRedis { ScriptedRedis.primary($0) }
        // A search may take four times as long as a call.
        var configuration = Self.configuration(primary, timeout: 0.5)
        configuration.servers = isFirst ? [silent.address, primary.address] : [primary.address, silent.address]
        let uses = try RedisMediaTokenUses(configuration)
        #expect(await soon { uses.isConnected })
        uses.close()
        #expect(silent.connections > 0 && primary.connections > 0)
    }

    /// The system may wait for its DNS for a minute.
    @Test(arguments: [true, false])
    func aNameThatIsNotResolved_leavesTimeForThePrimary(isFirst: Bool) async throws {
        let isOver = NIOLockedValueBox(false)
        let primary = try ScriptedRedis { ScriptedRedis.primary($0) }
        var configuration = Self.configuration(primary, timeout: 0.5)
        let slow = RedisAddress.host("slow.test", port: primary.port)
        configuration.servers = isFirst ? [slow, primary.address] : [primary.address, slow]
        configuration.names = RedisNames { _ in
            waitUntil { isOver.withLockedValue { $0 } }
            return .failure(.unreachable("the test is over"))
        }
        let uses = try RedisMediaTokenUses(configuration)
        #expect(await soon { uses.isConnected })
        isOver.withLockedValue { $0 = true }
        uses.close()
        #expect(primary.connections > 0)
    }

    @Test func aNameThatIsResolvedLate_isTheErrorBefore_andIsUsedThen() async throws {
        let world = NIOLockedValueBox((isOver: false, lookups: 0))
        let primary = try ScriptedRedis { ScriptedRedis.primary($0) }
        var configuration = Self.configuration(primary, timeout: 0.5)
        configuration.servers = [.host("slow.test", port: primary.port)]
        configuration.names = RedisNames { _ in
            world.withLockedValue { $0.lookups += 1 }
            waitUntil { world.withLockedValue { $0.isOver } }
            return .success("127.0.0.1")
        }
        let uses = try RedisMediaTokenUses(configuration)
        #expect(await soon { uses.failure != nil })
        let reason = "the name slow.test was not resolved in time; check the network's DNS"
        #expect(uses.failure == .unreachable("slow.test:\(primary.port): \(reason)"))
        world.withLockedValue { $0.isOver = true }
        #expect(await soon { uses.isConnected })
        // The attempts before have waited for the same answer.
        #expect(world.withLockedValue { $0.lookups } == 1)
        uses.close()
        #expect(primary.connections > 0)
    }

    /// A primary that is not seen would remember other tokens than the first one.
    @Test func aNameThatIsResolvedAfterTwiceTheTimeLimit_stillShowsASecondPrimary() async throws {
        let first = try ScriptedRedis { ScriptedRedis.primary($0) }
        let second = try ScriptedRedis { ScriptedRedis.primary($0) }
        var configuration = Self.configuration(first, timeout: 1)
        configuration.servers.append(.host("slow.test", port: second.port))
        configuration.names = RedisNames { _ in
            // A search that does not wait for the name connects to the first server meanwhile.
            waitUntil(within: 2) { first.connections > 0 }
            return .success("127.0.0.1")
        }
        let uses = try RedisMediaTokenUses(configuration)
        #expect(await soon { uses.isConnected || uses.failure == .severalPrimaries })
        #expect(uses.failure == .severalPrimaries)
        uses.close()
        #expect(first.connections > 0 && second.connections > 0)
    }

    /// The first connection finds the cluster and passes the token on to a primary that never answers.
    @Test func aPrimaryThatNeverAnswers_isATimeOut() async throws {
        let server = try ScriptedRedis { command in
            command == "CLUSTER MYID" ? "" : ScriptedRedis.primary(command, mode: "cluster")
        }
        let uses = try RedisMediaTokenUses(Self.configuration(server, timeout: 2))
        await #expect(throws: RedisUsesError.timedOut) { try await uses.spend(Self.token, at: Date()) }
        uses.close()
        #expect(server.connections > 0)
    }

    /// A call that got a connection that is still being opened would wait for it.
    @Test func aConnectionThatIsNotOpenYet_getsNoCall() async throws {
        let openings = NIOLockedValueBox(0)
        let server = try ScriptedRedis { command in
            // Each connection begins with this request.
            if command == "INFO server" {
                let number = openings.withLockedValue { count in
                    count += 1
                    return count
                }
                guard number == 1 else { return "" }
            }
            return command.hasPrefix("SET ") ? "+OK\r\n" : ScriptedRedis.primary(command)
        }
        var configuration = Self.configuration(server, timeout: 10)
        configuration.connections = 2
        let uses = try RedisMediaTokenUses(configuration)
        #expect(await soon { uses.isConnected && openings.withLockedValue { $0 } >= 2 })
        for _ in 0..<20 { #expect(try await uses.spend(Self.youngToken, at: Date()) == .granted) }
        uses.close()
        #expect(server.connections > 0)
    }

    /// Another program of the same container may take all threads for a moment.
    @Test func aConnectionOpens_onceTheSystemHasAThreadAgain() async throws {
        let server = try ScriptedRedis { ScriptedRedis.primary($0) }
        let missing = NIOLockedValueBox(2)
        let changes = NIOLockedValueBox<[RedisConnectionChange]>([])
        let error = RedisUsesError.unreachable(RedisThread.noneLeft)
        // Neither Redis nor the network is the cause.
        #expect(!error.description.contains("network"))
        var configuration = Self.configuration(server, timeout: 10)
        configuration.startThread = { (name, body) throws(RedisUsesError) in
            let isMissing = missing.withLockedValue { missing in
                guard name == "tve-redis-connect", missing > 0 else { return false }
                missing -= 1
                return true
            }
            if isMissing { throw error }
            try RedisThread.start(name, body)
        }
        let uses = try RedisMediaTokenUses(configuration) { change in changes.withLockedValue { $0.append(change) } }
        #expect(await soon { uses.isConnected })
        #expect(missing.withLockedValue { $0 } == 0)
        #expect(await soon { changes.withLockedValue { $0 } == [.lost(error), .connected] })
        uses.close()
        #expect(server.connections > 0)
    }

    /// The first connection may take the last thread, so that its report has none.
    @Test func aReport_isMadeWithTheNextBatch_ifTheSystemHadNoThreadForIt() async {
        let reports = NIOLockedValueBox<[RedisConnectionChange]>([])
        let isMissing = NIOLockedValueBox(true)
        let count = RedisConnectionCount(startThread: Self.starter(isMissing)) { change in
            reports.withLockedValue { $0.append(change) }
        }
        count.connected()
        isMissing.withLockedValue { $0 = false }
        #expect(reports.withLockedValue { $0 } == [])
        count.found(0, of: .host("127.0.0.1", port: 1), configured: .primaryAlone)
        #expect(await soon { reports.withLockedValue { $0 } == [.connected] })
    }

    /// The next attempt to connect looks the name up again.
    @Test func aName_isLookedUpAgain_ifTheSystemHadNoThreadForIt() throws {
        let isMissing = NIOLockedValueBox(true)
        let names = RedisNames({ _ in .success("127.0.0.1") }, startThread: Self.starter(isMissing))
        let address = RedisAddress.host("redis.example", port: 6379)
        #expect(throws: RedisUsesError.unreachable(RedisThread.noneLeft)) { try names.number(of: address, within: 60) }
        isMissing.withLockedValue { $0 = false }
        #expect(try names.number(of: address, within: 60) == .host("127.0.0.1", port: 6379))
    }

    /// The error would advise to look at the network if it named the server.
    @Test func aName_thatNoThreadLooksUp_isNotAtFault() throws {
        let server = try ScriptedRedis { ScriptedRedis.primary($0) }
        var configuration = Self.configuration(server, timeout: 1)
        configuration.names = RedisNames(startThread: Self.starter(NIOLockedValueBox(true)))
        let servers = [RedisAddress.host("redis.example", port: 6379)]
        do throws(RedisUsesError) {
            _ = try RedisLink.find(among: servers, configuration, within: 1)
            Issue.record("A link to a server whose name was not looked up.")
        } catch {
            #expect(error == .unreachable(RedisThread.noneLeft))
        }
    }

    private static func starter(_ isMissing: NIOLockedValueBox<Bool>) -> RedisThread.Starter {
        { (name, body) throws(RedisUsesError) in
            if isMissing.withLockedValue({ $0 }) { throw .unreachable(RedisThread.noneLeft) }
            try RedisThread.start(name, body)
        }
    }

    /// No machine has so much memory for a stack.
    @Test func aThreadThatTheSystemDoesNotStart_isAnError() async throws {
        let hasRun = NIOLockedValueBox(false)
        #expect(throws: RedisUsesError.unreachable(RedisThread.noneLeft)) {
            try RedisThread.start("too-large", stackSize: 1 << 50) { hasRun.withLockedValue { $0 = true } }
        }
        #expect(!hasRun.withLockedValue { $0 })
        try RedisThread.start("small") { hasRun.withLockedValue { $0 = true } }
        #expect(await soon { hasRun.withLockedValue { $0 } })
    }

    /// The program that is notified may write to a file or to another machine.
    @Test func aReportThatTakesLong_holdsUpNoOtherConnection_andTheNextOnesFollowInOrder() async {
        let reports = NIOLockedValueBox<[RedisConnectionChange]>([])
        let isOver = NIOLockedValueBox(false)
        let count = RedisConnectionCount { change in
            reports.withLockedValue { $0.append(change) }
            waitUntil { isOver.withLockedValue { $0 } }
        }
        Thread { count.connected() }.start()
        #expect(await soon { !reports.withLockedValue { $0 }.isEmpty })
        count.lost(.disconnected)
        count.connected()
        #expect(reports.withLockedValue { $0 } == [.connected])
        isOver.withLockedValue { $0 = true }
        #expect(await soon { reports.withLockedValue { $0 } == [.connected, .lost(.disconnected), .connected] })
    }

    /// A call is answered within its time limit, whatever the program does that is notified.
    @Test func aReportThatTakesLong_holdsUpNoToken_whenAConnectionOpensOrBreaks() async throws {
        let world = NIOLockedValueBox((spends: 0, isOver: false, reports: 0))
        let server = try ScriptedRedis { command in
            guard command.hasPrefix("SET ") else { return ScriptedRedis.primary(command) }
            let number = world.withLockedValue { world in
                world.spends += 1
                return world.spends
            }
            // The first connection breaks.
            return number == 1 ? nil : "+OK\r\n"
        }
        let uses = try RedisMediaTokenUses(Self.configuration(server, timeout: 10)) { _ in
            waitUntil { world.withLockedValue { $0.isOver } }
            world.withLockedValue { $0.reports += 1 }
        }
        await #expect(throws: RedisUsesError.disconnected) { try await uses.spend(Self.youngToken, at: Date()) }
        #expect(try await uses.spend(Self.youngToken, at: Date()) == .granted)
        #expect(world.withLockedValue { $0.reports } == 0)
        world.withLockedValue { $0.isOver = true }
        uses.close()
        #expect(server.connections > 0)
    }

    @Test func calls_takeTurnsAmongTheConnections() throws {
        var configuration = Self.configuration(try ScriptedRedis { _ in "" }, timeout: 10)
        configuration.connections = 3
        let servers = try RedisServers(configuration, count: RedisConnectionCount { _ in })
        let spend = RedisSpend(Self.token, keptAfterEnd: 0)
        let workers = (0..<6).compactMap { _ in servers.route([spend]).first?.worker }.map { ObjectIdentifier($0) }
        #expect(Set(workers.prefix(3)).count == 3)
        #expect(workers.prefix(3) == workers.suffix(3))
        servers.close()
    }

    /// In a cluster the next attempt follows within a second, and each would leave threads that go on connecting.
    @Test func connections_areClosed_ifTheNextOneCannotBeOpened() async throws {
        var configuration = Self.configuration(try ScriptedRedis { _ in "" }, timeout: 10)
        configuration.connections = 3
        let count = RedisConnectionCount { _ in }
        let servers = try RedisServers(configuration, count: count)
        var opened: [RedisWorker] = []
        var failure: RedisUsesError?
        do throws(RedisUsesError) {
            _ = try servers.connections { () throws(RedisUsesError) in
                guard opened.count < 2 else { throw .unreachable("no file is left") }
                let worker = try RedisWorker(configuration, place: .primary, count: count)
                opened.append(worker)
                return worker
            }
        } catch {
            failure = error
        }
        #expect(failure == .unreachable("no file is left"))
        #expect(opened.count == 2)
        for worker in opened {
            let deadline = RedisDeadline.now.advanced(by: 60)
            #expect(await Self.spend(with: worker, until: deadline) == [.failure(.closed)])
        }
        servers.close()
    }

    /// A server that is away for a long time is not flooded either.
    @Test(
        arguments: [
            (1, 0.05), (2, 0.1), (5, 0.8), (6, 1), (64, 1), (65, 1), (1_000_000, 1),
        ] as [(Int, TimeInterval)])
    func thePauseBetweenAttempts_doublesUpToASecond(failures: Int, pause: TimeInterval) {
        #expect(RedisWorker.pause(afterFailures: failures) == pause)
    }

    @Test(
        arguments: [
            ("-READONLY of the script\r\n", .refused(code: "READONLY", words: "of the script")),
            ("-LOADING of the script\r\n", .refused(code: "LOADING", words: "of the script")),
            ("-CLUSTERDOWN of the script\r\n", .refused(code: "CLUSTERDOWN", words: "of the script")),
            ("-MASTERDOWN of the script\r\n", .refused(code: "MASTERDOWN", words: "of the script")),
            ("-NOAUTH of the script\r\n", .refused(code: "NOAUTH", words: "of the script")),
            ("-NOPERM of the script\r\n", .refused(code: "NOPERM", words: "of the script")),
            (nil, .disconnected),
        ] as [(String?, RedisUsesError)])
    func theEndOfTheLastConnection_isTheError_ifTheLimitEndsBeforeTheNext(
        answer: String?, error: RedisUsesError
    ) async throws {
        let hasAnswered = NIOLockedValueBox(false)
        let server = try ScriptedRedis { command in
            if command.hasPrefix("SET ") {
                hasAnswered.withLockedValue { $0 = true }
                return answer
            }
            // The second connection begins with this request.
            if command == "INFO server", hasAnswered.withLockedValue({ $0 }) { return "" }
            return ScriptedRedis.primary(command)
        }
        let worker = try RedisWorker(
            Self.configuration(server, timeout: 5), place: .primary, count: RedisConnectionCount { _ in })
        #expect(await Self.spend(with: worker, until: RedisDeadline.now.advanced(by: 60)) == [.failure(error)])
        #expect(await soon { !worker.isConnected })
        #expect(await Self.spend(with: worker, until: .now) == [.failure(error)])
        worker.close()
        #expect(server.connections > 0)
    }

    private static func spend(
        with worker: RedisWorker, until deadline: RedisDeadline
    ) async -> [Result<MediaTokenUseOutcome, RedisUsesError>] {
        await withCheckedContinuation { continuation in
            let spend = RedisSpend(token, keptAfterEnd: 0)
            let call = RedisCall(spends: [spend], deadline: deadline) {
                continuation.resume(returning: $0)
            }
            worker.submit(call)
        }
    }
}
