public import Foundation
import TVEModels

/// Remembers spent tokens in this process, with bounded memory.
///
/// A token is remembered until it has expired. When there is no room for another, spending fails: forgetting a valid
/// token would let it be used twice. Calls may come from any thread.
///
/// The clock may be wrong. A token is granted at most once, whatever times the calls have in whatever order, and a
/// token that has expired at the time of its call is never granted. After an expired token was forgotten, every token
/// that expires at the same time or earlier is refused, even if a later call has an earlier time.
///
/// All verifiers whose tokens are spent here must have the same clock tolerance, because it decides when a token
/// expires, and so how long it is remembered.
public final class MemoryMediaTokenUses: MediaTokenUses {
    /// There is no room for another token until some have expired.
    public struct Full: Error, Sendable, Equatable {
        /// How many tokens the memory can hold.
        public let capacity: Int
    }

    private let capacity: Int
    private let spent: Guarded<SpentMediaTokens>

    /// Makes an empty memory.
    ///
    /// - Parameter capacity: how many tokens it can hold, about 120 bytes each. Media tokens live for minutes, so it
    ///   must be larger than the number of playbacks that start in that time.
    public init(capacity: Int = 1_000_000) {
        self.capacity = max(1, capacity)
        spent = Guarded(SpentMediaTokens(capacity: max(1, capacity)))
    }

    /// Spends a token; see ``MediaTokenUses``.
    ///
    /// It costs the same in a full memory as in an empty one.
    ///
    /// - Parameters:
    ///   - use: the token.
    ///   - now: the back end's current time.
    /// - Returns: true for the first call with this token; false for every later one, and for an expired token.
    /// - Throws: ``Full`` when there is no room.
    public func spend(_ use: MediaTokenUse, at now: Date) throws(Full) -> Bool {
        switch spent.withLock({ $0.spend(use, at: now) }) {
        case .granted: return true
        case .refused: return false
        case .full: throw Full(capacity: capacity)
        }
    }
}
