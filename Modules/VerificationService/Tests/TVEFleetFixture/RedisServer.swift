public import Foundation
import NIOConcurrencyHelpers
import TVEModels

/// A real `redis-server` on a free loopback port, with its own folder, which ends with the test.
public final class RedisServer: Sendable {
    /// The port of the server.
    public let port: Int
    /// The folder of the server, which contains the Unix socket `redis.sock`.
    public let folder: URL
    /// The port for TLS; 0 if there is none.
    public var tlsPort: Int {
        arguments.firstIndex(of: "--tls-port").flatMap { Int(arguments[$0 + 1]) } ?? 0
    }
    private let arguments: [String]
    private let child: NIOLockedValueBox<Child>

    /// Starts a server that stores nothing on disk.
    ///
    /// - Parameters:
    ///   - arguments: further settings, for example `--requirepass`.
    ///   - folder: the folder of the server; `nil` for a new one.
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
        child = NIOLockedValueBox(try Self.launch(self.arguments, self.folder))
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

    /// Kills the server without a shutdown.
    public func kill() {
        let child = child.withLockedValue { $0 }
        child.signal(SIGKILL)
        _ = child.ended()
    }

    /// Starts the server again, without its data.
    public func restart() throws {
        let new = try Self.launch(arguments, folder)
        child.withLockedValue { $0 = new }
        try awaitReady()
    }

    /// Kills the server and starts it again, without its data.
    @Sendable public func killAndRestart() throws {
        kill()
        try restart()
    }

    /// Suspends the server at any point of its work.
    public func pause() { child.withLockedValue { $0 }.signal(SIGSTOP) }

    /// Lets the server continue.
    public func resume() { child.withLockedValue { $0 }.signal(SIGCONT) }

    /// Sends a command over the Unix socket of the server.
    ///
    /// - Parameter words: the command and its arguments, none of which may contain spaces.
    /// - Returns: the first line of the answer, with the sign of its type.
    @discardableResult
    public func ask(_ words: String...) throws -> String {
        let socket = try RawSocket(path: folder.appendingPathComponent("redis.sock").path)
        try socket.send(Data((words.joined(separator: " ") + "\r\n").utf8))
        return try socket.line()
    }
}

/// Creates a folder with a short path, because the path of a Unix socket has a maximum length.
public func temporaryFolder() throws -> URL {
    let folder = URL(fileURLWithPath: "/tmp/tve-\(UInt32.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}
