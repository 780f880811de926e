public import Foundation
public import TVEModels
import TVENetworking

/// A page to open in a browser, and where it ends.
public struct BrowserPage: Sendable, Hashable, Redacting {
    /// The page to open.
    public var url: URL
    /// Where the page ends: the browser must not load this URL, and only its scheme counts.
    public var redirectURL: URL
    /// Whether the provider needs Safari (`SFSafariViewController`) in place of a web view.
    public var needsSafari: Bool
    /// Whether the page must be visible; a silent login or a logout may be hidden, except in Safari.
    public var mustBeSeen: Bool
    /// Whether the page ends a login, so that a browser without cookies of it need not open the page.
    public var isLogout = false

    /// Describes a page.
    ///
    /// - Parameters:
    ///   - url: the page to open.
    ///   - redirectURL: where the page ends.
    ///   - needsSafari: whether the provider needs Safari.
    ///   - mustBeSeen: whether the page must be visible.
    public init(url: URL, redirectURL: URL, needsSafari: Bool = false, mustBeSeen: Bool = true) {
        self.url = url
        self.redirectURL = redirectURL
        self.needsSafari = needsSafari
        self.mustBeSeen = mustBeSeen
    }

    /// The page of a login; nil for a login without a page on this screen.
    init?(_ page: LoginPage, needsSafari: Bool = false, mustBeSeen: Bool = true) {
        guard case .open(let url, let redirectURL) = page.step else { return nil }
        self.init(url: url, redirectURL: redirectURL, needsSafari: needsSafari, mustBeSeen: mustBeSeen)
    }

    /// Whether a URL is the one at which this page ends.
    ///
    /// The host differs between documented examples, so the scheme decides; an http redirect must have its host as
    /// well.
    ///
    /// - Parameter url: a URL that the browser was about to load.
    public func ends(at url: URL) -> Bool {
        guard url.scheme?.lowercased() == redirectURL.scheme?.lowercased() else { return false }
        return redirectURL.scheme?.lowercased().hasPrefix("http") != true
            || url.host()?.lowercased() == redirectURL.host()?.lowercased() && url.port == redirectURL.port
    }

    /// Whether a URL is the redirect exactly as it was sent to the service, with any query.
    ///
    /// Any app can open a URL with the scheme, so a URL that differs proves nothing.
    func isExactRedirect(_ url: URL) -> Bool {
        ends(at: url) && url.host()?.lowercased() == redirectURL.host()?.lowercased()
            && url.path().trimmingSlashes == redirectURL.path().trimmingSlashes
    }

    /// The error with which the service ended the page: the parameter `error` of its redirect (REST API v2, 9.2).
    ///
    /// - Parameter url: where the page ended.
    /// - Returns: the name of the error; nil where the URL names none, or is not the redirect exactly as it was sent.
    func refusal(at url: URL) -> String? {
        // A redirect may have a parameter of that name from the start.
        guard isExactRedirect(url), Self.errorName(in: redirectURL) == nil, let name = Self.errorName(in: url) else {
            return nil
        }
        // Any page can lead the browser to a redirect, so only a well-formed name becomes part of a message.
        let isName = (1...64).contains(name.utf8.count) && name.wholeMatch(of: /[A-Za-z0-9_.\-]+/) != nil
        return isName ? name : "unknown"
    }

    /// The parameter, which some answers have behind the number sign.
    private static func errorName(in url: URL) -> String? {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        let query = components.queryItems ?? []
        components.percentEncodedQuery = components.percentEncodedFragment
        return (query + (components.queryItems ?? [])).lazy.filter { $0.name == "error" }
            .compactMap(\.value).first { !$0.isEmpty }
    }

    /// The host alone: path and query hold codes and session ids.
    public var redactedDescription: String { "BrowserPage(\(url.host() ?? ""))" }
}

extension String {
    fileprivate var trimmingSlashes: Substring {
        var text = self[...]
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}
