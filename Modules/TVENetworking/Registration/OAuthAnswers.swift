import Foundation
import TVEModels

/// The answer to a registration (RFC 7591, 3.2.1).
struct RegistrationAnswer: JSONReadable {
    let clientID: String
    let clientSecret: String
    let scopes: [String]?
    let redirectURLs: [String]?

    // The cases have the names of the JSON members.
    private enum Field: String, CaseIterable { case client_id, client_secret, scopes, redirect_uris }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var clientID: String?
        var clientSecret: String?
        var scopes: [String]?
        var redirectURLs: [String]?
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .client_id: clientID = try json.trimmedText()
            case .client_secret: clientSecret = try json.trimmedText()
            // OAuth writes scopes as a single text, and the service's access tokens with commas between them.
            case .scopes:
                scopes = try json.texts()?.flatMap { text in
                    text.parts(separatedBy: ",").flatMap { $0.parts(separatedBy: " ", keepsEmpty: false) }
                        .map { String($0) }
                }
            case .redirect_uris: redirectURLs = try json.texts()
            }
        }
        // Stored credentials must not be replaced by empty ones.
        guard let clientID, let clientSecret, !clientID.isEmpty, !clientSecret.isEmpty else { return nil }
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.scopes = scopes
        self.redirectURLs = redirectURLs
    }
}

/// An access token as the service grants it (RFC 6749, 5.1).
struct AccessTokenAnswer: JSONReadable {
    let token: String
    /// The lifetime of the token in seconds, ten years at most.
    ///
    /// The value is one hour if the service sends no lifetime, which OAuth allows, or one that is not positive.
    let lifetime: TimeInterval

    private enum Field: String, CaseIterable { case access_token, expires_in }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var token: String?
        var lifetime: Double?
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .access_token: token = try json.trimmedString()
            case .expires_in: lifetime = try json.decimal()
            }
        }
        guard let token, !token.isEmpty else { return nil }
        self.token = token
        // An early end is harmless, because the service then refuses the token and it is replaced. With a lifetime of
        // zero, a new token would be requested before every request.
        self.lifetime = lifetime.flatMap { $0 > 0 ? min($0, 315_360_000) : nil } ?? 3_600
    }
}

/// The name of an OAuth error (RFC 6749, 5.2).
struct OAuthErrorName: JSONReadable {
    let text: String

    private enum Field: String, CaseIterable { case error }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var text: String?
        _ = try json.object(Self.names) { (_, json) throws(UntrustedJSONError) in
            text = try json.identifier()
        }
        guard let text else { return nil }
        self.text = text
    }

    /// Returns the name in the body of an answer, or nil if the body is not an OAuth error.
    static func read(_ body: Data) -> String? {
        (try? UntrustedJSON.read(OAuthErrorName.self, from: body, .small))?.text
    }
}
