public import Foundation
public import TVEModels
import TVENetworking

/// A page to open in a browser, and the redirect at which it ends.
public struct BrowserPage: Sendable, Hashable, Redacting {
    /// The page to open.
    public var url: URL
    /// The redirect at which the page ends.
    ///
    /// The browser must not load this URL, and only its scheme is significant.
    public var redirectURL: URL
    /// A Boolean value that indicates whether the provider needs Safari (`SFSafariViewController`) instead of a web
    /// view.
    public var needsSafari: Bool
    /// A Boolean value that indicates whether the page must be visible.
    ///
    /// A silent login or a logout may be hidden, except in Safari.
    public var mustBeSeen: Bool
    /// A Boolean value that indicates whether the page ends a login.
    ///
    /// A browser that has no cookies from the login need not open such a page.
    public var isLogout = false

    /// Describes a page.
    ///
    /// - Parameters:
    ///   - url: the page to open.
    ///   - redirectURL: the redirect at which the page ends.
    ///   - needsSafari: a Boolean value that indicates whether the provider needs Safari.
    ///   - mustBeSeen: a Boolean value that indicates whether the page must be visible.
    public init(url: URL, redirectURL: URL, needsSafari: Bool = false, mustBeSeen: Bool = true) {
        self.url = url
        self.redirectURL = redirectURL
        self.needsSafari = needsSafari
        self.mustBeSeen = mustBeSeen
    }

    /// Creates the page of a login, or returns `nil` for a login without a page on this screen.
    init?(_ page: LoginPage, needsSafari: Bool = false, mustBeSeen: Bool = true) {
        guard case .open(let url, let redirectURL) = page.step else { return nil }
        self.init(url: url, redirectURL: redirectURL, needsSafari: needsSafari, mustBeSeen: mustBeSeen)
    }

    /// Returns a Boolean value that indicates whether a URL is the redirect at which this page ends.
    ///
    /// The documented examples have different hosts, so only the scheme is compared. An http redirect must have the
    /// same host as well.
    ///
    /// - Parameter url: a URL that the browser was about to load.
    public func ends(at url: URL) -> Bool { redirectURL.isReached(at: url) }

    /// Returns the error with which the service ended the page, from the parameter `error` of its redirect (REST API
    /// v2, 9.2).
    ///
    /// - Parameter url: the URL at which the page ended.
    /// - Returns: the name of the error, or `nil` if the URL names none or is not exactly the redirect that was sent.
    func refusal(at url: URL) -> String? {
        // A redirect may have a parameter of that name from the start.
        guard url.isRedirect(redirectURL), redirectURL.redirectError == nil, let name = url.redirectError else {
            return nil
        }
        // Any page can lead the browser to a redirect, so only a well-formed name becomes part of a message.
        let isName = (1...64).contains(name.utf8.count) && name.wholeMatch(of: /[A-Za-z0-9_.\-]+/) != nil
        return isName ? name : "unknown"
    }

    /// The host without the path and query, which contain codes and session ids.
    public var redactedDescription: String { "BrowserPage(\(url.host() ?? ""))" }
}
