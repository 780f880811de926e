public import Foundation

/// A source of the current time and a way to wait, injected so that tests control both.
public struct SessionClock: Sendable {
    /// The device's current time.
    public var now: @Sendable () -> Date
    /// Waits; throws `CancellationError` when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// The time since a fixed instant in the past, for measuring durations.
    ///
    /// It is unaffected by changes of the device's clock.
    public var uptime: @Sendable () -> Duration

    /// Creates a clock from functions.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - uptime: time since a fixed instant in the past.
    ///   - sleep: waits for a duration or until the task is cancelled.
    public init(
        now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Duration = SessionClock.systemUptime,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
    }

    /// The device's own clock.
    public static let system = SessionClock(now: { Date() }, sleep: { try await Task.sleep(for: $0) })

    /// Returns the time since the first use of this function.
    ///
    /// - Returns: a duration that never decreases.
    @Sendable
    public static func systemUptime() -> Duration { ContinuousClock.now - start }

    private static let start = ContinuousClock.now

    /// Runs an operation with a time limit.
    ///
    /// - Parameters:
    ///   - limit: the time that the operation may take. The operation does not run if the limit is zero or less, or if
    ///     the caller was cancelled before.
    ///   - operation: the operation to run. It is cancelled when the limit is reached and when the caller is cancelled.
    ///     The caller waits for a cancelled operation until the limit. One that ignores the cancellation continues
    ///     after that, and its result is dropped.
    /// - Returns: the operation's result, or `nil` if the operation did not run or the limit was reached first.
    func run<Value: Sendable>(
        atMost limit: Duration, _ operation: @escaping @Sendable () async -> Value
    ) async -> Value? {
        guard limit > .zero else { return nil }
        let (outcomes, line) = AsyncStream<Value?>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let work = Guarded<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))
        let timer = Task { [sleep] in
            try? await sleep(limit)
            if !Task.isCancelled { line.yield(nil) }
        }
        @Sendable func perform() async { line.yield(await operation()) }
        @Sendable func cancel() {
            let task = work.withLock {
                $0.isCancelled = true
                return $0.task
            }
            // The cancellation happens outside the lock, because it runs the operation's code.
            task?.cancel()
        }
        defer {
            cancel()
            timer.cancel()
        }
        return await withTaskCancellationHandler {
            // The task starts only after the cancellation handler is installed. An operation that started earlier would
            // miss a cancellation in between, and a page would be shown after the call had been answered.
            let isRunning = work.withLock {
                if !$0.isCancelled { $0.task = Task { await perform() } }
                return !$0.isCancelled
            }
            guard isRunning else { return nil }
            // A stream ends at once for a cancelled caller, but a cancelled operation still has a result.
            return await Task { await outcomes.first { _ in true } ?? nil }.value
        } onCancel: {
            cancel()
        }
    }
}
