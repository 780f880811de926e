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
        let started = try Self.start(arguments, folder ?? temporaryFolder())
        port = started.port
        self.folder = started.folder
        self.arguments = started.arguments
        child = NIOLockedValueBox(started.child)
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A server that accepts connections.
    private struct Started {
        let port: Int
        let folder: URL
        let arguments: [String]
        let child: Child
    }

    /// Starts a server, once more with other ports if another program has taken one of them in the meantime.
    private static func start(_ given: [String], _ folder: URL) throws -> Started {
        var given = given
        var attempts = 0
        while true {
            let port = try freePort()
            let arguments =
                (given.contains("--port") ? [] : ["--port", String(port)]) + [
                    "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder.path,
                    "--unixsocket", folder.appendingPathComponent("redis.sock").path,
                    "--repl-diskless-sync-delay", "0",
                ] + given
            let child = try launch(arguments, folder)
            do {
                try awaitReady(child, folder)
                return Started(port: port, folder: folder, arguments: arguments, child: child)
            } catch {
                attempts += 1
                guard attempts < 5, "\(error)".contains("Address already in use") else {
                    try? FileManager.default.removeItem(at: folder)
                    throw error
                }
                given = try withOtherPorts(given)
            }
        }
    }

    private static func withOtherPorts(_ arguments: [String]) throws -> [String] {
        var arguments = arguments
        for index in arguments.indices.dropLast() where ["--tls-port", "--cluster-port"].contains(arguments[index]) {
            arguments[index + 1] = String(try freePort())
        }
        return arguments
    }

    private static func launch(_ arguments: [String], _ folder: URL) throws -> Child {
        let places = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/redis-server" }
        guard let program = places.first(where: FileManager.default.isExecutableFile) else {
            throw FixtureError("redis-server is not installed (apt-get install redis-server)")
        }
        return try Child(program, arguments, output: folder.appendingPathComponent("log"))
    }

    private static func awaitReady(_ child: Child, _ folder: URL) throws {
        func log() -> String {
            (try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)) ?? ""
        }
        func isReady() -> Bool { log().contains("eady to accept connections") }
        waitUntil { isReady() || !child.isRunning }
        guard isReady() else { throw FixtureError("redis-server did not start: \(log())") }
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
        try Self.awaitReady(new, folder)
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
///
/// It is a new one, with the usual mode, and so are the files that tests create in it.
public func temporaryFolder() throws -> URL {
    _ = earlierMask
    let folder = URL(fileURLWithPath: "/tmp/tve-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
}

/// The mask for the modes of new files before the first folder was created, since which it is 022.
///
/// On some systems the mask of a user lets the group write, and verifiers read no file that a group can change.
private let earlierMask = umask(0o022)
