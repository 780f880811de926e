import TVEFlowEngine
import TVEModels

/// The start that has failed, and the pauses after which calls of the app repeat it.
///
/// Many apps call `getAuthentication` whenever they learn that nobody is logged in. While there is no session, the
/// answer would come at once each time, and it would still be the same when the network is back.
final class RepeatedStarts: Sendable {
    /// The arguments of a `setRequestor`.
    struct Start: Sendable {
        let requestorID: String
        let endpoints: [String]
    }

    private struct State {
        /// The last start, if it has left the app without a session.
        var failed: Start?
        /// The number of starts that have ended and of calls that end a pause.
        ///
        /// A call repeats the start only if it was made after all of these.
        var number = 0
        /// The pause between the next failure and another start.
        var pause = RepeatedStarts.shortestPause
        /// The uptime at which the pause after the last failure ends.
        var pauseEnds = Duration.zero
        /// The call that waits for the end of the pause.
        var waiting: Task<Void, Never>?
    }

    private let clock: SessionClock
    private let state = Guarded(State())

    init(_ clock: SessionClock) {
        self.clock = clock
    }

    /// The number for ``next(_:)`` of a call that is made now, or nil if no start has failed.
    var number: Int? { state.withLock { $0.failed == nil ? nil : $0.number } }

    /// Records the end of a start.
    ///
    /// - Parameters:
    ///   - failed: the start if it has left the app without a session, and otherwise nil.
    ///   - isRepeated: a Boolean value that indicates whether it repeated an earlier start.
    func ended(_ failed: Start?, isRepeated: Bool) {
        let uptime = clock.uptime()
        state.withLock { state in
            state.number += 1
            state.failed = failed
            if !isRepeated { state.pause = Self.shortestPause }
            state.pauseEnds = uptime + state.pause
        }
    }

    /// Submits a call of the app that must not wait for a pause, and ends the pause.
    ///
    /// - Parameter submission: the closure that adds the call to the queue. The app can react to the end of the pause
    ///   only after that, so that no call gets in front of this one.
    func endPause<Result>(after submission: () -> Result) -> Result {
        let waiting = state.withLock { state -> Task<Void, Never>? in
            state.number += 1
            return state.waiting
        }
        // The cancellation runs the clock's code, so it must happen outside the lock.
        defer { waiting?.cancel() }
        return submission()
    }

    /// Waits for the end of the pause, and returns the start to repeat.
    ///
    /// The pause becomes longer only while the app makes its calls within the pause.
    ///
    /// - Parameter number: the number at the moment at which the app made the call.
    /// - Returns: the start, or nil if another one has ended meanwhile or the pause was ended.
    func next(_ number: Int) async -> Start? {
        let uptime = clock.uptime()
        let waiting = state.withLock { state -> Task<Void, Never>? in
            guard state.number == number else { return nil }
            let rest = state.pauseEnds - uptime
            state.pause = rest > .zero ? min(state.pause + state.pause, Self.longestPause) : Self.shortestPause
            let waiting = Task { [clock] in _ = try? await clock.sleep(max(.zero, rest)) }
            state.waiting = waiting
            return waiting
        }
        await waiting?.value
        return state.withLock { $0.number == number ? $0.failed : nil }
    }

    private static let shortestPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(30)
}
