public import Foundation

/// The presenter of an app whose viewers log in on another device.
///
/// It opens no pages.
///
/// Use it for sessions with the style ``LoginStyle/secondScreen``. It chooses a provider and shows codes.
public protocol SecondScreenPresenter: AuthenticationPresenter {}

extension SecondScreenPresenter {
    /// Opens no page, because the viewer logs in on another device.
    ///
    /// - Parameter page: the page.
    /// - Returns: `nil`, as if the viewer had left.
    public func presentLogin(_ page: BrowserPage) async -> URL? { nil }

    /// Opens no page, because this style has no logout page.
    ///
    /// - Parameter page: the page.
    public func presentLogout(_ page: BrowserPage) async {}

    /// Makes the compiler refuse a presenter that shows no codes.
    ///
    /// The default implementation in ``AuthenticationPresenter`` would do nothing.
    ///
    /// - Parameter code: the code.
    @available(*, unavailable, message: "A second screen login needs an app that shows the code.")
    public func show(_ code: RegistrationCode) async {}
}
