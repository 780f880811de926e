import TVEModels
import TVENetworking

/// Running questions to a service: equal questions share one request and its answer.
///
/// A question counts its callers under the lock, from before they join until after they have left, so no caller joins a
/// question that is being removed.
final class SharedQuestions<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    private struct Entry {
        let flight = SingleFlight<Answer>()
        var callers = 0
    }

    private let entries = Guarded<[Question: Entry]>([:])

    /// Joins an equal question or asks this one, before anything else happens on the caller's actor.
    ///
    /// - Returns: the answer; nil when the caller was cancelled.
    func ask(
        _ question: Question, isolation: isolated (any Actor)? = #isolation,
        _ operation: @escaping @Sendable () async -> Answer
    ) async -> Answer? {
        let flight = entries.withLock { entries in
            entries[question, default: Entry()].callers += 1
            return entries[question]?.flight
        }
        defer { leave(question) }
        return await flight?.run(operation)
    }

    /// Cancels all questions; their callers get the result of the cancelled requests.
    func cancelAll() {
        for flight in entries.withLock({ $0.values.map(\.flight) }) { _ = flight.cancel() }
    }

    /// How many callers wait for an answer.
    var callers: Int { entries.withLock { $0.values.reduce(0) { $0 + $1.flight.callers } } }

    private func leave(_ question: Question) {
        entries.withLock { entries in
            entries[question]?.callers -= 1
            if entries[question]?.callers == 0 { entries[question] = nil }
        }
    }
}
