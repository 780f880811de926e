import TVEModels

/// Runs calls one after the other in the order in which they were submitted, and holds them until a session exists.
///
/// A single task takes the calls from a single stream, so the order is the same in every run.
final class CallQueue: Sendable {
    /// A call.
    ///
    /// It must end without further input.
    typealias Call = @Sendable () async -> Void

    private struct State {
        var isOpen = false
        var held: [Call] = []
        /// The number of calls in the line that have not ended.
        var count = 0
        /// The session whose start the running call waits for.
        var starting: EstablishedSession?
        /// Returns a Boolean value that indicates whether the next call needs no start of the running call's session.
        var supersedes: (@Sendable (EstablishedSession) -> Bool)?
    }

    private let state = Guarded(State())
    private let line: AsyncStream<Call>.Continuation

    /// Creates an empty queue that holds its calls.
    init() {
        let (stream, line) = AsyncStream<Call>.makeStream()
        self.line = line
        Task { [state] in
            for await call in stream {
                await call()
                state.withLock { state in
                    state.count -= 1
                    state.starting = nil
                    state.supersedes = nil
                }
            }
        }
    }

    deinit {
        line.finish()
    }

    /// Adds a call.
    ///
    /// The call runs when all earlier calls have ended and the queue is open.
    ///
    /// - Parameter call: the call to run.
    func submit(_ call: @escaping Call) {
        state.withLock { state in
            if state.isOpen {
                state.count += 1
                line.yield(call)
            } else {
                state.held.append(call)
            }
        }
    }

    /// Opens the queue, runs a call, and then runs the held calls.
    ///
    /// On an open queue the method has the same effect as ``submit(_:)``.
    ///
    /// - Parameters:
    ///   - call: the call to run first.
    ///   - supersedes: returns a Boolean value that indicates whether nobody needs the start of a session any more,
    ///     because the call is made.
    /// - Returns: the superseded session for whose start alone the call waits, or nil if there is none.
    func open(
        with call: @escaping Call, supersedes: @escaping @Sendable (EstablishedSession) -> Bool
    ) -> EstablishedSession? {
        state.withLock { state in
            let isNext = state.count == 1
            for call in [call] + state.held { line.yield(call) }
            state.count += 1 + state.held.count
            state.held = []
            state.isOpen = true
            // Another call that comes first may need the start.
            guard isNext else { return nil }
            state.supersedes = supersedes
            return state.starting.flatMap { supersedes($0) ? $0 : nil }
        }
    }

    /// Records that the running call waits for the start of a session.
    ///
    /// - Returns: a Boolean value that indicates whether the next call needs no such start.
    func waits(forStartOf session: EstablishedSession) -> Bool {
        state.withLock { state in
            state.starting = session
            return state.supersedes?(session) == true
        }
    }
}
