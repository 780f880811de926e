import Foundation
import TVETestTraits
import Testing

/// Tests of the browser that the variable `BROWSER` names.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct NamedBrowserTests {
    private func logIn(_ desk: Desk, browser: String) async throws -> Tool {
        try await Tool.run(
            ["BROWSER=\(browser)", Tool.executable.path] + desk.full(["login", "--provider", "demo-cable"]),
            of: URL(fileURLWithPath: "/usr/bin/env"))
    }

    /// The command is that of the simulated viewer, as `conformance --run` names it.
    @Test(arguments: ["classic", "v2"], ["", " %s"])
    func logsIn_withTheCommandInTheVariable(dialect: String, place: String) async throws {
        let desk = try await Desk(dialect)
        let tool = try await logIn(desk, browser: "'\(Tool.executable.path)' conformance-viewer\(place)")
        #expect(tool.status == 0 && tool.output.contains("Logged in with demo-cable until "), "\(tool.output)")
        #expect(!tool.output.contains("Open this page in a browser"), "\(tool.output)")
    }

    @Test(arguments: ["&", " %s &"])
    func logsIn_withACommandInTheBackground(end: String) async throws {
        let tool = try await logIn(Desk(), browser: "'\(Tool.executable.path)' conformance-viewer \(end)")
        #expect(tool.status == 0 && tool.output.contains("Logged in with demo-cable until "), "\(tool.output)")
    }

    /// The variable names a program alone, as for other tools, and the program is in a folder with a space.
    @Test func logsIn_withAProgramInAFolderWithASpace() async throws {
        let desk = try await Desk()
        let folder = URL(fileURLWithPath: desk.folder.path("two words"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = folder.appendingPathComponent("browser")
        // A program that another test is starting has copies of all open files of this process, and the system runs no
        // file that is open for writing. So another process writes this one.
        let lines = "#!/bin/sh\nexec '\(Tool.executable.path)' conformance-viewer \"$1\"\n"
        let script = "printf %s \"$1\" >\"$0\" && chmod +x \"$0\""
        let written = try await Tool.run(["-c", script, program.path, lines], of: URL(fileURLWithPath: "/bin/sh"))
        try #require(written.status == 0, "\(written.output)")
        let tool = try await logIn(desk, browser: program.path)
        #expect(tool.status == 0 && tool.output.contains("Logged in with demo-cable until "), "\(tool.output)")
    }

    @Test(arguments: ["/no-such-browser", "/usr", "no-such-browser --new-window", "'no such browser' %s"])
    func aProgramThatIsNotThere_isNoBrowser(browser: String) async throws {
        let tool = try await Tool.run(
            ["BROWSER=\(browser)", Tool.executable.path, "doctor"], of: URL(fileURLWithPath: "/usr/bin/env"))
        #expect(!tool.output.contains("This machine has a browser for login pages."), "\(tool.output)")
    }

    /// The address comes from a service, and has characters that a shell would interpret.
    @Test func handsOverTheWholeAddress() async throws {
        let desk = try await Desk()
        let file = desk.folder.path("page")
        let viewer = "'\(Tool.executable.path)' conformance-viewer"
        let tool = try await logIn(desk, browser: "echo %s >'\(file)'; \(viewer) %s")
        let page = try String(contentsOfFile: file, encoding: .utf8)
        #expect(page.hasPrefix("http://127.0.0.1:") && page.contains("?") && page.contains("&"), "\(page)")
        #expect(tool.status == 0 && tool.output.contains(page), "\(tool.output)")
    }
}
