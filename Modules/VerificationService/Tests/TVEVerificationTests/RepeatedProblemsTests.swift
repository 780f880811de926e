import Foundation
import Logging
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVEModels
import TVERedisUses
import TVETestTraits
import TVETokenVerification
import TVEVerification
import Testing

@testable import tve_verifier

/// Problems of files that are read every other second, which the log would otherwise contain as often.
struct RepeatedProblemsTests {
    /// A log handler that keeps the messages, for all its copies.
    private struct Messages: LogHandler {
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]
        private let all = NIOLockedValueBox<[String]>([])

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        var logger: Logger { Logger(label: "") { _ in self } }

        func log(event: LogEvent) { all.withLockedValue { $0.append(event.message.description) } }

        func count(of sentence: String) -> Int {
            all.withLockedValue { $0.count { $0.hasPrefix(sentence) } }
        }
    }

    private let messages = Messages()
    private static let earlierContents = "New connections to Redis still use the earlier contents of the files."

    private static func set(_ mode: Int, _ file: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    @Test func aProblemOfAKeyDirectory_isLoggedOnce_andAgainWhenItComesBack() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let directory = KeyDirectory(
            path: folder.path, keys: MediaTokenKeySet(), requestor: "DEMO", logger: messages.logger,
            metrics: PrometheusRegistry())
        let files = ["demo.pem", "demo.jks"].map { folder.appendingPathComponent($0) }
        for times in 1...2 {
            for file in files { try Data("text".utf8).write(to: file) }
            for _ in 0..<3 { #expect(directory.load().count == 1) }
            #expect(messages.count(of: "demo.pem cannot be used as a key.") == times)
            #expect(messages.count(of: "The file demo.jks is ignored.") == times)
            for file in files { try FileManager.default.removeItem(at: file) }
            for _ in 0..<2 { #expect(directory.load().isEmpty) }
            #expect(messages.count(of: "The key directory has no problem any more.") == times)
        }
    }

    @Test(.row("VP16")) func aBrokenLinkInAKeyDirectory_isLogged_andItsKeyIsGone() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let target = folder.appendingPathComponent("target")
        try Data(Mint.shared.get().publicKey.utf8).write(to: target)
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("demo.pem").path, withDestinationPath: "target")
        let keys = MediaTokenKeySet()
        let directory = KeyDirectory(
            path: folder.path, keys: keys, requestor: "DEMO", logger: messages.logger, metrics: PrometheusRegistry())
        #expect(directory.load().isEmpty)
        #expect(keys.keys.map(\.name) == ["demo"])
        try FileManager.default.removeItem(at: target)
        #expect(directory.load() == [.brokenLink("demo.pem")])
        #expect(keys.keys.isEmpty)
        #expect(messages.count(of: "demo.pem is a link to a file that does not exist.") == 1)
    }

    /// Otherwise each of the two callers could ask for the requestors of both.
    @Test(.row("VP13")) func aKeyOfTwoLines_isThatOfTheFirst_andAProblem() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("callers")
        let file = CallerKeyFile(
            path: path.path, configured: ["ONE", "TWO"], logger: messages.logger, metrics: PrometheusRegistry())
        func key(_ letter: Character) -> String { String(repeating: letter, count: 24) }
        try writeSecret("a \(key("a")) ONE\nb \(key("a")) TWO\nc \(key("c")) ONE TWO\n", to: path)
        file.load()
        #expect(file.problems == [.repeatedKey(line: 2)])
        #expect(file.keys.count == 2)
        #expect(CallerKeyFile.problems(path: path.path, ["ONE", "TWO"]) == [.repeatedKey(line: 2)])
        #expect(messages.count(of: "Line 2 of the callers' file has the key of an earlier line") == 1)
    }

    @Test func aProblemOfTheFilesForRedis_isLoggedOnce_andAgainWhenItComesBack() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("password")
        try writeSecret("secret", to: file)
        let watch = RedisFileWatch(
            RedisUsesConfiguration(servers: []), passwordFile: file.path, logger: messages.logger,
            metrics: PrometheusRegistry())
        let sentence = "\(Self.earlierContents) \(file.path) contains a secret"
        for times in 1...2 {
            try Self.set(0o644, file)
            for _ in 0..<3 { #expect(!watch.look()) }
            #expect(messages.count(of: sentence) == times)
            try Self.set(0o600, file)
            for _ in 0..<2 { #expect(watch.look()) }
            #expect(messages.count(of: "The files for the connection to Redis have no problem any more.") == times)
        }
    }

    /// Connections and requests look at the same time, and a look may have begun before the files changed.
    @Test func theLatestLookAtTheFilesForRedis_counts() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("password")
        try writeSecret("secret", to: file)
        let registry = PrometheusRegistry()
        let watch = RedisFileWatch(
            RedisUsesConfiguration(servers: []), passwordFile: file.path, logger: messages.logger, metrics: registry)
        for round in 0..<300 {
            let count = round % 2
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                // A later look would correct the metric.
                if number == 7 { try? Self.set(count == 1 ? 0o644 : 0o600, file) }
                _ = watch.look()
            }
            #expect(registry.page.contains("tve_memory_file_problems \(count)\n"), "\(round)")
        }
    }

    /// Nobody would notice until Redis has another password.
    @Test(arguments: [nil, "", "\n"] as [String?])
    func aPasswordFileWithoutAPassword_isLoggedOnce_andTheLastPasswordStays(content: String?) throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("password")
        let registry = PrometheusRegistry()
        let watch = RedisFileWatch(
            RedisUsesConfiguration(servers: []), passwordFile: file.path, logger: messages.logger, metrics: registry)
        for times in 1...2 {
            try writeSecret("secret", to: file)
            #expect(watch.password() == "secret")
            #expect(watch.warnings.isEmpty)
            #expect(registry.page.contains("tve_memory_file_problems 0"))
            if let content { try writeSecret(content, to: file) } else { try FileManager.default.removeItem(at: file) }
            for _ in 0..<3 { #expect(watch.password() == "secret") }
            #expect(watch.warnings.count == 1)
            #expect(registry.page.contains("tve_memory_file_problems 1"))
            #expect(messages.count(of: "\(Self.earlierContents) \(file.path)") == times)
        }
    }

    @Test func aPrivateKeyInAFileOfCertificates_isAProblem_whileEverybodyCanReadIt() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = ["authority", "certificate", "key"]
        let files = names.map { folder.appendingPathComponent($0) }
        for file in files { try writeSecret("-----BEGIN PRIVATE KEY-----", to: file) }
        var redis = RedisUsesConfiguration(servers: [])
        redis.tls = RedisTLS(
            authorityFile: files[0].path, certificateFile: files[1].path, keyFile: files[2].path, serverName: nil)
        let watch = RedisFileWatch(
            redis, passwordFile: nil, logger: messages.logger, metrics: PrometheusRegistry())
        #expect(watch.look())
        for file in files {
            try Self.set(0o644, file)
            #expect(!watch.look())
            #expect(messages.count(of: "\(Self.earlierContents) \(file.path)") == 1)
            try Self.set(0o600, file)
        }
        try Data("-----BEGIN CERTIFICATE-----".utf8).write(to: files[1])
        try Self.set(0o644, files[1])
        #expect(watch.look())
    }

    /// The file is read again because another line has changed.
    @Test func aProblemOfTheCallersFile_isLoggedOnce_andAgainWhenItComesBack() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("callers")
        let file = CallerKeyFile(
            path: path.path, configured: ["DEMO"], logger: messages.logger, metrics: PrometheusRegistry())
        for times in 1...2 {
            for letter in ["a", "b", "c"] {
                try writeSecret("short\nplayback \(String(repeating: letter, count: 24))\n", to: path)
                file.load()
                #expect(file.problems == [.line(1)])
            }
            #expect(messages.count(of: "Line 1 of the callers' file") == times)
            try writeSecret("playback \(String(repeating: "d", count: 24))\n", to: path)
            file.load()
            #expect(file.problems.isEmpty)
            #expect(messages.count(of: "The callers' file has no problem any more.") == times)
        }
    }
}
