/// Calls that wait for an answer of a flow.
///
/// The flow answers them in its own turn of the actor, before anything else happens there. A call whose task is cancelled
/// is not answered here but left to the flow, which knows what ends with it.
final class Callers<Answer: Sendable> {
    private var waiting: [CallID: (Answer) -> Void] = [:]
    private var count = 0

    /// Adds a call.
    ///
    /// - Parameter answer: is called once, in the turn in which the flow answers.
    func add(_ answer: @escaping (Answer) -> Void) -> CallID {
        count += 1
        let call = CallID(number: count)
        waiting[call] = answer
        return call
    }

    /// Adds a call and waits for its answer.
    ///
    /// - Parameters:
    ///   - actor: the session.
    ///   - begin: begins or joins the work for the call.
    ///   - leave: ends the call, and so answers it, because the task that waits was cancelled.
    func wait(
        on actor: isolated any Actor, _ begin: (CallID) -> Void, leave: @escaping (CallID) -> Void
    ) async -> Answer {
        let call = LeftCall(leave)
        let left = OnActor(call, actor)
        return await withTaskCancellationHandler {
            // Named, because only then a closure that waits runs on this actor.
            _ = actor
            return await withCheckedContinuation { continuation in
                let id = add { continuation.resume(returning: $0) }
                call.id = id
                begin(id)
                // Cancelled before the call was added: the handler below found nothing to end.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            Task { await left.perform { $0.leave() } }
        }
    }

    /// Answers calls, unless they were answered before.
    func answer(_ calls: [CallID], _ answer: Answer) {
        for call in calls { waiting.removeValue(forKey: call)?(answer) }
    }
}

/// What the cancellation of a call's task does.
private final class LeftCall {
    private let end: (CallID) -> Void
    var id: CallID?

    init(_ end: @escaping (CallID) -> Void) {
        self.end = end
    }

    func leave() { if let id { end(id) } }
}

/// Identifies a call that waits for the answer of a flow.
struct CallID: Hashable, Sendable {
    let number: Int
}

/// A value of an actor on its way through code outside of it, which cannot touch it there.
///
/// Unchecked, because the value is not `Sendable`: it belongs to the actor when it is wrapped, and is used there alone.
struct OnActor<Value>: @unchecked Sendable {
    private let value: Value
    private let actor: any Actor

    init(_ value: Value, _ actor: isolated any Actor) {
        self.value = value
        self.actor = actor
    }

    /// Does something with the value in a turn of its actor.
    func perform(_ body: @Sendable (Value) -> Void) async { await perform(body, on: actor) }

    private func perform(_ body: @Sendable (Value) -> Void, on actor: isolated any Actor) { body(value) }
}
