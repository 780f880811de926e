public import Foundation
public import TVEModels

/// A bearer token for the service's protected calls (dynamic client registration).
public struct AccessToken: Sendable, Hashable, Redacting {
    /// The token's text.
    @BytewiseEqual public private(set) var value: String
    /// The first instant at which the token is no longer used.
    ///
    /// For a token from the service, this is up to a minute before its end at the service. A token that ended on the
    /// way there would cost another exchange.
    public let expires: Date

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: the text.
    ///   - expires: the first instant at which the token is no longer used.
    public init(value: String, expires: Date) {
        self.value = value
        self.expires = expires
    }

    /// The expiry without the token.
    public var redactedDescription: String { "AccessToken(expires: \(expires))" }
}
