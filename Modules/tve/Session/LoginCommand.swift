import ArgumentParser
import Foundation
import TVEFlowEngine
import TVEModels

/// Logs a viewer in and stores the login.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Log a viewer in, in the browser of this machine or on another device.",
        discussion: """
            Opens the login page in the browser and waits for it to come back to a port of this machine. With --headless \
            nobody needs to look: a browser without a window fills in the sandbox's page. The password comes from \
            --password, TVE_PASSWORD, or the terminal.
            """)

    @OptionGroup var options: SessionOptions

    @Option(help: "The TV provider; asked for when not given.")
    var provider: String?

    @Flag(help: "Open the browser of this machine, which is what happens unless told otherwise.")
    var browser = false

    @Option(help: ArgumentHelp("Log in as this viewer without a window.", valueName: "user"))
    var headless: String?

    @Option(help: "The viewer's password, with --headless.")
    var password: String?

    @Flag(help: "Show a code that the viewer types on another device.")
    var secondScreen = false

    @OptionGroup var json: JSONOption

    @Flag(help: "Show a login even when somebody is logged in.")
    var force = false

    func validate() throws {
        let ways = [browser, headless != nil, secondScreen].count { $0 }
        guard ways <= 1 else { throw ValidationError("Choose one of --browser, --headless and --second-screen.") }
    }

    func run() async throws {
        let way: LoginWay
        if secondScreen {
            way = .secondScreen
        } else if let headless {
            way = .headless(user: headless, password: try viewerPassword())
        } else {
            way = .browser(try await LoopbackRedirect())
        }
        try await SessionRun.with(
            options, "login", redirectURL: way.redirectURL, style: secondScreen ? .secondScreen : .browser
        ) { run in
            let presenter = TerminalPresenter(provider: provider, way: way, run: run)
            let profile = try await run.session.authenticate(using: presenter, isForced: force)
            try LoginReport(profile).print(asJSON: json.isOn)
        }
        if case .browser(let redirect) = way { await redirect.stop() }
    }

    private func viewerPassword() throws -> String {
        if let password = password ?? ProcessInfo.processInfo.environment["TVE_PASSWORD"] { return password }
        guard isatty(STDIN_FILENO) == 1, let typed = getpass("Password: ").map({ String(cString: $0) }) else {
            throw ValidationError("--headless needs --password or TVE_PASSWORD.")
        }
        return typed
    }
}
