import ArgumentParser
import Foundation
import TVENetworking

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find what is wrong with a set-up, and what to do about it.",
        discussion: """
            Tests the store's folder as a session uses it, and leaves nothing behind. Exits with 1 if something will \
            not work.
            """)

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Option(help: ArgumentHelp("The redirect URL of your app.", valueName: "url"))
    var redirect: String?

    @Option(
        help: ArgumentHelp(
            "Write one file for support: findings, versions and the exchanges of this run, without secrets.",
            valueName: "file"))
    var bundle: String?

    func run() async throws {
        let limit = try ExchangeTimeLimit.limit(options.timeout, usual: 10)
        let recording = bundle.map { _ in ExchangeRecording() }
        let trace = options.tracing.makeTrace()
        let checks = DoctorChecks(
            options: options, redirect: redirect, limit: limit, recording: recording, trace: trace)
        var findings = try await Terminal.waiting(for: "the service, at most \(Printer.seconds(limit)) per exchange") {
            await checks.service()
        }.get()
        options.tracing.write(
            trace, title: "tve doctor", service: try options.providers().first?.root.absoluteString ?? "")
        findings.append(checks.store())
        findings.append(await checks.redirection())
        findings.append(checks.browser())
        findings = findings.map { $0.withoutSecrets(of: TVE.ownArguments) }
        if let bundle, let recording {
            try PrivateFile.create(bundle, SupportBundle(findings: findings, recording: recording).bytes(options))
            Terminal.note("The file for support is \(bundle). It contains no token, code, password or id of a viewer.")
        }
        if json.isOn {
            try Printer.json(["findings": findings])
        } else {
            for line in findings.flatMap(\.lines) { try Printer.line(line) }
        }
        if findings.contains(where: { $0.state == .bad }) { throw ExitCode.failure }
    }
}

/// A finding of one of the checks of `tve doctor`.
struct Finding: Encodable, Sendable {
    enum State: String, Encodable {
        /// Everything is correct.
        case good
        /// Something is missing that is not always needed.
        case note
        /// Something will not work.
        case bad
    }

    let check: String
    let state: State
    let text: String
    var advice: String?

    static func good(_ check: String, _ text: String) -> Finding { Finding(check: check, state: .good, text: text) }

    static func bad(_ check: String, _ text: String, advice: String) -> Finding {
        Finding(check: check, state: .bad, text: text, advice: advice)
    }

    /// Returns the finding, which does not repeat a secret that a command line has in a wrong place.
    func withoutSecrets(of arguments: [String]) -> Finding {
        guard GivenSecret.isRepeated(in: text, of: arguments) else { return self }
        return Finding(check: check, state: state, text: "\(ArgumentFault.secretInError)")
    }

    var lines: [String] {
        let mark =
            switch state {
            case .good: "ok  "
            case .note: "note"
            case .bad: "bad "
            }
        let first = "\(mark)  \(check.padded(to: 10))\(text)"
        return [first] + (advice.map { ["                → \($0)"] } ?? [])
    }
}
