import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandboxConsole
import TVETestSupport

/// How a viewer at a terminal logs in.
enum LoginWay {
    /// In this machine's browser, which returns to a local port.
    case browser(LoopbackRedirect)
    /// In a browser without a window.
    case headless(user: String, password: String)
    /// On another device; a picture of the code's page is drawn if there is a terminal.
    case secondScreen(drawsPage: Bool)

    /// Where the login ends; nil for the usual redirect.
    var redirectURL: URL? {
        if case .browser(let redirect) = self { redirect.url } else { nil }
    }
}

/// Shows a login to a viewer at a terminal.
struct TerminalPresenter: AuthenticationPresenter {
    let provider: MVPDID?
    let way: LoginWay
    let run: SessionRun
    private let story = Guarded(Story())

    private struct Story {
        var refusal: String?
        var hasShown = false
    }

    init(provider: MVPDID?, way: LoginWay, run: SessionRun) {
        self.provider = provider
        self.way = way
        self.run = run
    }

    /// Why no provider was chosen or the login page was left, for people.
    var refusal: String? { story.withLock(\.refusal) }

    /// Whether the viewer saw a login page or a code.
    var hasShown: Bool { story.withLock(\.hasShown) }

    private func refuse(_ reason: String) { story.withLock { $0.refusal = reason } }

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        run.trace?.note(.library, .app, "chooseProvider(\(providers.count))")
        if let provider {
            if providers.contains(where: { $0.id == provider }) { return provider }
            refuse("There is no TV provider \"\(provider)\" here. \(Self.known(providers))")
            return nil
        }
        guard isatty(STDIN_FILENO) == 1 else {
            refuse("There are several TV providers; name one with --provider. \(Self.known(providers))")
            return nil
        }
        for (number, provider) in providers.enumerated() {
            Terminal.note("\(number + 1)  \(provider.displayName)  (\(provider.id))")
        }
        Terminal.write("The number of your TV provider: ")
        guard let line = readLine() else {
            Terminal.write("\n")
            refuse("No TV provider was chosen.")
            return nil
        }
        guard let number = Int(line), providers.indices.contains(number - 1) else {
            refuse("\"\(line)\" is not a number from 1 to \(providers.count).")
            return nil
        }
        return providers[number - 1].id
    }

    /// The TV providers that the requestor works with, as a sentence.
    static func known(_ providers: [TVProvider]) -> String {
        let ids = providers.prefix(50).map(\.id.text).joined(separator: ", ")
        let more = providers.count > 50 ? " and \(providers.count - 50) more; \"tve providers\" lists all" : ""
        return "The requestor works with: \(ids)\(more)."
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        run.trace?.note(.library, .app, "presentLogin")
        story.withLock { $0.hasShown = true }
        return await open(page)
    }

    func presentLogout(_ page: BrowserPage) async {
        run.trace?.note(.library, .app, "presentLogout")
        _ = await open(page)
    }

    func show(_ code: RegistrationCode) async {
        story.withLock { $0.hasShown = true }
        run.trace?.note(.library, .app, "show(code)")
        do {
            try Printer.line("Code: \(code.code)")
        } catch {
            // Nobody could type it, and the login would wait for nothing.
            TVE.end(with: error)
        }
        if case .secondScreen(drawsPage: true) = way, Terminal.isAll, let page = code.activationURL {
            draw(page)
        }
        Terminal.note(
            "Type it at \(activationPage) before \(Self.time(code.expires)). Waiting; Ctrl-C gives up."
        )
    }

    /// A time of the day with its time zone.
    private static func time(_ date: Date) -> String {
        date.formatted(Date.FormatStyle().hour().minute().second().timeZone())
    }

    /// Draws the page for a phone, or says what a phone needs: no phone reaches an address of this machine alone.
    private func draw(_ page: URL) {
        guard let reachable = NetworkAddress.forPhones(page), reachable != page else {
            if NetworkAddress.forPhones(page) != nil, let code = QRCode(page.absoluteString) {
                Terminal.draw(code.terminalLines)
            }
            return
        }
        let service = "http://\(reachable.host ?? "")\(reachable.port.map { ":\($0)" } ?? "")"
        Terminal.note(
            "A phone cannot open \(page.host ?? "this machine"). For a QR code that it can open, start \"tve sandbox --listen\" and use --service \(service)."
        )
    }

    private var activationPage: String {
        run.activationPage?.absoluteString ?? "the activation page of the programmer"
    }

    private func open(_ page: BrowserPage) async -> URL? {
        switch way {
        case .headless(let user, let password):
            let trace = run.trace
            var browser = HeadlessBrowser(
                transport: ObservedTransport(next: run.transport) { trace?.note($0, from: .browser) })
            let end = await browser.open(
                page.url, endingAt: page.redirectURL, as: .logsIn(name: user, password: password))
            if case .redirect(let url) = end { return url }
            refuse(end.problem)
            return nil
        case .browser(let redirect):
            if !SystemBrowser.open(page.url) { Terminal.note("Open this page in a browser:\n") }
            Terminal.note(page.url.absoluteString)
            return await Terminal.waiting(for: "the browser to come back") { await redirect.arrival() }
        case .secondScreen: return nil
        }
    }
}

extension HeadlessBrowser.Destination {
    /// Why the browser did not get to the redirect, for people.
    var problem: String {
        switch self {
        case .redirect: ""
        case .loginRefused(let html):
            "The login page was shown again."
                + (html.firstMatch(of: /role="alert">([^<]*)</).map { " It says: \($0.1)" } ?? "")
        case .page(let status, _): "The browser ended at a page with HTTP \(status)."
        case .failed: "The browser could not continue."
        }
    }
}
