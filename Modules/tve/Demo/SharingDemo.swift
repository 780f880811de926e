import Foundation
import TVESandbox

/// The demo of single sign-on, which runs every documented story of two apps.
///
/// Each step is a separate process. The apps share only a pasteboard on disk.
struct SharingDemo {
    let directory: URL

    /// Runs all stories and prints a table with the results.
    ///
    /// - Returns: a Boolean value that indicates whether every step ended as documented.
    func tell() async throws -> Bool {
        let sandbox = try await Sandbox(key: SandboxKey.ofThisTool())
        var isGood = true
        try Self.row("Is the viewer logged in?", SharingStory.steps.map(\.title) + [""])
        for (number, story) in SharingStory.all.enumerated() {
            let boards = directory.appendingPathComponent("\(number)")
            var cells: [String] = []
            for (step, expected) in zip(SharingStory.steps, story.expected) {
                let answer = try await run(step, of: story, boards: boards, sandbox: sandbox)
                let isAsDocumented = answer == (expected ? "yes" : "no")
                isGood = isGood && isAsDocumented
                cells.append(isAsDocumented ? answer : "\(answer) (!)")
            }
            try Self.row(story.title, cells + [story.rows])
        }
        await sandbox.stop()
        try Printer.line("")
        try Printer.line(isGood ? "Every cell is as documented." : "Cells marked (!) are not as documented.")
        return isGood
    }

    private func run(
        _ step: SharingStory.Step, of story: SharingStory, boards: URL, sandbox: Sandbox
    ) async throws -> String {
        let app = step.isSecond ? story.second : SharingStory.first
        var arguments = [
            "sharing-app", "--service", sandbox.baseURL.absoluteString, "--statement", sandbox.softwareStatement,
            "--bundle", app.bundle, "--team", app.team, "--boards", boards.path,
        ]
        if story.isSystemWide { arguments.append("--system-wide") }
        if story.erasesForeignTokens { arguments.append("--erases-foreign-tokens") }
        if step.logsIn { arguments.append("--logs-in") }
        return try await ChildProcess(directory: directory).output(arguments)
    }

    private static func row(_ title: String, _ cells: [String]) throws {
        let columns = [title.padded(to: 40)] + cells.map { $0.padded(to: 10) }
        try Printer.line(columns.joined(separator: " ").trimmingCharacters(in: .whitespaces))
    }
}

/// A documented story of two apps on one device (API reference, single sign-on matrix).
struct SharingStory {
    /// The relation of the two apps, for the table.
    let title: String
    /// The rows of the matrix that the story shows.
    let rows: String
    let second: (bundle: String, team: String)
    var isSystemWide = false
    var erasesForeignTokens = false
    /// The expected result of each step: a Boolean value that indicates whether the viewer is logged in.
    let expected: [Bool]

    static let first = (bundle: "com.example.one.App", team: "TEAM-1")

    /// A step of every story.
    struct Step {
        let title: String
        /// A Boolean value that indicates whether the second of the two apps is opened.
        let isSecond: Bool
        /// A Boolean value that indicates whether the app logs in.
        let logsIn: Bool
    }

    static let steps = [
        Step(title: "A: log in", isSecond: false, logsIn: true),
        Step(title: "B: open", isSecond: true, logsIn: false),
        Step(title: "B: log in", isSecond: true, logsIn: true),
        Step(title: "A: open", isSecond: false, logsIn: false),
    ]

    static let all = [
        SharingStory(
            title: "same team, same prefix", rows: "T-29", second: ("com.example.one.Other", "TEAM-1"),
            expected: [true, true, true, true]),
        SharingStory(
            title: "same team, other prefix", rows: "T-30, T-31", second: ("com.example.two.App", "TEAM-1"),
            expected: [true, false, true, true]),
        SharingStory(
            title: "other team", rows: "T-34, T-35", second: ("com.example.one.Other", "TEAM-2"),
            expected: [true, false, true, true]),
        SharingStory(
            title: "other prefix, version 1.8", rows: "T-32, T-33", second: ("com.example.two.App", "TEAM-1"),
            erasesForeignTokens: true, expected: [true, false, true, false]),
        SharingStory(
            title: "other team, system-wide board of iOS 6", rows: "T-28", second: ("org.example.App", "TEAM-2"),
            isSystemWide: true, expected: [true, true, true, true]),
    ]
}

/// A run of this program in a child process.
private struct ChildProcess {
    /// The directory for the files with the child's output.
    ///
    /// The output goes into files, because nothing would read a pipe before the child has ended.
    let directory: URL

    /// Runs the program and returns its output without the line end.
    ///
    /// - Throws: `ToolFailure` with the program's error output if it failed.
    func output(_ arguments: [String]) async throws -> String {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let files = ["output", "errors"].map(directory.appendingPathComponent)
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        let status = try await withCheckedThrowingContinuation { ended in
            process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                ended.resume(throwing: error)
            }
        }
        let text = try String(contentsOf: files[status == 0 ? 0 : 1], encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard status == 0 else { throw ToolFailure(text) }
        return text
    }
}
