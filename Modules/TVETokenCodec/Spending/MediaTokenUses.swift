public import Foundation

/// Remembers which media tokens were spent, so that each starts one playback (media token verifier reference).
///
/// A back end on one machine uses ``MemoryMediaTokenUses``. A back end on several machines needs a shared memory, for
/// example a database table with the digest as its key, where inserting an existing row fails.
public protocol MediaTokenUses: Sendable {
    /// Spends a token.
    ///
    /// - Parameters:
    ///   - use: the token, as ``MediaTokenVerifier/Verification/use`` gives it.
    ///   - now: the back end's current time.
    /// - Returns: true for the first call with this token, false for every later one and for a token that has expired
    ///   at `now`. Of two calls at the same time one gets true. This must hold for every order of times: clocks step
    ///   back.
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
