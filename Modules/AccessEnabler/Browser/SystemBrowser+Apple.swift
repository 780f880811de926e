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

    /// Opens a page; see ``AutomaticBrowser``.
    ///
    /// - Parameter page: the page and where it ends.
    /// - Returns: the URL the browser ended at, nil when the viewer left.
    public func open(_ page: BrowserPage) async -> URL? {
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
                let session = ASWebAuthenticationSession(
                    url: page.url, callbackURLScheme: page.redirectURL.scheme
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
