package import Foundation

/// The spent media tokens, each until it need not be remembered any more; here that is when it expires.
///
/// Digests are in one bucket for each second in which they expire, and a heap knows the bucket that expires first. So a
/// call reads only expired digests, and removes a few of them, however many there are.
package struct SpentMediaTokens: Sendable {
    /// Most digests that one call removes.
    package static let sweptAtOnce = 16

    private let capacity: Int
    private var digests: Set<Data> = []
    /// By second since the reference date at which they expire, rounded up; every value of a `Date` is a valid key.
    private var buckets: [TimeInterval: [Data]] = [:]
    private var ends = MinimumHeap()
    /// All forgotten digests expired at this time or before.
    private var forgottenUntil = -TimeInterval.infinity

    /// Makes an empty memory that can hold so many digests.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    package var count: Int { digests.count }

    package enum Outcome: Sendable, Hashable {
        /// This is the first time, and there will be no second.
        case granted
        /// It was spent, or it may have been spent and forgotten.
        case spent
        /// It has expired.
        case expired
        /// There is no room to remember it.
        case full
    }

    /// Returns a Boolean value that indicates whether a token is remembered as spent.
    package func contains(_ use: MediaTokenUse) -> Bool { digests.contains(use.digest) }

    /// Spends a token; the current time may be earlier than in calls before.
    package mutating func spend(_ use: MediaTokenUse, at now: Date) -> Outcome {
        sweep(at: now)
        let end = use.rememberedUntil.timeIntervalSinceReferenceDate
        // Written so that NaN is refused too.
        guard use.expires > now else { return .expired }
        guard end > forgottenUntil, !digests.contains(use.digest) else { return .spent }
        guard digests.count < capacity else { return .full }
        digests.insert(use.digest)
        let second = end.rounded(.up)
        if buckets[second] == nil { ends.insert(second) }
        buckets[second, default: []].append(use.digest)
        return .granted
    }

    /// Forgets some expired digests.
    ///
    /// The given time counts for this call only. What is remembered is the time up to which digests were forgotten:
    /// after a clock that was once ahead, not every token is refused until that time, and after a clock that steps
    /// back, forgotten tokens are not granted again.
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

/// A heap of times with the earliest first; adding one and removing the earliest take logarithmic time.
struct MinimumHeap: Sendable {
    /// The parent of place `n` is at `(n - 1) / 2` and never later than it.
    private var times: [TimeInterval] = []

    var first: TimeInterval? { times.first }

    mutating func insert(_ time: TimeInterval) {
        times.append(time)
        var place = times.count - 1
        while place > 0, times[(place - 1) / 2] > times[place] {
            times.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func removeFirst() {
        guard let last = times.popLast(), !times.isEmpty else { return }
        times[0] = last
        var place = 0
        while let child = [2 * place + 1, 2 * place + 2].filter(times.indices.contains).min(by: {
            times[$0] < times[$1]
        }),
            times[child] < times[place]
        {
            times.swapAt(place, child)
            place = child
        }
    }
}
