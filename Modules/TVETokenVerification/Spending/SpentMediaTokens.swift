package import Foundation

/// The spent media tokens, each of which is stored until it need not be remembered any more.
///
/// Digests are in one bucket for each second in which they expire, and a heap contains the times of the buckets.
/// Therefore a call reads only expired digests, and removes a few of them, however many there are.
package struct SpentMediaTokens: Sendable {
    /// The number of digests that one call removes at most.
    package static let sweptAtOnce = 16

    private let capacity: Int
    private var digests: Set<Data> = []
    /// The digests by the second since the reference date at which they expire, rounded up.
    ///
    /// Every value of a `Date` is a valid key.
    private var buckets: [TimeInterval: [Data]] = [:]
    private var ends = MinimumHeap()
    /// The time at which, or before which, all forgotten digests expired.
    private var forgottenUntil = -TimeInterval.infinity

    /// Creates an empty memory that can hold a number of digests.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    package var count: Int { digests.count }

    package enum Outcome: Sendable, Hashable {
        /// This was the first use, and there will be no second.
        case granted
        /// The token was spent, or it may have been spent and forgotten.
        case spent
        /// The token has expired.
        case expired
        /// There is no room to remember the token.
        case full
    }

    /// Returns a Boolean value that indicates whether a token is remembered as spent.
    package func contains(_ use: MediaTokenUse) -> Bool { digests.contains(use.digest) }

    /// Spends a token.
    ///
    /// The current time may be earlier than in preceding calls.
    package mutating func spend(_ use: MediaTokenUse, at now: Date) -> Outcome {
        sweep(at: now)
        let end = use.rememberedUntil.timeIntervalSinceReferenceDate
        // The condition is written so that NaN is refused too.
        guard use.expires > now else { return .expired }
        guard end > forgottenUntil, !digests.contains(use.digest) else { return .spent }
        guard digests.count < capacity else { return .full }
        digests.insert(use.digest)
        let second = end.rounded(.up)
        if buckets[second] == nil { ends.insert(second) }
        buckets[second, default: []].append(use.digest)
        return .granted
    }

    /// Removes some expired digests.
    ///
    /// The given time applies only to this call. The memory stores the time up to which digests were removed. Therefore
    /// a clock that was once ahead does not cause every token to be refused until that time, and a clock that is set
    /// back does not cause removed tokens to be granted again.
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

/// A heap of times with the earliest first.
///
/// Adding a time and removing the earliest take logarithmic time.
struct MinimumHeap: Sendable {
    /// The times.
    ///
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
