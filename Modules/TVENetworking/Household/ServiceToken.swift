public import Foundation
public import TVEModels

/// A token of the vendor's single sign-on service that proves that a device belongs to a household.
///
/// A request that carries the token in the header `AD-Service-Token` finds the login of another device in the household
/// (single sign-on service, Service Token API).
public struct ServiceToken: Sendable, Hashable, Redacting {
    /// The token's text, a JWS.
    @BytewiseEqual public private(set) var value: String
    /// The first instant at which the token is no longer valid, by the clock of this device.
    public let expires: Date

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: the text, a JWS.
    ///   - expires: the first instant at which the token is no longer valid.
    public init(value: String, expires: Date) {
        self.value = value
        self.expires = expires
    }

    /// Returns a Boolean value that indicates whether two tokens are certainly those of different households, or there
    /// is only one token.
    ///
    /// The devices of a household have the same subject in their tokens.
    package func isOfOtherHousehold(than other: ServiceToken?) -> Bool {
        guard let other else { return true }
        guard let mine = JWSClaims(value)?.subject, let its = JWSClaims(other.value)?.subject else { return false }
        return !mine.isSameBytes(as: its)
    }

    /// The expiry without the token.
    public var redactedDescription: String { "ServiceToken(expires: \(expires))" }
}
