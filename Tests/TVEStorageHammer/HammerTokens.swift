import Foundation
import TVEModels
import TVEStorage

/// Tokens whose text is `requestor,provider,login@expires`.
///
/// Permissions have a resource after the login.
enum HammerTokens {
    static let reader = StoredTokenReader(
        authentication: { text in
            let (parts, expires) = try split(text, 3)
            return AuthenticationToken(
                text: TokenText(text),
                claims: .init(
                    authenticationGUID: parts[2], requestorID: RequestorID(parts[0]), expires: expires,
                    mvpdID: MVPDID(parts[1]),
                    fingerprint: "f"))
        },
        authorization: { text in
            let (parts, expires) = try split(text, 4)
            return AuthorizationToken(
                text: TokenText(text),
                claims: .init(
                    requestorID: RequestorID(parts[0]), resource: Resource(parts[3]), expires: expires,
                    mvpdID: MVPDID(parts[1]),
                    fingerprint: "f"))
        })

    /// Returns the login in a token's text.
    static func login(of text: String) -> String {
        let parts = text.split(separator: ",")
        return parts.count < 3 ? "" : String(parts[2].prefix { $0 != "@" })
    }

    private static func split(_ text: String, _ count: Int) throws -> ([String], TokenDate) {
        let halves = text.split(separator: "@")
        let parts = (halves.first ?? "").split(separator: ",").map(String.init)
        guard parts.count == count, halves.count == 2, let expires = Int64(halves[1]) else {
            throw CocoaError(.coderInvalidValue)
        }
        return (parts, TokenDate(secondsSince1970: expires))
    }
}
