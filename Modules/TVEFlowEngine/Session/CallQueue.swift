import TVEModels

/// Runs calls one after the other in the order in which they came, and holds them until there is a session.
///
/// One task takes calls from one stream, so the order is the same in every run.
package final class CallQueue: Sendable {
    /// One call; it must end by itself.
    package typealias Call = @Sendable () async -> Void

    private struct State {
        var isOpen = false
        var held: [Call] = []
    }

    private let state = Guarded(State())
    private let line: AsyncStream<Call>.Continuation

    /// Makes an empty queue that holds its calls.
    package init() {
        let (stream, line) = AsyncStream<Call>.makeStream()
        self.line = line
        Task {
            for await call in stream { await call() }
        }
    }

    deinit {
        line.finish()
    }

    /// Adds a call; it runs when all before it have ended and the queue is open.
    ///
    /// - Parameter call: what to run.
    package func submit(_ call: @escaping Call) {
        state.withLock { state in
            if state.isOpen {
                line.yield(call)
            } else {
                state.held.append(call)
            }
        }
    }

    /// Opens the queue: this call runs first, then the held calls.
    ///
    /// On an open queue the same as ``submit(_:)``.
    ///
    /// - Parameter call: what to run first.
    package func open(with call: @escaping Call) {
        state.withLock { state in
            line.yield(call)
            for held in state.held { line.yield(held) }
            state.held = []
            state.isOpen = true
        }
    }
}
