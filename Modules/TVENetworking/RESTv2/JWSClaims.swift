import Foundation
import TVEModels

/// What a JWS says about its own validity; its signature is the business of the service.
struct JWSClaims {
    /// When it expires; nil if it does not say so.
    let expires: Date?
    private let issued: Date?

    /// Reads the claims of a JWS; nil for another text.
    init?(_ token: String) {
        let parts = token.parts(separatedBy: ".")
        guard parts.count == 3, let payload = Data(base64URL: parts[1]),
            let claims = try? UntrustedJSON.read(MetadataValue.self, from: payload, .small)
        else { return nil }
        func date(_ name: String) -> Date? { claims[name]?.doubleValue.map(Date.init(timeIntervalSince1970:)) }
        expires = date("exp")
        issued = date("iat") ?? date("nbf")
    }

    /// For how many seconds it is valid; nil if it does not say so.
    var lifetime: TimeInterval? {
        guard let expires, let issued, expires > issued else { return nil }
        return expires.timeIntervalSince(issued)
    }
}
