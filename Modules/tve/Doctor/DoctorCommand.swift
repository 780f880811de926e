import ArgumentParser
import Foundation

/// Finds errors in a set-up.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what is wrong with a set-up, and what to do about it.",
        discussion: "Changes nothing. Ends with 1 when something will not work.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Option(help: ArgumentHelp("The redirect URL of your app.", valueName: "url"))
    var redirect: String?

    func run() async throws {
        let limit = try ExchangeTimeLimit.limit(options.timeout, usual: 10)
        let checks = DoctorChecks(options: options, redirect: redirect, limit: limit)
        var findings = try await Terminal.waiting(for: "the service, \(limit) for an exchange at most") {
            await checks.service()
        }.get()
        findings.append(checks.store())
        findings.append(await checks.redirection())
        findings.append(checks.browser())
        if json.isOn {
            try Printer.json(["findings": findings])
        } else {
            for line in findings.flatMap(\.lines) { Printer.line(line) }
        }
        if findings.contains(where: { $0.state == .bad }) { throw ExitCode.failure }
    }
}
