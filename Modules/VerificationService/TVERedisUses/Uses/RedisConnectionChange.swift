import NIOConcurrencyHelpers
import TVEModels

/// A change in the availability of the connections to Redis.
public enum RedisConnectionChange: Sendable, Hashable {
    /// The first connection has opened, and tokens can be spent.
    case connected
    /// No connection is left, so no token can be spent until one opens again.
    ///
    /// This change is reported when the last connection breaks, and again whenever an attempt to connect fails for a
    /// reason other than the previous one.
    case lost(RedisUsesError)
    /// The first connection to a primary of a cluster has opened, and its tokens can be spent.
    case primaryConnected(RedisAddress)
    /// No connection to a primary of a cluster is left, so its tokens cannot be spent.
    ///
    /// They can be spent again when a connection to this primary opens, or when another server takes over its slots.
    /// The change is reported for each primary, at the times at which ``lost(_:)`` is reported for all of them.
    case primaryLost(RedisAddress, RedisUsesError)
    /// A primary has more connected replicas than ``RedisReplication/count`` states.
    ///
    /// The number of replicas that must confirm a token is then no longer a majority.
    case moreReplicas(RedisAddress, connected: Int)
}

/// A count of the connections of all workers, which reports the first one that opens and the last one that breaks.
final class RedisConnectionCount: Sendable {
    private let state = NIOLockedValueBox(State())
    private let reports: RedisChangeReports
    private let address: RedisAddress?
    private let whole: RedisConnectionCount?

    private struct State {
        var connections = 0
        var reported: RedisConnectionChange?
        /// The number of replicas last reported for each primary that has too many.
        var replicas: [RedisAddress: Int] = [:]
    }

    /// Creates a count of zero connections that reports each change, never two at the same time.
    ///
    /// - Parameters:
    ///   - startThread: a closure that starts the thread of the reports.
    ///   - report: a closure that is called with each change.
    init(
        startThread: @escaping RedisThread.Starter = RedisThread.starter,
        _ report: @escaping @Sendable (RedisConnectionChange) -> Void
    ) {
        reports = RedisChangeReports(startThread, report)
        address = nil
        whole = nil
    }

    /// Creates a count for one primary of a cluster.
    ///
    /// Each of its changes also changes the count of the whole cluster, which delivers the reports of both.
    init(of address: RedisAddress, in whole: RedisConnectionCount) {
        self.whole = whole
        self.address = address
        reports = whole.reports
    }

    func connected() {
        change { $0.connections += 1 }
    }

    func lost(_ error: RedisUsesError) {
        change(error) { $0.connections -= 1 }
    }

    /// Removes a connection that this side has closed, which is not reported as a loss.
    func closed() {
        change { $0.connections -= 1 }
    }

    func failed(_ error: RedisUsesError) {
        change(error) { _ in }
    }

    /// Reports a primary that has more replicas than the configuration states, once for each number of replicas.
    func found(_ connected: Int, of address: RedisAddress, configured: RedisReplication) {
        // Each batch of calls and each check of a connection comes here, so that a report for which the system had no
        // thread is not late for long.
        reports.deliver()
        if let whole { return whole.found(connected, of: address, configured: configured) }
        guard configured != .primaryAlone else { return }
        state.withLockedValue { state in
            guard connected > configured.count else { return state.replicas[address] = nil }
            guard state.replicas.updateValue(connected, forKey: address) != connected else { return }
            reports.append(.moreReplicas(address, connected: connected))
        }
        reports.deliver()
    }

    private func change(_ error: RedisUsesError? = nil, _ count: (inout State) -> Void) {
        whole?.change(error, count)
        state.withLockedValue { state in
            count(&state)
            let change: RedisConnectionChange? = state.connections > 0 ? .connected : error.map { .lost($0) }
            guard let change, change != state.reported else { return }
            state.reported = change
            // It is appended under the lock, so that reports arrive in the order of the changes.
            reports.append(named(change))
        }
        reports.deliver()
    }

    /// Returns the change as that of a single primary, if this object counts the connections of one.
    private func named(_ change: RedisConnectionChange) -> RedisConnectionChange {
        guard let address else { return change }
        return if case .lost(let error) = change { .primaryLost(address, error) } else { .primaryConnected(address) }
    }
}

/// The changes that are to be reported, in their order and never two at the same time.
///
/// They are reported on a thread of their own. The threads of the connections answer calls, which a report that takes
/// long must not delay.
private final class RedisChangeReports: Sendable {
    private let state = NIOLockedValueBox(State())
    private let startThread: RedisThread.Starter
    private let report: @Sendable (RedisConnectionChange) -> Void

    private struct State {
        var waiting: [RedisConnectionChange] = []
        var isReporting = false
    }

    init(_ startThread: @escaping RedisThread.Starter, _ report: @escaping @Sendable (RedisConnectionChange) -> Void) {
        self.startThread = startThread
        self.report = report
    }

    func append(_ change: RedisConnectionChange) {
        state.withLockedValue { $0.waiting.append(change) }
    }

    /// Reports what is waiting, without waiting for the reports.
    ///
    /// If a thread is already reporting, it reports this too.
    func deliver() {
        let isFirst = state.withLockedValue { state in
            guard !state.isReporting, !state.waiting.isEmpty else { return false }
            state.isReporting = true
            return true
        }
        guard isFirst else { return }
        do throws(RedisUsesError) {
            try startThread("tve-redis-report") { while let change = self.next() { self.report(change) } }
        } catch {
            // The next change is reported together with these, or the next batch of a connection delivers them.
            state.withLockedValue { $0.isReporting = false }
        }
    }

    private func next() -> RedisConnectionChange? {
        state.withLockedValue { state in
            guard !state.waiting.isEmpty else {
                state.isReporting = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
