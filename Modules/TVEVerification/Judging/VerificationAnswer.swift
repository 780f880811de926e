#if VerificationService
import Foundation
import TVEModels
import TVETokenCodec

/// The answer to a caller about one token.
///
/// A stream may start if, and only if, ``verdict`` is `validToken` and ``firstUse`` is true.
struct VerificationAnswer: Sendable, Redacting {
    var verdict: MediaTokenVerifier.Verdict
    /// The token's claims; nil unless its signature is valid.
    var claims: MediaToken.Claims?
    /// Name of the key that signed it; nil unless its signature is valid.
    var key: String?
    /// Whether this was the one use of a valid token; nil when nothing was spent.
    var firstUse: Bool?
    /// Whether the memory could not say if the token was spent; then ``firstUse`` follows the configuration.
    var isMemoryUnavailable = false

    /// The verdict and the first use, nothing about the viewer.
    var redactedDescription: String {
        "VerificationAnswer(\(verdict.rawValue), \(firstUse.map(String.init) ?? "not spent"))"
    }

    func append(to text: inout JSONText) {
        text.begin("{")
        text.field("verdict", verdict.rawValue)
        if let claims {
            text.name("claims")
            text.begin("{")
            text.field("sessionGUID", claims.sessionGUID)
            text.field("requestor", claims.requestorID.text)
            text.field("resource", claims.resource.text)
            text.field("mvpd", claims.mvpdID.text)
            if let proxy = claims.proxyMVPDID { text.field("proxyMvpd", proxy.text) }
            text.field("issued", Self.seconds(claims.issued.date))
            text.field("expires", Self.seconds(claims.expires))
            text.end("}")
        }
        if let key { text.field("key", key) }
        if let firstUse { text.field("firstUse", firstUse) }
        if isMemoryUnavailable { text.field("memory", "unavailable") }
        text.end("}")
    }

    /// Seconds since 1970, rounded down and limited to the range of a calendar.
    private static func seconds(_ date: Date) -> Int {
        Int(min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799).rounded(.down))
    }
}
#endif
