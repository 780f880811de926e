import AppleDevice
public import Foundation
public import UIKit

/// The window over which a browser is shown.
public typealias ASPresentationAnchor = UIWindow

/// Provides that window.
@MainActor
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    /// The window.
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

/// Why a browser ended without a URL; the values of ASWebAuthenticationSession.h.
public enum ASWebAuthenticationSessionErrorCode: Int {
    case canceledLogin = 1
    case presentationContextNotProvided = 2
    case presentationContextInvalid = 3
}

/// A login in the system's browser.
///
/// Source of all rules: developer.apple.com/documentation/authenticationservices/aswebauthenticationsession and its members.
@MainActor
public final class ASWebAuthenticationSession: NSObject {
    private let url: URL
    private let callbackScheme: String?
    private var completion: ((URL?, (any Error)?) -> Void)?
    private var isStarted = false
    private var isCancelled = false
    private var journey: Task<Void, Never>?

    /// Provides the window.
    public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?

    /// Prepares a login.
    ///
    /// Said of the framework, not on its page: it raises for a page that is not on the web, and for a scheme that is one of the web or not
    /// well-formed ("A scheme should not include special characters such as ':' or '/'").
    public init(url: URL, callbackURLScheme: String?, completionHandler: @escaping (URL?, (any Error)?) -> Void) {
        guard ["http", "https"].contains(url.scheme?.lowercased()) else {
            fatalError("Exception: unsupported URL: \(url)")
        }
        if let callbackURLScheme {
            guard callbackURLScheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil,
                !callbackURLScheme.hasPrefix("http")
            else { fatalError("Exception: invalid scheme: \(callbackURLScheme)") }
        }
        self.url = url
        callbackScheme = callbackURLScheme
        completion = completionHandler
    }

    /// Opens the browser.
    ///
    /// `start()`: once for each session, and not after it was cancelled; then the session keeps itself alive until it
    /// has called back. Without a context it fails, and the handler gets the error.
    public func start() -> Bool {
        guard !isStarted, !isCancelled, AppleDevice.current.with(\.safari.isThere) else { return false }
        isStarted = true
        guard let provider = presentationContextProvider else {
            finish(nil, .presentationContextNotProvided)
            return false
        }
        _ = provider.presentationAnchor(for: self)
        let safari = AppleDevice.current.with { state in
            state.pages.append(url)
            return state.safari
        }
        journey = Task { [url, callbackScheme] in
            let end = await safari.journey(url, callbackScheme)
            // Only a URL with the callback's scheme ends the session by itself; any other end is the viewer closing the
            // browser. A browser writes schemes in lower case (https://url.spec.whatwg.org/#scheme-state).
            let normal = end.flatMap { end -> URL? in
                var components = URLComponents(url: end, resolvingAgainstBaseURL: false)
                components?.scheme = end.scheme?.lowercased()
                return components?.url
            }
            if let normal, normal.scheme == callbackScheme {
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
        if AppleDevice.current.with(\.safari.reportsCancellation) {
            finish(nil, .canceledLogin)
        } else {
            completion = nil
        }
    }

    private func finish(_ end: URL?, _ code: ASWebAuthenticationSessionErrorCode?) {
        let completion = completion
        self.completion = nil
        completion?(
            end,
            code.map { NSError(domain: "com.apple.AuthenticationServices.WebAuthenticationSession", code: $0.rawValue) }
        )
    }
}
