public import Foundation

/// A short-lived, single-use proof for the playback back end that this viewer may play this resource now.
///
/// It is returned once and used once. There is no `Codable` conformance and no store accepts one: the platform's
/// contract forbids storing a media token as proof of authorization (API reference, `setToken`).
public struct MediaToken: Sendable, Redacting {
    /// The text for the playback back end, signature envelope included, not Base64-wrapped.
    public let text: TokenText
    /// What the token says.
    public let claims: Claims
    /// The text as a playback back end takes it.
    public var rawText: String { text.rawValue }
    /// The same in Base64, for back ends that take it so, as REST API v2 sends it.
    public var base64: String { wrapped ?? Data(text.rawValue.utf8).base64EncodedString() }

    private let wrapped: String?

    /// Makes a token from its text and its parsed values.
    ///
    /// - Parameters:
    ///   - text: the token, not Base64-wrapped.
    ///   - claims: the values parsed from that text.
    ///   - base64: the text in Base64 as the service sent it; computed from the text when nil.
    public init(text: TokenText, claims: Claims, base64: String? = nil) {
        self.text = text
        self.claims = claims
        wrapped = base64
    }

    /// Requestor and MVPD, nothing that allows playback.
    public var redactedDescription: String { "MediaToken(\(claims.requestorID), \(claims.mvpdID))" }

    /// The values inside a media token (wire protocol, short media token).
    public struct Claims: Sendable, Hashable, Redacting {
        /// Anonymous key of the viewer, stable across logins.
        @BytewiseEqual public var sessionGUID: String
        /// The requestor the token was made for.
        public var requestorID: RequestorID
        /// The resource exactly as it was asked for.
        public var resource: Resource
        /// Lifetime in milliseconds from ``issued`` on.
        public var timeToLive: Int64
        /// When the token was made.
        public var issued: TokenDate
        /// The TV provider the viewer knows.
        public var mvpdID: MVPDID
        /// The proxy in front of ``mvpdID``, when there is one.
        public var proxyMVPDID: MVPDID?

        /// Makes claims.
        ///
        /// - Parameters:
        ///   - sessionGUID: anonymous key of the viewer.
        ///   - requestorID: the requestor the token is made for.
        ///   - resource: the resource exactly as it was asked for.
        ///   - timeToLive: lifetime in milliseconds.
        ///   - issued: when the token was made.
        ///   - mvpdID: the TV provider the viewer knows.
        ///   - proxyMVPDID: the proxy in front of it, when there is one.
        public init(
            sessionGUID: String, requestorID: RequestorID, resource: Resource, timeToLive: Int64, issued: TokenDate,
            mvpdID: MVPDID, proxyMVPDID: MVPDID? = nil
        ) {
            self.sessionGUID = sessionGUID
            self.requestorID = requestorID
            self.resource = resource
            self.timeToLive = timeToLive
            self.issued = issued
            self.mvpdID = mvpdID
            self.proxyMVPDID = proxyMVPDID
        }

        /// The first instant at which the token is no longer valid.
        public var expires: Date {
            issued.date.addingTimeInterval(TimeInterval(timeToLive) / 1000)
        }

        /// Requestor and MVPD, nothing about the viewer.
        public var redactedDescription: String { "MediaToken.Claims(\(requestorID), \(mvpdID))" }
    }
}
