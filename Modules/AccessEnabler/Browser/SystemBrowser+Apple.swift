#if canImport(AuthenticationServices) && !os(macOS) && !os(tvOS)
import AuthenticationServices
public import Foundation
public import TVEFlowEngine
import UIKit

/// The system's login browser (`ASWebAuthenticationSession`), for providers that need Safari.
///
/// It shares Safari's cookies, catches the redirect itself, and closes itself. Since version 3.1, the original used
/// `SFSafariViewController`, which failed while another view controller was presented (API reference, rows SV2, SV4,
/// SV6).
public final class SystemBrowser: AutomaticBrowser {
    private let isPrivate: Bool
    private let clock: SessionClock

    /// Creates a browser, which shows nothing before the first page.
    ///
    /// - Parameter isPrivate: a Boolean value that indicates whether each page has its own cookies instead of Safari's.
    ///   The system then shows no alert, and a logout needs no page. A viewer who is logged in to a provider in Safari
    ///   must enter the password again.
    public init(isPrivate: Bool = false) {
        self.isPrivate = isPrivate
        clock = .system
    }

    /// Creates a browser that waits on a clock for a scene to become active.
    package init(isPrivate: Bool = false, clock: SessionClock) {
        self.isPrivate = isPrivate
        self.clock = clock
    }

    /// Returns a Boolean value that indicates whether the system accepts the page.
    ///
    /// `ASWebAuthenticationSession` raises an exception for a page that is not on the web, and for a redirect whose
    /// scheme is `http` or not well-formed. A redirect with `https` needs iOS 17.4.
    ///
    /// - Parameter page: the page and its redirect.
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
    /// The system first asks the viewer in an alert whether the app may use the site to sign in. It also does so at a
    /// logout, which has to remove the provider's cookies from Safari. A page that the viewer need not see is therefore
    /// not opened, and neither is the page of a logout in a private browser.
    ///
    /// While something of the system is in front of the app, for example an alert or Control Center, the page waits for
    /// up to ten seconds. It also waits up to five seconds for the end of a dismissal, for example that of the page
    /// before it.
    ///
    /// - Parameter page: the page and its redirect.
    /// - Returns: the URL at which the browser ended, or nil when the viewer left or the page was not to be opened.
    /// - Throws: `PageNotOpened` with the system's reason, or when no scene of the app is active or another view is
    ///   still being dismissed.
    public func open(_ page: BrowserPage) async throws(PageNotOpened) -> URL? {
        guard page.mustBeSeen, !(isPrivate && page.isLogout), await canOpen(page) else { return nil }
        let session = await Shown(page, isPrivate: isPrivate, clock: clock)
        let end = await withTaskCancellationHandler {
            await session.end()
        } onCancel: {
            Task { @MainActor in session.cancel() }
        }
        return try end.get()
    }

    /// A page that is shown on the screen.
    @MainActor
    private final class Shown: NSObject, ASWebAuthenticationPresentationContextProviding {
        private let page: BrowserPage
        private let isPrivate: Bool
        private let clock: SessionClock
        private var session: ASWebAuthenticationSession?
        private var waiting: CheckedContinuation<End, Never>?
        /// The window in which the page is shown, or nil before the start.
        private var anchor: ASPresentationAnchor?

        /// The outcome of a page: the URL at which it ended, nil if the viewer left, or the reason why it was not
        /// opened.
        typealias End = Result<URL?, PageNotOpened>

        /// The longest time to wait for a scene to become active.
        private static let longestWait = Duration.seconds(10)
        /// The interval between two checks for the end of a dismissal, which takes about half a second.
        private static let pause = Duration.milliseconds(50)
        private static let mostPauses = 100

        init(_ page: BrowserPage, isPrivate: Bool, clock: SessionClock) {
            self.page = page
            self.isPrivate = isPrivate
            self.clock = clock
        }

        func end() async -> End {
            let front = await sceneInFront()
            if Task.isCancelled { return .success(nil) }
            guard let scene = front else { return Self.failure("no scene of the app is active") }
            let window = Self.anchor(in: scene)
            let isFree = await becomesFree(window)
            if Task.isCancelled { return .success(nil) }
            guard isFree else { return Self.failure("another view is still being dismissed") }
            anchor = window
            return await withCheckedContinuation { continuation in
                waiting = continuation
                let session = makeSession { @Sendable [weak self] url, error in
                    let end = Self.end(url, error as NSError?)
                    Task { @MainActor [weak self] in self?.finish(end) }
                }
                session.presentationContextProvider = self
                session.prefersEphemeralWebBrowserSession = isPrivate
                self.session = session
                if !session.canStart || !session.start() { finish(Self.failure("it did not start")) }
            }
        }

        /// Converts the system's outcome.
        ///
        /// Only one error code of the system means that the viewer left, and only without a reason. All other errors
        /// mean that no page was shown.
        private nonisolated static func end(_ url: URL?, _ error: NSError?) -> End {
            guard let error else { return .success(url) }
            // The system uses the same code for a page that it refuses, for example because the app lacks the
            // entitlement for a redirect with https. It then gives a reason, which it does not for a viewer who left.
            let reasons = [NSLocalizedFailureReasonErrorKey, NSDebugDescriptionErrorKey].map { error.userInfo[$0] }
            let reason = reasons.compactMap { $0 as? String }.first
            let isCancel =
                error.domain == ASWebAuthenticationSessionErrorDomain
                && error.code == ASWebAuthenticationSessionError.Code.canceledLogin.rawValue
            if isCancel, reason == nil { return .success(nil) }
            if let reason { SystemLog.record(failure: reason) }
            return failure("\(error.domain) \(error.code)")
        }

        private nonisolated static func failure(_ reason: String) -> End {
            SystemLog.record(failure: reason)
            return .failure(PageNotOpened(reason))
        }

        private func makeSession(
            _ ended: @escaping @Sendable (URL?, (any Error)?) -> Void
        ) -> ASWebAuthenticationSession {
            // The scheme and host are in lower case, as browsers return them, because the system compares them.
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

        /// Ends the page.
        ///
        /// Only the first call has an effect.
        private func finish(_ end: End) {
            waiting?.resume(returning: end)
            waiting = nil
        }

        // The system calls this method on the main thread, but not every SDK declares this to the compiler.
        nonisolated func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
            // The anchor is set before the start, and the system requests it afterwards.
            MainActor.assumeIsolated { anchor ?? ASPresentationAnchor() }
        }

        /// Returns an active scene, because the system refuses all others.
        ///
        /// A scene is inactive while something of the system is in front of it, for example an alert. If there is only
        /// such a scene, this waits until one becomes active, the time is over or the task is cancelled.
        private func sceneInFront() async -> UIWindowScene? {
            if let scene = Self.scene(in: .foregroundActive) { return scene }
            guard Self.scene(in: .foregroundInactive) != nil else { return nil }
            let (activations, activation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let observer = NotificationCenter.default.addObserver(
                forName: UIScene.didActivateNotification, object: nil, queue: nil
            ) { _ in
                activation.yield()
            }
            let timer = Task { [clock] in
                try? await clock.sleep(Self.longestWait)
                activation.finish()
            }
            defer {
                timer.cancel()
                NotificationCenter.default.removeObserver(observer)
            }
            for await _ in activations where Self.scene(in: .foregroundActive) != nil { break }
            return Self.scene(in: .foregroundActive)
        }

        /// Returns a scene in a state, preferably the one with the key window, which the viewer has used last.
        ///
        /// A display that takes no input has a scene too. It is skipped, because nobody could use a page there.
        private static func scene(in state: UIScene.ActivationState) -> UIWindowScene? {
            let all = UIApplication.shared.connectedScenes
                .compactMap { $0 as? UIWindowScene }
                .filter { $0.activationState == state && $0.session.role != .windowExternalDisplayNonInteractive }
            let ordinary = all.filter { $0.session.role == .windowApplication }
            // On visionOS the viewer may use a volume, whose scene has another role.
            let scenes = ordinary.isEmpty ? all : ordinary
            return scenes.first { $0.windows.contains { $0.isKeyWindow } } ?? scenes.first
        }

        /// Waits until nothing over a window is being dismissed, such as the page of a logout or a dialog.
        ///
        /// A page that opens in the meantime never appears, and the system does not say so.
        ///
        /// - Returns: a Boolean value that indicates whether the page can open.
        private func becomesFree(_ window: UIWindow) async -> Bool {
            for _ in 0..<Self.mostPauses {
                if !Self.isDismissing(over: window) { return true }
                try? await clock.sleep(Self.pause)
            }
            return false
        }

        private static func isDismissing(over window: UIWindow) -> Bool {
            var controller = window.rootViewController
            while let current = controller {
                if current.isBeingDismissed { return true }
                controller = current.presentedViewController
            }
            return false
        }

        /// Returns a window of a scene, and creates one if the scene has none.
        private static func anchor(in scene: UIWindowScene) -> ASPresentationAnchor {
            scene.windows.first { $0.isKeyWindow } ?? scene.windows.first ?? ASPresentationAnchor(windowScene: scene)
        }
    }
}

// The names for an app with types of its own, as in `AccessEnabler+Types.swift`.

/// The system's login browser, for an app that has a `SystemBrowser` of its own.
public typealias AccessEnablerSystemBrowser = SystemBrowser

extension AccessEnabler {
    /// The system's login browser.
    public typealias SystemBrowser = AccessEnablerSystemBrowser
}
#endif
