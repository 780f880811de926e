import Foundation
import TVEModels
import TVETokenCodec

extension TokenFinder {
    /// Kind and fields of a signed token, nil when it is none of the three kinds.
    static func signed(_ text: String) -> (String, [TokenField])? {
        let decoder = TokenDecoder()
        if let token = try? decoder.authenticationToken(text) { return ("AuthN token", fields(token.claims)) }
        if let token = try? decoder.authorizationToken(text) { return ("AuthZ token", fields(token.claims)) }
        if let token = try? decoder.mediaToken(text) { return ("Media token", fields(token.claims)) }
        return nil
    }

    private static func fields(_ claims: AuthenticationToken.Claims) -> [TokenField] {
        [
            TokenField(name: "requestor", value: claims.requestorID, meaning: "For whom the viewer logged in."),
            TokenField(name: "MVPD", value: claims.mvpdID, meaning: "The TV provider that vouches for the viewer."),
            ends(claims.expires.date, "Until when the login counts."),
            TokenField(
                name: "fingerprint", value: claims.fingerprint,
                meaning: "The device that may use it: the SHA-1 of its id, or the id itself in browsers.",
                isSecret: true),
            TokenField(
                name: "GUID", value: claims.authenticationGUID, meaning: "The viewer's anonymous id of this login.",
                isSecret: true),
            TokenField(
                name: "SAML name", value: claims.samlNameID ?? "–", meaning: "The provider's name for the viewer.",
                isSecret: true),
            TokenField(
                name: "SAML session", value: claims.samlSessionIndex ?? "–",
                meaning: "The provider's session; a logout names it.", isSecret: true),
        ]
    }

    private static func fields(_ claims: AuthorizationToken.Claims) -> [TokenField] {
        [
            TokenField(name: "requestor", value: claims.requestorID, meaning: "For whom permission was asked."),
            TokenField(name: "MVPD", value: claims.mvpdID, meaning: "The TV provider that gave it."),
            TokenField(name: "resource", value: claims.resource.text, meaning: "What may be watched."),
            ends(claims.expires.date, "Until when media tokens come without asking the provider again."),
            TokenField(
                name: "fingerprint", value: claims.fingerprint ?? "–", meaning: "The device that may use it.",
                isSecret: true),
        ]
    }

    private static func fields(_ claims: MediaToken.Claims) -> [TokenField] {
        [
            TokenField(name: "requestor", value: claims.requestorID, meaning: "Who may play it."),
            TokenField(name: "MVPD", value: claims.mvpdID, meaning: "The TV provider that allows it."),
            TokenField(name: "resource", value: claims.resource.text, meaning: "What is played."),
            TokenField(
                name: "issued", value: claims.issued.date.formatted(.iso8601), meaning: "When the service signed it."),
            ends(claims.expires, "Until when a playback may begin with it."),
            TokenField(
                name: "session GUID", value: claims.sessionGUID, meaning: "The viewer's anonymous id at this provider.",
                isSecret: true),
        ]
    }

    /// The claims of a JWT, nil for any other text.
    static func webToken(_ text: String) -> [TokenField]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, text.utf8.starts(with: "ey".utf8), let bytes = Data(base64URL: parts[1]),
            let claims = try? OutsideJSON.decode([String: MetadataValue].self, from: bytes, .small)
        else { return nil }
        return claims.sorted { $0.key < $1.key }.map { name, value in
            if name == "exp", case .number(let seconds) = value, abs(seconds) < 1e11 {
                return ends(Date(timeIntervalSince1970: seconds), "Until when it counts.", name: name)
            }
            return TokenField(
                name: name, value: Self.text(value), meaning: meanings[name] ?? "",
                isSecret: name == "sub" || name == "jti")
        }
    }

    static func title(ofWebToken fields: [TokenField]) -> String {
        fields.contains { $0.name == "software_id" }
            ? "Software statement" : fields.contains { $0.name == "scopes" } ? "Access token" : "JSON web token"
    }

    private static let meanings = [
        "iss": "Who made it.", "sub": "For whom: the client id of the application.",
        "nbf": "From when on it counts, in seconds since 1970.",
        "iat": "When it was made, in seconds since 1970.", "scopes": "What it opens.",
        "software_id": "Which application this is.",
        "jti": "The id of this text.",
    ]

    private static func ends(_ date: Date, _ meaning: String, name: String = "valid until") -> TokenField {
        TokenField(name: name, value: date.formatted(.iso8601), meaning: meaning, ends: date)
    }
}
