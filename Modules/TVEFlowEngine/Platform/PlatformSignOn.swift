/// The platform's own TV provider account, on Apple systems the VideoSubscriberAccount framework.
///
/// Every call but the interactive ones ends by itself; the session waits for a silent one half a minute at most.
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
    /// - Returns: the account, or as much of it as was asked for.
    /// - Throws: ``PlatformSignOnError``.
    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount
}
