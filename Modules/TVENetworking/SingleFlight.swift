import Synchronization

/// Runs an operation once for all who ask for it while it runs; everyone gets the same outcome.
///
/// The operation runs in a task of its own, so a caller that is cancelled does not take it from the others; when the
/// last caller is cancelled, so is the operation. A call after the end starts anew.
///
/// Why it is correct: the table names the running task by number. A caller joins and leaves under one lock, and only
/// the task whose number is in the table clears it, so a late end cannot clear a successor.
package final class SingleFlight<Outcome: Sendable>: Sendable {
    private struct Flight {
        let number: Int
        let task: Task<Outcome, Never>
        var callers: Int
    }

    private struct State {
        var flight: Flight?
        var flights = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// How many callers wait for the running operation.
    package var callers: Int { state.withLock { $0.flight?.callers ?? 0 } }

    /// Joins the running operation or starts it.
    package func run(_ operation: @escaping @Sendable () async -> Outcome) async -> Outcome {
        let (number, task) = state.withLock { state -> (Int, Task<Outcome, Never>) in
            if var flight = state.flight {
                flight.callers += 1
                state.flight = flight
                return (flight.number, flight.task)
            }
            state.flights += 1
            let number = state.flights
            let task = Task { [self] in
                let outcome = await operation()
                land(number)
                return outcome
            }
            state.flight = Flight(number: number, task: task, callers: 1)
            return (number, task)
        }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            leave(number)
        }
    }

    private func land(_ number: Int) {
        state.withLock { state in
            if state.flight?.number == number { state.flight = nil }
        }
    }

    private func leave(_ number: Int) {
        let abandoned = state.withLock { state -> Task<Outcome, Never>? in
            guard var flight = state.flight, flight.number == number else { return nil }
            flight.callers -= 1
            state.flight = flight.callers > 0 ? flight : nil
            return flight.callers > 0 ? nil : flight.task
        }
        abandoned?.cancel()
    }
}
