import Foundation
package import TVEModels

/// The copy of a profile that a device stores, so that it can answer without the service.
///
/// The copy takes the place of the classic AuthN token in the store. A classic token begins with an XML element, and
/// this text begins with a brace. The copy does not contain the viewer's attributes, which can change without a new
/// login. Therefore two copies with the same text are the same login.
package struct StoredProfile: Encodable, Sendable, Hashable, Redacting {
    package var serviceProvider: RequestorID
    package var mvpd: MVPDID
    @BytewiseEqual package var type: String
    /// The issuer of the login, which usually is the TV provider.
    @BytewiseEqual package var issuer: String?
    @BytewiseEqual package var userID: String?
    package var notBefore: Int64?
    package var notAfter: Int64
    @BytewiseEqual package var fingerprint: String
    /// The viewer's id for a promotional TempPass, in the form that the header carries.
    @BytewiseEqual package var identity: String?

    /// The source of the login.
    var kind: Profile.Kind { Profile.Kind(type: type) }

    /// Reads a copy.
    package init(_ text: TokenText) throws(UntrustedJSONError) {
        self = try UntrustedJSON.read(Self.self, from: text.rawValue, .small)
    }

    init(
        _ entry: ProfilesAnswer.Entry, serviceProvider: RequestorID, mvpd: MVPDID, fingerprint: String,
        identity: String?
    ) {
        self.serviceProvider = serviceProvider
        self.mvpd = mvpd
        type = entry.type
        issuer = entry.issuer.isEmpty ? nil : entry.issuer
        userID = entry.userID
        notBefore = entry.notBefore.map(Self.milliseconds)
        notAfter = Self.milliseconds(entry.notAfter)
        self.fingerprint = fingerprint
        self.identity = identity
    }

    /// Returns the login of a stored copy, with exactly its text.
    package static func token(_ text: TokenText) throws(UntrustedJSONError) -> AuthenticationToken {
        try StoredProfile(text).token(text)
    }

    /// The copy in the form in which stores and flows use logins.
    var token: AuthenticationToken { token(TokenText(storedJSON: self)) }

    private func token(_ text: TokenText) -> AuthenticationToken {
        var claims = AuthenticationToken.Claims(
            authenticationGUID: userID ?? "", requestorID: serviceProvider,
            expires: TokenDate(secondsSince1970: end / 1000), mvpdID: mvpd, fingerprint: fingerprint,
            authorizesAll: kind == .degraded)
        claims.kind = kind
        claims.issuer = issuer
        return AuthenticationToken(text: text, claims: claims)
    }

    /// The end of the login, in milliseconds since 1970.
    ///
    /// A login without an account lasts for the time between its limits. An earlier version accepted a beginning in
    /// 1970, which is a missing one, so its copy would last for decades and the service would not be asked.
    private var end: Int64 {
        guard [.tempPass, .degraded].contains(kind), let notBefore,
            notBefore < Self.milliseconds(.earliestOfServices)
        else { return notAfter }
        return 0
    }

    /// The provider, without anything about the viewer.
    package var redactedDescription: String { "StoredProfile(\(serviceProvider), \(mvpd), \(type))" }

    private static func milliseconds(_ date: Date) -> Int64 { Int64(bounded: date.timeIntervalSince1970 * 1000) }
}

extension StoredProfile: JSONReadable {
    private enum Field: String, CaseIterable {
        case fingerprint, identity, issuer, mvpd, notAfter, notBefore, serviceProvider, type, userID
    }

    private static let names = JSONNames<Field>()

    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var serviceProvider: String?
        var mvpd: String?
        var type: String?
        var issuer: String?
        var userID: String?
        var notBefore: Int?
        var notAfter: Int?
        var fingerprint: String?
        var identity: String?
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .serviceProvider: serviceProvider = try json.string()
            case .mvpd: mvpd = try json.string()
            // A type that is no word, as an earlier version stored it, is that of an ordinary login.
            case .type: type = try json.identifier() ?? ""
            case .issuer: issuer = try json.string()
            case .userID: userID = try json.string()
            case .notBefore: notBefore = try json.wholeNumber()
            case .notAfter: notAfter = try json.wholeNumber()
            case .fingerprint: fingerprint = try json.string()
            case .identity: identity = try json.string()
            }
        }
        guard let serviceProvider, let mvpd, let type, let notAfter, let fingerprint else { return nil }
        self.serviceProvider = RequestorID(serviceProvider)
        self.mvpd = MVPDID(mvpd)
        self.type = type
        self.issuer = issuer
        self.userID = userID
        self.notBefore = notBefore.map { Int64($0) }
        self.notAfter = Int64(notAfter)
        self.fingerprint = fingerprint
        self.identity = identity
    }
}

extension Profile.Kind {
    /// Creates the kind that a type of the service names (REST API v2, 5.6).
    init(type: String) {
        self =
            switch type {
            case "temporary": .tempPass
            case "degraded": .degraded
            case "appleSSO": .apple
            case "platformSSO": .platform
            case "serviceTokenSSO": .serviceToken
            default: .regular
            }
    }
}

extension AuthenticationToken {
    /// A Boolean value that indicates whether this is the copy of a login that a service stores.
    package var isCopy: Bool { text.isCopy }
}

extension TokenText {
    /// Creates JSON text with a fixed order of keys, so that equal values result in equal texts.
    init(storedJSON value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The value contains only strings and whole numbers, so encoding it cannot fail.
        let bytes = (try? encoder.encode(value)) ?? Data("{}".utf8)
        self.init(String(decoding: bytes, as: UTF8.self))
    }
}
