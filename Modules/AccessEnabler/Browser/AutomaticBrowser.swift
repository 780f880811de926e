public import Foundation
public import TVEFlowEngine

/// A browser that shows pages in place of the app (API reference, rows SV2, SV4, SV6).
///
/// It shows the pages of providers that need Safari; over REST API v2, it shows the pages of all providers. iOS has
/// such a browser. On other systems, an app may supply its own.
public protocol AutomaticBrowser: Sendable {
    /// Returns a Boolean value that indicates whether the browser can open a page.
    ///
    /// The app shows the pages that the browser cannot open. By default, a browser can open every page.
    ///
    /// - Parameter page: the page and its redirect.
    func canOpen(_ page: BrowserPage) async -> Bool

    /// Opens a page and waits until it ends or the viewer leaves.
    ///
    /// Cancelling the task closes the page.
    ///
    /// - Parameter page: the page and its redirect.
    /// - Returns: the URL at which the browser ended, or nil when the viewer left.
    /// - Throws: `PageNotOpened` when the browser could not be opened, which is not the viewer's decision.
    func open(_ page: BrowserPage) async throws(PageNotOpened) -> URL?
}

extension AutomaticBrowser {
    /// Returns true for every page.
    public func canOpen(_ page: BrowserPage) async -> Bool { true }
}

/// The party that shows a page, and the browser that it uses (API reference, rows SV1 to SV6).
enum BrowserChoice: Equatable {
    /// The app shows the page in a web view: `navigate(toUrl:)`.
    case webViewOfApp
    /// The app shows the page in Safari: `navigate(toUrl:useSVC:)`.
    case safariOfApp
    /// This library shows the page in Safari, without a callback.
    case automatic

    /// Chooses who shows a page.
    ///
    /// - Parameters:
    ///   - needsSafari: a Boolean value that indicates whether the provider needs Safari.
    ///   - appDrivesSafari: a Boolean value that indicates whether the app has set the option `handleSVC`.
    ///   - hasAutomatic: a Boolean value that indicates whether this library has a browser that can show the page.
    init(needsSafari: Bool, appDrivesSafari: Bool, hasAutomatic: Bool) {
        switch (needsSafari, appDrivesSafari, hasAutomatic) {
        case (false, _, _), (true, false, false): self = .webViewOfApp
        case (true, true, _): self = .safariOfApp
        case (true, false, true): self = .automatic
        }
    }
}
