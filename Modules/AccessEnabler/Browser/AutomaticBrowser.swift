public import Foundation
public import TVEFlowEngine

/// Shows the pages of providers that need Safari, over REST API v2 of all, in place of the app (API reference, rows SV2, SV4, SV6).
///
/// iOS has one; on other systems an app may supply its own.
public protocol AutomaticBrowser: Sendable {
    /// Whether the browser can open a page; the app shows the others. By default all.
    ///
    /// - Parameter page: the page and where it ends.
    func canOpen(_ page: BrowserPage) async -> Bool

    /// Opens a page and waits until it ends or the viewer leaves; cancelling the task closes it.
    ///
    /// - Parameter page: the page and where it ends.
    /// - Returns: the URL the browser ended at, nil when the viewer left.
    /// - Throws: `PageNotOpened` when the browser could not be opened, which is not the viewer's decision.
    func open(_ page: BrowserPage) async throws(PageNotOpened) -> URL?
}

extension AutomaticBrowser {
    /// Opens every page.
    public func canOpen(_ page: BrowserPage) async -> Bool { true }
}

/// Who shows a page, and in which browser (API reference, rows SV1 to SV6).
enum BrowserChoice: Equatable {
    /// The app, in a web view: `navigate(toUrl:)`.
    case webViewOfApp
    /// The app, in Safari: `navigate(toUrl:useSVC:)`.
    case safariOfApp
    /// This library, in Safari: no callback.
    case automatic

    /// - Parameters:
    ///   - needsSafari: whether the provider needs Safari.
    ///   - appDrivesSafari: whether the app said so with `handleSVC`.
    ///   - hasAutomatic: whether there is a browser that this library can show.
    init(needsSafari: Bool, appDrivesSafari: Bool, hasAutomatic: Bool) {
        switch (needsSafari, appDrivesSafari, hasAutomatic) {
        case (false, _, _), (true, false, false): self = .webViewOfApp
        case (true, true, _): self = .safariOfApp
        case (true, false, true): self = .automatic
        }
    }
}
