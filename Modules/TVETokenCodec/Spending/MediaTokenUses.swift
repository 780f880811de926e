public import Foundation

/// Remembers which media tokens were spent, so that each starts one playback (media token verifier reference).
///
/// A back end on one machine uses ``MemoryMediaTokenUses``. A back end on several machines needs a shared memory, for
/// example a database table with the digest as its key, where inserting an existing row fails.
///
/// No token starts two streams, not even when the memory is restarted, replaced or emptied in between. A memory that can
/// lose tokens knows since when it has lost none, and grants nothing that was issued earlier.
public protocol MediaTokenUses: Sendable {
    /// Spends a token.
    ///
    /// - Parameters:
    ///   - use: the token, as ``MediaTokenVerifier/Verification/use`` gives it.
    ///   - now: the back end's current time.
    /// - Returns: true for the first call with this token; false for every later one, for a token that has expired at
    ///   `now`, and for one that was issued before this memory began
    ///   (``MediaTokenUse/mayHaveBeenSpent(before:issuerClockSkew:)``). Of two calls at the same time one gets true. This
    ///   must hold for every order of times: clocks step back.
    /// - Throws: when the answer is unknown; then the stream must not start.
    func spend(_ use: MediaTokenUse, at now: Date) async throws -> Bool

    /// Spends several tokens, each as if it were alone; a networked memory may do so in one round trip.
    ///
    /// - Parameters:
    ///   - uses: the tokens; one that occurs twice is granted once.
    ///   - now: the back end's current time.
    /// - Returns: for each token, in order, what ``spend(_:at:)-(MediaTokenUse,_)`` would return or throw.
    func spend(_ uses: [MediaTokenUse], at now: Date) async -> [Result<Bool, any Error>]
}

extension MediaTokenUses {
    /// Spends one token after the other.
    public func spend(_ uses: [MediaTokenUse], at now: Date) async -> [Result<Bool, any Error>] {
        var results: [Result<Bool, any Error>] = []
        for use in uses {
            do {
                results.append(.success(try await spend(use, at: now)))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }
}

/// One valid media token about to be spent: enough to recognize it again, not enough to play with.
public struct MediaTokenUse: Sendable, Hashable {
    /// SHA-256 of the signed bytes, 32 bytes: the same for every wrapping of the token and spelling of its markers.
    public let digest: Data
    /// When the token expires for the verifier that verified it: its own end plus that verifier's clock tolerance.
    public let expires: Date
    /// When the token was issued, by the service's clock.
    public let issued: Date
    /// Until when the token must be remembered; never earlier than ``expires``.
    ///
    /// Later, no verifier accepts it, whatever its clock tolerance. So the tolerance can be raised while tokens are in
    /// use, and verifiers that share a memory may have different ones.
    public let rememberedUntil: Date

    /// Describes a use.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of the signed bytes, 32 bytes.
    ///   - expires: when the token expires for its verifier.
    ///   - issued: when the token was issued.
    ///   - rememberedUntil: when the token expires for the verifier with the largest clock tolerance; nil means
    ///     `expires`.
    public init(digest: Data, expires: Date, issued: Date, rememberedUntil: Date? = nil) {
        self.digest = digest
        self.expires = expires
        self.issued = issued
        self.rememberedUntil = max(expires, rememberedUntil ?? expires)
    }

    /// Whether a memory may have lost this token, because it began to remember after the token was issued.
    ///
    /// Every memory must ask this before it grants a token that it does not know: what was spent before a restart, a
    /// deployment or a failover is in no memory that began after it.
    ///
    /// - Parameters:
    ///   - began: since when the memory forgot nothing, by its own clock.
    ///   - issuerClockSkew: seconds by which the clock of the service that issues tokens may be ahead of that clock.
    /// - Returns: true if the token may have been spent before `began`; then it must not be granted.
    public func mayHaveBeenSpent(before began: Date, issuerClockSkew: TimeInterval) -> Bool {
        // As numbers and written so that NaN counts as spent: for `Date`, `>=` is the opposite of `<`.
        let age = issued.timeIntervalSinceReferenceDate - began.timeIntervalSinceReferenceDate
        return !(age >= 0 && age >= issuerClockSkew)
    }
}
