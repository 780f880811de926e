import Foundation
package import TVEModels

/// What a device stores of a decision: its period of validity, never the media token that came with it.
package struct StoredDecision: Codable, Sendable, Hashable {
    package var serviceProvider: String
    package var mvpd: String
    package var resource: String
    package var source: String
    package var notAfter: Int64
    package var fingerprint: String

    /// Reads a copy.
    private init(_ text: TokenText) throws(OutsideJSONError) {
        self = try OutsideJSON.decode(Self.self, from: text.rawValue, .small)
    }

    init(
        serviceProvider: String, mvpd: String, resource: Resource, source: String, notAfter: Date, fingerprint: String
    ) {
        self.serviceProvider = serviceProvider
        self.mvpd = mvpd
        self.resource = resource.text
        self.source = source
        self.notAfter = Int64(notAfter.timeIntervalSince1970)
        self.fingerprint = fingerprint
    }

    /// The permission of a stored copy, with exactly its text.
    package static func token(_ text: TokenText) throws(OutsideJSONError) -> AuthorizationToken {
        try StoredDecision(text).token(text)
    }

    /// The copy in the form in which stores and flows use permissions.
    var token: AuthorizationToken { token(TokenText(storedJSON: self)) }

    private func token(_ text: TokenText) -> AuthorizationToken {
        var claims = AuthorizationToken.Claims(
            requestorID: serviceProvider, resource: Resource(resource), expires: TokenDate(secondsSince1970: notAfter),
            mvpdID: mvpd, fingerprint: fingerprint)
        claims.authorizesAll = source == "degradation"
        return AuthorizationToken(text: text, claims: claims)
    }

    /// Compares every value; texts as UTF-8 bytes.
    package static func == (left: Self, right: Self) -> Bool {
        left.serviceProvider.isSameBytes(as: right.serviceProvider) && left.mvpd.isSameBytes(as: right.mvpd)
            && left.resource.isSameBytes(as: right.resource) && left.source.isSameBytes(as: right.source)
            && left.notAfter == right.notAfter && left.fingerprint.isSameBytes(as: right.fingerprint)
    }
}
