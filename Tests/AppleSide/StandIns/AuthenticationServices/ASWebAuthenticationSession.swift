// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names and their meanings are Apple's.

import AppleDevice
public import Foundation
public import UIKit

/// The window over which a browser is shown.
public typealias ASPresentationAnchor = UIWindow

/// An object that names the window of a page.
///
/// The page …/aswebauthenticationpresentationcontextproviding declares it on the main actor, but compilers with the
/// SDK of Xcode 16 are reported to refuse a method on the main actor. This one is nonisolated, which is the stricter
/// reading, because a nonisolated method compiles with both.
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

/// The reason for which a browser ended without a URL, with the values of ASWebAuthenticationSession.h.
public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Int, Sendable, CaseIterable {
        case canceledLogin = 1
        case presentationContextNotProvided = 2
        case presentationContextInvalid = 3
    }
}

public let ASWebAuthenticationSessionErrorDomain = "com.apple.AuthenticationServices.WebAuthenticationSession"

/// A login in the system's browser.
///
/// Source of all rules: developer.apple.com/documentation/authenticationservices/aswebauthenticationsession and its
/// members.
@MainActor
public final class ASWebAuthenticationSession: NSObject {
    private let url: URL
    private let callback: Callback?
    private var completion: ((URL?, (any Error)?) -> Void)?
    private var isStarted = false
    private var isCancelled = false
    private var showsPage = false
    private var journey: Task<Void, Never>?

    /// A Boolean value that indicates whether the page has cookies of its own.
    public var prefersEphemeralWebBrowserSession = false
    public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?

    /// Prepares a login, with the initializer that was current until iOS 17.4.
    public convenience init(
        url: URL, callbackURLScheme: String?, completionHandler: @escaping (URL?, (any Error)?) -> Void
    ) {
        self.init(
            page: url, endingAt: callbackURLScheme.map(Callback.customScheme), completion: completionHandler)
    }

    /// Prepares a login, with the initializer that is current since iOS 17.4.
    public convenience init(
        url: URL, callback: Callback, completionHandler: @escaping (URL?, (any Error)?) -> Void
    ) {
        self.init(page: url, endingAt: callback, completion: completionHandler)
    }

    /// Prepares a login.
    ///
    /// The documentation does not describe this: the framework is reported to raise an exception for a page that is not
    /// on the web.
    private init(
        page url: URL, endingAt callback: Callback?, completion: @escaping (URL?, (any Error)?) -> Void
    ) {
        guard ["http", "https"].contains(url.scheme?.lowercased()) else {
            fatalError("Exception: unsupported URL: \(url)")
        }
        self.url = url
        self.callback = callback
        self.completion = completion
    }

    /// The URL at which a login ends.
    ///
    /// Source: …/aswebauthenticationsession/callback.
    public final class Callback: NSObject, Sendable {
        /// The scheme of a callback with the app's own scheme; `nil` for a callback on the web.
        let scheme: String?
        private let host: String
        private let path: String

        private init(scheme: String?, host: String = "", path: String = "") {
            self.scheme = scheme
            self.host = host
            self.path = path
        }

        /// Returns a callback with the app's own scheme.
        ///
        /// The documentation does not describe this: the framework is reported to raise an exception for a scheme that
        /// is one of the web or not well-formed ("A scheme should not include special characters such as ':' or '/'"),
        /// and to compare schemes exactly.
        public static func customScheme(_ customScheme: String) -> Callback {
            guard customScheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil,
                !["http", "https"].contains(customScheme.lowercased())
            else { fatalError("Exception: invalid scheme: \(customScheme)") }
            return Callback(scheme: customScheme)
        }

        /// Returns a callback on the web, at a host that the app's entitlement names.
        ///
        /// The documentation leaves the comparison open. This is the stricter reading: the path begins with a slash,
        /// host and path are compared exactly, and the query is ignored.
        public static func https(host: String, path: String) -> Callback {
            guard !host.isEmpty, path.hasPrefix("/") else { fatalError("Exception: invalid callback: \(host)\(path)") }
            return Callback(scheme: nil, host: host, path: path)
        }

        /// Returns a Boolean value that indicates whether a URL ends the login.
        public func matchesURL(_ url: URL) -> Bool {
            if let scheme { return url.scheme == scheme }
            return url.scheme == "https" && url.host() == host && url.path() == path && url.port == nil
        }

        /// The domain with which the app has to be associated; `nil` for none.
        var domain: String? { scheme == nil ? host : nil }
    }

    /// A Boolean value that indicates whether `start()` can succeed.
    ///
    /// Source: …/canstart. It is reported to be false as well if the window does not belong to an active scene.
    public var canStart: Bool { isNew && sceneState == .foregroundActive }

    private var isNew: Bool { !isStarted && !isCancelled && AppleDevice.current.with(\.safari.isThere) }

    /// The state of the scene over which the page would open; `nil` without a window in a scene.
    private var sceneState: UIScene.ActivationState? {
        presentationContextProvider?.presentationAnchor(for: self).windowScene?.activationState
    }

    /// A Boolean value that indicates whether the scene over which the page would open takes input.
    private var isUsable: Bool {
        presentationContextProvider?.presentationAnchor(for: self).windowScene?.session.role == .windowApplication
    }

    /// Opens the browser.
    ///
    /// Source: …/start(). A session can be started once, and not after it was cancelled. It keeps itself alive until it
    /// has called the handler. Without a presentation context it fails, and the handler receives the error after this
    /// method has returned. The window must belong to a scene in the foreground (ASWebAuthenticationSession.h:
    /// "presentationContextInvalid"), which is reported to mean the state `foregroundActive` alone.
    public func start() -> Bool {
        guard isNew else { return false }
        isStarted = true
        // The documentation leaves this open. The stricter reading is that there is one browser, and that a second
        // session does not replace the first.
        guard !AppleDevice.current.with(\.safari.isOpen) else { return false }
        guard presentationContextProvider != nil else {
            finish(at: nil, failure: .presentationContextNotProvided)
            return false
        }
        guard sceneState == .foregroundActive else {
            let reason = "The UIWindowScene for the returned window was not in the foreground active state."
            finish(at: nil, failure: .presentationContextInvalid, details: [NSDebugDescriptionErrorKey: reason])
            return true
        }
        // The documentation does not describe a display that takes no input. The stricter reading is that the system
        // refuses, because nobody could use the page.
        guard isUsable else {
            finish(at: nil, failure: .presentationContextInvalid)
            return true
        }
        // According to a report (okta-mobile-swift, issue 140), a page that is presented while another view controller
        // is being dismissed does not appear, and the handler is never called.
        if AppleDevice.current.with(\.scene.isDismissing) { return true }
        if let code = AppleDevice.current.with(\.safari.failure) {
            finish(at: nil, code: code)
            return true
        }
        // According to Apple's forums (thread 805416), `webcredentials` is needed, and the error has the code of a
        // viewer who cancels. It comes with a reason, after this method has returned true.
        if let domain = callback?.domain, let app = AppleDevice.current.with({ $0.running }),
            !app.credentialDomains.contains(domain)
        {
            let reason = app.refusal(ofCallbackAt: domain)
            finish(at: nil, failure: .canceledLogin, details: [NSLocalizedFailureReasonErrorKey: reason])
            return true
        }
        // According to the page of the class, the system first asks the viewer and names the site. It is reported not
        // to ask for a session with cookies of its own.
        let isPrivate = prefersEphemeralWebBrowserSession
        let (safari, isRefused) = AppleDevice.current.with { state in
            if !isPrivate { state.alerts += 1 }
            let isRefused = !isPrivate && state.safari.refusesAlert
            if !isRefused { state.pages.append(url) }
            if isPrivate { state.privatePages += 1 }
            return (state.safari, isRefused)
        }
        if isRefused {
            finish(at: nil, failure: .canceledLogin)
            return true
        }
        showsPage = true
        AppleDevice.current.with { $0.safari.isOpen = true }
        journey = Task { [url, callback] in
            let end = await safari.journey(url, callback?.scheme)
            // Only a URL that matches ends the session by itself. In any other case the viewer has closed the browser.
            // A browser writes schemes in lower case (https://url.spec.whatwg.org/#scheme-state).
            let normal = end.flatMap { end -> URL? in
                var components = URLComponents(url: end, resolvingAgainstBaseURL: false)
                components?.scheme = end.scheme?.lowercased()
                return components?.url
            }
            if let normal, callback?.matchesURL(normal) == true {
                self.finish(at: normal, failure: nil)
            } else {
                self.finish(at: nil, failure: .canceledLogin)
            }
        }
        return true
    }

    /// Closes the browser.
    ///
    /// Source: …/cancel(). The call has no effect on a session that was already cancelled. Whether the handler is
    /// called is not documented.
    public func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        journey?.cancel()
        closePage()
        if AppleDevice.current.with(\.safari.reportsCancellation) {
            finish(at: nil, failure: .canceledLogin)
        } else {
            completion = nil
        }
    }

    private func finish(
        at end: URL?, failure: ASWebAuthenticationSessionError.Code?, details: [String: String] = [:]
    ) {
        finish(at: end, code: failure?.rawValue, details: details)
    }

    private func closePage() {
        guard showsPage else { return }
        showsPage = false
        AppleDevice.current.with { $0.safari.isOpen = false }
    }

    /// Calls the handler once, and never before the call that caused it has returned.
    private func finish(at end: URL?, code: Int?, details: [String: String] = [:]) {
        closePage()
        guard let completion else { return }
        self.completion = nil
        Task {
            completion(
                end,
                code.map { NSError(domain: ASWebAuthenticationSessionErrorDomain, code: $0, userInfo: details) })
        }
    }
}
