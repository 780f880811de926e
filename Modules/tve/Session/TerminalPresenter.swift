import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport

/// Shows a login to a viewer at a terminal.
struct TerminalPresenter: AuthenticationPresenter {
    let provider: String?
    let way: LoginWay
    let run: SessionRun

    func chooseProvider(among providers: [TVProvider]) async -> String? {
        run.trace?.note(.library, .app, "chooseProvider(\(providers.count))")
        if let provider { return provider }
        guard isatty(STDIN_FILENO) == 1 else {
            Terminal.note(
                "There are several TV providers; name one with --provider: \(providers.map(\.id).joined(separator: ", "))"
            )
            return nil
        }
        for (number, provider) in providers.enumerated() {
            Terminal.note("\(number + 1)  \(provider.displayName)  (\(provider.id))")
        }
        Terminal.write("Your TV provider, by number: ")
        guard let line = readLine(), let number = Int(line), providers.indices.contains(number - 1) else { return nil }
        return providers[number - 1].id
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        run.trace?.note(.library, .app, "presentLogin")
        return await open(page)
    }

    func presentLogout(_ page: BrowserPage) async {
        run.trace?.note(.library, .app, "presentLogout")
        _ = await open(page)
    }

    func show(_ code: ActivationCode?) async {
        guard let code else { return }
        run.trace?.note(.library, .app, "show(code)")
        Printer.line("Code: \(code.code)")
        Terminal.note(
            "Type it at \(activationPage) before \(code.expires.formatted(date: .omitted, time: .shortened)). Waiting; Ctrl-C gives up."
        )
    }

    /// Where the sandbox accepts codes; a real programmer has their own page.
    private var activationPage: String {
        run.services.first.map { "\($0.root.absoluteString)/activate" } ?? "the activation page"
    }

    private func open(_ page: BrowserPage) async -> URL? {
        switch way {
        case .headless(let user, let password):
            let trace = run.trace
            var browser = HeadlessBrowser(
                transport: ObservedTransport(next: run.transport) { trace?.note($0, from: .browser) })
            let end = await browser.open(
                page.url, endingAt: page.redirectURL, as: .logsIn(name: user, password: password))
            switch end {
            case .redirect(let url): return url
            case .loginRefused(let html):
                let said = html.firstMatch(of: /role="alert">([^<]*)</).map { " It says: \($0.1)" } ?? ""
                Terminal.note("The login page was shown again.\(said)")
            case .page(let status, _): Terminal.note("The browser ended at a page with HTTP \(status).")
            case .failed: Terminal.note("The browser could not continue.")
            }
            return nil
        case .browser(let redirect):
            if !SystemBrowser.open(page.url) { Terminal.note("Open this page in a browser:\n") }
            Terminal.note(page.url.absoluteString)
            return await Terminal.waiting(for: "the browser to come back") { await redirect.arrival() }
        case .secondScreen: return nil
        }
    }
}
