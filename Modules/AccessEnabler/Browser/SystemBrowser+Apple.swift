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
    /// Makes a browser; nothing is shown before the first page.
    public init() {}

    /// Whether the system accepts the page: `ASWebAuthenticationSession` raises for a page that is not on the web, and for
    /// a redirect whose scheme is of the web or not well-formed.
    ///
    /// - Parameter page: the page and where it ends.
    public func canOpen(_ page: BrowserPage) -> Bool {
        Self.isWeb(page.url.scheme) && page.redirectURL.scheme.map(Self.isScheme) == true
            && !Self.isWeb(page.redirectURL.scheme)
    }

    private static func isWeb(_ scheme: String?) -> Bool { ["http", "https"].contains(scheme?.lowercased()) }

    private static func isScheme(_ text: String) -> Bool {
        let bytes = text.lowercased().utf8
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z"), digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return bytes.first.map(letters.contains) == true
            && bytes.allSatisfy { letters.contains($0) || digits.contains($0) || "+-.".utf8.contains($0) }
    }

    /// Opens a page; see ``AutomaticBrowser``.
    ///
    /// The system first asks the viewer in an alert whether the app may use the site to sign in, also at a logout. A page
    /// that need not be seen is therefore not opened.
    ///
    /// - Parameter page: the page and where it ends.
    /// - Returns: the URL the browser ended at, nil when the viewer left or the page was not opened.
    public func open(_ page: BrowserPage) async -> URL? {
        guard page.mustBeSeen, canOpen(page) else { return nil }
        let session = await Shown(page)
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
        private var session: ASWebAuthenticationSession?
        private var waiting: CheckedContinuation<URL?, Never>?

        init(_ page: BrowserPage) {
            self.page = page
        }

        func end() async -> URL? {
            await withCheckedContinuation { continuation in
                waiting = continuation
                // In lower case, as the browser returns it: the system compares the two.
                let session = ASWebAuthenticationSession(
                    url: page.url, callbackURLScheme: page.redirectURL.scheme?.lowercased()
                ) { @Sendable [weak self] url, _ in
                    Task { @MainActor in self?.finish(at: url) }
                }
                session.presentationContextProvider = self
                self.session = session
                if Task.isCancelled || !session.start() { finish(at: nil) }
            }
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
