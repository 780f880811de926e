import ArgumentParser
import TVEFlowEngine
import TVEModels

/// Logs out.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Remove every token, and end the session at the service and the TV provider.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    func run() async throws {
        try await SessionRun.with(options, "logout") { run in
            let way = LoginWay.headless(user: "", password: "")
            try await run.session.logout(using: TerminalPresenter(provider: nil, way: way, run: run))
        }
        if json.isOn { try Printer.json(["authenticated": false]) } else { Printer.line("Logged out.") }
    }
}
