public import Foundation

/// The presenter of an app whose viewers log in on another device: it opens no pages.
///
/// For sessions with the style ``LoginStyle/secondScreen``. It chooses a provider and shows codes.
public protocol SecondScreenPresenter: AuthenticationPresenter {}

extension SecondScreenPresenter {
    /// Opens nothing: the viewer logs in on another device.
    ///
    /// - Parameter page: the page.
    /// - Returns: nil, as when the viewer left.
    public func presentLogin(_ page: BrowserPage) async -> URL? { nil }

    /// Opens nothing: this style has no logout page.
    ///
    /// - Parameter page: the page.
    public func presentLogout(_ page: BrowserPage) async {}

    /// Makes the compiler refuse a presenter that shows no codes: ``AuthenticationPresenter`` has a default that would do nothing.
    ///
    /// - Parameter code: the code.
    @available(*, unavailable, message: "A second screen login needs an app that shows the code.")
    public func show(_ code: RegistrationCode) async {}
}
