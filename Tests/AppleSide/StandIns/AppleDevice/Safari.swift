// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// The browser of `ASWebAuthenticationSession`, and what the viewer does in it.
public struct Safari: Sendable {
    /// Goes through the pages, and returns the URL with the callback's scheme; nil when the viewer closes the browser.
    public var journey: @Sendable (_ page: URL, _ callbackScheme: String?) async -> URL? = { _, _ in nil }
    /// Whether a browser that the app closes reports `canceledLogin`; the documentation does not say.
    public var reportsCancellation = true
    /// Whether the viewer refuses in the system's alert.
    public var refusesAlert = false
    public var isThere = true
    /// Whether it shows a page of an app.
    public var isOpen = false
    /// The code with which it fails to open a page; nil for none.
    public var failure: Int?

    /// A browser that the viewer closes.
    public init() {}
}
