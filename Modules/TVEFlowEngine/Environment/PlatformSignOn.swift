public import Foundation

/// The platform's own TV provider account, on Apple systems the VideoSubscriberAccount framework.
///
/// All calls except the interactive ones end by themselves; the session waits at most half a minute for a silent one.
public protocol PlatformSignOn: Sendable {
    /// Whether the app may ask about the viewer's TV provider.
    ///
    /// - Parameter mayAsk: whether the system may ask the viewer for permission.
    func access(mayAsk: Bool) async -> PlatformAccess

    /// Asks about the viewer's account with a TV provider.
    ///
    /// - Parameters:
    ///   - request: what to ask, and whether the system may show its picker or login.
    ///   - presenter: shows what the system wants to show; nil for a silent request.
    /// - Returns: the account, with the parts that were requested.
    /// - Throws: ``PlatformSignOnError``.
    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount

    /// Opens the place in the system's settings where the viewer signs out, for an app that got the status `VSA203`; nil
    /// where there is none.
    var settingsURL: URL? { get async }
}

extension PlatformSignOn {
    /// No such place.
    public var settingsURL: URL? { nil }
}

/// Whether an app may ask the platform about the viewer's TV provider.
public enum PlatformAccess: Sendable, Hashable {
    /// The viewer allows it.
    case granted
    /// The viewer does not allow it.
    case denied
    /// The device does not allow the question, for example by parental controls.
    case restricted
    /// The viewer has not been asked yet, or gave no answer.
    case undetermined
    /// The platform has no TV providers where the viewer is.
    case notOffered
    /// The platform could not say, for example because the app lacks an entitlement: its error's domain and code.
    case failed(domain: String, code: Int)
}

/// Why the platform did not return the viewer's account.
public enum PlatformSignOnError: Error, Sendable, Hashable {
    /// The app may not ask.
    case accessNotGranted
    /// The viewer chose a provider that the platform cannot log in with: its id, or nil for "Other TV Provider".
    case unsupportedProvider(id: String?)
    /// The viewer closed the picker or the login.
    case cancelled
    /// The viewer is not signed in at the platform, and the request was silent.
    case notSignedIn
    /// The platform has no TV providers where the viewer is.
    case notOffered
    /// Another failure, in the platform's words.
    case failed(String)
}

/// What the platform's sign-on asks the app to show: on Apple systems a view controller.
///
/// Unchecked, because view controllers are not `Sendable`: the presenter uses it on the main thread.
public struct PlatformDialog: @unchecked Sendable {
    /// The view controller.
    public let viewController: AnyObject

    /// Wraps a view controller.
    ///
    /// - Parameter viewController: what to show.
    public init(_ viewController: AnyObject) {
        self.viewController = viewController
    }
}
