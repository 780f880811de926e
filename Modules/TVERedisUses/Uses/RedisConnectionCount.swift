#if VerificationService
import TVEModels

/// Counts the connections of all workers, and reports the first one that opens and the last one that breaks.
final class RedisConnectionCount: Sendable {
    private let state = Guarded(State())
    private let report: @Sendable (RedisConnectionChange) -> Void

    private struct State {
        var connections = 0
        var reported: RedisConnectionChange?
    }

    /// Makes a count of 0.
    ///
    /// - Parameter report: called with each change, one call after the other.
    init(_ report: @escaping @Sendable (RedisConnectionChange) -> Void) {
        self.report = report
    }

    /// A worker has a connection.
    func connected() {
        change { $0.connections += 1 }
    }

    /// The connection of a worker broke.
    func lost(_ error: RedisUsesError) {
        change(error) { $0.connections -= 1 }
    }

    /// A worker failed to connect.
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
