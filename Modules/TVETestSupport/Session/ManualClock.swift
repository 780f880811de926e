public import Foundation
public import TVEFlowEngine
import TVEModels

/// A clock that stands still until a test advances it.
public final class ManualClock: Sendable {
    private struct Sleeper {
        /// The steady time at which the sleep ends.
        let wakes: Date
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Date
        /// The time that the clock would have if it had never been set back.
        var steady: Date
        var sleepers: [Int: Sleeper] = [:]
        var count = 0

        init(now: Date) {
            self.now = now
            steady = now
        }
    }

    private let state: Guarded<State>
    private let shortWait: Duration

    /// Creates a clock that stands still.
    ///
    /// - Parameters:
    ///   - now: the time of the clock, which is a morning in November 2026 by default.
    ///   - shortWait: the longest sleep for which a task advances the clock itself and does not wait for the test.
    public init(_ now: Date = Date(timeIntervalSince1970: 1_795_219_200), shortWait: Duration = .zero) {
        state = Guarded(State(now: now))
        self.shortWait = shortWait
    }

    /// The current time of the clock.
    public var now: Date { state.withLock(\.now) }

    /// The number of tasks that sleep on the clock.
    public var sleepers: Int { state.withLock(\.sleepers.count) }

    /// The clock as the value that a session needs.
    public var sessionClock: SessionClock {
        let start = steady
        return SessionClock(
            now: { self.now }, uptime: { .seconds(self.steady.timeIntervalSince(start)) },
            sleep: { try await self.sleep($0) })
    }

    private var steady: Date { state.withLock(\.steady) }

    /// Advances the clock and wakes the tasks whose sleep has ended, or sets the clock back.
    ///
    /// When somebody sets the clock of a device back, no time passes: no task wakes, and the uptime stays the same.
    ///
    /// - Parameter seconds: the number of seconds by which to advance the clock. A negative number sets it back.
    public func advance(by seconds: TimeInterval) {
        let woken = state.withLock { state -> [Sleeper] in
            state.now += seconds
            state.steady += max(0, seconds)
            let due = state.sleepers.filter { $0.value.wakes <= state.steady }
            for number in due.keys { state.sleepers.removeValue(forKey: number) }
            return Array(due.values)
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Waits until a task sleeps on the clock, then advances the clock.
    ///
    /// - Parameter seconds: the number of seconds by which to advance the clock.
    public func advanceOnceSomethingSleeps(by seconds: TimeInterval) async {
        while sleepers == 0, !Task.isCancelled { await Task.shortPause() }
        advance(by: seconds)
    }

    private func sleep(_ duration: Duration) async throws {
        if duration <= shortWait {
            advance(by: max(0, duration / .seconds(1)))
            return try Task.checkCancellation()
        }
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state -> Bool in
                    let wakes = state.steady + TimeInterval(duration / .seconds(1))
                    guard wakes > state.steady, !Task.isCancelled else { return true }
                    state.sleepers[number] = Sleeper(wakes: wakes, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume(with: Result { try Task.checkCancellation() }) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(
                throwing: CancellationError())
        }
    }
}

extension Task where Success == Never, Failure == Never {
    /// Waits a millisecond, for a test that polls a condition.
    ///
    /// Polling without a pause would take the processor core from the code for which it waits.
    package static func shortPause() async { try? await sleep(for: .milliseconds(1)) }
}
