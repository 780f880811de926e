#if VerificationService
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
}

/// Counts the connections of all workers, and reports the first one that opens and the last one that breaks.
final class RedisConnectionCount: Sendable {
    private let state = Guarded(State())
    private let report: @Sendable (RedisConnectionChange) -> Void

    private struct State {
        var connections = 0
        var reported: RedisConnectionChange?
    }

    /// Makes a count of 0 that reports each change, one call after the other.
    init(_ report: @escaping @Sendable (RedisConnectionChange) -> Void) {
        self.report = report
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

    private func change(_ error: RedisUsesError? = nil, _ count: (inout State) -> Void) {
        state.withLock { state in
            count(&state)
            let change: RedisConnectionChange? = state.connections > 0 ? .connected : error.map { .lost($0) }
            guard let change, change != state.reported else { return }
            state.reported = change
            // Within the lock, so that the reports come in their order.
            report(change)
        }
    }
}
#endif
