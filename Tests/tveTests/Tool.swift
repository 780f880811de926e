import Foundation
import TVEModels
import TVESandbox
import TVETestTraits

/// A finished run of the built `tve`, with its exit code and its output.
struct Tool {
    let status: Int32
    let output: String

    /// The first line of the output that explains why a step failed.
    var failure: String? {
        output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix("failed") }
    }

    static var executable: URL {
        URL.builtPrograms.appendingPathComponent("tve")
    }

    /// The environment of a run of the tool.
    ///
    /// The time limit only ends an exchange that hangs, because hundreds of tests share the machine with the tool. The
    /// environment also contains a key for the sandboxes, because creating one takes longer than most tests. Each run
    /// has a new place for its stores, because without `--directory` it would use those of the person at the machine.
    static var environment: [String: String] {
        sharedEnvironment.merging(["XDG_DATA_HOME": places.appendingPathComponent(UUID().uuidString).path]) { $1 }
    }

    private static let sharedEnvironment = ProcessInfo.processInfo.environment.filter { $0.key != "NO_COLOR" }
        .merging(["TVE_TIMEOUT": "600", "TVE_SANDBOX_KEY": keyFile]) { $1 }

    /// The folder of these places, which is removed when the tests have ended.
    private static let places: URL = {
        atexit { try? FileManager.default.removeItem(at: Tool.places) }
        return URL.testFolder.appendingPathComponent("tve-places-\(UUID().uuidString)")
    }()

    /// The path of a key in the folder of the programs, which this run and later ones use.
    private static let keyFile: String = {
        let file = executable.deletingLastPathComponent().appendingPathComponent("sandbox-key.pem")
        if (try? SandboxKey(privateKeyPEM: String(contentsOf: file, encoding: .utf8))) == nil {
            try? SandboxKey.ofThisProcess.get().privateKeyPEM.write(to: file, atomically: true, encoding: .utf8)
        }
        return file.path
    }()

    private static let launches = Lock()

    /// Starts a process, but never two at the same time, because Foundation iterates over all open files in this call.
    static func launch(_ process: Process) throws {
        try launches.withLock { try begin(process) }
    }

    /// Creates a pipe, but never while a process starts.
    ///
    /// A process inherits the files that are opened after Foundation has listed those that it closes. If another
    /// program had the ends of a pipe, the output or the input of the right one would seem to go on.
    static func pipe() -> Pipe { launches.withLock { Pipe() } }

    /// Starts a process that is ended by the signal of a closed terminal.
    ///
    /// A child inherits that a signal is ignored, and `nohup` makes the tests ignore this one.
    private static func begin(_ process: Process) throws {
        let before = signal(SIGHUP, SIG_DFL)
        defer { signal(SIGHUP, before) }
        try process.run()
    }

    /// Starts `tve` for a test that reads its output while it runs.
    static func start(_ arguments: [String], input: FileHandle? = nil) throws -> (process: Process, output: Pipe) {
        let process = Process()
        let output = pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.environment = environment
        if let input { process.standardInput = input }
        try launch(process)
        return (process, output)
    }

    static func run(_ arguments: [String], input: String? = nil, of program: URL = executable) async throws -> Tool {
        let process = Process()
        let pipe = Self.pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        process.environment = environment
        let source = Self.pipe()
        if input != nil { process.standardInput = source }
        try launch(process)
        if let input {
            let handle = source.fileHandleForWriting
            Thread.detachNewThread {
                try? handle.write(contentsOf: Data(input.utf8))
                try? handle.close()
            }
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Reading blocks, so it has its own thread and does not occupy one that other tests need.
                Thread.detachNewThread {
                    let output = pipe.fileHandleForReading.bytes()
                    process.waitForEnd()
                    continuation.resume(
                        returning: Tool(
                            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self)))
                }
            }
        } onCancel: {
            process.end()
        }
    }
}

/// A temporary folder that is removed when this object is deallocated.
final class Folder: Sendable {
    let url = URL.testFolder.appendingPathComponent("tve-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the path of a file in the folder.
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file in the folder and returns its path.
    func file(_ name: String, _ content: String) throws -> String {
        try Data(content.utf8).write(to: url.appendingPathComponent(name))
        return path(name)
    }
}

/// A sandbox and a store for the commands of a test.
final class Desk {
    let sandbox: Sandbox
    let folder: Folder
    let dialect: String
    private var world: SandboxWorld
    /// A Boolean value that indicates whether a run goes on with the pace of the last one.
    ///
    /// Most tests run more commands than the pace allows, and would only wait.
    var keepsPace = false

    init(
        _ dialect: String = "classic", host: String = "127.0.0.1", _ change: (inout SandboxWorld) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        self.dialect = dialect
        var world = SandboxWorld.demo.strict
        // A run without the pace of the last one does not know the number of requests that earlier runs have sent.
        world.behavior.isThrottled = false
        change(&world)
        self.world = world
        sandbox = try await Sandbox(world: world, host: host, now: now)
        folder = try Folder()
    }

    /// Changes the sandbox between two commands.
    func change(_ change: (inout SandboxWorld) -> Void) throws {
        change(&world)
        try sandbox.apply(world)
    }

    /// The path of the store's directory, which does not exist at first.
    var store: String { folder.path("store") }

    func run(_ arguments: String...) async throws -> Tool { try await run(arguments) }

    func run(_ arguments: [String]) async throws -> Tool { try await Tool.run(full(arguments)) }

    /// Returns a command's arguments with the sandbox, the dialect and the store, unless they are given already.
    ///
    /// The store then has no pace of earlier runs, unless the test needs it.
    func full(_ arguments: [String]) -> [String] {
        var all = arguments
        for (option, value) in [
            ("--service", sandbox.baseURL.absoluteString), ("--dialect", dialect), ("--directory", store),
        ] where !arguments.contains(option) { all += [option, value] }
        if let directory = all.drop(while: { $0 != "--directory" }).dropFirst().first { forgetPace(in: directory) }
        return all
    }

    /// Removes the pace of earlier runs from a store, unless the test needs it.
    func forgetPace(in directory: String) {
        if !keepsPace { try? FileManager.default.removeItem(atPath: "\(directory)/pace.json") }
    }

    func logIn(_ more: String..., password: String = "secret") async throws -> Tool {
        try await run(["login", "--provider", "demo-cable", "--headless", "viewer", "--password", password] + more)
    }
}

extension Pipe {
    /// Returns the output up to this number of line ends.
    ///
    /// The wait has its own thread, because tasks share only a few threads.
    func read(lines: Int) async -> Data {
        let handle = fileHandleForReading
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: handle.bytes(lines: lines)) }
        }
    }
}

extension FileHandle {
    /// Returns the bytes up to the end, up to this number of line ends, or until no byte comes for too long.
    ///
    /// Foundation's own methods crash the program when a signal interrupts them. The end of a child sends a signal.
    func bytes(lines wanted: Int = .max) -> Data {
        var bytes = Data()
        var lines = 0
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while lines < wanted {
            var watched = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&watched, 1, Int32(Duration.hanging.components.seconds * 1_000))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { break }
            let count = unsafe Foundation.read(fileDescriptor, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer[..<count]
                lines += buffer[..<count].count { $0 == UInt8(ascii: "\n") }
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        return bytes
    }
}
