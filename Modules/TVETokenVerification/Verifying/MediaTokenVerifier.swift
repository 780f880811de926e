import Crypto
public import Foundation
public import TVEModels
public import TVETokenCodec

/// A verifier that checks media tokens as a playback back end must before it lets a stream start.
///
/// It checks format, signature, requestor, resource and expiry in this order, and the first failure decides (media
/// token verifier reference). A verifier is a value. Create it once, and use it from any thread.
public struct MediaTokenVerifier: Sendable {
    private let keys: Keys
    private let requestorID: RequestorID
    private let clockTolerance: TimeInterval
    private let decoder = TokenDecoder()

    private enum Keys: Sendable {
        case fixed([TokenVerificationKey])
        case rotating(MediaTokenKeySet)
    }

    /// Creates a verifier for one requestor, with fixed keys without names.
    ///
    /// - Parameters:
    ///   - keys: the keys that may have signed the tokens. There must be at least one, and there are several during a
    ///     rotation.
    ///   - requestorID: the requestor whose tokens are accepted.
    ///   - clockTolerance: the number of seconds by which a token may be past its expiry, at most
    ///     ``largestClockTolerance``. The documented value is 0.
    /// - Throws: ``TokenVerificationError/noKey`` for an empty list.
    public init(
        keys: [TokenVerificationKey], requestorID: RequestorID, clockTolerance: TimeInterval = 0
    ) throws(TokenVerificationError) {
        guard !keys.isEmpty else { throw .noKey }
        self.keys = .fixed(keys)
        self.requestorID = requestorID
        self.clockTolerance = Self.bounded(clockTolerance)
    }

    /// Creates a verifier for one requestor, with keys that rotate.
    ///
    /// - Parameters:
    ///   - keys: the keys that may have signed the tokens. Each check uses the keys that are in the set when it begins.
    ///     While the set is empty, no token is valid.
    ///   - requestorID: the requestor whose tokens are accepted.
    ///   - clockTolerance: the number of seconds by which a token may be past its expiry, at most
    ///     ``largestClockTolerance``. The documented value is 0.
    public init(keys: MediaTokenKeySet, requestorID: RequestorID, clockTolerance: TimeInterval = 0) {
        self.keys = .rotating(keys)
        self.requestorID = requestorID
        self.clockTolerance = Self.bounded(clockTolerance)
    }

    /// The largest number of seconds by which a token may be past its expiry for any verifier.
    ///
    /// Spent tokens are remembered for this long after their end, so that a verifier with another tolerance does not
    /// grant them again. A larger value would only cost memory, because clocks that are wrong by minutes need to be
    /// corrected.
    public static let largestClockTolerance: TimeInterval = 300

    private static func bounded(_ tolerance: TimeInterval) -> TimeInterval {
        // `max` and `min` pass NaN on.
        tolerance.isNaN ? 0 : min(max(tolerance, 0), largestClockTolerance)
    }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - token: the media token, raw or wrapped in Base64, of either alphabet and with or without padding. White
    ///     space around it and within the Base64 is skipped, and so is a byte order mark before it.
    ///   - resource: the resource that is about to play, compared as UTF-8 bytes, or nil to skip this check.
    ///   - now: the back end's current time.
    /// - Returns: the verdict, the token's claims if its signature is valid, and the fault if the text is not a media
    ///   token.
    public func verify(_ token: String, resource: Resource? = nil, at now: Date = Date()) -> Verification {
        let signed: (claims: MediaToken.Claims, signature: Data, digest: SHA256Digest)
        do throws(TokenCodecError) {
            signed = try decoder.signedMediaClaims(token) { body in
                // The hash reads as many bytes as the span has.
                unsafe body.withUnsafeBytes { unsafe SHA256.hash(data: $0) }
            }
        } catch {
            return Verification(verdict: .invalidTokenFormat, fault: error)
        }
        let keyName: String?
        switch keys {
        case .fixed(let keys):
            guard keys.contains(where: { $0.verifies(signed.signature, of: signed.digest) }) else {
                return Verification(verdict: .invalidSignature)
            }
            keyName = nil
        case .rotating(let set):
            guard let key = set.keys.first(where: { $0.key.verifies(signed.signature, of: signed.digest) }) else {
                return Verification(verdict: .invalidSignature)
            }
            keyName = key.name
        }
        let claims = signed.claims
        let expires = claims.expires.addingTimeInterval(clockTolerance)
        let verdict = verdict(on: claims, resource, isExpired: expires <= now)
        let use =
            verdict == .validToken
            ? MediaTokenUse(
                digest: Data(signed.digest), expires: expires, issued: claims.issued.date,
                rememberedUntil: claims.expires.addingTimeInterval(Self.largestClockTolerance)) : nil
        return Verification(verdict: verdict, claims: claims, use: use, keyName: keyName)
    }

    private func verdict(on claims: MediaToken.Claims, _ resource: Resource?, isExpired: Bool) -> Verdict {
        // There is no documented verdict for a foreign requestor, and the only generic one must not be "valid".
        guard claims.requestorID == requestorID else { return .otherRequestor }
        if let resource, resource != claims.resource { return .invalidResourceID }
        return isExpired ? .tokenExpired : .validToken
    }

    /// The result of a check.
    public struct Verification: Sendable, Hashable {
        /// The verdict.
        public let verdict: Verdict
        /// The reason for which the text is not a media token, or nil for every verdict but
        /// ``Verdict/invalidTokenFormat``.
        public internal(set) var fault: TokenCodecError?
        /// The token's claims, or nil unless its signature is valid.
        public internal(set) var claims: MediaToken.Claims?
        /// The value for ``MediaTokenUses``, or nil unless the token is valid.
        public internal(set) var use: MediaTokenUse?
        /// The name of the key that signed the token, or nil unless its signature is valid and the key has a name.
        @BytewiseEqual public internal(set) var keyName: String?
    }

    /// The documented verdicts.
    public enum Verdict: String, Sendable, CaseIterable {
        /// The token allows playback.
        case validToken
        /// The text is not a media token.
        case invalidTokenFormat
        /// None of the keys signed the token.
        case invalidSignature
        /// The token has expired.
        case tokenExpired
        /// The token is for another resource.
        case invalidResourceID
        /// The token is for another requestor, for which the documents have only their generic verdict.
        case otherRequestor = "errorUnknown"
    }
}
