public import Foundation

/// A device-bound proof that a viewer logged in with a TV provider (AuthN token).
public struct AuthenticationToken: Sendable, Hashable, Redacting {
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
    @inlinable
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

    /// A description that names the requestor and the MVPD and reveals nothing about the viewer.
    public var redactedDescription: String {
        "AuthenticationToken(\(claims.requestorID), \(claims.mvpdID))"
    }
}

extension AuthenticationToken {
    /// The values inside an AuthN token (wire protocol, AuthN token table).
    public struct Claims: Sendable, Hashable, Redacting {
        // The properties are declared as `Optional<…>` rather than `…?`, because `?` also initializes them to nil, and
        // the initializer below would then copy every string twice.

        /// The opaque id of the viewer's login.
        @BytewiseEqual public var authenticationGUID: String
        /// The opaque SAML index of the provider's session, when the provider supplied one.
        @BytewiseEqual public var samlSessionIndex: Optional<String>
        /// The requestor for which the login was created.
        public var requestorID: RequestorID
        /// The domain name, which is `adobe.com` in all modern flows.
        @BytewiseEqual public var domainName: String
        /// The time at which the token expires.
        public var expires: TokenDate
        /// The TV provider, or the proxy for a provider behind a proxy.
        public var mvpdID: MVPDID
        /// The hash of the device to which the token is bound, in lowercase hexadecimal.
        @BytewiseEqual public var fingerprint: String
        /// Further hashes of the device, present only in tokens of the web dialect.
        public var fragments: Optional<DeviceFragments>
        /// The opaque SAML name of the viewer, when the provider supplied one.
        @BytewiseEqual public var samlNameID: Optional<String>
        /// The provider behind the proxy, when ``mvpdID`` names a proxy.
        public var subMVPDID: Optional<MVPDID>
        /// The part of the GUID that changes with each login, when there is one.
        @BytewiseEqual public var transientPartOfGUID: Optional<String>
        /// A Boolean value that indicates whether the provider is degraded, so that the service treats every viewer as
        /// logged in.
        public var authorizesAll: Bool
        /// The kind of the login, if the token states it.
        ///
        /// Only copies of logins that a service stores (REST API v2) state the kind.
        public var kind: Optional<Profile.Kind> = .none
        /// The party that vouches for the login, if the token states it.
        ///
        /// Only copies of logins that a service stores (REST API v2) state the issuer.
        @BytewiseEqual public var issuer: Optional<String> = .none
        /// The ids of all resources that the viewer may watch, when the provider includes its line-up in the token.
        @BytewiseEqual public var authorizedResources: Optional<[String]>

        /// The provider that the viewer chose: ``subMVPDID`` behind a proxy, otherwise ``mvpdID``.
        public var providerID: MVPDID { subMVPDID ?? mvpdID }

        /// A Boolean value that indicates whether every viewer receives this login because the provider is degraded
        /// (wire protocol, AuthN token, degradation).
        public var isDegraded: Bool {
            authorizesAll || authenticationGUID == "d35b501e0385360feccc755c59f5767b46c54c7d"
                || authenticationGUID.hasBytePrefix("95cf93bcd183214a")
        }

        /// The lifetime in seconds.
        ///
        /// It is advisory; ``expires`` is authoritative.
        public var timeToLive: Optional<Int>

        /// Creates claims.
        ///
        /// - Parameters:
        ///   - authenticationGUID: opaque id of the login.
        ///   - requestorID: the requestor for which the login was created.
        ///   - domainName: `adobe.com` in all modern flows.
        ///   - expires: the time at which the token expires.
        ///   - mvpdID: the TV provider; for a proxied provider the proxy.
        ///   - fingerprint: hash of the device, lowercase hexadecimal.
        ///   - fragments: further hashes of the device, in tokens of the web dialect.
        ///   - samlSessionIndex: opaque SAML session index, when the provider gave one.
        ///   - samlNameID: opaque SAML name of the viewer, when the provider gave one.
        ///   - subMVPDID: the proxied provider, when `mvpdID` names a proxy.
        ///   - transientPartOfGUID: a part of the GUID that changes with each login.
        ///   - authorizesAll: a Boolean value that indicates whether the service treats every viewer as logged in.
        ///   - authorizedResources: ids of all resources the viewer may watch, when the token carries the line-up.
        ///   - timeToLive: lifetime in seconds, advisory.
        @inlinable
        public init(
            authenticationGUID: String, requestorID: RequestorID, domainName: String = "adobe.com", expires: TokenDate,
            mvpdID: MVPDID, fingerprint: String, fragments: DeviceFragments? = nil, samlSessionIndex: String? = nil,
            samlNameID: String? = nil, subMVPDID: MVPDID? = nil, transientPartOfGUID: String? = nil,
            authorizesAll: Bool = false, authorizedResources: [String]? = nil, timeToLive: Int? = nil
        ) {
            self.authenticationGUID = authenticationGUID
            self.samlSessionIndex = samlSessionIndex
            self.requestorID = requestorID
            self.domainName = domainName
            self.expires = expires
            self.mvpdID = mvpdID
            self.fingerprint = fingerprint
            self.fragments = fragments
            self.samlNameID = samlNameID
            self.subMVPDID = subMVPDID
            self.transientPartOfGUID = transientPartOfGUID
            self.authorizesAll = authorizesAll
            self.authorizedResources = authorizedResources
            self.timeToLive = timeToLive
        }

        /// A description that names the requestor and the MVPD and reveals nothing about the viewer.
        public var redactedDescription: String { "AuthenticationToken.Claims(\(requestorID), \(mvpdID))" }
    }

    /// Hashes of the browser to which a web-dialect token was issued, each of 40 hexadecimal characters.
    public struct DeviceFragments: Sendable, Hashable {
        /// The SHA-1 of the user agent (`ap_z`).
        @BytewiseEqual public var browser: String?
        /// The SHA-1 of the platform (`ap_11`).
        @BytewiseEqual public var platform: String?
        /// The SHA-1 of the browser's vendor (`ap_42`).
        @BytewiseEqual public var vendor: String?
        /// The SHA-1 of the text of the client's IP address.
        @BytewiseEqual public var address: String?

        /// Creates fragments.
        ///
        /// Any of them may be missing.
        ///
        /// - Parameters:
        ///   - browser: SHA-1 of the user agent.
        ///   - platform: SHA-1 of the platform.
        ///   - vendor: SHA-1 of the browser's vendor.
        ///   - address: SHA-1 of the client's IP address text.
        public init(browser: String? = nil, platform: String? = nil, vendor: String? = nil, address: String? = nil) {
            self.browser = browser
            self.platform = platform
            self.vendor = vendor
            self.address = address
        }
    }
}
