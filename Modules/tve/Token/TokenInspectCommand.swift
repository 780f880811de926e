import ArgumentParser
import Foundation
import TVEDeviceBinding

/// Shows a token's values.
struct TokenInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what a token says, for whom, and until when.",
        discussion: "Reads proof of nothing: anybody can write a token. `tve token verify` checks who signed one.")

    @OptionGroup var input: TokenInput

    @Flag(help: "Show ids of viewer and device in full.")
    var showSecrets = false

    @Option(help: "The app whose device id counts as this machine's.")
    var bundleID = DemoApp.identity.bundleID

    @Flag(help: "Print one JSON object instead of a table.")
    var json = false

    func run() async throws {
        let app = AppIdentity(bundleID: bundleID, teamID: "")
        let device = await MachineSeed.read().map { DeviceIdentity($0, app: app) }
        let report = try TokenReport(try input.text(), device: device, now: Date())
        if json {
            let object = Dictionary(report.lines.map { (Self.key($0.name), shown($0)) }) { first, _ in first }
            try Printer.json(object)
        } else {
            for line in report.lines {
                let gap = String(repeating: " ", count: max(1, 14 - line.name.count))
                let note = line.note.isEmpty ? "" : "  (\(line.note))"
                Printer.line(line.name + gap + shown(line) + note)
            }
        }
    }

    private func shown(_ line: TokenReport.Line) -> String {
        line.isPrivate && !showSecrets ? "(hidden)" : line.value
    }

    /// A name in the form of JSON keys: `valid until` becomes `validUntil`.
    private static func key(_ name: String) -> String {
        let words = name.split(separator: " ").map { $0.lowercased() }
        return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    }
}
