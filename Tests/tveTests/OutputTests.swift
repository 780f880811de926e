import Foundation
import TVEStorage
import TVETestTraits
import Testing

/// Tests that output that cannot be written is never treated as written.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct OutputTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var store: String { folder.path("store") }

    /// Runs the tool with its streams redirected by a shell, and returns both output streams of the shell.
    private func run(_ arguments: [String], _ redirection: String) async throws -> Tool {
        try await Tool.run(
            ["-c", "\"$0\" \"$@\" \(redirection)", Tool.executable.path] + arguments,
            of: URL(fileURLWithPath: "/bin/sh"))
    }

    private func makeStore(_ value: String = "value") throws {
        try folder.sealedStore().apply([.put(StorageKey("a"), Data(value.utf8))])
    }

    /// A stream that is open for reading fails at each write, on every system.
    @Test(arguments: ["2>&-", "2< /dev/null", "2>&- <&-"])
    func doctorTellsItsFindings_whenNotesCannotBeWritten(redirection: String) async throws {
        let desk = try await Desk()
        let good = try await run(desk.full(["doctor", "--json"]), redirection)
        #expect(good.status == 2 && good.output.hasPrefix("{\"findings\":["), "\(good.output)")
        let bad = try await run(["doctor", "--json", "--service", "http://127.0.0.1:1"], redirection)
        #expect(bad.status == 1 && bad.output.hasPrefix("{\"findings\":["), "\(bad.output)")
    }

    @Test func usageErrorsKeepTheirCode_withoutStandardError() async throws {
        #expect(try await run(["nope"], "2>&-").status == 64)
        #expect(try await run(["storage", "ls", "--directory", folder.path("none")], "2< /dev/null").status == 2)
    }

    @Test func failedExportLeavesNoFile_inTheWayOfTheNext() async throws {
        try makeStore(String(repeating: "x", count: 1 << 20))
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
        try makeStore()
        let pipe = folder.path("pipe")
        unsafe #expect(mkfifo(pipe, 0o600) == 0)
        // The pipe is opened for reading and writing, so that nothing waits for a reader or a writer that never comes.
        let export = ["storage", "export", pipe, "--directory", store]
        let tool = try await Tool.run(
            [
                "-c",
                "exec 3<>'\(pipe)'; \"$0\" \"$@\"; code=$?; echo nothing >&3; read -r line <&3; "
                    + "echo \"$line\"; exit $code",
                Tool.executable.path,
            ] + export, of: URL(fileURLWithPath: "/bin/sh"))
        #expect(tool.status == 0 && tool.output == "{\"key\":\"a\",\"value\":\"dmFsdWU=\"}\n", "\(tool.output)")
        var status = stat()
        unsafe #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        let regular = try folder.file("regular", "precious")
        let refused = try await Tool.run(["storage", "export", regular, "--directory", store])
        #expect(refused.status == 64 && refused.output.contains("exists already"))
        #expect(try String(contentsOfFile: regular, encoding: .utf8) == "precious")
    }

    /// Another user can wait with a pipe, or a link to one, under the name of a file in a folder for everyone.
    ///
    /// Only the superuser can give a pipe away. Some systems refuse such a link themselves.
    @Test(.enabled(if: geteuid() == 0), arguments: [false, true])
    func exportsNotIntoAPipe_ofAnotherUser(isLinked: Bool) async throws {
        try makeStore()
        let shared = folder.path("shared")
        try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: false)
        let name = shared + "/name"
        let pipe = isLinked ? folder.path("pipe") : name
        unsafe #expect(mkfifo(pipe, 0o600) == 0)
        if isLinked { try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: pipe) }
        let export = ["storage", "export", name, "--directory", store]
        // The pipe is opened for reading and writing, so that nothing waits for a reader that never comes.
        let script =
            "exec 3<>'\(pipe)'; \"$0\" \"$@\"; code=$?; echo nothing >&3; read -r line <&3; "
            + "echo \"$line\"; exit $code"
        // Only the owner of the last folder can put something into it.
        let cases: [(mode: mode_t, owner: uid_t, isRefused: Bool)] = [
            (0o777, 0, false), (0o777, 12_345, true), (0o775, 12_345, true), (0o755, 12_345, false),
        ]
        for (mode, owner, isRefused) in cases {
            unsafe #expect(chmod(shared, mode) == 0)
            unsafe #expect(lchown(name, owner, owner) == 0)
            let tool = try await Tool.run(
                ["-c", script, Tool.executable.path] + export, of: URL(fileURLWithPath: "/bin/sh"))
            #expect(tool.status == (isRefused ? 2 : 0), "\(tool.output)")
            #expect(tool.output.contains("\(name) was not written, because another user") == isRefused)
            #expect(tool.output.contains("nothing\n") == isRefused, "\(tool.output)")
        }
    }

    /// The owner of a socket could replace it with a pipe between the check and the opening.
    @Test(.enabled(if: geteuid() == 0)) func exportsNotIntoASocket_ofAnotherUser() async throws {
        try makeStore()
        let shared = folder.path("shared")
        try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: false)
        let name = shared + "/name"
        // Not every system makes a socket in this way.
        guard unsafe mknod(name, S_IFSOCK | 0o600, 0) == 0 else { return }
        unsafe #expect(chmod(shared, 0o777) == 0)
        unsafe #expect(lchown(name, 12_345, 12_345) == 0)
        let tool = try await Tool.run(["storage", "export", name, "--directory", store])
        #expect(tool.status == 2)
        #expect(tool.output.contains("\(name) was not written, because another user"), "\(tool.output)")
    }

    @Test(.enabled(if: FullDevice.isThere)) func saysThatADeviceIsFull_whenItExportsIntoIt() async throws {
        try makeStore()
        let tool = try await Tool.run(["storage", "export", FullDevice.path, "--directory", store])
        let reason = "\(FullDevice.path) cannot be written: No space left"
        #expect(tool.status == 2 && tool.output.contains(reason), "\(tool.output)")
    }

    /// The tool runs on a pseudo terminal, as the command `script` provides one.
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

    /// A line that wraps cannot be overwritten, so each second would leave a piece of it on the terminal.
    @Test(arguments: [30, 40, 200])
    func aLineThatIsWrittenOver_fitsIntoTheTerminal(columns: Int) async throws {
        let console = try Console()
        // The line names the limit of the tool's environment.
        let command =
            "stty cols \(columns); TERM=xterm exec '\(Tool.executable.path)' doctor --service http://127.0.0.1:1"
        let process = try console.start(["-c", command], of: URL(fileURLWithPath: "/bin/sh"))
        let text = await console.everything()
        await process.ended()
        let lines = text.components(separatedBy: "\r\u{1B}[K").filter { $0.hasPrefix("Waiting") }
        #expect(!lines.isEmpty, "\(text.debugDescription)")
        // A busy machine needs more than a second for the check.
        for line in lines { #expect(line.count < columns && line.contains(/: [0-9]+ s$/), "\(line)") }
        #expect(lines.allSatisfy { $0.contains("at most 600 seconds") } == (columns == 200))
    }
}
