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

/// One valid media token about to be spent: enough to recognize it again, not enough to play with.
public struct MediaTokenUse: Sendable, Hashable {
    /// SHA-256 of the signed bytes, 32 bytes: the same for every wrapping of the token and spelling of its markers.
    public let digest: Data
    /// When the token expires; after that it need not be remembered.
    public let expires: Date
    /// When the token was issued, by the service's clock; nil when it is not known.
    ///
    /// A memory that was lost grants no token that was issued before its new beginning, because it may have been spent.
    public let issued: Date?

    /// Describes a use.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of the signed bytes, 32 bytes.
    ///   - expires: when the token expires.
    ///   - issued: when the token was issued; nil when it is not known.
    public init(digest: Data, expires: Date, issued: Date? = nil) {
        self.digest = digest
        self.expires = expires
        self.issued = issued
    }
}
