import TVEModels

/// Runs an operation once for all who ask for it while it runs; everyone gets the same outcome.
///
/// The operation runs in a task of its own, so a caller that is cancelled returns at once and does not take it from the
/// others; when the last caller is cancelled, so is the operation. A call after the end starts anew.
///
/// Why it is correct: joining, leaving and landing each happen under one lock, and whoever takes a continuation out of
/// the table resumes it, so each is resumed once. An operation lands only if the table still holds its number, so a late
/// end cannot answer the callers of a successor.
package final class SingleFlight<Outcome: Sendable>: Sendable {
    private typealias Caller = CheckedContinuation<Outcome?, Never>

    private struct Flight {
        let number: Int
        let task: Task<Void, Never>
        var callers: [Int: Caller]
    }

    private struct State {
        var flight: Flight?
        var numbers = 0

        mutating func next() -> Int {
            numbers += 1
            return numbers
        }
    }

    private let state = Guarded(State())

    package init() {}

    /// How many callers wait for the running operation.
    package var callers: Int { state.withLock { $0.flight?.callers.count ?? 0 } }

    /// Joins the running operation or starts it.
    ///
    /// - Returns: its outcome, or nil when the calling task was cancelled first.
    package func run(_ operation: @escaping @Sendable () async -> Outcome) async -> Outcome? {
        let caller = state.withLock { $0.next() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(caller, continuation, operation)
                // Cancelled before joining: the handler below found nothing to end.
                if Task.isCancelled { leave(caller) }
            }
        } onCancel: {
            leave(caller)
        }
    }

    /// Cancels the running operation; its callers get whatever outcome it makes of that.
    ///
    /// - Returns: whether one was running.
    package func cancel() -> Bool {
        let task = state.withLock(\.flight?.task)
        task?.cancel()
        return task != nil
    }

    private func join(_ caller: Int, _ continuation: Caller, _ operation: @escaping @Sendable () async -> Outcome) {
        state.withLock { state in
            if state.flight == nil {
                let number = state.next()
                let task = Task { [self] in land(number, await operation()) }
                state.flight = Flight(number: number, task: task, callers: [:])
            }
            state.flight?.callers[caller] = continuation
        }
    }

    private func land(_ number: Int, _ outcome: Outcome) {
        let landed = state.withLock { state -> Flight? in
            guard state.flight?.number == number else { return nil }
            defer { state.flight = nil }
            return state.flight
        }
        for caller in landed?.callers.values.map(\.self) ?? [] { caller.resume(returning: outcome) }
    }

    private func leave(_ caller: Int) {
        let (continuation, abandoned) = state.withLock { state -> (Caller?, Task<Void, Never>?) in
            guard let continuation = state.flight?.callers.removeValue(forKey: caller) else { return (nil, nil) }
            guard let flight = state.flight, flight.callers.isEmpty else { return (continuation, nil) }
            state.flight = nil
            return (continuation, flight.task)
        }
        abandoned?.cancel()
        continuation?.resume(returning: nil)
    }
}
