public import Foundation

/// A device-bound permission to watch one resource until a date (AuthZ token).
public struct AuthorizationToken: Sendable, Hashable, Redacting {
    /// The token as the service sent it: what is stored and sent back.
    public let text: TokenText
    /// What the token says.
    public let claims: Claims

    /// Makes a token from its text and its parsed values.
    ///
    /// - Parameters:
    ///   - text: the token as the service sent it.
    ///   - claims: the values parsed from that text.
    public init(text: TokenText, claims: Claims) {
        self.text = text
        self.claims = claims
    }

    /// Whether the token has expired: true from the second of its expiry on.
    ///
    /// - Parameter now: the device's current time.
    public func isExpired(at now: Date) -> Bool { claims.expires.date <= now }

    /// Requestor and MVPD; resource texts may contain titles and are left out.
    public var redactedDescription: String {
        "AuthorizationToken(\(claims.requestorID), \(claims.mvpdID))"
    }

    /// The values inside an AuthZ token (wire protocol, AuthZ token table).
    public struct Claims: Sendable, Hashable, Redacting {
        /// The requestor the permission was given to.
        public var requestorID: RequestorID
        /// The resource exactly as it was asked for.
        public var resource: Resource
        /// When the permission expires; the element is called `simpleTokenTTL` but holds a date.
        public var expires: TokenDate
        /// The TV provider; for a proxied provider the proxy.
        public var mvpdID: MVPDID
        /// The proxied provider, when ``mvpdID`` names a proxy.
        public var subMVPDID: MVPDID?
        /// Hash of the device the token is bound to, when the service put one in.
        @BytewiseEqual public var fingerprint: String?

        /// Whether the provider is degraded so that everything counts as authorized.
        public var authorizesAll = false

        /// Makes claims.
        ///
        /// - Parameters:
        ///   - requestorID: the requestor the permission was given to.
        ///   - resource: the resource exactly as it was asked for.
        ///   - expires: when the permission expires.
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

        /// Requestor and MVPD, nothing about device or resource.
        public var redactedDescription: String { "AuthorizationToken.Claims(\(requestorID), \(mvpdID))" }
    }
}
