import Foundation
import TVEModels
import TVETokenVerification

/// The answer to a caller about one token.
///
/// A stream may start if, and only if, ``verdict`` is `validToken` and ``firstUse`` is true.
struct VerificationAnswer: Sendable, Redacting {
    var verdict: MediaTokenVerifier.Verdict
    /// The claims of the token; `nil` unless its signature is valid.
    var claims: MediaToken.Claims?
    /// The name of the key that signed the token; `nil` unless the signature is valid.
    var key: String?
    /// The answer of the memory; `nil` if the token was not presented to it.
    var use: Use?
    /// The reason for which the text is not a media token; `nil` for every other verdict.
    ///
    /// The reason contains no part of the text.
    var fault: String?

    /// The answer of the memory of spent tokens.
    enum Use: Sendable, Hashable {
        case decided(MediaTokenUseOutcome)
        /// The memory could not determine whether the token was spent, so the configuration decides.
        case unavailable(isGranted: Bool)
    }

    /// A Boolean value that indicates whether this is the only use of a valid token.
    ///
    /// The value is `nil` if the token was not presented to the memory.
    var firstUse: Bool? {
        switch use {
        case .decided(let outcome): outcome.isGranted
        case .unavailable(let isGranted): isGranted
        case nil: nil
        }
    }

    /// The word in answers and metrics for a memory that could not determine whether the token was spent.
    static let unavailable = "unavailable"

    /// The reason for which ``firstUse`` is `false`; `nil` otherwise.
    var reason: String? {
        switch use {
        case .decided(let outcome): outcome.refusal?.reason
        case .unavailable(let isGranted): isGranted ? nil : Self.unavailable
        case nil: nil
        }
    }

    /// A description with the verdict and the first use, and without information about the viewer.
    var redactedDescription: String {
        "VerificationAnswer(\(verdict.rawValue), \(firstUse.map(String.init) ?? "not spent"))"
    }

    func append(to text: inout JSONText) {
        text.begin("{")
        text.field("verdict", verdict.rawValue)
        if let fault { text.field("fault", fault) }
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
        if let reason { text.field("reason", reason) }
        if case .decided(.refused(let refusal)) = use, let seconds = refusal.retryAfter {
            // The seconds are rounded up, so that a client that waits as long gets its stream.
            text.field("retryAfter", Int(min(max(seconds.rounded(.up), 1), 1e9)))
        }
        if case .unavailable = use { text.field("memory", Self.unavailable) }
        text.end("}")
    }

    /// Returns the seconds since 1970, rounded down and limited to the years 1 to 9999.
    private static func seconds(_ date: Date) -> Int {
        Int(min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799).rounded(.down))
    }
}
