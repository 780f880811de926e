public import Foundation
public import TVEModels

/// Shows a login to the viewer: the app's part of authentication.
///
/// Cancelling the task that waits in one of the methods means the same as the viewer's "back": the method returns nil.
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
    func presentLogin(_ page: BrowserPage) async -> URL?

    /// Opens the logout page, hidden if possible, and waits until the browser reaches the redirect.
    ///
    /// - Parameter page: the page to open and where it ends.
    func presentLogout(_ page: BrowserPage) async

    /// Shows a code that the viewer types on another device; the next code of the same login replaces it.
    ///
    /// - Parameter code: the code; nil hides it.
    func show(_ code: RegistrationCode?) async

    /// Shows again what waits for the viewer: another call has joined the login, perhaps because the app lost track of
    /// it.
    ///
    /// It must return at once.
    func showAgain()

    /// Shows a view controller of the platform's sign-on.
    ///
    /// - Parameter dialog: the platform's view controller.
    func presentPlatformDialog(_ dialog: PlatformDialog) async

    /// Dismisses it.
    ///
    /// - Parameter dialog: the platform's view controller.
    func dismissPlatformDialog(_ dialog: PlatformDialog) async

    /// The login for which the platform may show a view controller is over: one that is not shown yet must not be.
    ///
    /// It must return at once; it comes on any thread, in the moment in which the login ends.
    func platformLoginEnded()
}

/// Defaults for apps without second screen and platform sign-on.
extension AuthenticationPresenter {
    /// Shows nothing.
    ///
    /// - Parameter code: the code.
    public func show(_ code: RegistrationCode?) async {}

    /// Shows nothing.
    public func showAgain() {}

    /// Shows nothing.
    ///
    /// - Parameter dialog: the platform's view controller.
    public func presentPlatformDialog(_ dialog: PlatformDialog) async {}

    /// Dismisses nothing.
    ///
    /// - Parameter dialog: the platform's view controller.
    public func dismissPlatformDialog(_ dialog: PlatformDialog) async {}

    /// Does nothing.
    public func platformLoginEnded() {}
}
