import TVEModels

/// A histogram of call durations.
///
/// Each bucket reaches twice as far as the one before.
public struct LatencyHistogram: Sendable, Hashable, Codable {
    /// The number of calls in each bucket.
    ///
    /// The bucket at `index` counts calls that took less than 2^index milliseconds, but not less than half of that. The
    /// first bucket contains all calls below one millisecond, and the last bucket also contains all longer calls.
    public private(set) var counts: [Int]

    /// The number of buckets.
    ///
    /// The last one begins at 2^19 ms, about nine minutes. Only a call that waits for a viewer takes longer.
    private static let buckets = 21

    /// Creates an empty histogram.
    public init() {
        counts = Array(repeating: 0, count: Self.buckets)
    }

    /// Reads a histogram.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` when the number of buckets differs or a count is below 0.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        counts = try container.decode([Int].self)
        guard counts.count == Self.buckets, counts.allSatisfy({ $0 >= 0 }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no histogram")
        }
    }

    /// Writes the counts.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(counts)
    }

    /// The number of recorded calls.
    public var total: Int { counts.reduce(0, &+) }

    /// Adds a call to the histogram.
    ///
    /// - Parameter duration: the duration of the call.
    public mutating func record(_ duration: Duration) {
        let milliseconds = duration / .milliseconds(1)
        let index = Self.bounds.firstIndex { milliseconds < $0 } ?? Self.buckets - 1
        counts[index] &+= 1
    }

    /// Adds the counts of another histogram.
    ///
    /// - Parameter other: the other histogram.
    public mutating func merge(_ other: LatencyHistogram) {
        for index in counts.indices { counts[index] &+= other.counts[index] }
    }

    /// Returns a duration that the given share of the calls did not exceed, to the precision of the buckets.
    ///
    /// - Parameter share: the share, from 0 to 1. Pass 0.5 for the median.
    /// - Returns: the upper bound of the bucket that contains the call. It is nil when the histogram is empty, and when
    ///   the call is in the last bucket, which has no upper bound.
    public func quantile(_ share: Double) -> Duration? {
        let total = total
        guard total > 0 else { return nil }
        let rank = Int(bounded: (Double(total) * min(max(share, 0), 1)).rounded(.up))
        var seen = 0
        for (count, bound) in zip(counts.dropLast(), Self.bounds) {
            seen &+= count
            if seen >= max(rank, 1) { return .milliseconds(bound) }
        }
        return nil
    }

    private static let bounds = (0..<buckets).map { Double(1 << $0) }
}
