public import Foundation

/// What time it is and how to wait: injected, so that tests decide both.
public struct SessionClock: Sendable {
    /// The device's present time.
    public var now: @Sendable () -> Date
    /// Waits; throws `CancellationError` when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Makes a clock of two functions.
    ///
    /// - Parameters:
    ///   - now: the present time.
    ///   - sleep: waits for a duration or until the task is cancelled.
    public init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The device's own clock.
    public static let system = SessionClock(now: { Date() }, sleep: { try await Task.sleep(for: $0) })

    /// Runs an operation for at most so long.
    ///
    /// - Parameters:
    ///   - limit: how long it may take; nothing runs when it is zero or less.
    ///   - operation: must end soon after it is cancelled.
    /// - Returns: what the operation returned, or nil when the time was over first.
    func run<Value: Sendable>(
        atMost limit: Duration, _ operation: @escaping @Sendable () async -> Value
    ) async -> Value? {
        guard limit > .zero else { return nil }
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await operation() }
            group.addTask { [sleep] in
                try? await sleep(limit)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }
}
