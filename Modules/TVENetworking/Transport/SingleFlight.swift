import TVEModels

/// An operation that runs once for all callers that request it while it runs, and gives all of them the same outcome.
///
/// The operation runs in its own task, so a cancelled caller returns at once without affecting the others. If the last
/// caller is cancelled, the operation is cancelled too. A caller of higher priority raises the priority of the
/// operation. A call after the end starts a new operation. A call after ``cancel()`` starts one as well, but only after
/// the cancelled operation has ended, so two operations never run at the same time.
///
/// Joining, leaving and ending each happen under one lock, and the code that removes a continuation from the table
/// resumes it, so each continuation is resumed once. An operation ends only its own flight, so an operation that ends
/// late cannot answer the callers of its successor.
package final class SingleFlight<Outcome: Sendable>: Sendable {
    private typealias Caller = CheckedContinuation<Outcome?, Never>

    private struct Flight {
        let task: Task<Void, Never>
        var callers: [Int: Caller] = [:]
    }

    private struct State {
        /// The flights that have not ended, which are the open one and those that were cancelled.
        var flights: [Int: Flight] = [:]
        /// The number of the flight that can be joined.
        var open: Int?
        /// The task of the newest flight, which the next flight waits for.
        var last: Task<Void, Never>?
        var numbers = 0

        mutating func next() -> Int {
            numbers += 1
            return numbers
        }
    }

    private let state = Guarded(State())

    package init() {}

    /// The number of callers that wait for the operation that can be joined.
    package var callers: Int {
        state.withLock { state in state.open.flatMap { state.flights[$0] }?.callers.count ?? 0 }
    }

    /// Joins the running operation or starts it, before anything else happens on the caller's actor.
    ///
    /// - Parameter operation: the operation to run if none is running.
    /// - Returns: the outcome of the operation, or nil if the calling task was cancelled first.
    package func run(
        isolation: isolated (any Actor)? = #isolation, _ operation: @escaping @Sendable () async -> Outcome
    ) async -> Outcome? {
        let caller = state.withLock { $0.next() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(as: caller, continuation, orStart: operation)
                // If the task was cancelled before joining, the handler below has found nothing to end.
                if Task.isCancelled { leave(caller) }
            }
        } onCancel: {
            leave(caller)
        }
    }

    /// Joins the running operation or starts it, as the other overload does, and throws its error.
    ///
    /// - Parameter operation: the operation to run if none is running.
    /// - Returns: the value of the operation, or nil if the calling task was cancelled first.
    package func run<Value: Sendable, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        _ operation: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? where Outcome == Result<Value, Failure> {
        let outcome: Outcome? = await run(isolation: isolation) { () async -> Outcome in
            do throws(Failure) {
                return .success(try await operation())
            } catch {
                return .failure(error)
            }
        }
        return try outcome?.get()
    }

    /// Cancels the running operation.
    ///
    /// Its callers get the outcome of the cancelled operation.
    package func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state.open = nil }
            return state.open.flatMap { state.flights[$0]?.task }
        }
        task?.cancel()
    }

    private func join(
        as caller: Int, _ continuation: Caller, orStart operation: @escaping @Sendable () async -> Outcome
    ) {
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
                    // A caller for whom a viewer waits may join an operation that a poll has started.
                    let outcome = await PacedTransport.backoffLimit.withValue(nil) { await operation() }
                    finish(number, outcome)
                }
                state.flights[number] = Flight(task: task)
                state.open = number
                state.last = task
            }
            state.flights[number]?.callers[caller] = continuation
            return running
        }
        // A task lends its priority to the one whose value it waits for: an operation that began in the background must
        // not keep an urgent caller waiting.
        if let running { Task { await running.value } }
    }

    private func finish(_ number: Int, _ outcome: Outcome) {
        let finished = state.withLock { state -> Flight? in
            if state.open == number { state.open = nil }
            return state.flights.removeValue(forKey: number)
        }
        // This code uses no key path, because a key path in a generic type is created anew at each use.
        for caller in (finished?.callers ?? [:]).values { caller.resume(returning: outcome) }
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
