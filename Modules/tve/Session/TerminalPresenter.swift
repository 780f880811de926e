import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandboxConsole
import TVETestSupport

/// The kind of login for a viewer at a terminal.
enum LoginWay {
    /// A login in this machine's browser, which returns to a local port.
    case browser(LoopbackRedirect)
    /// A login in a browser without a window.
    case headless(user: String, password: String)
    /// A login on another device, for which a QR code of the activation page can be drawn on a terminal.
    case secondScreen(drawsPage: Bool)

    /// The URL at which the login ends, or `nil` for the usual redirect.
    var redirectURL: URL? {
        if case .browser(let redirect) = self { redirect.url } else { nil }
    }
}

/// A presenter that shows a login to a viewer at a terminal.
struct TerminalPresenter: AuthenticationPresenter {
    let provider: MVPDID?
    let way: LoginWay
    let run: SessionRun
    private let story = Guarded(Story())

    private struct Story {
        var refusal: String?
        var hasShown = false
        var hasLostPage = false
    }

    init(provider: MVPDID?, way: LoginWay, run: SessionRun) {
        self.provider = provider
        self.way = way
        self.run = run
    }

    /// The reason, as a text for people, for which no provider was chosen or the login page was left.
    var refusal: String? { story.withLock(\.refusal) }

    /// A Boolean value that indicates whether the login ended because a page did not come.
    var hasLostPage: Bool { story.withLock(\.hasLostPage) }

    /// A Boolean value that indicates whether a login page or a code was shown.
    var hasShown: Bool { story.withLock(\.hasShown) }

    private func refuse(_ fault: SessionFault) { story.withLock { $0.refusal = fault.description } }

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        run.trace?.note("chooseProvider(\(providers.count))", from: .library, to: .app)
        if let provider {
            if providers.contains(where: { $0.id == provider }) { return provider }
            refuse(.unknownProvider(provider, known: Self.known(providers)))
            return nil
        }
        guard isatty(STDIN_FILENO) == 1 else {
            refuse(.severalProviders(known: Self.known(providers)))
            return nil
        }
        for (number, provider) in providers.enumerated() {
            Terminal.note("\(number + 1)  \(provider.displayName)  (\(provider.id))")
        }
        Terminal.write("The number of your TV provider: ")
        guard let line = readLine() else {
            Terminal.write("\n")
            refuse(.noProviderChosen)
            return nil
        }
        guard let number = Int(line), providers.indices.contains(number - 1) else {
            refuse(.notANumber(line, count: providers.count))
            return nil
        }
        return providers[number - 1].id
    }

    /// Returns a sentence with the TV providers that the requestor works with.
    static func known(_ providers: [TVProvider]) -> String {
        let ids = providers.prefix(50).map(\.id.text).joined(separator: ", ")
        let more = providers.count > 50 ? " and \(providers.count - 50) more; \"tve providers\" lists all" : ""
        return "The requestor works with: \(ids)\(more)."
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        run.trace?.note("presentLogin", from: .library, to: .app)
        story.withLock { $0.hasShown = true }
        return await open(page)
    }

    func presentLogout(_ page: BrowserPage) async {
        run.trace?.note("presentLogout", from: .library, to: .app)
        _ = await open(page)
    }

    func show(_ code: RegistrationCode) async {
        story.withLock { $0.hasShown = true }
        run.trace?.note("show(code)", from: .library, to: .app)
        do {
            try Printer.line("Code: \(code.code)")
        } catch {
            // Without the code nobody could log in, and the command would wait in vain.
            TVE.end(with: error)
        }
        if case .secondScreen(drawsPage: true) = way, Terminal.isAll, let page = code.activationURL {
            draw(page)
        }
        Terminal.note(
            "Type it at \(activationPage) before \(code.expires.formatted(.iso8601)). Waiting; Ctrl-C gives up."
        )
    }

    /// Draws a QR code of the page for a phone.
    ///
    /// If the page has an address that only this machine can reach, a sentence explains how to get another one instead.
    private func draw(_ page: URL) {
        guard let reachable = NetworkAddress.forPhones(page), reachable != page else {
            if NetworkAddress.forPhones(page) != nil, let code = QRCode(page.absoluteString) {
                Terminal.draw(code.terminalLines)
            }
            return
        }
        let service = "http://\(reachable.host ?? "")\(reachable.port.map { ":\($0)" } ?? "")"
        Terminal.note(
            "A phone cannot open \(page.host ?? "this machine"). For a QR code that it can open, "
                + "start \"tve sandbox --listen\" and use --service \(service).")
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
            if let fault = end.fault { refuse(fault) }
            story.withLock { $0.hasLostPage = end.isOutage }
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
    /// The reason for which the browser did not reach the redirect, or `nil` if it did.
    var fault: SessionFault? {
        switch self {
        case .redirect: return nil
        case .loginRefused(let html):
            let words = html.firstMatch(of: /role="alert">([^<]*)</).map { HTMLForm.unescaped(String($0.1)) }
            return .pageShownAgain(words: words)
        case .page(let status, let html):
            let found = html.firstMatch(of: /<h1>[^<]*<\/h1>\s*<p>([^<]+)<\/p>/)
            let words = found.map { HTMLForm.unescaped(String($0.1)) }
            return .noLoginPage(status: status, words: status < 400 ? nil : words)
        case .failed: return .browserFailed
        }
    }

    /// A Boolean value that indicates whether a page did not come, so that the viewer was not refused.
    var isOutage: Bool {
        switch self {
        case .redirect, .loginRefused: false
        case .page(let status, _): status == 429 || status >= 500
        case .failed: true
        }
    }
}
