import TVEModels

/// Runs an operation once for all callers that ask for it while it runs; all get the same outcome.
///
/// The operation runs in its own task, so a cancelled caller returns at once without affecting the others; when the
/// last caller is cancelled, the operation is cancelled too. A caller of higher priority raises that of the operation.
/// A call after the end starts a new operation. So does one after ``cancel()``, but only when the cancelled operation has
/// ended: two never run at the same time.
///
/// Why it is correct: joining, leaving and ending each happen under one lock, and the code that removes a continuation
/// from the table resumes it, so each is resumed once. An operation ends only its own flight, so a late end cannot
/// answer the callers of a successor.
package final class SingleFlight<Outcome: Sendable>: Sendable {
    private typealias Caller = CheckedContinuation<Outcome?, Never>

    private struct Flight {
        let task: Task<Void, Never>
        var callers: [Int: Caller] = [:]
    }

    private struct State {
        /// Flights that have not ended: the open one and those that were cancelled.
        var flights: [Int: Flight] = [:]
        /// The flight that can be joined.
        var open: Int?
        /// The task of the newest flight, for which the next one waits.
        var last: Task<Void, Never>?
        var numbers = 0

        mutating func next() -> Int {
            numbers += 1
            return numbers
        }
    }

    private let state = Guarded(State())

    package init() {}

    /// How many callers wait for the operation that can be joined.
    package var callers: Int {
        state.withLock { state in state.open.flatMap { state.flights[$0] }?.callers.count ?? 0 }
    }

    /// Joins the running operation or starts it, before anything else happens on the caller's actor.
    ///
    /// - Parameter operation: what to run when nothing runs.
    /// - Returns: its outcome, or nil when the calling task was cancelled first.
    package func run(
        isolation: isolated (any Actor)? = #isolation, _ operation: @escaping @Sendable () async -> Outcome
    ) async -> Outcome? {
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

    /// Cancels the running operation; its callers get the outcome of the cancelled operation.
    ///
    /// - Returns: whether an operation was running that was not cancelled before.
    package func cancel() -> Bool {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state.open = nil }
            return state.open.flatMap { state.flights[$0]?.task }
        }
        task?.cancel()
        return task != nil
    }

    /// Waits until every operation that was started before has ended.
    package func settle() async {
        await state.withLock(\.last)?.value
    }

    private func join(_ caller: Int, _ continuation: Caller, _ operation: @escaping @Sendable () async -> Outcome) {
        let running = state.withLock { state -> Task<Void, Never>? in
            let number: Int
            let running = state.open.flatMap { state.flights[$0]?.task }
            if let open = state.open {
                number = open
            } else {
                number = state.next()
                let previous = state.last
                let task = Task { [self] in
                    await previous?.value
                    land(number, await operation())
                }
                state.flights[number] = Flight(task: task)
                (state.open, state.last) = (number, task)
            }
            state.flights[number]?.callers[caller] = continuation
            return running
        }
        // A task lends its priority to the one whose value it waits for: an operation that began in the background must
        // not keep an urgent caller waiting.
        if let running { Task { await running.value } }
    }

    private func land(_ number: Int, _ outcome: Outcome) {
        let landed = state.withLock { state -> Flight? in
            if state.open == number { state.open = nil }
            return state.flights.removeValue(forKey: number)
        }
        // No key path: in a generic type each use makes a new one.
        for caller in (landed?.callers ?? [:]).values { caller.resume(returning: outcome) }
    }

    private func leave(_ caller: Int) {
        let (continuation, abandoned) = state.withLock { state -> (Caller?, Task<Void, Never>?) in
            guard let number = state.flights.first(where: { $0.value.callers[caller] != nil })?.key,
                let continuation = state.flights[number]?.callers.removeValue(forKey: caller)
            else { return (nil, nil) }
            guard state.flights[number]?.callers.isEmpty == true else { return (continuation, nil) }
            if state.open == number { state.open = nil }
            return (continuation, state.flights[number]?.task)
        }
        abandoned?.cancel()
        continuation?.resume(returning: nil)
    }
}
