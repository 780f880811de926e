import TVEModels

/// How long calls took, counted in buckets: each reaches twice as far as the one before.
public struct LatencyHistogram: Sendable, Hashable, Codable {
    /// How many calls took less than 2^index milliseconds but not less than half of that; the last bucket contains all
    /// longer ones.
    public private(set) var counts: [Int]

    /// Up to 2^20 ms, about 17 minutes: no page is waited for longer.
    private static let buckets = 21

    /// Makes an empty histogram.
    public init() {
        counts = Array(repeating: 0, count: Self.buckets)
    }

    /// Reads a histogram.
    ///
    /// - Parameter decoder: where to read from.
    /// - Throws: `DecodingError` when it has other buckets or a count below 0.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        counts = try container.decode([Int].self)
        guard counts.count == Self.buckets, counts.allSatisfy({ $0 >= 0 }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no histogram")
        }
    }

    /// Writes the counts.
    ///
    /// - Parameter encoder: where to write to.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(counts)
    }

    /// How many calls were counted.
    public var total: Int { counts.reduce(0, &+) }

    /// Counts a call.
    ///
    /// - Parameter duration: how long it took.
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

    /// A duration that the given share of the calls did not exceed, to the precision of the buckets.
    ///
    /// - Parameter share: from 0 to 1; 0.5 gives the median.
    /// - Returns: the end of the bucket that contains the call, nil when nothing was counted.
    public func quantile(_ share: Double) -> Duration? {
        let total = total
        guard total > 0 else { return nil }
        let rank = Int(bounded: (Double(total) * min(max(share, 0), 1)).rounded(.up))
        var seen = 0
        for (count, bound) in zip(counts, Self.bounds) {
            seen &+= count
            if seen >= max(rank, 1) { return .milliseconds(bound) }
        }
        return nil
    }

    private static let bounds = (0..<buckets).map { Double(1 << $0) }
}
