public import Foundation
public import TVEModels

/// Shows a login to the viewer: the app's part of authentication.
///
/// Cancelling the task that waits in one of the methods means the same as the viewer's "back": the method returns nil.
public protocol AuthenticationPresenter: Sendable {
    /// Lets the viewer choose a TV provider.
    ///
    /// - Parameter providers: what there is to choose from, in the service's order.
    /// - Returns: the id of the chosen provider, nil when the viewer chose none.
    func chooseProvider(among providers: [TVProvider]) async -> String?

    /// Opens the login page and waits until the browser reaches the redirect.
    ///
    /// - Parameters:
    ///   - page: the page to open.
    ///   - redirect: where the login ends; the browser must not load it. Match the scheme, the rest may differ.
    /// - Returns: the URL the browser ended at, nil when the viewer left.
    func presentLogin(_ page: URL, endingAt redirect: URL) async -> URL?

    /// Opens the logout page, hidden if possible, and waits until the browser reaches the redirect.
    ///
    /// - Parameters:
    ///   - page: the page to open.
    ///   - redirect: where the logout ends.
    func presentLogout(_ page: URL, endingAt redirect: URL) async
}
