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
    /// - Returns: the URL the browser ended at, nil when the viewer left, and for a page that is not to be opened.
    /// - Throws: `PageNotOpened` with the system's reason, also when no scene of the app is in the foreground.
    public func open(_ page: BrowserPage) async throws(PageNotOpened) -> URL? {
        guard page.mustBeSeen, !(isPrivate && page.isLogout), await canOpen(page) else { return nil }
        let session = await Shown(page, isPrivate: isPrivate)
        let end = await withTaskCancellationHandler {
            await session.end()
        } onCancel: {
            Task { @MainActor in session.cancel() }
        }
        return try end.get()
    }

    /// One page on the screen.
    @MainActor
    private final class Shown: NSObject, ASWebAuthenticationPresentationContextProviding {
        private let page: BrowserPage
        private let isPrivate: Bool
        private var session: ASWebAuthenticationSession?
        private var waiting: CheckedContinuation<End, Never>?
        /// Where the page is shown; nil before the start.
        private var anchor: ASPresentationAnchor?

        /// Where a page ended: nil for a viewer who left.
        typealias End = Result<URL?, PageNotOpened>

        init(_ page: BrowserPage, isPrivate: Bool) {
            self.page = page
            self.isPrivate = isPrivate
        }

        func end() async -> End {
            await withCheckedContinuation { continuation in
                waiting = continuation
                if Task.isCancelled { return finish(.success(nil)) }
                guard let anchor = Self.anchorInFront() else {
                    return finish(Self.failure("no scene of the app is in the foreground"))
                }
                self.anchor = anchor
                let session = makeSession { @Sendable [weak self] url, error in
                    let end = Self.end(url, error as NSError?)
                    Task { @MainActor in self?.finish(end) }
                }
                session.presentationContextProvider = self
                session.prefersEphemeralWebBrowserSession = isPrivate
                self.session = session
                // The system's error, if there is one, comes later and is in the log.
                if !session.canStart || !session.start() { finish(Self.failure("it did not start")) }
            }
        }

        /// Only one code of the system says that the viewer left: all others say that there was no page to leave.
        private nonisolated static func end(_ url: URL?, _ error: NSError?) -> End {
            guard let error else { return .success(url) }
            // The system's own words, for example that the app lacks an entitlement for a redirect with https.
            if let reason = error.localizedFailureReason { SystemLog.record(refusal: reason) }
            let isCancel =
                error.domain == ASWebAuthenticationSessionErrorDomain
                && error.code == ASWebAuthenticationSessionError.Code.canceledLogin.rawValue
            return isCancel ? .success(nil) : failure("\(error.domain) \(error.code)")
        }

        private nonisolated static func failure(_ reason: String) -> End {
            SystemLog.record(failure: reason)
            return .failure(PageNotOpened(reason))
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
            finish(.success(nil))
        }

        /// The first caller ends the page.
        private func finish(_ end: End) {
            waiting?.resume(returning: end)
            waiting = nil
        }

        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
            // Set before the start, and the system asks after it.
            anchor ?? ASPresentationAnchor()
        }

        /// A window of a scene that the viewer sees, made if the scene has none: the system refuses all others.
        private static func anchorInFront() -> ASPresentationAnchor? {
            let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            let active = scenes.first { $0.activationState == .foregroundActive }
            // Inactive while an alert of the system is shown, for example the one for platform sign-on.
            guard let scene = active ?? scenes.first(where: { $0.activationState == .foregroundInactive }) else {
                return nil
            }
            return scene.windows.first { $0.isKeyWindow } ?? scene.windows.first
                ?? ASPresentationAnchor(windowScene: scene)
        }
    }
}
#endif
