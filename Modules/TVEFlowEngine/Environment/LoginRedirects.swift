import Foundation
import TVENetworking

/// The redirects at which logins in a browser on this device end (acceptance list of REST API v2, CL28).
struct LoginRedirects: Sendable {
    /// The redirect that the app or its software statement names.
    ///
    /// The closure runs when a login needs it, not at each start.
    let named: @Sendable () -> URL?
    /// The redirect of the app's web view.
    let usual: URL
    /// The redirects that are registered for the application; `nil` while they are not known.
    let registered: @Sendable () -> [URL]?

    /// The redirect of logins in the system's browser, which opens only the app's own schemes and hosts.
    ///
    /// The value is `nil` if such logins use the usual redirect.
    var ofSystemBrowser: URL? {
        if let named = named() { return named }
        let known = registered() ?? []
        let found = known.first { !$0.isOfWeb } ?? known.first { $0.scheme?.lowercased() == "https" }
        return found.map { $0.isReached(at: usual) ? usual : $0 }
    }

    /// Returns the redirect of logins on another screen: the page on which viewers type codes, if it is registered.
    ///
    /// If that page is not registered, a redirect that the app names or has registered takes its place, because the
    /// service refuses any other.
    ///
    /// - Parameter page: the page on which viewers type codes.
    /// - Returns: the redirect, or `nil` if such logins use the usual one.
    func ofOtherScreen(typingAt page: URL?) -> URL? {
        let known = registered() ?? []
        if let page, known.contains(where: { $0.isReached(at: page) }) { return page }
        return ofSystemBrowser ?? (known.isEmpty ? page : nil)
    }

    /// Returns a Boolean value that indicates whether a login over REST API v2 can return to the app.
    ///
    /// The service refuses a redirect that is not registered.
    func isUsable(in browser: LoginBrowser) -> Bool {
        guard let known = registered(), !known.isEmpty else { return true }
        let used = browser == .system ? ofSystemBrowser ?? usual : usual
        return known.contains { $0.isReached(at: used) }
    }

    /// Returns a Boolean value that indicates whether a URL that the system passes to the app can be the end of a
    /// login.
    func mayEnd(at url: URL) -> Bool {
        let named = named()
        let ends = [usual, named].compactMap(\.self) + (named == nil ? registered() ?? [] : [])
        return ends.contains { $0.isReached(at: url) }
    }
}

extension URL {
    fileprivate var isOfWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}
