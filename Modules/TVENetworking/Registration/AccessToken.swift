public import Foundation
public import TVEModels

/// A bearer token for the service's protected calls (dynamic client registration).
public struct AccessToken: Sendable, Hashable, Codable, Redacting {
    /// The token's text.
    public let value: String
    /// The first instant at which the token is no longer valid.
    public let expires: Date

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - value: the text.
    ///   - expires: the first instant at which the token is no longer valid.
    public init(value: String, expires: Date) {
        self.value = value
        self.expires = expires
    }

    /// Compares the text as UTF-8 bytes, and the expiry.
    public static func == (left: Self, right: Self) -> Bool {
        left.value.isSameBytes(as: right.value) && left.expires == right.expires
    }

    /// The expiry, not the token.
    public var redactedDescription: String { "AccessToken(expires: \(expires))" }
}
