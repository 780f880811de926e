import TVEModels

/// A queue that runs calls one after the other in the order in which they were submitted, and holds them until a
/// session exists.
///
/// A single task takes the calls from a single stream, so the order is the same in every run.
final class CallQueue: Sendable {
    /// A call.
    ///
    /// It must end without further input.
    typealias Call = @Sendable () async -> Void

    /// Returns a Boolean value that indicates whether the call replaces a session, so that nobody needs the start of
    /// that session any more.
    typealias Supersedes = @Sendable (EstablishedSession) -> Bool

    private struct State {
        var isOpen = false
        var held: [Call] = []
        /// The calls in the line that have not begun: the closure of a start, or nil for a call that needs the session
        /// before it.
        var waiting: [Supersedes?] = []
        /// The session whose start the running call waits for.
        var starting: EstablishedSession?

        /// The session whose start no waiting call needs, because another session comes first.
        var superseded: EstablishedSession? {
            guard let starting else { return nil }
            for supersedes in waiting {
                guard let supersedes else { return nil }
                if supersedes(starting) { return starting }
            }
            return nil
        }
    }

    private let state = Guarded(State())
    private let line: AsyncStream<Call>.Continuation

    /// Creates an empty queue that holds its calls.
    init() {
        let (stream, line) = AsyncStream<Call>.makeStream()
        self.line = line
        Task { [state] in
            for await call in stream {
                state.withLock { _ = $0.waiting.removeFirst() }
                await call()
                state.withLock { $0.starting = nil }
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
                state.waiting.append(nil)
                line.yield(call)
            } else {
                state.held.append(call)
            }
        }
    }

    /// Opens the queue, runs a call, and then runs the held calls.
    ///
    /// An open queue adds the call at its end, as ``submit(_:)`` does.
    ///
    /// - Parameters:
    ///   - call: the call to run first.
    ///   - supersedes: the closure that is asked about the session for whose start the running call waits.
    /// - Returns: the session whose start is under way although nobody needs it, or nil if there is none.
    func open(with call: @escaping Call, supersedes: @escaping Supersedes) -> EstablishedSession? {
        state.withLock { state in
            state.waiting.append(supersedes)
            state.waiting += repeatElement(nil, count: state.held.count)
            for call in [call] + state.held { line.yield(call) }
            state.held = []
            state.isOpen = true
            return state.superseded
        }
    }

    /// Records that the running call waits for the start of a session.
    ///
    /// - Returns: a Boolean value that indicates whether no waiting call needs this start.
    func waits(forStartOf session: EstablishedSession) -> Bool {
        state.withLock { state in
            state.starting = session
            return state.superseded != nil
        }
    }
}
