public import Foundation

/// A short-lived, single-use proof for the playback back end that this viewer may play this resource now.
///
/// It is returned once and used once. The type does not conform to `Codable` and no store accepts it, because the
/// platform's contract forbids storing a media token as proof of authorization (API reference, `setToken`).
public struct MediaToken: Sendable, Redacting {
    /// The token with its signature envelope, not Base64-encoded.
    ///
    /// A token of REST API v2 that this library cannot read has the text that the service sent, in Base64.
    public let text: TokenText
    /// The values parsed from the token.
    ///
    /// For a token of REST API v2 that this library cannot read, they are those of the service's decision.
    public let claims: Claims
    /// The text to pass to a playback back end.
    public var rawText: String { text.rawValue }
    /// The text in Base64, as REST API v2 sends it, for back ends that expect this form.
    public var base64: String { wrapped ?? Data(text.rawValue.utf8).base64EncodedString() }

    private let wrapped: String?

    /// Creates a token from its text and its parsed values.
    ///
    /// - Parameters:
    ///   - text: the token, not Base64-wrapped.
    ///   - claims: the values parsed from that text.
    ///   - base64: the text in Base64 as the service sent it, or nil to compute it from the text.
    public init(text: TokenText, claims: Claims, base64: String? = nil) {
        self.text = text
        self.claims = claims
        wrapped = base64
    }

    /// A description that names the requestor and the MVPD and contains nothing that allows playback.
    public var redactedDescription: String { "MediaToken(\(claims.requestorID), \(claims.mvpdID))" }

    /// The values inside a media token (wire protocol, short media token).
    public struct Claims: Sendable, Hashable, Redacting {
        /// The anonymous key of the viewer, which is stable across logins.
        @BytewiseEqual public var sessionGUID: String
        /// The requestor for which the token was issued.
        public var requestorID: RequestorID
        /// The resource exactly as it was requested.
        public var resource: Resource
        /// The lifetime in milliseconds, starting at ``issued``.
        public var timeToLive: Int64
        /// The time at which the token was issued.
        public var issued: TokenDate
        /// The TV provider that the viewer knows.
        public var mvpdID: MVPDID
        /// The proxy in front of ``mvpdID``, when there is one.
        public var proxyMVPDID: MVPDID?

        /// Creates claims.
        ///
        /// - Parameters:
        ///   - sessionGUID: anonymous key of the viewer.
        ///   - requestorID: the requestor for which the token was issued.
        ///   - resource: the resource exactly as it was requested.
        ///   - timeToLive: lifetime in milliseconds.
        ///   - issued: the time at which the token was issued.
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

        /// A description that names the requestor and the MVPD and reveals nothing about the viewer.
        public var redactedDescription: String { "MediaToken.Claims(\(requestorID), \(mvpdID))" }
    }
}
