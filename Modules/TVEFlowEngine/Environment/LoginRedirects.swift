import Foundation

/// The redirects at which logins in a browser on this device end (acceptance list of REST API v2, CL28).
struct LoginRedirects: Sendable {
    /// The redirect that the app or its software statement names.
    ///
    /// The closure runs when a login needs it, not at each start.
    private let named: @Sendable () -> URL?
    /// The redirect of the app's web view.
    private let usual: URL
    /// The page on which viewers type codes.
    private let activationPage: URL?
    /// The redirects that are registered for the application; `nil` while they are not known.
    private let registered: @Sendable () -> [URL]?

    init(
        named: @escaping @autoclosure @Sendable () -> URL?, usual: URL, activationPage: URL? = nil,
        registered: @escaping @Sendable () -> [URL]?
    ) {
        self.named = named
        self.usual = usual
        self.activationPage = activationPage
        self.registered = registered
    }

    /// The redirect of logins in the system's browser, which opens only the app's own schemes and hosts.
    ///
    /// The value is `nil` if such logins use the usual redirect.
    var ofSystemBrowser: URL? {
        if let named = named() { return named }
        let known = registered() ?? []
        guard
            let found = known.first(where: { !$0.isOfWeb })
                ?? known.first(where: { $0.scheme?.lowercased() == "https" })
        else { return nil }
        // A registered redirect covers every redirect with the same scheme.
        return BrowserPage(url: found, redirectURL: found).ends(at: usual) ? usual : found
    }

    /// The redirect of logins on another screen, whose browser returns to the page on which the viewer typed the code.
    ///
    /// If that page is not registered, a redirect that is takes its place, because the service refuses any other. The
    /// value is `nil` if such logins use the usual redirect.
    var ofOtherScreen: URL? {
        let known = registered() ?? []
        let isRegistered = activationPage.map { page in
            known.contains { BrowserPage(url: $0, redirectURL: $0).ends(at: page) }
        }
        if isRegistered == true { return activationPage }
        return ofSystemBrowser ?? (known.isEmpty ? activationPage : nil)
    }

    /// Returns a Boolean value that indicates whether a login over REST API v2 can return to the app.
    ///
    /// The service refuses a redirect that is not registered.
    func isUsable(in browser: LoginBrowser) -> Bool {
        guard let known = registered(), !known.isEmpty else { return true }
        let used = browser == .system ? ofSystemBrowser ?? usual : usual
        return known.contains { BrowserPage(url: $0, redirectURL: $0).ends(at: used) }
    }

    /// Returns a Boolean value that indicates whether a URL that the system passes to the app can be the end of a
    /// login.
    func mayEnd(at url: URL) -> Bool {
        let named = named()
        let ends = [usual, named].compactMap(\.self) + (named == nil ? registered() ?? [] : [])
        return ends.contains { BrowserPage(url: $0, redirectURL: $0).ends(at: url) }
    }
}

extension URL {
    fileprivate var isOfWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}
