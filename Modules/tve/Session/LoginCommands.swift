import ArgumentParser
import Foundation
import TVEFlowEngine
import TVEModels

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Log a viewer in, with this machine's browser or on another device.",
        discussion: """
            Opens the login page in the browser, or with the command in the variable BROWSER, and waits until the \
            browser comes back to a port of this machine. With --headless no window opens: the tool fills in the \
            sandbox's login page itself. The password comes from --password, TVE_PASSWORD, or the terminal.
            """)

    @OptionGroup var options: SessionOptions

    @Option(
        help: "The id of the TV provider; without it, a terminal shows a list to choose from if there are several.")
    var provider: MVPDID?

    @Flag(help: "Open this machine's browser; this is the default.")
    var browser = false

    @Option(help: ArgumentHelp("Log in as this viewer without a window.", valueName: "user"))
    var headless: String?

    @Option(help: "The viewer's password, for --headless.")
    var password: String?

    @Flag(help: "Show a code that the viewer types on another device, and, on a terminal, a QR code of the page.")
    var secondScreen = false

    @Option(
        help: ArgumentHelp(
            "The page at which viewers type the code; by default the sandbox's. Other services have no default.",
            valueName: "url"))
    var activationPage: String?

    @OptionGroup var json: JSONOption

    @Flag(help: "Show a login page even if a viewer is logged in.")
    var force = false

    @OptionGroup var data: DataOption

    func validate() throws {
        try provider?.refuseQuotationMarks()
        _ = try data.values
        let ways = [browser, headless != nil, secondScreen].count { $0 }
        guard ways <= 1 else { throw ValidationError(ArgumentFault.severalWays) }
        if let activationPage, activationURL == nil {
            throw ValidationError(ArgumentFault.notAPage(activationPage))
        }
    }

    private var activationURL: URL? {
        guard let url = activationPage.flatMap({ URL(string: $0) }),
            ["http", "https"].contains(url.scheme?.lowercased()),
            url.host() != nil
        else { return nil }
        return url
    }

    func run() async throws {
        let way: LoginWay
        if secondScreen {
            way = .secondScreen(drawsPage: !json.isOn)
        } else if let headless {
            way = .headless(user: headless, password: try await viewerPassword())
        } else {
            way = .browser(try await LoopbackRedirect())
        }
        let profile: Result<Profile, any Error>
        do {
            profile = .success(try await logIn(way))
        } catch {
            profile = .failure(error)
        }
        // The browser that has returned receives its page, regardless of the outcome.
        if case .browser(let redirect) = way { await redirect.stop() }
        if case .failure(let error as InterruptedLogin) = profile { PasswordPrompt.endProgram(by: error.signal) }
        try LoginReport(profile.get()).print(asJSON: json.isOn)
    }

    private func logIn(_ way: LoginWay) async throws -> Profile {
        try await SessionRun.with(
            options, command: "login", redirectURL: way.redirectURL, style: secondScreen ? .secondScreen : .browser,
            activationPage: activationURL, provider: provider.map { NamedProvider(id: $0, option: "--provider") }
        ) { run in
            let presenter = TerminalPresenter(provider: provider, way: way, run: run)
            let profile = try await logIn(presenter, run.session)
            if !presenter.hasShown, headless != nil {
                Terminal.note(
                    "No login page was shown, because a viewer was logged in already (--force shows it) or the TV "
                        + "provider has none.")
            }
            return profile
        }
    }

    /// Logs in with the provider from the command line, even if the session has stored another selection.
    private func logIn(_ presenter: TerminalPresenter, _ session: EntitlementSession) async throws -> Profile {
        let remembered = try await session.selectedProvider()?.id
        let values = try data.values
        let attempt = { @Sendable [provider, force] () async throws -> Profile in
            let profile = try await session.authenticate(using: presenter, isForced: force, data: values)
            if let provider, profile.mvpdID != provider {
                throw ToolFailure(SessionFault.otherProvider(profile.mvpdID, wanted: provider))
            }
            return profile
        }
        do {
            guard let provider, let remembered, remembered != provider else { return try await attempt() }
            return try await Self.logIn(with: provider, insteadOf: remembered, session, attempt)
        } catch {
            if let error = error as? TVEError, error.code == .providerNotSelected, let reason = presenter.refusal {
                // The status would say that the viewer has left, which is only the consequence of the reason.
                throw ToolFailure(reason, code: presenter.hasLostPage ? .unknown : .failure)
            }
            throw error
        }
    }

    /// Selects another provider, logs in, and selects the earlier provider again if that fails.
    ///
    /// A failed login must not change the selected provider, so a signal ends the login first, and the program after
    /// that. A second signal ends the program at once.
    private static func logIn(
        with provider: MVPDID, insteadOf remembered: MVPDID, _ session: EntitlementSession,
        _ attempt: @escaping @Sendable () async throws -> Profile
    ) async throws -> Profile {
        let isInterrupted = Guarded(false)
        let (signals, signal) = AsyncStream<Int32>.makeStream()
        let interruptions = await Interruptions { number in
            let isSecond = isInterrupted.withLock { isInterrupted in
                defer { isInterrupted = true }
                return isInterrupted
            }
            if isSecond { PasswordPrompt.endProgram(by: number) }
            signal.yield(number)
        }
        defer {
            interruptions.end()
            signal.finish()
        }
        let login = Task {
            try await session.selectProvider(provider)
            return try await attempt()
        }
        let interruption = Task { () -> Int32? in
            let number = await signals.first { _ in true }
            if number != nil { login.cancel() }
            return number
        }
        do {
            return try await login.value
        } catch {
            _ = try? await session.selectProvider(remembered)
            signal.finish()
            guard let number = await interruption.value else { throw error }
            throw InterruptedLogin(signal: number)
        }
    }

    private func viewerPassword() async throws -> String {
        if let password = password ?? Variables.value("TVE_PASSWORD") { return password }
        guard isatty(STDIN_FILENO) == 1 else {
            throw ValidationError(ArgumentFault.noPassword)
        }
        guard let typed = await PasswordPrompt.read("Password: ") else {
            throw ToolFailure(SessionFault.noPasswordTyped)
        }
        return typed
    }
}

/// A login that a signal has ended.
private struct InterruptedLogin: Error {
    let signal: Int32
}

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Print the current login; exits with 1 when nobody is logged in.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    func run() async throws {
        let (status, outage) = try await SessionRun.with(options, command: "status") { run in
            // A login that the service keeps is not valid here while a logout is pending. The reason is read first,
            // because the status begins a request in the background.
            let outage = await run.session.hasPendingLogout ? nil : run.outages.current
            return (await run.session.authenticationStatus(), outage)
        }
        switch status {
        case .authenticated(let profile):
            try LoginReport(profile).print(asJSON: json.isOn)
        case .notAuthenticated(let error):
            if let outage, error.code == .notAuthenticated {
                throw ToolFailure(SessionFault.loginNotAsked(outage: outage), code: .unknown)
            }
            try LoginReport(error.providerMessage ?? error.message ?? "Nobody is logged in.").print(asJSON: json.isOn)
            throw ExitCode.failure
        case .unknown(let error):
            var failure = ToolFailure(error, options)
            failure.code = .unknown
            throw failure
        }
    }
}

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Remove every token, and end the session at the service and the TV provider.",
        discussion: """
            With --as only the login with one TV provider ends. Over REST API v2, if the service does not answer, the \
            viewer is logged out on this device, and the next command with this store that reaches the service sends \
            the logout again.
            """)

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Option(help: "End only the login with this TV provider.")
    var `as`: MVPDID?

    func validate() throws {
        if let mvpdID = self.as { try mvpdID.refuseQuotationMarks() }
    }

    func run() async throws {
        let ended = try await SessionRun.with(options, command: "logout", worksAlone: true) { run in
            let way = LoginWay.headless(user: "", password: "")
            // If no service answers, there is no logout page to open.
            let presenter = run.absence == nil ? TerminalPresenter(provider: nil, way: way, run: run) : nil
            var isLoggedIn: Bool? = false
            if let mvpdID = self.as {
                try await Self.check(mvpdID, in: run.session)
                try await run.session.logout(of: mvpdID, using: presenter)
                // The login with another provider stays.
                if json.isOn { isLoggedIn = Self.isLoggedIn(await run.session.authenticationStatus()) }
            } else {
                try await run.session.logout(using: presenter)
            }
            return (
                isPending: await run.session.hasPendingLogout, absence: run.absence, outage: run.outages.latest,
                isLoggedIn: isLoggedIn
            )
        }
        let isLocal = ended.isPending || ended.absence != nil
        if json.isOn {
            var answer: [String: Bool] = [:]
            answer["authenticated"] = ended.isLoggedIn
            if ended.isPending { answer["pendingLogout"] = true }
            try Printer.json(answer)
        } else {
            let place = isLocal ? " on this device" : ""
            try Printer.line(self.as.map { "Logged out of \($0)\(place)." } ?? "Logged out\(place).")
        }
        guard isLocal else { return }
        let reason = ended.absence ?? ended.outage ?? "It did not accept the request."
        // The classic services keep no logins.
        let consequence =
            ended.isPending
            ? " It may keep the login until the next command with this store reaches it, which sends the logout again: "
                + "for example \"tve status\" or \"tve logout\"."
            : ""
        Terminal.note("The service has not received the logout. \(reason)\(consequence)")
    }

    /// Refuses a TV provider that the requestor does not have, and with which nobody is logged in.
    ///
    /// The login with the selected provider can end without the configuration. If the configuration or the profiles
    /// cannot be loaded, the id may be right.
    private static func check(_ mvpdID: MVPDID, in session: EntitlementSession) async throws {
        guard (try? await session.selectedProvider())?.id != mvpdID, await !session.hasPendingLogout,
            let providers = try? await session.configuration().requestor.providers,
            !providers.contains(where: { $0.id == mvpdID }),
            let profiles = try? await session.profiles(), !profiles.contains(where: { $0.mvpdID == mvpdID })
        else { return }
        throw ToolFailure(
            SessionFault.unknownProvider(mvpdID, known: TerminalPresenter.known(providers), option: "--as"))
    }

    /// Returns a Boolean value that indicates whether a viewer is logged in, or `nil` if that is unknown.
    private static func isLoggedIn(_ status: AuthenticationStatus) -> Bool? {
        switch status {
        case .authenticated: true
        case .notAuthenticated: false
        case .unknown: nil
        }
    }
}

/// The login as the commands `login` and `status` print it.
private struct LoginReport: Encodable {
    let authenticated: Bool
    var requestor: RequestorID?
    var mvpd: MVPDID?
    /// The end of the login in ISO 8601.
    var expires: String?
    var reason: String?

    init(_ profile: Profile) {
        authenticated = true
        requestor = profile.requestorID
        mvpd = profile.mvpdID
        expires = profile.expires.formatted(.iso8601)
    }

    init(_ reason: String) {
        authenticated = false
        self.reason = reason
    }

    func print(asJSON: Bool) throws {
        if asJSON { return try Printer.json(self) }
        try Printer.line(authenticated ? "Logged in with \(mvpd ?? "") until \(expires ?? "")." : reason ?? "")
    }
}
