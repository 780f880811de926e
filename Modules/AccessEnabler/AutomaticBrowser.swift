public import Foundation
public import TVEFlowEngine

/// Shows the pages of providers that need Safari, so that the app need not (API reference, rows SV2, SV4, SV6).
///
/// On iOS the system has one; elsewhere an app may bring its own.
public protocol AutomaticBrowser: Sendable {
    /// Opens a page and waits until it ends or the viewer leaves; cancelling the task closes it.
    ///
    /// - Parameter page: the page and where it ends.
    /// - Returns: the URL the browser ended at, nil when the viewer left.
    func open(_ page: BrowserPage) async -> URL?
}
