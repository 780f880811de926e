import NIOConcurrencyHelpers
import TVEModels

/// A change of the connections to Redis.
public enum RedisConnectionChange: Sendable, Hashable {
    /// Tokens can be spent from now on.
    case connected
    /// No token can be spent until there is a connection again.
    ///
    /// Reported when the last connection breaks, and when an attempt to connect fails for another reason than the
    /// previous one.
    case lost(RedisUsesError)
    /// A primary of a cluster can spend its tokens from now on.
    case primaryConnected(RedisAddress)
    /// A primary of a cluster cannot spend its tokens until there is a connection to it again, or another server has its
    /// slots.
    ///
    /// Reported like ``lost(_:)``, for each primary.
    case primaryLost(RedisAddress, RedisUsesError)
    /// A primary has more connected replicas than ``RedisReplication/count`` says, so the number that must confirm a token
    /// is no majority.
    case moreReplicas(RedisAddress, connected: Int)
}

/// Counts the connections of all workers, and reports the first one that opens and the last one that breaks.
final class RedisConnectionCount: Sendable {
    private let state = NIOLockedValueBox(State())
    private let report: @Sendable (RedisConnectionChange) -> Void
    private let whole: RedisConnectionCount?

    private struct State {
        var connections = 0
        var reported: RedisConnectionChange?
        /// The number of replicas that was reported for a primary, where it was too large.
        var replicas: [RedisAddress: Int] = [:]
    }

    /// Makes a count of 0 that reports each change, one call after the other.
    init(_ report: @escaping @Sendable (RedisConnectionChange) -> Void) {
        self.report = report
        whole = nil
    }

    /// Makes a count for one primary of a cluster, which also counts for the whole and reports through it.
    init(of address: RedisAddress, in whole: RedisConnectionCount) {
        self.whole = whole
        report = { change in
            let own: RedisConnectionChange =
                if case .lost(let error) = change { .primaryLost(address, error) } else { .primaryConnected(address) }
            // Within its lock, so that reports never come at the same time.
            whole.state.withLockedValue { _ in whole.report(own) }
        }
    }

    func connected() {
        change { $0.connections += 1 }
    }

    func lost(_ error: RedisUsesError) {
        change(error) { $0.connections -= 1 }
    }

    /// A connection was closed from this side, which is nothing to report.
    func closed() {
        change { $0.connections -= 1 }
    }

    func failed(_ error: RedisUsesError) {
        change(error) { _ in }
    }

    /// Reports a primary that has more replicas than the configuration says, once for each number.
    func found(_ connected: Int, of address: RedisAddress, configured: RedisReplication) {
        if let whole { return whole.found(connected, of: address, configured: configured) }
        guard configured != .primaryAlone else { return }
        state.withLockedValue { state in
            guard connected > configured.count else { return state.replicas[address] = nil }
            guard state.replicas.updateValue(connected, forKey: address) != connected else { return }
            report(.moreReplicas(address, connected: connected))
        }
    }

    private func change(_ error: RedisUsesError? = nil, _ count: (inout State) -> Void) {
        whole?.change(error, count)
        state.withLockedValue { state in
            count(&state)
            let change: RedisConnectionChange? = state.connections > 0 ? .connected : error.map { .lost($0) }
            guard let change, change != state.reported else { return }
            state.reported = change
            // Within the lock, so that the reports come in their order.
            report(change)
        }
    }
}
