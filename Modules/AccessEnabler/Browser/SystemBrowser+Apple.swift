#if canImport(AuthenticationServices) && !os(macOS) && !os(tvOS)
import AuthenticationServices
public import Foundation
public import TVEFlowEngine
import UIKit

/// The system's login browser (`ASWebAuthenticationSession`), for providers that need Safari.
///
/// It shares Safari's cookies, catches the redirect itself, and closes itself. The original did this with
/// `SFSafariViewController` since 3.1, and could not when another view controller was presented (API reference, rows
/// SV2, SV4, SV6).
public final class SystemBrowser: AutomaticBrowser {
    private let isPrivate: Bool

    /// Makes a browser; nothing is shown before the first page.
    ///
    /// - Parameter isPrivate: whether each page has cookies of its own, in place of Safari's. The system then shows no
    ///   alert, a logout needs no page, and a viewer who is logged in to a provider in Safari types the password anyway.
    public init(isPrivate: Bool = false) {
        self.isPrivate = isPrivate
    }

    /// Whether the system accepts the page.
    ///
    /// `ASWebAuthenticationSession` raises for a page that is not on the web, and for a redirect whose scheme is `http` or
    /// not well-formed. A redirect with `https` needs iOS 17.4.
    ///
    /// - Parameter page: the page and where it ends.
    public func canOpen(_ page: BrowserPage) async -> Bool {
        guard ["http", "https"].contains(page.url.scheme?.lowercased()),
            let scheme = page.redirectURL.scheme?.lowercased()
        else { return false }
        guard scheme == "https" else { return scheme != "http" && Self.isScheme(scheme) }
        guard #available(iOS 17.4, visionOS 1.1, *) else { return false }
        return page.redirectURL.host()?.isEmpty == false && page.redirectURL.port == nil
    }

    private static func isScheme(_ text: String) -> Bool {
        let bytes = text.utf8
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z"), digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return bytes.first.map(letters.contains) == true
            && bytes.allSatisfy { letters.contains($0) || digits.contains($0) || "+-.".utf8.contains($0) }
    }

    /// Opens a page; see ``AutomaticBrowser``.
    ///
    /// The system first asks the viewer in an alert whether the app may use the site to sign in, also at a logout, which
    /// has to remove the provider's cookies from Safari. A page that need not be seen is therefore not opened, and neither
    /// is a logout's in a private browser.
    ///
    /// - Parameter page: the page and where it ends.
    /// - Returns: the URL the browser ended at, nil when the viewer left or the page was not opened.
    public func open(_ page: BrowserPage) async -> URL? {
        guard page.mustBeSeen, !(isPrivate && page.isLogout), await canOpen(page) else { return nil }
        let session = await Shown(page, isPrivate: isPrivate)
        return await withTaskCancellationHandler {
            await session.end()
        } onCancel: {
            Task { @MainActor in session.cancel() }
        }
    }

    /// One page on the screen.
    @MainActor
    private final class Shown: NSObject, ASWebAuthenticationPresentationContextProviding {
        private let page: BrowserPage
        private let isPrivate: Bool
        private var session: ASWebAuthenticationSession?
        private var waiting: CheckedContinuation<URL?, Never>?

        init(_ page: BrowserPage, isPrivate: Bool) {
            self.page = page
            self.isPrivate = isPrivate
        }

        func end() async -> URL? {
            await withCheckedContinuation { continuation in
                waiting = continuation
                let session = makeSession { @Sendable [weak self] url, error in
                    // The framework's own words, for example that the app lacks an entitlement for a redirect with https.
                    if let reason = (error as NSError?)?.localizedFailureReason { SystemLog.record(refusal: reason) }
                    Task { @MainActor in self?.finish(at: url) }
                }
                session.presentationContextProvider = self
                session.prefersEphemeralWebBrowserSession = isPrivate
                self.session = session
                if Task.isCancelled || !session.start() { finish(at: nil) }
            }
        }

        private func makeSession(
            _ ended: @escaping @Sendable (URL?, (any Error)?) -> Void
        ) -> ASWebAuthenticationSession {
            // In lower case, as the browser returns them: the system compares the two.
            let scheme = page.redirectURL.scheme?.lowercased()
            if scheme == "https", let host = page.redirectURL.host()?.lowercased(),
                #available(iOS 17.4, visionOS 1.1, *)
            {
                let path = page.redirectURL.path()
                return ASWebAuthenticationSession(
                    url: page.url, callback: .https(host: host, path: path.isEmpty ? "/" : path),
                    completionHandler: ended)
            }
            return ASWebAuthenticationSession(url: page.url, callbackURLScheme: scheme, completionHandler: ended)
        }

        func cancel() {
            session?.cancel()
            finish(at: nil)
        }

        /// The first caller ends the page.
        private func finish(at url: URL?) {
            waiting?.resume(returning: url)
            waiting = nil
        }

        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
            let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            return scenes.flatMap(\.windows).first { $0.isKeyWindow } ?? ASPresentationAnchor()
        }
    }
}
#endif
