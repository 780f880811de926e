public import Foundation

/// What time it is and how to wait: injected, so that tests decide both.
public struct SessionClock: Sendable {
    /// The device's present time.
    public var now: @Sendable () -> Date
    /// Waits; throws `CancellationError` when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Time since some instant of the past, which no change of the device's time moves: for durations.
    public var uptime: @Sendable () -> Duration

    /// Makes a clock of functions.
    ///
    /// - Parameters:
    ///   - now: the present time.
    ///   - uptime: time since some instant of the past.
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

    /// Runs an operation for at most so long.
    ///
    /// - Parameters:
    ///   - limit: how long it may take; nothing runs when it is zero or less.
    ///   - operation: is cancelled when the time is over, and when the caller is; one that goes on nevertheless is left behind.
    /// - Returns: what the operation returned, or nil when the time was over first.
    func run<Value: Sendable>(
        atMost limit: Duration, _ operation: @escaping @Sendable () async -> Value
    ) async -> Value? {
        guard limit > .zero else { return nil }
        let (outcomes, line) = AsyncStream<Value?>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let work = Task { line.yield(await operation()) }
        let timer = Task { [sleep] in
            try? await sleep(limit)
            if !Task.isCancelled { line.yield(nil) }
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        return await withTaskCancellationHandler {
            // A stream ends for whoever is cancelled, and the outcome of a cancelled operation is still one.
            await Task { await outcomes.first { _ in true } ?? nil }.value
        } onCancel: {
            work.cancel()
        }
    }
}
