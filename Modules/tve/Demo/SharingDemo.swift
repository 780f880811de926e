import Foundation
import TVESandbox

/// Runs every story of two apps: each step is a separate process, and a board on disk is what they share.
struct SharingDemo {
    let directory: URL

    /// - Returns: whether every step ended as it is documented.
    func tell() async throws -> Bool {
        let sandbox = try await Sandbox()
        var isGood = true
        Self.row("Is the viewer logged in?", SharingStory.steps.map(\.title) + [""])
        for (number, story) in SharingStory.all.enumerated() {
            let boards = directory.appendingPathComponent("\(number)")
            var cells: [String] = []
            for (step, expected) in zip(SharingStory.steps, story.expected) {
                let answer = try await run(story, step.isSecond, step.logsIn, boards, sandbox)
                let isAsDocumented = answer == (expected ? "yes" : "no")
                isGood = isGood && isAsDocumented
                cells.append(isAsDocumented ? answer : "\(answer) (!)")
            }
            Self.row(story.title, cells + [story.rows])
        }
        await sandbox.stop()
        Printer.line("")
        Printer.line(isGood ? "Every cell is as documented." : "Cells with (!) are not as documented.")
        return isGood
    }

    private func run(
        _ story: SharingStory, _ isSecond: Bool, _ logsIn: Bool, _ boards: URL, _ sandbox: Sandbox
    ) async throws -> String {
        let app = isSecond ? story.second : SharingStory.first
        var arguments = [
            "sharing-app", "--service", sandbox.baseURL.absoluteString, "--statement", sandbox.softwareStatement,
            "--bundle", app.bundle, "--team", app.team, "--boards", boards.path,
        ]
        if story.isSystemWide { arguments.append("--system-wide") }
        if story.erasesForeignTokens { arguments.append("--erases-foreign-tokens") }
        if logsIn { arguments.append("--logs-in") }
        return try await ChildProcess.output(arguments)
    }

    private static func row(_ title: String, _ cells: [String]) {
        let columns = cells.dropLast().map { $0.padding(toLength: 10, withPad: " ", startingAt: 0) }
        let name = title.padding(toLength: 40, withPad: " ", startingAt: 0)
        Printer.line(
            "\(name) \(columns.joined(separator: " ")) \(cells.last ?? "")".trimmingCharacters(in: .whitespaces))
    }
}
