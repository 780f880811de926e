import Foundation
package import TVEModels

/// What a device stores of a decision: its period of validity, never the media token that came with it.
package struct StoredDecision: Codable, Sendable, Hashable {
    package var serviceProvider: RequestorID
    package var mvpd: MVPDID
    package var resource: Resource
    @BytewiseEqual package var source: String
    package var notAfter: Int64
    @BytewiseEqual package var fingerprint: String

    /// Reads a copy.
    private init(_ text: TokenText) throws(UntrustedJSONError) {
        self = try UntrustedJSON.decode(Self.self, from: text.rawValue, .small)
    }

    init(
        serviceProvider: RequestorID, mvpd: MVPDID, resource: Resource, source: String, notAfter: Date,
        fingerprint: String
    ) {
        self.serviceProvider = serviceProvider
        self.mvpd = mvpd
        self.resource = resource
        self.source = source
        self.notAfter = Int64(bounded: notAfter.timeIntervalSince1970)
        self.fingerprint = fingerprint
    }

    /// The permission of a stored copy, with exactly its text.
    package static func token(_ text: TokenText) throws(UntrustedJSONError) -> AuthorizationToken {
        try StoredDecision(text).token(text)
    }

    /// The copy in the form in which stores and flows use permissions.
    var token: AuthorizationToken { token(TokenText(storedJSON: self)) }

    private func token(_ text: TokenText) -> AuthorizationToken {
        var claims = AuthorizationToken.Claims(
            requestorID: serviceProvider, resource: resource, expires: TokenDate(secondsSince1970: notAfter),
            mvpdID: mvpd, fingerprint: fingerprint)
        claims.authorizesAll = source == "degradation"
        return AuthorizationToken(text: text, claims: claims)
    }
}
