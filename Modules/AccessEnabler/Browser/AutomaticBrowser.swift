public import Foundation
public import TVEFlowEngine

/// Shows the pages of providers that need Safari, over REST API v2 of all, in place of the app (API reference, rows SV2, SV4, SV6).
///
/// iOS has one; on other systems an app may supply its own.
public protocol AutomaticBrowser: Sendable {
    /// Whether the browser can open a page; the app shows the others. By default all.
    func canOpen(_ page: BrowserPage) async -> Bool

    /// Opens a page and waits until it ends or the viewer leaves; cancelling the task closes it.
    ///
    /// - Parameter page: the page and where it ends.
    /// - Returns: the URL the browser ended at, nil when the viewer left.
    func open(_ page: BrowserPage) async -> URL?
}

extension AutomaticBrowser {
    /// Opens every page.
    public func canOpen(_ page: BrowserPage) async -> Bool { true }
}
