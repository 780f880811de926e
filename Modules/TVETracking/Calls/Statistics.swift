import TVEModels

/// The outcomes of a session's calls: attempts, successes, failures by error code, and durations.
public struct Statistics: Sendable, Hashable, Codable {
    /// The outcomes of one kind of call.
    public struct Calls: Sendable, Hashable, Codable {
        /// The number of calls that succeeded.
        public var successes = 0
        /// The number of calls that failed, by the name of the error's code.
        public var failures: [String: Int] = [:]
        /// The durations of the calls, including the time that the viewer took.
        public var latency = LatencyHistogram()

        /// Creates empty statistics for one kind of call.
        public init() {}

        /// The number of calls that ended.
        public var attempts: Int { successes &+ failures.values.reduce(0, &+) }
    }

    /// The outcomes by the name of the call.
    public private(set) var calls: [String: Calls] = [:]

    /// Creates empty statistics.
    public init() {}

    /// Accesses the outcomes of one kind of call.
    ///
    /// - Parameter call: the kind of call.
    public subscript(call: CallReport.Call) -> Calls { calls[call.rawValue] ?? Calls() }

    /// Adds the outcome of a call.
    ///
    /// - Parameter report: the outcome and the duration of the call.
    public mutating func record(_ report: CallReport) {
        // The counts are changed in place, because the histogram would be copied for each call otherwise.
        calls[report.call.rawValue, default: Calls()].add(report)
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

extension Statistics.Calls {
    /// Adds the outcome of a call of this kind.
    fileprivate mutating func add(_ report: CallReport) {
        if let failure = report.failure {
            failures[failure.rawValue, default: 0] &+= 1
        } else {
            successes &+= 1
        }
        latency.record(report.duration)
    }
}
