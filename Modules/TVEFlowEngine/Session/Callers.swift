/// The calls that wait for an answer of a flow.
///
/// The flow answers the calls in its own turn of the actor, before anything else happens there. A call whose task is
/// cancelled receives no answer here; the flow answers it, because it knows what ends with the call.
final class Callers<Answer: Sendable> {
    private var waiting: [CallID: (Answer) -> Void] = [:]
    private var lastNumber = 0

    /// The number of calls that are waiting.
    var count: Int { waiting.count }

    /// Adds a call and waits for its answer.
    ///
    /// - Parameters:
    ///   - actor: the session.
    ///   - tell: a closure that receives the answer in the turn in which the flow answers, before the call returns.
    ///   - begin: a closure that begins or joins the work for the call.
    ///   - leave: a closure that ends the call, and thereby answers it, after the waiting task was cancelled.
    func wait(
        on actor: isolated any Actor, tell: @escaping (Answer) -> Void = { _ in }, _ begin: (CallID) -> Void,
        leave: @escaping (CallID) -> Void
    ) async -> Answer {
        lastNumber += 1
        let call = CallID(number: lastNumber)
        let left = OnActor({ leave(call) }, actor)
        return await withTaskCancellationHandler {
            // The closure names the actor, because only then does an asynchronous closure run on it.
            _ = actor
            return await withCheckedContinuation { continuation in
                waiting[call] = { answer in
                    tell(answer)
                    continuation.resume(returning: answer)
                }
                begin(call)
                // If the task was cancelled before the call was added, the handler below found nothing to end.
                if Task.isCancelled { leave(call) }
            }
        } onCancel: {
            Task { await left.perform { $0() } }
        }
    }

    /// Answers the calls that have not been answered yet.
    func answer(_ calls: [CallID], _ answer: Answer) {
        for call in calls { waiting.removeValue(forKey: call)?(answer) }
    }

    /// Answers all waiting calls, in the order in which they were added.
    func answerAll(_ answer: Answer) { self.answer(waiting.keys.sorted(), answer) }
}

/// Identifies a call that waits for the answer of a flow.
struct CallID: Hashable, Comparable, Sendable {
    let number: Int

    static func < (one: CallID, other: CallID) -> Bool { one.number < other.number }
}

/// A value of an actor that passes through code outside the actor.
///
/// That code cannot access the value.
///
/// The conformance is unchecked because the value is not `Sendable`. The value belongs to the actor when it is wrapped,
/// and only the actor uses it.
struct OnActor<Value>: @unchecked Sendable {
    private let value: Value
    private let actor: any Actor

    init(_ value: Value, _ actor: isolated any Actor) {
        self.value = value
        self.actor = actor
    }

    /// Runs a closure with the value in a turn of its actor.
    func perform(_ body: @Sendable (Value) -> Void) async { await perform(body, on: actor) }

    private func perform(_ body: @Sendable (Value) -> Void, on actor: isolated any Actor) { body(value) }
}
