import Foundation
package import TVEModels

/// The copy of a decision that a device stores: its period of validity without the media token that came with it.
package struct StoredDecision: Sendable, Hashable {
    package var serviceProvider: RequestorID
    package var mvpd: MVPDID
    package var resource: Resource
    @BytewiseEqual package var source: String
    package var notAfter: Int64
    @BytewiseEqual package var fingerprint: String

    /// The source of a decision that the service makes for every viewer, because the TV provider is degraded.
    static let degradation = "degradation"

    /// Reads a copy.
    private init(_ text: TokenText) throws(UntrustedJSONError) {
        self = try UntrustedJSON.read(Self.self, from: text.rawValue, .small)
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

    /// Returns the permission of a stored copy, with exactly its text.
    package static func token(_ text: TokenText) throws(UntrustedJSONError) -> AuthorizationToken {
        try StoredDecision(text).token(text)
    }

    /// The copy in the form in which stores and flows use permissions.
    var token: AuthorizationToken { token(text) }

    /// The copy as it is stored.
    ///
    /// Equal decisions must have equal texts, because `MediaTokens` stores a decision only if its text differs from the
    /// stored one. The text is created for every playback, and therefore without an encoder.
    private var text: TokenText {
        var bytes: [UInt8] = []
        let members = [
            ("fingerprint", fingerprint), ("mvpd", mvpd.text), ("resource", resource.text),
            ("serviceProvider", serviceProvider.text), ("source", source),
        ]
        bytes.append(UInt8(ascii: "{"))
        for (name, value) in members {
            JSONBytes.append(name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            JSONBytes.append(value, to: &bytes)
            bytes.append(UInt8(ascii: ","))
        }
        bytes += "\"notAfter\":\(notAfter)}".utf8
        return TokenText(String(decoding: bytes, as: UTF8.self))
    }

    private func token(_ text: TokenText) -> AuthorizationToken {
        var claims = AuthorizationToken.Claims(
            requestorID: serviceProvider, resource: resource, expires: TokenDate(secondsSince1970: notAfter),
            mvpdID: mvpd, fingerprint: fingerprint)
        claims.authorizesAll = source.isSameBytes(as: Self.degradation)
        return AuthorizationToken(text: text, claims: claims)
    }
}

extension StoredDecision: JSONReadable {
    private enum Field: String, CaseIterable { case fingerprint, mvpd, notAfter, resource, serviceProvider, source }

    private static let names = JSONNames<Field>()

    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var serviceProvider: String?
        var mvpd: String?
        var resource: String?
        var source: String?
        var notAfter: Int?
        var fingerprint: String?
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .serviceProvider: serviceProvider = try json.string()
            case .mvpd: mvpd = try json.string()
            case .resource: resource = try json.string()
            case .source: source = try json.string()
            case .notAfter: notAfter = try json.wholeNumber()
            case .fingerprint: fingerprint = try json.string()
            }
        }
        guard let serviceProvider, let mvpd, let resource, let source, let notAfter, let fingerprint
        else { return nil }
        self.serviceProvider = RequestorID(serviceProvider)
        self.mvpd = MVPDID(mvpd)
        self.resource = Resource(resource)
        self.source = source
        self.notAfter = Int64(notAfter)
        self.fingerprint = fingerprint
    }
}
