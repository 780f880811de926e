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
    }

    private let state = Guarded(State())
    private let line: AsyncStream<Call>.Continuation

    /// Creates an empty queue that holds its calls.
    init() {
        let (stream, line) = AsyncStream<Call>.makeStream()
        self.line = line
        Task {
            for await call in stream { await call() }
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
    func open(with call: @escaping Call) {
        state.withLock { state in
            line.yield(call)
            for held in state.held { line.yield(held) }
            state.held = []
            state.isOpen = true
        }
    }
}
