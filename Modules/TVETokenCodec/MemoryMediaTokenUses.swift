public import Foundation
import TVEModels

/// Remembers spent tokens in this process, with bounded memory.
///
/// A token is remembered until it has run out. When there is no room for another, spending fails: forgetting one that is
/// still valid would let it be used twice. Calls may come from any thread.
///
/// The clock need not be a good one. A token is granted at most once, whatever times the calls name in whatever order, and one
/// that is over at the time of its call is never granted. After a token was forgotten because it was over, every token that ends at
/// the same time or earlier is refused, even if a later call names an earlier time.
///
/// All verifiers whose tokens are spent here must have the same clock tolerance: it is part of when a token ends, and so of how
/// long it is remembered.
public final class MemoryMediaTokenUses: MediaTokenUses {
    /// There is no room for another token until some have run out.
    public struct Full: Error, Sendable, Equatable {
        /// How many tokens there is room for.
        public let capacity: Int
    }

    private let capacity: Int
    private let spent: Guarded<SpentMediaTokens>

    /// Makes an empty memory.
    ///
    /// - Parameter capacity: how many tokens it can hold, about 120 bytes each. Media tokens live for minutes, so it must
    ///   fit the playbacks that start in that time.
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
    ///   - now: the back end's present time.
    /// - Returns: true for the first call with this token; false for every later one, and for a token that is over.
    /// - Throws: ``Full`` when there is no room.
    public func spend(_ use: MediaTokenUse, at now: Date) throws(Full) -> Bool {
        switch spent.withLock({ $0.spend(use, at: now) }) {
        case .granted: return true
        case .refused: return false
        case .full: throw Full(capacity: capacity)
        }
    }
}
