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
    ///   - onAnswer: a closure that receives the answer in the turn in which the flow answers, before the call returns.
    ///   - begin: a closure that begins or joins the work for the call.
    ///   - leave: a closure that ends the call, and thereby answers it, after the waiting task was cancelled.
    func wait(
        on actor: isolated any Actor, onAnswer: @escaping (Answer) -> Void = { _ in }, _ begin: (CallID) -> Void,
        leave: @escaping (CallID) -> Void
    ) async -> Answer {
        lastNumber += 1
        let call = CallID(number: lastNumber)
        let left = Leaving(leave: { leave(call) }, actor: actor)
        return await withTaskCancellationHandler {
            // The closure names the actor, because only then does an asynchronous closure run on it.
            _ = actor
            return await withCheckedContinuation { continuation in
                waiting[call] = { answer in
                    onAnswer(answer)
                    continuation.resume(returning: answer)
                }
                begin(call)
                // If the task was cancelled before the call was added, the handler below found nothing to end.
                if Task.isCancelled { leave(call) }
            }
        } onCancel: {
            Task { await left.perform() }
        }
    }

    /// Answers the calls that have not been answered yet.
    func answer(_ calls: [CallID], _ answer: Answer) {
        for call in calls { waiting.removeValue(forKey: call)?(answer) }
    }

    /// Answers all waiting calls, in the order in which they were added.
    func answerAll(_ answer: Answer) { self.answer(waiting.keys.sorted(), answer) }
}

/// The number of a call that waits for the answer of a flow.
struct CallID: Hashable, Comparable, Sendable {
    let number: Int

    static func < (one: CallID, other: CallID) -> Bool { one.number < other.number }
}

/// The closure that ends a cancelled call, which passes through code outside its actor.
///
/// The conformance is unchecked because the closure is not `Sendable`. It belongs to the actor, and is called only in
/// turns of the actor.
private struct Leaving: @unchecked Sendable {
    let leave: () -> Void
    let actor: any Actor

    /// Ends the call in a turn of the actor.
    func perform() async { await perform(on: actor) }

    private func perform(on actor: isolated any Actor) { leave() }
}
