import TVEModels
import TVETestSupport

/// A callback queue that runs nothing until the test asks it to.
final class HeldQueue: Sendable {
    private struct State {
        var callbacks: [@Sendable () -> Void] = []
        var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Guarded(State())

    func submit(_ callback: @escaping @Sendable () -> Void) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.callbacks.append(callback)
            guard let waiting = state.waiting, state.callbacks.count >= waiting.count else { return nil }
            state.waiting = nil
            return waiting.continuation
        }
        waiting?.resume()
    }

    /// Waits until the given number of callbacks are held.
    func holds(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.callbacks.count >= count { return true }
                state.waiting = (count, continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func runAll() {
        let callbacks = state.withLock { state in
            defer { state.callbacks = [] }
            return state.callbacks
        }
        for callback in callbacks { callback() }
    }

    /// Runs callbacks as they arrive until a condition holds.
    func run(until isDone: () -> Bool) async {
        while !isDone(), !Task.isCancelled {
            runAll()
            await Task.shortPause()
        }
    }
}
