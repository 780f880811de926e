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
    /// - Parameter call: the call to run first.
    /// - Returns: the session for whose start alone the call waits, or nil if there is none or other calls come first.
    @discardableResult
    func open(with call: @escaping Call) -> EstablishedSession? {
        state.withLock { state in
            let starting = state.count == 1 ? state.starting : nil
            for call in [call] + state.held { line.yield(call) }
            state.count += 1 + state.held.count
            state.held = []
            state.isOpen = true
            return starting
        }
    }

    /// Records that the running call waits for the start of a session.
    func waits(forStartOf session: EstablishedSession) { state.withLock { $0.starting = session } }
}
