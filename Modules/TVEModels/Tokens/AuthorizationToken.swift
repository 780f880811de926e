public import Foundation

/// A device-bound permission to watch one resource until a given time (AuthZ token).
public struct AuthorizationToken: Sendable, Hashable, Redacting {
    /// The token as the service sent it.
    ///
    /// This text is what the client stores and sends back.
    public let text: TokenText
    /// The values parsed from the token.
    public let claims: Claims

    /// Creates a token from its text and its parsed values.
    ///
    /// - Parameters:
    ///   - text: the token as the service sent it.
    ///   - claims: the values parsed from that text.
    public init(text: TokenText, claims: Claims) {
        self.text = text
        self.claims = claims
    }

    /// Returns a Boolean value that indicates whether the token has expired.
    ///
    /// A token is expired from the second of its expiry date on.
    ///
    /// - Parameter now: the device's current time.
    public func isExpired(at now: Date) -> Bool { claims.expires.date <= now }

    /// A description that names the requestor and the MVPD.
    ///
    /// It omits the resource, because its text may contain titles.
    public var redactedDescription: String {
        "AuthorizationToken(\(claims.requestorID), \(claims.mvpdID))"
    }

    /// The values inside an AuthZ token (wire protocol, AuthZ token table).
    public struct Claims: Sendable, Hashable, Redacting {
        /// The requestor that received the permission.
        public var requestorID: RequestorID
        /// The resource exactly as it was requested.
        public var resource: Resource
        /// The time at which the permission expires.
        ///
        /// The element is called `simpleTokenTTL`, but it holds a date.
        public var expires: TokenDate
        /// The TV provider, or the proxy for a provider behind a proxy.
        public var mvpdID: MVPDID
        /// The provider behind the proxy, when ``mvpdID`` names a proxy.
        public var subMVPDID: MVPDID?
        /// The hash of the device to which the token is bound, when the service included one.
        @BytewiseEqual public var fingerprint: String?

        /// A Boolean value that indicates whether the provider is degraded, so that the service authorizes every
        /// request.
        public var authorizesAll = false

        /// Creates claims.
        ///
        /// - Parameters:
        ///   - requestorID: the requestor that received the permission.
        ///   - resource: the resource exactly as it was requested.
        ///   - expires: the time at which the permission expires.
        ///   - mvpdID: the TV provider.
        ///   - fingerprint: hash of the device, lowercase hexadecimal.
        public init(
            requestorID: RequestorID, resource: Resource, expires: TokenDate, mvpdID: MVPDID, fingerprint: String?
        ) {
            self.requestorID = requestorID
            self.resource = resource
            self.expires = expires
            self.mvpdID = mvpdID
            self.fingerprint = fingerprint
        }

        /// A description that names the requestor and the MVPD and reveals nothing about the device or the resource.
        public var redactedDescription: String { "AuthorizationToken.Claims(\(requestorID), \(mvpdID))" }
    }
}
