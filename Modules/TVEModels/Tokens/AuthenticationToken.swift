public import Foundation

/// A device-bound proof that a viewer logged in with a TV provider (AuthN token).
public struct AuthenticationToken: Sendable, Hashable, Redacting {
    /// The token as the service sent it: what is stored and sent back.
    public let text: TokenText
    /// What the token says.
    public let claims: Claims

    /// Makes a token from its text and its parsed values.
    ///
    /// - Parameters:
    ///   - text: the token as the service sent it.
    ///   - claims: the values parsed from that text.
    @inlinable
    public init(text: TokenText, claims: Claims) {
        self.text = text
        self.claims = claims
    }

    /// Whether the token has expired: true from the second of its expiry on.
    ///
    /// - Parameter now: the device's current time.
    public func isExpired(at now: Date) -> Bool { claims.expires.date <= now }

    /// Requestor and MVPD, nothing about the viewer.
    public var redactedDescription: String {
        "AuthenticationToken(\(claims.requestorID), \(claims.mvpdID))"
    }
}
