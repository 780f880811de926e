public import Foundation

/// Remembers which media tokens were spent, so that each starts one playback (media token verifier reference).
///
/// A back end on one machine uses ``MemoryMediaTokenUses``. A back end on several machines needs a shared memory, for
/// example a database table with the digest as its key, where inserting an existing row fails.
///
/// No token starts two streams, not even when the memory is restarted, replaced or emptied in between. A memory that can
/// lose tokens knows since when it has lost none, and grants nothing that was issued earlier. For the same reason it
/// grants nothing that was issued later than its own clock and the allowed difference say: after a restart such a token
/// would look as if it had been issued afterwards.
public protocol MediaTokenUses: Sendable {
    /// Spends a token.
    ///
    /// - Parameters:
    ///   - use: the token, as ``MediaTokenVerifier/Verification/use`` gives it.
    ///   - now: the back end's current time.
    /// - Returns: `.granted` for the first call with this token. Every later call is refused, and so is a token that has
    ///   expired at `now`, one that was issued before this memory began
    ///   (``MediaTokenUse/mayHaveBeenSpent(before:issuerClockSkew:)``), and one that was issued in the future of this
    ///   memory's clock (``MediaTokenUse/secondsUntilGrantable(at:issuerClockSkew:)``), which must not be remembered as
    ///   spent. Of two calls at the same time one is granted. This must hold for every order of times: clocks step back.
    /// - Throws: when the answer is unknown; then the stream must not start.
    func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome

    /// Spends several tokens, each as if it were alone; a networked memory may do so in one round trip.
    ///
    /// - Parameters:
    ///   - uses: the tokens; one that occurs twice is granted once.
    ///   - now: the back end's current time.
    /// - Returns: for each token, in order, what ``spend(_:at:)-(MediaTokenUse,_)`` would return or throw.
    func spend(_ uses: [MediaTokenUse], at now: Date) async -> [Result<MediaTokenUseOutcome, any Error>]
}

extension MediaTokenUses {
    /// Spends one token after the other.
    public func spend(_ uses: [MediaTokenUse], at now: Date) async -> [Result<MediaTokenUseOutcome, any Error>] {
        var results: [Result<MediaTokenUseOutcome, any Error>] = []
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
