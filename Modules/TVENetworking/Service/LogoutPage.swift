public import Foundation
public import TVEModels

/// The page that ends the viewer's session at the service and the TV provider.
public struct LogoutPage: Sendable, Hashable, Redacting {
    /// The page to open.
    public let url: URL
    /// The URL at which the browser ends.
    public let redirectURL: URL

    /// Creates the description of a page.
    ///
    /// - Parameters:
    ///   - url: the page to open.
    ///   - redirectURL: the URL at which the browser ends.
    public init(url: URL, redirectURL: URL) {
        self.url = url
        self.redirectURL = redirectURL
    }

    /// The host alone, because the query contains the viewer's session at the provider.
    public var redactedDescription: String { "LogoutPage(\(url.host() ?? ""))" }
}
