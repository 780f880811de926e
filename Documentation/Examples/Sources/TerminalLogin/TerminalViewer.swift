import Foundation
import TVEFlowEngine

/// A viewer at a terminal, who opens pages in a browser of their own.
///
/// `readLine` blocks its thread. That is good enough for a program with one viewer and nothing else to do. An app waits
/// for its screens instead.
struct TerminalViewer: AuthenticationPresenter {
    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        for (index, provider) in providers.enumerated() { say("\(index + 1). \(provider.displayName)") }
        say("The number of your TV provider, or an empty line to leave:")
        guard let line = readLine(), let number = Int(line), providers.indices.contains(number - 1) else { return nil }
        return providers[number - 1].id
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        say("Log in on this page: \(page.url.absoluteString)")
        say("It ends at \(page.redirectURL.absoluteString), which a browser may be unable to show.")
        say("Type this address when the browser has tried to open it, or an empty line to leave:")
        while let line = readLine(), !line.isEmpty {
            if let url = URL(string: line), page.ends(at: url) { return url }
            say("That is not the end of this page.")
        }
        return nil
    }

    func presentLogout(_ page: BrowserPage) async {
        say("Log out at the TV provider on this page: \(page.url.absoluteString)")
    }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
