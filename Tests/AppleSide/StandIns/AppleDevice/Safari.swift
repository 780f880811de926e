// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// The browser of `ASWebAuthenticationSession`, and the actions of the viewer in it.
public struct Safari: Sendable {
    /// A closure that visits the pages and returns the URL at which the browser ends, or `nil` if the viewer closes it.
    public var journey: @Sendable (_ page: URL, _ callbackScheme: String?) async -> URL? = { _, _ in nil }
    /// A Boolean value that indicates whether a browser that the app closes reports `canceledLogin`.
    ///
    /// The documentation does not state this.
    public var reportsCancellation = true
    /// A Boolean value that indicates whether the viewer refuses in the system's alert.
    public var refusesAlert = false
    public var isThere = true
    /// A Boolean value that indicates whether the browser shows a page of an app.
    public var isOpen = false
    /// The code of the error with which the browser fails to open a page; `nil` if it opens pages.
    public var failure: Int?

    /// Creates a browser that the viewer closes.
    public init() {}
}
