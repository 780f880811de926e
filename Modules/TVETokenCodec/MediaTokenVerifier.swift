public import Foundation
public import TVEModels

/// Checks media tokens the way a playback back end must before it lets a stream start.
///
/// Checks run in the order format, signature, requestor, resource, expiry; the first that fails decides (media token
/// verifier reference). A verifier is a value: make it once, use it from any thread.
public struct MediaTokenVerifier: Sendable {
    private let keys: [TokenVerificationKey]
    private let requestorID: String
    private let clockTolerance: TimeInterval
    private let decoder = TokenDecoder()

    /// Makes a verifier for one requestor.
    ///
    /// - Parameters:
    ///   - keys: the keys that may have signed; several during a rotation.
    ///   - requestorID: the requestor whose tokens are accepted.
    ///   - clockTolerance: seconds by which a token may be past its expiry; the documented value is 0.
    public init(keys: [TokenVerificationKey], requestorID: String, clockTolerance: TimeInterval = 0) {
        self.keys = keys
        self.requestorID = requestorID
        self.clockTolerance = clockTolerance
    }

    /// Checks one token.
    ///
    /// - Parameters:
    ///   - token: the media token, raw or wrapped in Base64.
    ///   - resource: the resource that is about to play, compared as exact text; nil skips this check.
    ///   - now: the back end's present time.
    /// - Returns: the verdict, and with it the token's claims whenever its signature is good.
    public func verify(_ token: String, resource: Resource? = nil, at now: Date = Date()) -> Verification {
        guard let (claims, signature, digest) = try? decoder.signedMediaClaims(token) else {
            return Verification(verdict: .invalidTokenFormat)
        }
        guard keys.contains(where: { $0.verifies(signature, of: digest) }) else {
            return Verification(verdict: .invalidSignature)
        }
        let expires = claims.expires.addingTimeInterval(clockTolerance)
        let verdict = verdict(on: claims, resource, isExpired: expires <= now)
        guard verdict == .validToken else { return Verification(verdict: verdict, claims: claims) }
        return Verification(
            verdict: verdict, claims: claims, use: MediaTokenUse(digest: Data(digest), expires: expires))
    }

    private func verdict(on claims: MediaToken.Claims, _ resource: Resource?, isExpired: Bool) -> Verdict {
        // No documented verdict names a foreign requestor; the only generic one must not be "valid".
        guard claims.requestorID == requestorID else { return .errorUnknown }
        if let resource, resource != claims.resource { return .invalidResourceID }
        return isExpired ? .tokenExpired : .validToken
    }

    /// What a check found.
    public struct Verification: Sendable, Hashable {
        /// The answer.
        public let verdict: Verdict
        /// What the token says; nil unless its signature is good.
        public internal(set) var claims: MediaToken.Claims?
        /// What to hand to ``MediaTokenUses/spend(_:at:)``; nil unless the token is valid.
        public internal(set) var use: MediaTokenUse?
    }

    /// The documented answers.
    public enum Verdict: String, Sendable {
        /// The token may be played with.
        case validToken
        /// The text is no media token.
        case invalidTokenFormat
        /// None of the keys signed it.
        case invalidSignature
        /// Its time is over.
        case tokenExpired
        /// It is for another resource.
        case invalidResourceID
        /// It is for another requestor.
        case errorUnknown
    }
}
