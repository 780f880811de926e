import Foundation

/// Where logins end that a browser of this screen shows (acceptance list of REST API v2, CL28).
struct LoginRedirects: Sendable {
    /// The redirect that the app or its software statement names.
    var named: URL?
    /// The redirect of the app's web view.
    var usual: URL
    /// The redirects that are registered for the application; nil while that is not known.
    var registered: @Sendable () -> [URL]?

    /// Where logins in the system's browser end, which opens only the app's own schemes and hosts; nil for the usual
    /// redirect.
    var ofSystemBrowser: URL? {
        if let named { return named }
        let known = registered() ?? []
        guard
            let found = known.first(where: { !$0.isOfWeb })
                ?? known.first(where: { $0.scheme?.lowercased() == "https" })
        else { return nil }
        // A registered scheme stands for all that begin with it.
        return BrowserPage(url: found, redirectURL: found).ends(at: usual) ? usual : found
    }

    /// Whether a login over REST API v2 can come back: the service refuses a redirect that is not registered.
    func isUsable(in browser: LoginBrowser) -> Bool {
        guard let known = registered(), !known.isEmpty else { return true }
        let used = browser == .system ? ofSystemBrowser ?? usual : usual
        return known.contains { BrowserPage(url: $0, redirectURL: $0).ends(at: used) }
    }

    /// Whether a URL that the system passes to the app may be the end of a login.
    func mayEnd(at url: URL) -> Bool {
        let ends = [usual, named].compactMap(\.self) + (named == nil ? registered() ?? [] : [])
        return ends.contains { BrowserPage(url: $0, redirectURL: $0).ends(at: url) }
    }
}

extension URL {
    fileprivate var isOfWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}
