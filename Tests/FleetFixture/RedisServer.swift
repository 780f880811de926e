#if VerificationService
public import Foundation
import TVEModels

/// A real `redis-server` on a free loopback port, with a folder of its own; it ends with the test.
public final class RedisServer: Sendable {
    /// Its port.
    public let port: Int
    /// Its folder; the Unix socket `redis.sock` lies there.
    public let folder: URL
    /// Its port for TLS; 0 without one.
    public var tlsPort: Int {
        arguments.firstIndex(of: "--tls-port").flatMap { Int(arguments[$0 + 1]) } ?? 0
    }
    private let arguments: [String]
    private let child: Guarded<Child>

    /// Starts a server that keeps nothing on disk.
    ///
    /// - Parameters:
    ///   - arguments: further settings, for example `--requirepass`.
    ///   - folder: where it lies; a new one when nil.
    public init(_ arguments: [String] = [], folder: URL? = nil) throws {
        port = try freePort()
        self.folder = try folder ?? temporaryFolder()
        let hasPort = arguments.contains("--port")
        self.arguments =
            (hasPort ? [] : ["--port", String(port)]) + [
                "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", self.folder.path,
                "--unixsocket", self.folder.appendingPathComponent("redis.sock").path,
                "--repl-diskless-sync-delay", "0",
            ] + arguments
        child = Guarded(try Self.launch(self.arguments, self.folder))
        try awaitReady()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func launch(_ arguments: [String], _ folder: URL) throws -> Child {
        let places = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/redis-server" }
        guard let program = places.first(where: FileManager.default.isExecutableFile) else {
            throw FixtureError("redis-server is not installed (apt-get install redis-server)")
        }
        return try Child(program, arguments, output: folder.appendingPathComponent("log"))
    }

    private func awaitReady() throws {
        let log = folder.appendingPathComponent("log")
        let isReady = waitUntil {
            (try? String(contentsOf: log, encoding: .utf8))?.contains("eady to accept connections") == true
        }
        guard isReady else {
            throw FixtureError("redis-server did not start: \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
        }
    }

    /// Ends it without a chance to do anything.
    public func kill() {
        let child = child.withLock { $0 }
        child.signal(SIGKILL)
        _ = child.ended()
    }

    /// Starts it again, with nothing in it.
    public func restart() throws {
        let new = try Self.launch(arguments, folder)
        child.withLock { $0 = new }
        try awaitReady()
    }

    /// Stops it in the middle of whatever it does.
    public func pause() { child.withLock { $0 }.signal(SIGSTOP) }

    /// Lets it go on.
    public func resume() { child.withLock { $0 }.signal(SIGCONT) }

    /// Asks it something over its Unix socket.
    ///
    /// - Parameter words: the command and its arguments, without blanks in them.
    /// - Returns: the first line of the answer, with its type's sign.
    @discardableResult
    public func ask(_ words: String...) throws -> String {
        let socket = try RawSocket(path: folder.appendingPathComponent("redis.sock").path)
        try socket.send(Data((words.joined(separator: " ") + "\r\n").utf8))
        return try socket.line()
    }
}

/// A new folder with a short path, since the path of a Unix socket has a limit.
public func temporaryFolder() throws -> URL {
    let folder = URL(fileURLWithPath: "/tmp/tve-\(UInt32.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}
#endif
