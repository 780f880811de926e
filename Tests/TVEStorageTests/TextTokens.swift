import Foundation
import TVEModels
import TVEStorage

/// Tokens whose text is `requestor,mvpd` or `requestor,mvpd,resource`, with the expiry in seconds after a `@`: the
/// store does not depend on XML.
enum TextTokens {
    static let reader = StoredTokenReader(
        authentication: { text in
            let (parts, expires) = split(text)
            guard parts.count == 2 else { throw CocoaError(.coderInvalidValue) }
            return authentication(parts[0], parts[1], text, expires: expires)
        },
        authorization: { text in
            let (parts, expires) = split(text)
            guard parts.count >= 3 else { throw CocoaError(.coderInvalidValue) }
            return authorization(parts[0], parts[1], Resource(parts[2]), text, expires: expires)
        },
        isRegistration: { $0 == Data("registered".utf8) })

    static func authentication(
        _ requestor: String, _ mvpd: String, _ text: String? = nil, expires: Int64 = 0
    ) -> AuthenticationToken {
        AuthenticationToken(
            text: TokenText(text ?? "\(requestor),\(mvpd)\(expires == 0 ? "" : "@\(expires)")"),
            claims: .init(
                authenticationGUID: "g", requestorID: requestor, expires: TokenDate(secondsSince1970: expires),
                mvpdID: mvpd, fingerprint: "f"))
    }

    static func authorization(
        _ requestor: String, _ mvpd: String, _ resource: Resource, _ text: String? = nil, expires: Int64 = 0
    ) -> AuthorizationToken {
        AuthorizationToken(
            text: TokenText(text ?? "\(requestor),\(mvpd),\(resource.text)\(expires == 0 ? "" : "@\(expires)")"),
            claims: .init(
                requestorID: requestor, resource: resource, expires: TokenDate(secondsSince1970: expires), mvpdID: mvpd,
                fingerprint: "f"))
    }

    private static func split(_ text: String) -> (parts: [String], expires: Int64) {
        let halves = text.split(separator: "@")
        return (
            (halves.first ?? "").split(separator: ",").map(String.init),
            halves.dropFirst().first.flatMap { Int64($0) } ?? 0
        )
    }
}
