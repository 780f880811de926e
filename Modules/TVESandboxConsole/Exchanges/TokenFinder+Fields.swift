import Foundation
import TVEModels
import TVESandbox
import TVETokenCodec

extension TokenFinder {
    /// Returns the kind and the fields of a signed token, or `nil` if it is none of the three kinds.
    static func signed(_ text: String) -> (String, [TokenField])? {
        let decoder = TokenDecoder()
        if let token = try? decoder.authenticationToken(text) { return ("AuthN token", fields(token.claims)) }
        if let token = try? decoder.authorizationToken(text) { return ("AuthZ token", fields(token.claims)) }
        if let token = try? decoder.mediaToken(text) { return ("Media token", fields(token.claims)) }
        return nil
    }

    private static func fields(_ claims: AuthenticationToken.Claims) -> [TokenField] {
        [
            TokenField(
                "requestor", value: claims.requestorID.text, meaning: "The requestor for which the viewer logged in."),
            TokenField("MVPD", value: claims.mvpdID.text, meaning: "The TV provider of the viewer."),
            ends(claims.expires.date, "Until when the login is valid."),
            TokenField(
                "fingerprint", value: claims.fingerprint,
                meaning: "The device that may use it: the SHA-1 of its id, or in browsers the id itself.",
                isSecret: true),
            TokenField(
                "GUID", value: claims.authenticationGUID, meaning: "The viewer's anonymous id of this login.",
                isSecret: true),
            TokenField(
                "SAML name", value: claims.samlNameID ?? "–", meaning: "The provider's name for the viewer.",
                isSecret: true),
            TokenField(
                "SAML session", value: claims.samlSessionIndex ?? "–",
                meaning: "The provider's session, which a logout sends.", isSecret: true),
        ]
    }

    private static func fields(_ claims: AuthorizationToken.Claims) -> [TokenField] {
        [
            TokenField(
                "requestor", value: claims.requestorID.text, meaning: "The requestor that asked for permission."),
            TokenField("MVPD", value: claims.mvpdID.text, meaning: "The TV provider that gave the permission."),
            TokenField("resource", value: claims.resource.text, meaning: "What may be watched."),
            ends(claims.expires.date, "Until when the service makes media tokens without asking the provider again."),
            TokenField(
                "fingerprint", value: claims.fingerprint ?? "–", meaning: "The device that may use it.",
                isSecret: true),
        ]
    }

    private static func fields(_ claims: MediaToken.Claims) -> [TokenField] {
        [
            TokenField(
                "requestor", value: claims.requestorID.text, meaning: "The requestor whose app may play it."),
            TokenField("MVPD", value: claims.mvpdID.text, meaning: "The TV provider that allows it."),
            TokenField("resource", value: claims.resource.text, meaning: "What is played."),
            TokenField(
                "issued", value: claims.issued.date.formatted(.iso8601), meaning: "When the service signed it.",
                date: claims.issued.date),
            ends(claims.expires, "Until when a playback may start with it."),
            TokenField(
                "session GUID", value: claims.sessionGUID, meaning: "The viewer's anonymous id at this provider.",
                isSecret: true),
        ]
    }

    /// Returns the claims of a JWT, or `nil` for any other text.
    static func webToken(_ text: String) -> [TokenField]? {
        let parts = text.parts(separatedBy: ".")
        guard parts.count == 3, text.utf8.starts(with: "ey".utf8), let bytes = Data(base64URL: parts[1]),
            let claims = try? UntrustedJSON.read([String: MetadataValue].self, from: bytes, .small)
        else { return nil }
        return claims.sorted { $0.key < $1.key }.map { name, value in
            if ["exp", "iat", "nbf"].contains(name), case .number(let seconds) = value, abs(seconds) < 1e11 {
                let date = Date(timeIntervalSince1970: seconds)
                if name == "exp" { return ends(date, "Until when it is valid.", name: name) }
                return TokenField(
                    name, value: date.formatted(.iso8601), meaning: meanings[name] ?? "", date: date)
            }
            return TokenField(
                name, value: Self.text(value), meaning: meanings[name] ?? "",
                isSecret: name == "sub" || name == "jti")
        }
    }

    static func title(ofWebToken fields: [TokenField]) -> String {
        fields.contains { $0.name == "software_id" }
            ? "Software statement" : fields.contains { $0.name == "scopes" } ? "Access token" : "JSON web token"
    }

    private static let meanings = [
        "iss": "Who issued it.", "sub": "The client id of the application.",
        "nbf": "When it becomes valid.",
        "iat": "When it was issued.", "scopes": "What it gives access to.",
        "software_id": "The application.",
        "jti": "The id of this token.",
    ]

    private static func ends(_ date: Date, _ meaning: String, name: String = "valid until") -> TokenField {
        TokenField(name, value: date.formatted(.iso8601), meaning: meaning, ends: date)
    }
}
