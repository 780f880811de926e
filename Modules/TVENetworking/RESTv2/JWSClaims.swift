import Foundation
import TVEModels

/// The subject and the validity that a JWS states about itself.
///
/// Only the service verifies its signature.
struct JWSClaims {
    /// The time at which the JWS expires, or nil if the JWS does not state it.
    let expires: Date?
    private let issued: Date?
    /// The viewer or the household that the JWS is about, or nil if the JWS does not state it.
    let subject: String?

    /// Reads the claims of a JWS, or returns nil for any other text.
    init?(_ token: String) {
        let parts = token.parts(separatedBy: ".")
        guard parts.count == 3, let payload = Data(base64URL: parts[1]),
            let claims = try? UntrustedJSON.read(MetadataValue.self, from: payload, .small)
        else { return nil }
        func date(_ name: String) -> Date? { claims[name]?.doubleValue.map(Date.init(timeIntervalSince1970:)) }
        expires = date("exp")
        issued = date("iat") ?? date("nbf")
        subject = claims["sub"]?.stringValue
    }

    /// The lifetime in seconds, or nil if the JWS does not state it.
    var lifetime: TimeInterval? {
        guard let expires, let issued, expires > issued else { return nil }
        return expires.timeIntervalSince(issued)
    }
}
