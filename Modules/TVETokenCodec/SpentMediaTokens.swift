package import Foundation

/// Which media tokens were spent, as long as it matters.
///
/// Digests lie in one bucket for each second in which they end, and a heap knows the bucket that ends first. So a call looks at
/// what is over and at nothing else, and sweeps out a few digests, however many there are.
package struct SpentMediaTokens: Sendable {
    /// How many digests one call sweeps out at most.
    package static let sweptAtOnce = 16

    private let capacity: Int
    private var digests: Set<Data> = []
    /// By second since the reference date at which they end, rounded up; whatever a `Date` can hold is a key.
    private var buckets: [TimeInterval: [Data]] = [:]
    private var ends = MinimumHeap()
    /// Everything that was forgotten ended at this time or before.
    private var forgottenUntil = -TimeInterval.infinity

    /// Makes an empty memory.
    ///
    /// - Parameter capacity: how many digests it can hold.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many digests it holds.
    package var count: Int { digests.count }

    /// What comes of spending a token.
    package enum Outcome: Sendable, Hashable {
        /// This is the first time, and there will be no second.
        case granted
        /// It was spent, it is over, or it may have been spent and forgotten.
        case refused
        /// There is no room to remember it.
        case full
    }

    /// Spends a token.
    ///
    /// - Parameters:
    ///   - use: the token.
    ///   - now: the present time; it may be earlier than in calls before.
    /// - Returns: whether this is the one time.
    package mutating func spend(_ use: MediaTokenUse, at now: Date) -> Outcome {
        sweep(at: now)
        let end = use.expires.timeIntervalSinceReferenceDate
        // Written so that a date that is no number is refused too.
        guard use.expires > now, end > forgottenUntil else { return .refused }
        guard !digests.contains(use.digest) else { return .refused }
        guard digests.count < capacity else { return .full }
        digests.insert(use.digest)
        let second = end.rounded(.up)
        if buckets[second] == nil { ends.insert(second) }
        buckets[second, default: []].append(use.digest)
        return .granted
    }

    /// Forgets some of what is over.
    ///
    /// The clock's word is taken for this call alone. What stays is how far was forgotten: a clock that went ahead once does not
    /// refuse every token until that time has come, and one that steps back does not bring back what is forgotten.
    private mutating func sweep(at now: Date) {
        let now = now.timeIntervalSinceReferenceDate
        var left = Self.sweptAtOnce
        while left > 0, let second = ends.first, second <= now {
            forgottenUntil = max(forgottenUntil, second)
            while left > 0, let digest = buckets[second]?.popLast() {
                digests.remove(digest)
                left -= 1
            }
            guard buckets[second]?.isEmpty != false else { return }
            buckets[second] = nil
            ends.removeFirst()
        }
    }
}
