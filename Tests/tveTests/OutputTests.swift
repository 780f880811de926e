import Foundation
import TestTraits
import Testing

/// What cannot be written never counts as written.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct OutputTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var store: String { folder.path("store") }

    /// Runs the tool with its streams as a shell redirects them; both streams of the shell come back.
    private func run(_ arguments: [String], _ redirection: String) async throws -> Tool {
        try await Tool.run(
            ["-c", "\"$0\" \"$@\" \(redirection)", Tool.executable.path] + arguments,
            of: URL(fileURLWithPath: "/bin/sh"))
    }

    private func makeStore() async throws {
        let tool = try await Tool.run(["storage", "put", "a", "--directory", store], input: "value")
        #expect(tool.status == 0)
    }

    private static let facts = [
        ["storage", "export", "-"], ["storage", "ls"], ["storage", "ls", "--json"], ["storage", "check"],
        ["storage", "get", "a", "--show-secrets"], ["storage", "path"], ["stats"], ["--help"], ["--version"], ["demo"],
        ["demo", "--json"], ["demo-sso"], ["sandbox", "--port", "0"], ["sandbox", "--port", "0", "--json"],
        ["--generate-completion-script", "bash"],
    ]

    @Test(arguments: facts, [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")])
    func endsWithTwo_whenFactsCannotBeWritten(command: [String], closed: (redirection: String, reason: String))
        async throws
    {
        try await makeStore()
        let hasStore = command[0] == "storage" || command[0] == "stats"
        let tool = try await run(command + (hasStore ? ["--directory", store] : []), closed.redirection)
        #expect(tool.status == 2)
        #expect(
            tool.output.hasPrefix("Error: Standard output cannot be written: \(closed.reason) (error "),
            "\(tool.output)")
    }

    @Test(arguments: ["2>&-", "2> /dev/full", "2>&- <&-"])
    func doctorTellsItsFindings_whenNotesCannotBeWritten(redirection: String) async throws {
        let desk = try await Desk()
        let good = try await run(desk.full(["doctor", "--json"]), redirection)
        #expect(good.status == 2 && good.output.hasPrefix("{\"findings\":["), "\(good.output)")
        let bad = try await run(["doctor", "--json", "--service", "http://127.0.0.1:1"], redirection)
        #expect(bad.status == 1 && bad.output.hasPrefix("{\"findings\":["), "\(bad.output)")
    }

    @Test func usageErrorsKeepTheirCode_withoutStandardError() async throws {
        #expect(try await run(["nope"], "2>&-").status == 64)
        #expect(try await run(["storage", "ls", "--directory", folder.path("none")], "2> /dev/full").status == 2)
    }

    @Test func failedExportLeavesNoFile_inTheWayOfTheNext() async throws {
        let large = String(repeating: "x", count: 1 << 20)
        #expect(try await Tool.run(["storage", "put", "a", "--directory", store], input: large).status == 0)
        let file = folder.path("export")
        let failed = try await Tool.run(
            [
                "-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"", Tool.executable.path, "storage", "export", file,
                "--directory", store,
            ], of: URL(fileURLWithPath: "/bin/sh"))
        #expect(failed.status == 2 && failed.output.contains("\(file) cannot be written: "), "\(failed.output)")
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try await Tool.run(["storage", "export", file, "--directory", store]).status == 0)
    }

    @Test func exportsIntoAPipeOrADevice_withoutReplacingIt() async throws {
        try await makeStore()
        let pipe = folder.path("pipe")
        unsafe #expect(mkfifo(pipe, 0o600) == 0)
        // Open for both, so that nothing waits for a writer or a reader that does not come.
        let export = ["storage", "export", pipe, "--directory", store]
        let tool = try await Tool.run(
            [
                "-c",
                "exec 3<>'\(pipe)'; \"$0\" \"$@\"; code=$?; echo nothing >&3; read -r line <&3; echo \"$line\"; exit $code",
                Tool.executable.path,
            ] + export, of: URL(fileURLWithPath: "/bin/sh"))
        #expect(tool.status == 0 && tool.output == "{\"key\":\"a\",\"value\":\"dmFsdWU=\"}\n", "\(tool.output)")
        var status = stat()
        unsafe #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        let full = try await Tool.run(["storage", "export", "/dev/full", "--directory", store])
        #expect(
            full.status == 2 && full.output.contains("/dev/full cannot be written: No space left"), "\(full.output)")
        let regular = try folder.file("regular", "precious")
        let refused = try await Tool.run(["storage", "export", regular, "--directory", store])
        #expect(refused.status == 64 && refused.output.contains("exists already"))
        #expect(try String(contentsOfFile: regular, encoding: .utf8) == "precious")
    }

    /// A pseudo terminal, as `script` makes one.
    @Test(arguments: [("dumb", false), ("xterm", true)])
    func writesOverLines_onlyWhereTheTerminalObeys(terminal: String, rewrites: Bool) async throws {
        let console = try Console()
        let command = "TERM=\(terminal) exec '\(Tool.executable.path)' doctor --service http://127.0.0.1:1"
        let process = try console.start(["-c", command], of: URL(fileURLWithPath: "/bin/sh"))
        let text = await console.everything()
        await process.ended()
        #expect(text.contains("Waiting for the service"), "\(text)")
        #expect(text.contains("\u{1B}") == rewrites, "\(text.debugDescription)")
    }
}

/// A pseudo terminal, whose other end is a program's three streams.
final class Console: Sendable {
    private let ours: Int32
    private let theirs: FileHandle

    init() throws {
        #if canImport(Darwin)
        ours = posix_openpt(O_RDWR | O_NOCTTY)
        try #require(ours >= 0 && grantpt(ours) == 0 && unlockpt(ours) == 0)
        let name = try #require(ptsname(ours).map { String(cString: $0) })
        #else
        // The C library declares those functions only for programs that ask for them; these requests are what they do.
        ours = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, Int32) = (0, 0)
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        try unsafe #require(ours >= 0 && ioctl(ours, setLock, &lock) == 0 && ioctl(ours, getNumber, &number) == 0)
        let name = "/dev/pts/\(number)"
        #endif
        let end = unsafe open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(end >= 0)
        theirs = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    }

    deinit { close(ours) }

    func start(_ arguments: [String], of program: URL = Tool.executable) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        (process.standardInput, process.standardOutput, process.standardError) = (theirs, theirs, theirs)
        try Tool.launch(process)
        // Now only the program has it: its end is the end of the text.
        try theirs.close()
        return process
    }

    func type(_ text: String) {
        _ = unsafe Array(text.utf8).withUnsafeBytes { unsafe write(ours, $0.baseAddress, $0.count) }
    }

    /// The text up to a part of it, or to the end if it never comes.
    func text(upTo part: String) async -> String { await read { $0.contains(part) } }

    /// The text up to the program's end.
    func everything() async -> String { await read { _ in false } }

    private func read(until isEnough: @escaping @Sendable (String) -> Bool) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [ours] in
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4_096)
                while !isEnough(String(decoding: bytes, as: UTF8.self)) {
                    let count = unsafe Foundation.read(ours, &buffer, buffer.count)
                    // A terminal whose other end is closed fails with EIO.
                    if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { break }
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}
