public import Foundation

/// A memory of spent media tokens, so that each token starts one playback (media token verifier reference).
///
/// A back end in which only one process ever spends tokens uses ``MemoryMediaTokenUses``. Processes that spend at the
/// same time need a shared memory, also on one machine and also only during a rolling deployment. It is, for example, a
/// database table with the digest as its key, in which inserting an existing row fails.
///
/// No token starts two streams, not even if the memory is restarted, replaced or emptied in between. A memory that can
/// lose tokens knows the time since which it has lost none, and grants nothing that was issued earlier. For the same
/// reason it grants nothing that was issued later than its own clock plus the allowed difference. After a restart, such
/// a token would look as if it had been issued afterwards.
public protocol MediaTokenUses: Sendable {
    /// Spends a token.
    ///
    /// - Parameters:
    ///   - use: the token, as ``MediaTokenVerifier/Verification/use`` returns it.
    ///   - now: the back end's current time.
    /// - Returns: `.granted` for the first call with this token. Every later call is refused, and so is a token that
    ///   has expired at `now`, one that was issued before this memory began
    ///   (``MediaTokenUse/mayHaveBeenSpent(before:issuerClockSkew:)``), and one that was issued in the future of this
    ///   memory's clock (``MediaTokenUse/secondsUntilGrantable(at:issuerClockSkew:)``), which must not be remembered as
    ///   spent. If two calls occur at the same time, one is granted. This must hold for every order of times, because
    ///   clocks are sometimes set back.
    /// - Throws: an error if the answer is unknown. Then the stream must not start.
    func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome

    /// Spends several tokens, each as if it were alone.
    ///
    /// A networked memory may do so in one round trip.
    ///
    /// - Parameters:
    ///   - uses: the tokens. One that occurs twice is granted once.
    ///   - now: the back end's current time.
    /// - Returns: for each token, in order, the result or the error of ``spend(_:at:)-(MediaTokenUse,_)``.
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
