import TVEModels

/// The outcomes of a session's calls: attempts, successes, failures by reason, and how long they took.
public struct Statistics: Sendable, Hashable, Codable {
    /// The outcomes of one kind of call.
    public struct Calls: Sendable, Hashable, Codable {
        /// How many calls succeeded.
        public var successes = 0
        /// How many failed, by the name of the error's code.
        public var failures: [String: Int] = [:]
        /// How long they took, including the time of the viewer.
        public var latency = LatencyHistogram()

        /// Makes empty counts.
        public init() {}

        /// How many calls ended.
        public var attempts: Int { successes &+ failures.values.reduce(0, &+) }
    }

    /// By the name of the call.
    public private(set) var calls: [String: Calls] = [:]

    /// Makes empty statistics.
    public init() {}

    /// The outcomes of one kind of call.
    ///
    /// - Parameter call: the kind of call.
    public subscript(call: CallReport.Call) -> Calls { calls[call.rawValue] ?? Calls() }

    /// Counts a call.
    ///
    /// - Parameter report: how it ended.
    public mutating func record(_ report: CallReport) {
        var counts = calls[report.call.rawValue] ?? Calls()
        if let failure = report.failure {
            counts.failures[failure.rawValue, default: 0] &+= 1
        } else {
            counts.successes &+= 1
        }
        counts.latency.record(report.duration)
        calls[report.call.rawValue] = counts
    }

    /// Adds the counts of other statistics, for example of an earlier run.
    ///
    /// - Parameter other: the other statistics.
    public mutating func merge(_ other: Statistics) {
        for (name, counts) in other.calls {
            var mine = calls[name] ?? Calls()
            mine.successes &+= counts.successes
            mine.failures.merge(counts.failures, uniquingKeysWith: &+)
            mine.latency.merge(counts.latency)
            calls[name] = mine
        }
    }
}
