// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names are Apple's, and so is what they mean.

import AppleDevice
public import Foundation
public import UIKit

/// The window over which a browser is shown.
public typealias ASPresentationAnchor = UIWindow

@MainActor
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

/// Why a browser ended without a URL; the values of ASWebAuthenticationSession.h.
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
/// Source of all rules: developer.apple.com/documentation/authenticationservices/aswebauthenticationsession and its members.
@MainActor
public final class ASWebAuthenticationSession: NSObject {
    private let url: URL
    private let callback: Callback?
    private var completion: ((URL?, (any Error)?) -> Void)?
    private var isStarted = false
    private var isCancelled = false
    private var showsPage = false
    private var journey: Task<Void, Never>?

    /// Whether the page has cookies of its own.
    public var prefersEphemeralWebBrowserSession = false
    public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?

    /// Prepares a login; the initializer until iOS 17.4.
    public convenience init(
        url: URL, callbackURLScheme: String?, completionHandler: @escaping (URL?, (any Error)?) -> Void
    ) {
        self.init(url, callbackURLScheme.map(Callback.customScheme), completionHandler)
    }

    /// Prepares a login; the initializer since iOS 17.4.
    public convenience init(
        url: URL, callback: Callback, completionHandler: @escaping (URL?, (any Error)?) -> Void
    ) {
        self.init(url, callback, completionHandler)
    }

    /// Said of the framework, not on its page: it raises for a page that is not on the web.
    private init(_ url: URL, _ callback: Callback?, _ completion: @escaping (URL?, (any Error)?) -> Void) {
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
        /// The scheme, where it decides alone.
        let scheme: String?
        private let host: String
        private let path: String

        private init(scheme: String?, host: String = "", path: String = "") {
            (self.scheme, self.host, self.path) = (scheme, host, path)
        }

        /// A URL with the app's own scheme.
        ///
        /// Said of the framework, not on its page: it raises for a scheme that is one of the web or not well-formed ("A scheme should not
        /// include special characters such as ':' or '/'"), and compares it exactly.
        public static func customScheme(_ customScheme: String) -> Callback {
            guard customScheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil,
                !["http", "https"].contains(customScheme.lowercased())
            else { fatalError("Exception: invalid scheme: \(customScheme)") }
            return Callback(scheme: customScheme)
        }

        /// A URL of the web, of a host that the app's entitlement names.
        ///
        /// Not on its page, the stricter reading: host and path are compared exactly, with a path that begins with a slash; any query.
        public static func https(host: String, path: String) -> Callback {
            guard !host.isEmpty, path.hasPrefix("/") else { fatalError("Exception: invalid callback: \(host)\(path)") }
            return Callback(scheme: nil, host: host, path: path)
        }

        /// Whether a URL ends the login.
        public func matchesURL(_ url: URL) -> Bool {
            if let scheme { return url.scheme == scheme }
            return url.scheme == "https" && url.host() == host && url.path() == path && url.port == nil
        }

        /// What the app has to be associated with.
        var domain: String? { scheme == nil ? host : nil }
    }

    /// Whether `start()` can succeed.
    ///
    /// Source: …/canstart.
    public var canStart: Bool { !isStarted && !isCancelled && AppleDevice.current.with(\.safari.isThere) }

    /// Opens the browser.
    ///
    /// `start()`: once for each session, and not after it was cancelled; then the session keeps itself alive until it
    /// has called back. Without a context it fails, and the handler gets the error, after this has returned. The window must
    /// be one of a scene in the foreground (ASWebAuthenticationSession.h: "presentationContextInvalid").
    public func start() -> Bool {
        guard canStart else { return false }
        isStarted = true
        // Not documented, the stricter reading: there is one browser, and a second session does not take it away.
        guard !AppleDevice.current.with(\.safari.isOpen) else { return false }
        guard let provider = presentationContextProvider else {
            finish(nil, .presentationContextNotProvided)
            return false
        }
        let state = provider.presentationAnchor(for: self).windowScene?.activationState
        guard state == .foregroundActive || state == .foregroundInactive else {
            finish(nil, .presentationContextInvalid)
            return true
        }
        if let code = AppleDevice.current.with(\.safari.failure) {
            finish(nil, code: code)
            return true
        }
        // Said in Apple's forums (thread 805416): `webcredentials` is needed, and the error is that of a viewer who cancels.
        if let domain = callback?.domain,
            AppleDevice.current.with({ $0.running?.credentialDomains.contains(domain) }) != true
        {
            let reason = "Using HTTPS callbacks requires Associated Domains using the `webcredentials` service type."
            finish(nil, .canceledLogin, [NSLocalizedFailureReasonErrorKey: reason])
            return false
        }
        // The page on the class: the system asks first, with the site's name; said: not for cookies of its own.
        let isPrivate = prefersEphemeralWebBrowserSession
        let (safari, isRefused) = AppleDevice.current.with { state in
            if !isPrivate { state.alerts += 1 }
            let isRefused = !isPrivate && state.safari.refusesAlert
            if !isRefused { state.pages.append(url) }
            if isPrivate { state.privatePages += 1 }
            return (state.safari, isRefused)
        }
        if isRefused {
            finish(nil, .canceledLogin)
            return true
        }
        showsPage = true
        AppleDevice.current.with { $0.safari.isOpen = true }
        journey = Task { [url, callback] in
            let end = await safari.journey(url, callback?.scheme)
            // Only a URL that matches ends the session by itself; any other end is the viewer closing the browser. A browser writes schemes in lower case (https://url.spec.whatwg.org/#scheme-state).
            let normal = end.flatMap { end -> URL? in
                var components = URLComponents(url: end, resolvingAgainstBaseURL: false)
                components?.scheme = end.scheme?.lowercased()
                return components?.url
            }
            if let normal, callback?.matchesURL(normal) == true {
                self.finish(normal, nil)
            } else {
                self.finish(nil, .canceledLogin)
            }
        }
        return true
    }

    /// Closes the browser.
    ///
    /// `cancel()`: has no effect on a session that was cancelled. Whether the handler is called is not documented.
    public func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        journey?.cancel()
        closePage()
        if AppleDevice.current.with(\.safari.reportsCancellation) {
            finish(nil, .canceledLogin)
        } else {
            completion = nil
        }
    }

    private func finish(
        _ end: URL?, _ code: ASWebAuthenticationSessionError.Code?, _ details: [String: String] = [:]
    ) {
        finish(end, code: code?.rawValue, details)
    }

    private func closePage() {
        guard showsPage else { return }
        showsPage = false
        AppleDevice.current.with { $0.safari.isOpen = false }
    }

    /// Calls back once, never before the call returns that led to it.
    private func finish(_ end: URL?, code: Int?, _ details: [String: String] = [:]) {
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
