public import Foundation

/// The platform's own TV provider account, on Apple systems the VideoSubscriberAccount framework.
///
/// All calls except the interactive ones must return without the viewer. The session waits at most half a minute for a
/// silent call.
public protocol PlatformSignOn: Sendable {
    /// Returns the app's permission to request the viewer's TV provider.
    ///
    /// - Parameter mayAsk: a Boolean value that indicates whether the system may prompt the viewer for permission.
    func access(mayAsk: Bool) async -> PlatformAccess

    /// Requests the viewer's account with a TV provider.
    ///
    /// - Parameters:
    ///   - request: the parts of the account to request, and the permission to show the system's picker or login.
    ///   - presenter: the presenter that shows the system's dialogs; `nil` for a silent request.
    /// - Returns: the account, with the parts that were requested.
    /// - Throws: ``PlatformSignOnError``.
    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount

    /// The URL that opens the place in the system's settings where the viewer signs out, or `nil` if the platform has
    /// none.
    ///
    /// An app opens it after it has received the status `VSA203`.
    var settingsURL: URL? { get async }
}

extension PlatformSignOn {
    /// The default value, `nil`: the platform has no such place.
    public var settingsURL: URL? { nil }
}

/// The app's permission to request the viewer's TV provider from the platform.
public enum PlatformAccess: Sendable, Hashable {
    /// The viewer allows the app to request the provider.
    case granted
    /// The viewer does not allow the app to request the provider.
    case denied
    /// The device forbids the request, for example because of parental controls.
    case restricted
    /// The viewer has not been prompted yet, or did not answer.
    case undetermined
    /// The platform has no TV providers where the viewer is.
    case notOffered
    /// The platform could not determine the permission, for example because the app lacks an entitlement.
    ///
    /// The values are the domain and code of the platform's error.
    case failed(domain: String, code: Int)

    /// Throws the error of a sign-on that the app is not allowed to begin.
    func check() throws(PlatformSignOnError) {
        switch self {
        case .granted, .undetermined: break
        case .denied, .restricted: throw .accessNotGranted
        case .notOffered: throw .notOffered
        case .failed(let domain, let code): throw .failed("\(domain) \(code)")
        }
    }
}

/// The reason for which the platform did not return the viewer's account.
public enum PlatformSignOnError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The app has no permission to request the account.
    case accessNotGranted
    /// The viewer chose a provider that the platform cannot log in with.
    ///
    /// The value is the provider's id, or `nil` for "Other TV Provider".
    case unsupportedProvider(id: String?)
    /// The viewer closed the picker or the login.
    case cancelled
    /// The viewer is not signed in to the platform, and the request was silent.
    case notSignedIn
    /// The platform has no TV providers where the viewer is.
    case notOffered
    /// Another failure, described by the platform's domain and code.
    case failed(String)

    /// A sentence about what was found, and one about what to do; without the provider's id.
    public var description: String {
        switch self {
        case .accessNotGranted:
            "The app may not ask for the platform's TV provider. "
                + "Let the viewer allow it in the settings, or show the app's own picker."
        case .unsupportedProvider:
            "The platform cannot log in with the provider that the viewer chose. Show the app's own picker."
        case .cancelled:
            "The viewer closed the platform's picker or its login. Begin again when the viewer asks for it."
        case .notSignedIn: "The viewer is not signed in at the platform. Begin a login."
        case .notOffered: "The platform has no TV providers in this region. Show the app's own picker."
        case .failed(let reason): "The platform's sign-on failed (\(reason)). Show the app's own picker."
        }
    }
}

/// A dialog that the platform's sign-on asks the app to present: on Apple systems a view controller.
///
/// The conformance is unchecked because view controllers are not `Sendable`. The presenter uses the dialog only on the
/// main thread.
public struct PlatformDialog: @unchecked Sendable {
    /// The view controller.
    public let viewController: AnyObject

    /// Wraps a view controller.
    ///
    /// - Parameter viewController: the view controller to present.
    public init(_ viewController: AnyObject) {
        self.viewController = viewController
    }
}
