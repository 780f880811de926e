import Foundation
import TVEFleetFixture
import TVETestTraits
import TVETokenVerification
import Testing

@testable import TVERedisUses

@Suite(.fourAtATime, .needs("redis-server", "openssl"))
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
        // The certificate contains the IP address of the server too.
        #expect(try await memory { $0.serverName = nil }.recovers())
    }

    @Test(.row("VP10")) func refusesAnotherAuthority_anotherName_andToComeWithoutACertificate() async throws {
        let other = try Certificates(in: try temporaryFolder())
        let changes: [(change: (inout RedisTLS) -> Void, words: String)] = [
            ({ $0.authorityFile = other.authority.path }, "of an unknown authority"),
            ({ $0.authorityFile = nil }, "of an unknown authority"),
            ({ $0.serverName = "redis.example" }, "for another name"),
            ({ $0.serverName = "127.0.0.2" }, "for another name"),
            ({ $0.certificateFile = certificates.client.path + ".none" }, ""),
        ]
        for (change, words) in changes {
            let failure = await (try memory(change)).failure()
            guard case .tls(let reason) = failure, words.isEmpty || reason.contains(words) else {
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
            $0.timeout = 5
        }
        // The error must not be the answer of a Redis that understood the command.
        let expected: [RedisUsesError] = [.unanswered, .encryptedServer]
        // A call may be over before the server has answered.
        waitUntil { plain.failure.map(expected.contains) ?? false }
        let start = ContinuousClock.now
        for _ in 0..<3 {
            let failure = try #require(await plain.failure())
            #expect(expected.contains(failure), "\(failure)")
        }
        let taken = start.duration(to: .now)
        // A connection without a time limit would wait for a silent server until the test is ended.
        #expect(taken < .seconds(60), "\(taken)")
        // The connection only lacked TLS.
        #expect(try await memory().recovers())
    }

    /// Unless it is configured otherwise, OpenSSL asks a terminal or standard input for a pass phrase.
    @Test(.timeLimit(.hanging)) func anEncryptedKey_asksNobodyForItsPassPhrase() throws {
        let encrypted = server.folder.appendingPathComponent("encrypted.key")
        let arguments = [
            "pkcs8", "-topk8", "-v2", "aes-256-cbc", "-passout", "pass:secret", "-in", certificates.clientKey.path,
            "-out",
            encrypted.path,
        ]
        let log = server.folder.appendingPathComponent("pkcs8.log")
        #expect(try Child("/usr/bin/openssl", arguments, output: log).ended() == 0)
        // Standard input offers the pass phrase to any reader.
        let input = Pipe()
        input.fileHandleForWriting.write(Data("secret\n".utf8))
        let own = dup(STDIN_FILENO)
        dup2(input.fileHandleForReading.fileDescriptor, STDIN_FILENO)
        defer {
            dup2(own, STDIN_FILENO)
            close(own)
        }
        func context(_ key: URL) throws {
            _ = try RedisTLSContext(RedisTLS(certificateFile: certificates.client.path, keyFile: key.path))
        }
        try context(certificates.clientKey)
        #expect(throws: RedisUsesError.self) { try context(encrypted) }
    }

    @Test func anEncryptedConnection_toAPlainPort_isTold() async throws {
        let plain = try RedisServer()
        let encrypted = try plain.uses {
            $0.tls = RedisTLS(authorityFile: certificates.authority.path)
            $0.timeout = 0.2
        }
        // On a busy machine an attempt may end before its greeting, and another one follows.
        let isTold = waitUntil {
            guard case .tls(let reason) = encrypted.failure else { return false }
            return reason.contains("name its port with TLS")
        }
        #expect(isTold, "\(String(describing: encrypted.failure))")
    }
}
