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
