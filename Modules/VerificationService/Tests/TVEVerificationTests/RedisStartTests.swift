import Foundation
import TVEFleetFixture
import TVERedisUses
import TVETestTraits
import Testing

@testable import tve_verifier

/// A Redis that permanently cannot be used.
@Suite(.fourAtATime, .needs("redis-server"))
struct RedisStartTests {
    private static let managed = ["~tve:*", "+@read", "+@write", "+@connection", "-@dangerous"]

    private func start(_ redis: RedisServer, in fleet: Fleet) throws -> (child: Child, log: URL) {
        let file = fleet.folder.appendingPathComponent("start.yaml")
        let text = """
            requestors: [{ id: DEMO, keys: [demo.pem] }]
            callers: { anyone: true }
            drain: { delay: 0, limit: 600 }
            \(Fleet.redis(redis, "username: verifier, timeout: 2"))
            """
        try Data(text.utf8).write(to: file)
        let log = fleet.folder.appendingPathComponent("start.log")
        let environment = ["TVE_VERIFIER_LISTEN": "127.0.0.1:0", "TVE_VERIFIER_REDIS_PASSWORD": "secret"]
        let child = try Child(Verifier.executable, ["--config", file.path], environment: environment, output: log)
        return (child, log)
    }

    private func server(_ rights: [String]) throws -> RedisServer {
        try RedisServer(["--user", "verifier", "on", ">secret"] + rights)
    }

    @Test(.timeLimit(.hanging)) func withoutINFO_theStartEnds_andSaysWhy() throws {
        let fleet = try Fleet()
        let redis = try server(Self.managed)
        let (child, log) = try start(redis, in: fleet)
        #expect(child.ended() == 78)
        let text = try String(contentsOf: log, encoding: .utf8)
        #expect(text.contains("Without the command INFO, a restart of Redis would not be noticed"), "\(text)")
        #expect(text.contains("'info'"), "\(text)")
    }

    /// systemd starts a service again unless the status is 78.
    @Test(
        arguments: [
            (.restartsUnseen("NOPERM"), 78), (.unreachable("Too many open files"), 1),
        ] as [(RedisUsesError, Int32)])
    func anErrorAtTheStart_endsTheServiceForGood_onlyIfItLasts(error: RedisUsesError, status: Int32) {
        #expect(VerifierCommand.status(after: error) == status)
    }

    @Test(.timeLimit(.hanging)) func withTheRuleOfThePage_itStays() throws {
        let fleet = try Fleet()
        let redis = try server(Self.managed + ["+info", "+eval", "+time"])
        let (child, log) = try start(redis, in: fleet)
        let lines = ["Redis is connected.", "The service is listening."]
        #expect(
            waitUntil {
                let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
                return lines.allSatisfy(text.contains)
            })
        #expect(child.isRunning)
        child.signal(SIGTERM)
        #expect(child.ended() == 0)
    }
}
