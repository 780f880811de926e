public import Foundation

/// The current time and a way to wait: injected, so that tests control both.
public struct SessionClock: Sendable {
    /// The device's current time.
    public var now: @Sendable () -> Date
    /// Waits; throws `CancellationError` when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Time since a fixed instant in the past, unaffected by changes of the device's clock: for durations.
    public var uptime: @Sendable () -> Duration

    /// Makes a clock from functions.
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

    /// Time since the first use of this function.
    ///
    /// - Returns: a duration that only grows.
    @Sendable
    public static func systemUptime() -> Duration { ContinuousClock.now - start }

    private static let start = ContinuousClock.now

    /// Runs an operation with a time limit.
    ///
    /// - Parameters:
    ///   - limit: how long it may take; nothing runs when it is zero or less, or for a caller that was cancelled before.
    ///   - operation: is cancelled when the limit is reached, and when the caller is; an operation that ignores this
    ///     continues without the caller.
    /// - Returns: the operation's result, or nil when nothing ran or the limit was reached first.
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
            // Outside the lock, because a cancellation runs the operation's code.
            task?.cancel()
        }
        defer {
            cancel()
            timer.cancel()
        }
        return await withTaskCancellationHandler {
            // After the handler is there: an operation that began before would not hear of a cancel in between until
            // later, and a page would be shown after the answer to the cancel.
            let isRunning = work.withLock {
                if !$0.isCancelled { $0.task = Task { await perform() } }
                return !$0.isCancelled
            }
            guard isRunning else { return nil }
            // For a cancelled caller the stream ends at once, but a cancelled operation still has a result.
            return await Task { await outcomes.first { _ in true } ?? nil }.value
        } onCancel: {
            cancel()
        }
    }
}
