public import Foundation

/// A real `tve-verifier` on a free loopback port, which ends with the test.
public final class Verifier: Sendable {
    /// The port of the verifier.
    public let port: Int
    /// The running program.
    public let child: Child
    private let log: URL

    /// The path of the program.
    ///
    /// The default is the program beside the tests. The environment variable `TVE_VERIFIER` selects another one, for
    /// example an optimized one.
    public static var executable: String {
        ProcessInfo.processInfo.environment["TVE_VERIFIER"]
            ?? builtPrograms.appendingPathComponent("tve-verifier").path
    }

    /// The folder of the test bundle.
    ///
    /// The first argument is of no use here, because on macOS it is a program of the toolchain.
    private static var builtPrograms: URL {
        let tests = Bundle(for: Verifier.self)
        let isBundle = tests.bundleURL.pathExtension == "xctest"
        return (isBundle ? tests.bundleURL : tests.executableURL ?? tests.bundleURL).deletingLastPathComponent()
    }

    /// Starts a verifier and waits until it listens.
    ///
    /// - Parameters:
    ///   - configuration: the configuration, in YAML and without `listen`.
    ///   - folder: the folder for the configuration, at which its relative paths start.
    ///   - environment: further environment variables.
    public init(_ configuration: String, in folder: URL, environment: [String: String] = [:]) throws {
        let file = folder.appendingPathComponent("verifier-\(UInt32.random(in: .min ... .max)).yaml")
        try Data(configuration.utf8).write(to: file)
        let log = file.appendingPathExtension("log")
        self.log = log
        let listen = ["TVE_VERIFIER_LISTEN": "127.0.0.1:0"].merging(environment) { $1 }
        let child = try Child(Self.executable, ["--config", file.path], environment: listen, output: log)
        self.child = child
        var port: Int?
        waitUntil {
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            port = text.firstMatch(of: /"The service is listening.","address":"[^"]*:([0-9]+)"/).flatMap { Int($0.1) }
            return port != nil || !child.isRunning
        }
        guard let port else {
            throw FixtureError("tve-verifier did not start: \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
        }
        self.port = port
    }

    /// The whole lines of the log so far; empty if its folder has been removed.
    ///
    /// The verifier may be writing another line.
    public var logged: String {
        let bytes = (try? Data(contentsOf: log)) ?? Data()
        let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? bytes.startIndex
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// Opens a connection to the verifier.
    public func connect() throws -> RawSocket { try RawSocket(port: port) }

    /// Verifies one token over a new connection.
    public func verify(_ fields: [String: Any], headers: [String: String] = [:]) throws -> HTTPAnswer {
        let body = try JSONSerialization.data(withJSONObject: fields)
        return try connect().request("POST", "/v1/verify", body: body, headers: headers)
    }

    /// Waits until the memory grants tokens of the current second.
    ///
    /// This is so once the memory has begun and a new second has begun after that.
    public func remembers() {
        waitUntil { (try? get("/readyz").status) == 200 }
        let next = Date().timeIntervalSince1970.rounded(.up)
        waitUntil { Date().timeIntervalSince1970 > next }
    }

    /// Requests a page.
    public func get(_ path: String, headers: [String: String] = [:]) throws -> HTTPAnswer {
        try connect().request("GET", path, headers: headers)
    }

    /// Waits until the verifier reports that it is ready, or that it is not.
    @discardableResult
    public func becomes(ready: Bool) -> Bool {
        waitUntil { (try? get("/readyz").status) == (ready ? 200 : 503) }
    }
}
