public import Foundation
public import TVEModels

/// Shows a login to the viewer: the app's part of authentication.
///
/// Every requirement is async or on the main actor, so a class on the main actor with state conforms as it is. Cancelling
/// the task that waits in one of the methods means the same as the viewer's "back": the method returns nil. A method that
/// begins in a cancelled task shows nothing.
public protocol AuthenticationPresenter: Sendable {
    /// Lets the viewer choose a TV provider.
    ///
    /// - Parameter providers: the providers to choose from, in the service's order.
    /// - Returns: the id of the chosen provider, nil when the viewer chose none.
    func chooseProvider(among providers: [TVProvider]) async -> MVPDID?

    /// Opens the login page and waits until the browser reaches the redirect.
    ///
    /// - Parameter page: the page to open and where it ends.
    /// - Returns: the URL the browser ended at, nil when the viewer left.
    /// - Throws: ``PageNotOpened`` when the browser could not be opened, which is not the viewer's decision.
    func presentLogin(_ page: BrowserPage) async throws(PageNotOpened) -> URL?

    /// Opens the logout page, hidden if possible, and waits until the browser reaches the redirect.
    ///
    /// - Parameter page: the page to open and where it ends.
    func presentLogout(_ page: BrowserPage) async

    /// Shows a code that the viewer types on another device; the next code of the same login replaces it.
    ///
    /// - Parameter code: the code, and until when it may be typed.
    func show(_ code: RegistrationCode) async

    /// Hides the code: the viewer has logged in with it or has left, or it has expired.
    func hideCode() async

    /// Shows again what waits for the viewer: another call has joined the login, perhaps because the app lost track of
    /// it.
    func showAgain() async

    /// Shows a view controller of the platform's sign-on, before this method returns: the platform waits for nothing else.
    ///
    /// - Parameter dialog: the platform's view controller.
    @MainActor func presentPlatformDialog(_ dialog: PlatformDialog)

    /// Dismisses it, before this method returns; does nothing for one that was not shown.
    ///
    /// - Parameter dialog: the platform's view controller.
    @MainActor func dismissPlatformDialog(_ dialog: PlatformDialog)
}

/// Defaults for apps without second screen and platform sign-on.
extension AuthenticationPresenter {
    /// Shows nothing.
    ///
    /// - Parameter code: the code.
    public func show(_ code: RegistrationCode) async {}

    /// Hides nothing.
    public func hideCode() async {}

    /// Shows nothing.
    public func showAgain() async {}

    /// Shows nothing.
    ///
    /// - Parameter dialog: the platform's view controller.
    @MainActor public func presentPlatformDialog(_ dialog: PlatformDialog) {}

    /// Dismisses nothing.
    ///
    /// - Parameter dialog: the platform's view controller.
    @MainActor public func dismissPlatformDialog(_ dialog: PlatformDialog) {}
}
