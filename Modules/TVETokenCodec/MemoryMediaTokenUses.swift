public import Foundation
import TVEModels

/// Remembers spent tokens in this process, with bounded memory.
///
/// A token is remembered until it has run out. When there is no room for another, spending fails: forgetting one that is
/// still valid would let it be used twice. Calls may come from any thread.
public final class MemoryMediaTokenUses: MediaTokenUses {
    /// There is no room for another token until some have run out.
    public struct Full: Error, Sendable, Equatable {
        /// How many tokens there is room for.
        public let capacity: Int
    }

    private let capacity: Int
    private let spent = Guarded<[Data: Date]>([:])

    /// Makes an empty memory.
    ///
    /// - Parameter capacity: how many tokens it can hold, about 100 bytes each. Media tokens live for minutes, so it must
    ///   fit the playbacks that start in that time.
    public init(capacity: Int = 1_000_000) {
        self.capacity = max(1, capacity)
    }

    /// Spends a token; see ``MediaTokenUses``.
    ///
    /// - Parameters:
    ///   - use: the token.
    ///   - now: the back end's present time.
    /// - Returns: true for the first call with this token.
    /// - Throws: ``Full`` when there is no room.
    public func spend(_ use: MediaTokenUse, at now: Date) throws(Full) -> Bool {
        try spent.withLock { spent throws(Full) in
            if let expires = spent[use.digest], expires > now { return false }
            // Sweeping costs a walk through the table, so it waits until the room is needed.
            if spent.count >= capacity { spent = spent.filter { $0.value > now } }
            guard spent.count < capacity else { throw Full(capacity: capacity) }
            spent[use.digest] = use.expires
            return true
        }
    }
}
