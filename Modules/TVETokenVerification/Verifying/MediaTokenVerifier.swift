import Crypto
public import Foundation
public import TVEModels
public import TVETokenCodec

/// Checks media tokens as a playback back end must before it lets a stream start.
///
/// Checks run in the order format, signature, requestor, resource, expiry; the first that fails decides (media token
/// verifier reference). A verifier is a value: make it once, use it from any thread.
public struct MediaTokenVerifier: Sendable {
    private let keys: Keys
    private let requestorID: RequestorID
    private let clockTolerance: TimeInterval
    private let decoder = TokenDecoder()

    private enum Keys: Sendable {
        case fixed([TokenVerificationKey])
        case rotating(MediaTokenKeySet)
    }

    /// Makes a verifier for one requestor, with fixed keys without names.
    ///
    /// - Parameters:
    ///   - keys: the keys that may have signed, at least one; several during a rotation.
    ///   - requestorID: the requestor whose tokens are accepted.
    ///   - clockTolerance: seconds by which a token may be past its expiry, at most ``largestClockTolerance``; the
    ///     documented value is 0.
    /// - Throws: ``TokenVerificationError/noKey`` for an empty list.
    public init(
        keys: [TokenVerificationKey], requestorID: RequestorID, clockTolerance: TimeInterval = 0
    ) throws(TokenVerificationError) {
        guard !keys.isEmpty else { throw .noKey }
        self.keys = .fixed(keys)
        self.requestorID = requestorID
        self.clockTolerance = Self.bounded(clockTolerance)
    }

    /// Makes a verifier for one requestor, with keys that rotate.
    ///
    /// - Parameters:
    ///   - keys: the keys that may have signed; each check uses those that are in the set when it begins. While the set
    ///     is empty, no token is valid.
    ///   - requestorID: the requestor whose tokens are accepted.
    ///   - clockTolerance: seconds by which a token may be past its expiry, at most ``largestClockTolerance``; the
    ///     documented value is 0.
    public init(keys: MediaTokenKeySet, requestorID: RequestorID, clockTolerance: TimeInterval = 0) {
        self.keys = .rotating(keys)
        self.requestorID = requestorID
        self.clockTolerance = Self.bounded(clockTolerance)
    }

    /// Seconds by which a token may be past its expiry for any verifier.
    ///
    /// Spent tokens are remembered for this long after their end, so that a verifier with another tolerance does not
    /// grant them again. More would only cost memory: clocks that are wrong by minutes need to be corrected.
    public static let largestClockTolerance: TimeInterval = 300

    private static func bounded(_ tolerance: TimeInterval) -> TimeInterval {
        // `max` and `min` pass NaN on.
        tolerance.isNaN ? 0 : min(max(tolerance, 0), largestClockTolerance)
    }

    /// Checks one token.
    ///
    /// - Parameters:
    ///   - token: the media token, raw or wrapped in Base64, of either alphabet and with or without padding. White space
    ///     around it and within the Base64 is skipped, and so is a byte order mark before it.
    ///   - resource: the resource that is about to play, compared as UTF-8 bytes; nil skips this check.
    ///   - now: the back end's current time.
    /// - Returns: the verdict, the token's claims if its signature is valid, and the fault if it is no media token.
    public func verify(_ token: String, resource: Resource? = nil, at now: Date = Date()) -> Verification {
        let (claims, signature, digest): (MediaToken.Claims, Data, SHA256Digest)
        do throws(TokenCodecError) {
            (claims, signature, digest) = try decoder.signedMediaClaims(token) { body in
                // The hash reads as many bytes as there are.
                unsafe body.withUnsafeBytes { unsafe SHA256.hash(data: $0) }
            }
        } catch {
            return Verification(verdict: .invalidTokenFormat, fault: error)
        }
        let keyName: String?
        switch keys {
        case .fixed(let keys):
            guard keys.contains(where: { $0.verifies(signature, of: digest) }) else {
                return Verification(verdict: .invalidSignature)
            }
            keyName = nil
        case .rotating(let set):
            guard let key = set.keys.first(where: { $0.key.verifies(signature, of: digest) }) else {
                return Verification(verdict: .invalidSignature)
            }
            keyName = key.name
        }
        let expires = claims.expires.addingTimeInterval(clockTolerance)
        let verdict = verdict(on: claims, resource, isExpired: expires <= now)
        let use =
            verdict == .validToken
            ? MediaTokenUse(
                digest: Data(digest), expires: expires, issued: claims.issued.date,
                rememberedUntil: claims.expires.addingTimeInterval(Self.largestClockTolerance)) : nil
        return Verification(verdict: verdict, claims: claims, use: use, keyName: keyName)
    }

    private func verdict(on claims: MediaToken.Claims, _ resource: Resource?, isExpired: Bool) -> Verdict {
        // No documented verdict exists for a foreign requestor; the only generic one must not be "valid".
        guard claims.requestorID == requestorID else { return .otherRequestor }
        if let resource, resource != claims.resource { return .invalidResourceID }
        return isExpired ? .tokenExpired : .validToken
    }

    /// The result of a check.
    public struct Verification: Sendable, Hashable {
        /// The verdict.
        public let verdict: Verdict
        /// Why the text is not a media token; nil for every other verdict than ``Verdict/invalidTokenFormat``.
        public internal(set) var fault: TokenCodecError?
        /// The token's claims; nil unless its signature is valid.
        public internal(set) var claims: MediaToken.Claims?
        /// The value for ``MediaTokenUses``; nil unless the token is valid.
        public internal(set) var use: MediaTokenUse?
        /// Name of the key that signed the token; nil unless its signature is valid and the key has a name.
        @BytewiseEqual public internal(set) var keyName: String?
    }

    /// The documented verdicts.
    public enum Verdict: String, Sendable, CaseIterable {
        /// The token allows playback.
        case validToken
        /// The text is not a media token.
        case invalidTokenFormat
        /// None of the keys signed it.
        case invalidSignature
        /// It has expired.
        case tokenExpired
        /// It is for another resource.
        case invalidResourceID
        /// It is for another requestor, for which the documents have no verdict but their generic one.
        case otherRequestor = "errorUnknown"
    }
}
