import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import Testing

/// Users of Redis as operators create them, and the answers of Redis to users with too few permissions.
@Suite(.fourAtATime, .needs("redis-server"))
struct RedisAccessTests {
    /// The commands of the rule in Documentation/VerificationService.md, for one server.
    private static let rule = ["+get", "+set", "+time", "+eval", "+info"]

    private func server(_ rights: [String]) throws -> RedisServer {
        try RedisServer(["--user", "verifier", "on", ">secret", "~tve:*"] + rights)
    }

    private func uses(
        of server: RedisServer, prefix: String = "tve", database: Int = 0
    ) throws -> RedisMediaTokenUses {
        try server.uses {
            $0.username = "verifier"
            $0.password = "secret"
            $0.prefix = prefix
            $0.database = database
        }
    }

    @Test func theRuleOfThePage_isEnough() async throws {
        let server = try self.server(Self.rule)
        let uses = try self.uses(of: server)
        #expect(try await uses.spend(.random()))
        // The script spends the token, because the token is newer than the last known time.
        #expect(try await uses.spend(.random(issued: Date().addingTimeInterval(0.2))))
    }

    @Test func theRuleOfThePage_isEnoughForADatabase() async throws {
        let server = try self.server(Self.rule + ["+select"])
        let uses = try self.uses(of: server, database: 3)
        #expect(try await uses.spend(.random()))
        let strict = try self.server(Self.rule)
        let other = try self.uses(of: strict, database: 3)
        #expect(await other.failure()?.description.contains("'select'") == true)
    }

    @Test func aPasswordThatChanges_isUsedForTheNextConnection() async throws {
        let server = try self.server(Self.rule)
        let present = NIOLockedValueBox(String?.none)
        let uses = try server.uses {
            $0.username = "verifier"
            $0.password = "older"
            $0.presentPassword = { present.withLockedValue { $0 } }
        }
        guard case .refused(code: "WRONGPASS", _) = await uses.failure() else {
            Issue.record("It is another failure.")
            return
        }
        present.withLockedValue { $0 = "secret" }
        #expect(await uses.recovers())
    }

    @Test(arguments: ["+get", "+set", "+time", "+eval"])
    func aMissingRight_isNamed(right: String) async throws {
        let server = try self.server(Self.rule.filter { $0 != right })
        let uses = try self.uses(of: server)
        let failure = try #require(await uses.failure())
        // If Redis 7.0 ends a script, the code is ERR.
        guard case .refused(_, let words) = failure else {
            Issue.record("It is \(failure).")
            return
        }
        #expect(words.lowercased().contains(right.dropFirst()), "\(words)")
    }

    /// The access list of a managed server forbids some of the commands that a memory needs.
    @Test func aManagedUser_needsThreeCommandsMore() async throws {
        let managed = ["+@read", "+@write", "+@connection", "-@dangerous"]
        let strict = try self.server(managed)
        let few = try self.uses(of: strict)
        guard case .restartsUnseen(let words) = await few.failure() else {
            Issue.record("It is another failure.")
            return
        }
        #expect(words.contains("NOPERM") && words.contains("'info'"), "\(words)")
        let enough = try self.server(managed + ["+info", "+eval", "+time"])
        let uses = try self.uses(of: enough)
        #expect(try await uses.spend(.random()))
    }

    @Test func aKeyOfAnotherPrefix_isRefused() async throws {
        let server = try self.server(Self.rule)
        let uses = try self.uses(of: server, prefix: "else")
        guard case .refused(code: "NOPERM", _) = await uses.failure() else {
            Issue.record("It is another failure.")
            return
        }
    }

    @Test func aRenamedInfo_isARestartThatIsNotSeen() async throws {
        let server = try RedisServer(["--rename-command", "INFO", ""])
        let failure = try #require(try await server.uses().failure())
        guard case .restartsUnseen(let words) = failure else {
            Issue.record("It is \(failure).")
            return
        }
        #expect(words.hasPrefix("ERR unknown command 'INFO'"), "\(words)")
    }

    /// Managed servers, and other programs with the protocol of Redis, may leave a field out.
    @Test(
        arguments: [
            "role", "connected_slaves", "master_replid", "master_repl_offset", "evicted_keys", "maxmemory_policy",
        ])
    func aFieldThatINFOLacks_isNamed(field: String) async throws {
        let server = try ScriptedRedis { command in
            let other = String(repeating: "x", count: field.utf8.count)
            return ScriptedRedis.primary(command)?.replacingOccurrences(of: "\(field):", with: "\(other):")
        }
        var configuration = RedisUsesConfiguration(servers: [server.address])
        configuration.timeout = 10
        #expect(await (try RedisMediaTokenUses(configuration)).failure() == .incompleteInfo(field: field))
        #expect(server.connections > 0)
    }

    @Test func anErrorOfRedis_keepsItsWords() async throws {
        let server = try RedisServer(["--maxclients", "1"])
        // This is the only client that Redis admits.
        let first = try RawSocket(path: server.folder.appendingPathComponent("redis.sock").path)
        try first.send(Data("PING\r\n".utf8))
        #expect(try first.line() == "+PONG")
        let failure = await (try server.uses()).failure()
        #expect(failure == .refused(code: "ERR", words: "max number of clients reached"))
        let renamed = try RedisServer(["--rename-command", "EVAL", ""])
        let other = await (try renamed.uses()).failure()?.description
        #expect(other?.hasPrefix("Redis answered with the error ERR unknown command 'EVAL'") == true, "\(other ?? "")")
        // Redis repeats the arguments: the script, and the name of the key.
        #expect(other?.contains("args") == false)
    }

    @Test(
        arguments: [
            ("-ERR invalid password secret-word for AUTH\r\n", RedisUsesError.refused(code: "ERR")),
            ("HTTP/1.1 400 Bad Request\r\n\r\n", .httpServer),
            ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{46}", .encryptedServer),
            ("220 mail.example ESMTP\r\n", .unreadableAnswer),
        ])
    func whatIsNoRedis_isTold(answer: String, failure: RedisUsesError) async throws {
        let server = try ScriptedRedis { _ in answer }
        var configuration = RedisUsesConfiguration(servers: [.host("127.0.0.1", port: server.port)])
        configuration.password = "secret-word"
        configuration.timeout = 10
        #expect(await (try RedisMediaTokenUses(configuration)).failure() == failure)
    }

    /// An answer without end would fill the memory of the verifier.
    @Test func anAnswerThatIsTooLong_isNotRead() async throws {
        let server = try ScriptedRedis { _ in ScriptedRedis.text(String(repeating: "x", count: 5 << 20)) }
        var configuration = RedisUsesConfiguration(servers: [server.address])
        configuration.timeout = 10
        #expect(await (try RedisMediaTokenUses(configuration)).failure() == .unreadableAnswer)
        #expect(server.connections > 0)
    }

    // The second field is that of Valkey from version 8 on.
    @Test(arguments: ["redis_mode", "server_mode"])
    func aSentinel_isTold(field: String) async throws {
        let server = try ScriptedRedis { command in
            command == "INFO server" ? ScriptedRedis.primary(command, mode: "sentinel", in: field) : nil
        }
        var configuration = RedisUsesConfiguration(servers: [.host("127.0.0.1", port: server.port)])
        configuration.timeout = 10
        #expect(await (try RedisMediaTokenUses(configuration)).failure() == .sentinel)
    }

    /// A Sentinel refuses what a Redis server of the same fleet accepts, in these words of Redis 7.0.
    @Test(arguments: [
        (
            "AUTH secret",
            "-ERR AUTH <password> called without any password configured for the default user. "
                + "Are you sure your configuration is correct?"
        ),
        ("AUTH verifier secret", "-WRONGPASS invalid username-password pair or user is disabled."),
        ("SELECT 3", "-ERR unknown command 'SELECT', with args beginning with: '3' "),
    ])
    func aSentinel_isTold_whenItRefusesTheLogin(command: String, refusal: String) async throws {
        for (mode, kind) in [("sentinel", "sentinel"), ("standalone", "refused")] {
            let server = try ScriptedRedis { sent in
                switch sent {
                case command: "\(refusal)\r\n"
                case "INFO server": ScriptedRedis.primary(sent, mode: mode)
                default: nil
                }
            }
            var configuration = RedisUsesConfiguration(servers: [.host("127.0.0.1", port: server.port)])
            configuration.timeout = 10
            let words = command.split(separator: " ").map(String.init)
            if words[0] == "AUTH" { configuration.password = words.last }
            if words.count == 3 { configuration.username = words[1] }
            if words[0] == "SELECT" { configuration.database = 3 }
            let failure = await (try RedisMediaTokenUses(configuration)).failure()
            #expect(failure?.kind == kind)
            #expect(failure?.description.contains("?.") == false)
        }
    }
}
