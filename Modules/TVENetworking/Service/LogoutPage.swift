public import Foundation
public import TVEModels

/// The page that ends the viewer's session at the service and the TV provider.
public struct LogoutPage: Sendable, Hashable, Redacting {
    /// The page to open.
    public let url: URL
    /// The URL at which the browser ends.
    public let redirectURL: URL
    /// The status of the redirect that named the page, or nil if the service has said that the login has ended.
    ///
    /// A redirect does not say so: a proxy sends such answers too.
    package var redirectStatus: Int?
    /// The pages of further providers whose logins the service has ended with the same logout.
    package var others: [MVPDID: LogoutPage] = [:]

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
