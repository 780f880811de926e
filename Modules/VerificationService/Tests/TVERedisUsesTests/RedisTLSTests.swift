import Foundation
import TVEFleetFixture
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import Testing

@Suite(.oneAtATime, .needs("redis-server", "openssl"))
struct RedisTLSTests {
    private let certificates: Certificates
    private let server: RedisServer

    init() throws {
        let folder = try temporaryFolder()
        certificates = try Certificates(in: folder)
        server = try RedisServer(
            [
                "--port", "0", "--tls-port", String(try freePort()), "--tls-cert-file", certificates.server.path,
                "--tls-key-file", certificates.serverKey.path, "--tls-ca-cert-file", certificates.authority.path,
                "--tls-auth-clients", "yes", "--requirepass", "correct",
            ], folder: folder)
    }

    private func memory(_ change: (inout RedisTLS) -> Void = { _ in }) throws -> RedisMediaTokenUses {
        var tls = RedisTLS(
            authorityFile: certificates.authority.path, certificateFile: certificates.client.path,
            keyFile: certificates.clientKey.path, serverName: "localhost")
        change(&tls)
        return try server.uses {
            $0.servers = [.host("127.0.0.1", port: server.tlsPort)]
            $0.password = "correct"
            $0.tls = tls
        }
    }

    @Test func keepsThePromises() async throws {
        #expect(
            try await MediaTokenUsesConformance.violations(isShared: true, restart: server.killAndRestart) {
                try memory()
            } == [])
        // By its IP address, which is in the certificate too.
        #expect(try await memory { $0.serverName = nil }.recovers())
    }

    @Test(.row("VP10")) func refusesAnotherAuthority_anotherName_andToComeWithoutACertificate() async throws {
        let other = try Certificates(in: try temporaryFolder())
        for change: (inout RedisTLS) -> Void in [
            { $0.authorityFile = other.authority.path }, { $0.authorityFile = nil },
            { $0.serverName = "redis.example" }, { $0.serverName = "127.0.0.2" },
            { $0.certificateFile = certificates.client.path + ".none" },
        ] {
            let uses = try memory(change)
            let failure = await uses.failure()
            guard case .tls = failure else {
                Issue.record("It is \(String(describing: failure)).")
                continue
            }
        }
        let uses = try memory { $0.certificateFile = nil }
        #expect(await uses.failure() != nil)
    }

    @Test(.row("VP11")) func aPlainConnection_isAnErrorInTime() async throws {
        let plain = try server.uses {
            $0.servers = [.host("127.0.0.1", port: server.tlsPort)]
            $0.password = "correct"
            $0.timeout = 0.3
        }
        // Not the answer of a Redis that understood the question.
        let expected: [RedisUsesError] = [.timedOut, .disconnected, .unreadableAnswer]
        let start = ContinuousClock.now
        for _ in 0..<3 {
            let failure = try #require(await plain.failure())
            #expect(expected.contains(failure), "\(failure)")
        }
        let taken = start.duration(to: .now)
        // A server that says nothing would be waited for until the test is ended.
        #expect(taken < .seconds(60), "\(taken)")
        // What it lacked is TLS.
        #expect(try await memory().recovers())
    }
}
