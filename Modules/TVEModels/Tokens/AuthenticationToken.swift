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

extension AuthenticationToken {
    /// The values inside an AuthN token (wire protocol, AuthN token table).
    public struct Claims: Sendable, Hashable, Redacting {
        // `Optional` is written out because `?` also means "nil at first", and then the initializer below copies every
        // string twice.

        /// Opaque id of the viewer's login.
        @BytewiseEqual public var authenticationGUID: String
        /// Opaque SAML session index of the provider's session, when the provider gave one.
        @BytewiseEqual public var samlSessionIndex: Optional<String>
        /// The requestor the login was made for.
        public var requestorID: RequestorID
        /// `adobe.com` in all modern flows.
        @BytewiseEqual public var domainName: String
        /// When the token expires.
        public var expires: TokenDate
        /// The TV provider; for a proxied provider the proxy.
        public var mvpdID: MVPDID
        /// Hash of the device the token is bound to, lowercase hexadecimal.
        @BytewiseEqual public var fingerprint: String
        /// Further hashes of the device, in tokens of the web dialect only.
        public var fragments: Optional<DeviceFragments>
        /// Opaque SAML name of the viewer, when the provider gave one.
        @BytewiseEqual public var samlNameID: Optional<String>
        /// The proxied provider, when ``mvpdID`` names a proxy.
        public var subMVPDID: Optional<MVPDID>
        /// A part of the GUID that changes with each login, when there is one.
        @BytewiseEqual public var transientPartOfGUID: Optional<String>
        /// Whether the provider is degraded so that every viewer counts as logged in.
        public var authorizesAll: Bool
        /// Where the login comes from, if the token says so: copies of a service that keeps the logins do.
        public var kind: Optional<Profile.Kind> = .none
        /// Who vouches for the login, if the token says so: copies of a service that keeps the logins do.
        @BytewiseEqual public var issuer: Optional<String> = .none
        /// Ids of all resources the viewer may watch, when the provider puts its line-up into the token.
        @BytewiseEqual public var authorizedResources: Optional<[String]>

        /// The provider the viewer chose: ``subMVPDID`` behind a proxy, else ``mvpdID``.
        public var providerID: MVPDID { subMVPDID ?? mvpdID }

        /// Whether every viewer gets this login, because the provider is degraded (wire protocol, AuthN token,
        /// degradation).
        public var isDegraded: Bool {
            authorizesAll || authenticationGUID == "d35b501e0385360feccc755c59f5767b46c54c7d"
                || authenticationGUID.hasBytePrefix("95cf93bcd183214a")
        }

        /// Lifetime in seconds; advisory, ``expires`` decides.
        public var timeToLive: Optional<Int>

        /// Makes claims.
        ///
        /// - Parameters:
        ///   - authenticationGUID: opaque id of the login.
        ///   - requestorID: the requestor the login was made for.
        ///   - domainName: `adobe.com` in all modern flows.
        ///   - expires: when the token expires.
        ///   - mvpdID: the TV provider; for a proxied provider the proxy.
        ///   - fingerprint: hash of the device, lowercase hexadecimal.
        ///   - fragments: further hashes of the device, in tokens of the web dialect.
        ///   - samlSessionIndex: opaque SAML session index, when the provider gave one.
        ///   - samlNameID: opaque SAML name of the viewer, when the provider gave one.
        ///   - subMVPDID: the proxied provider, when `mvpdID` names a proxy.
        ///   - transientPartOfGUID: a part of the GUID that changes with each login.
        ///   - authorizesAll: whether every viewer counts as logged in.
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

        /// Requestor and MVPD, nothing about the viewer.
        public var redactedDescription: String { "AuthenticationToken.Claims(\(requestorID), \(mvpdID))" }
    }

    /// Hashes of the browser a web-dialect token was issued to, each 40 hexadecimal characters.
    public struct DeviceFragments: Sendable, Hashable {
        /// SHA-1 of the user agent (`ap_z`).
        @BytewiseEqual public var browser: String?
        /// SHA-1 of the platform (`ap_11`).
        @BytewiseEqual public var platform: String?
        /// SHA-1 of the browser's vendor (`ap_42`).
        @BytewiseEqual public var vendor: String?
        /// SHA-1 of the client's IP address text.
        @BytewiseEqual public var address: String?

        /// Makes fragments; any may be missing.
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
