public import Foundation
public import TVEModels

/// A type that presents a login to the viewer.
///
/// An app implements this protocol as its part of authentication.
///
/// Every requirement is asynchronous or isolated to the main actor, so a class on the main actor can conform without
/// changes. Cancelling the task that waits in one of the methods has the same meaning as the viewer's "back": the
/// method returns `nil`. A method that begins in a cancelled task must show nothing.
public protocol AuthenticationPresenter: Sendable {
    /// Lets the viewer choose a TV provider.
    ///
    /// - Parameter providers: the providers to choose from, in the service's order.
    /// - Returns: the id of the chosen provider, or `nil` if the viewer chose none.
    func chooseProvider(among providers: [TVProvider]) async -> MVPDID?

    /// Opens the login page and waits until the browser reaches the redirect.
    ///
    /// - Parameter page: the page to open and where it ends.
    /// - Returns: the URL at which the browser ended, or `nil` if the viewer left.
    /// - Throws: ``PageNotOpened`` if the browser could not be opened, which is not a decision of the viewer.
    func presentLogin(_ page: BrowserPage) async throws(PageNotOpened) -> URL?

    /// Opens the logout page, hidden if possible, and waits until the browser reaches the redirect.
    ///
    /// Over REST API v2 the page of a forced login comes after the logout page of the login that it replaces, and a
    /// logout from several providers opens the page of each, one after the other.
    ///
    /// - Parameter page: the page to open and where it ends.
    func presentLogout(_ page: BrowserPage) async

    /// Shows a code that the viewer types on another device.
    ///
    /// The next code of the same login replaces it.
    ///
    /// - Parameter code: the code and the time at which it expires.
    func show(_ code: RegistrationCode) async

    /// Hides the code, because the viewer has logged in with it or has left, or because it has expired.
    func hideCode() async

    /// Shows the current page, picker or code again.
    ///
    /// Another call has joined the login, perhaps because the app lost track of it.
    func showAgain() async

    /// Presents a view controller of the platform's sign-on before this method returns, because the platform does not
    /// wait.
    ///
    /// - Parameter dialog: the platform's view controller.
    @MainActor func presentPlatformDialog(_ dialog: PlatformDialog)

    /// Dismisses a view controller of the platform's sign-on before this method returns.
    ///
    /// The method does nothing for a view controller that was not presented.
    ///
    /// - Parameter dialog: the platform's view controller.
    @MainActor func dismissPlatformDialog(_ dialog: PlatformDialog)
}

/// Default implementations for apps without a second screen and without the platform's sign-on.
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
