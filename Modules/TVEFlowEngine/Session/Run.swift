/// Work that several calls wait for: it runs once for all of them, and all get its answer.
///
/// A call that comes while it runs joins. When the last call is cancelled, the work is cancelled too, and its outcome is
/// dropped; the next call then begins anew. Why it is correct: joining, leaving and ending are turns of one actor, an
/// answer removes the call that it is for, and the work ends a run only with a ticket that is still valid.
final class Run<Answer: Sendable> {
    typealias Work = Attempt.Work<Answer>

    private let listeners: SessionEvents
    private let callers = Callers<Answer>()
    private var calls: [CallID] = []
    private var attempt: Attempt?

    init(_ listeners: SessionEvents) {
        self.listeners = listeners
    }

    /// Whether nobody waits.
    var isIdle: Bool { calls.isEmpty }
    /// How many calls wait.
    var callersCount: Int { calls.count }
    /// The work that is under way.
    var task: Task<Void, Never>? { attempt?.task }

    /// Waits for the answer of the work that runs, or begins it.
    ///
    /// - Parameters:
    ///   - actor: the session.
    ///   - left: the answer to a call whose task is cancelled; it comes at once.
    ///   - work: what to do if nothing runs.
    /// - Returns: the answer, and whether this call began the work.
    func answer(
        on actor: isolated any Actor, ifLeft left: Answer, _ work: @escaping Work
    ) async -> (Answer, isFirst: Bool) {
        var isFirst = false
        let answer = await callers.wait(on: actor) { call in
            isFirst = join(call, work, on: actor)
        } leave: { [self] call in
            leave(call, left)
        }
        return (answer, isFirst)
    }

    private func join(_ call: CallID, _ work: @escaping Work, on actor: isolated any Actor) -> Bool {
        calls.append(call)
        guard attempt == nil else { return false }
        attempt = Attempt(Ticket(listeners), on: actor, work) { [self] answer in end(answer) }
        return true
    }

    private func leave(_ call: CallID, _ answer: Answer) {
        calls.removeAll { $0 == call }
        if calls.isEmpty { stop() }
        callers.answer([call], answer)
    }

    /// Answers every call now; the work is cancelled, and its outcome dropped.
    func end(_ answer: Answer) {
        stop()
        let answered = calls
        calls = []
        callers.answer(answered, answer)
    }

    private func stop() {
        attempt?.stop()
        attempt = nil
    }
}

/// Runs by question: equal questions at the same time are one.
final class Runs<Question: Hashable & Sendable, Answer: Sendable> {
    private let listeners: SessionEvents
    private var runs: [Question: Run<Answer>] = [:]

    init(_ listeners: SessionEvents) {
        self.listeners = listeners
    }

    /// How many calls wait for the answers to all questions.
    var callersCount: Int { runs.values.reduce(0) { $0 + $1.callersCount } }

    /// Joins an equal question, or asks this one; see ``Run/answer(on:ifLeft:_:)``.
    func answer(
        to question: Question, on actor: isolated any Actor, ifLeft left: Answer, _ work: @escaping Run<Answer>.Work
    ) async -> (Answer, isFirst: Bool) {
        let run = runs[question] ?? Run(listeners)
        runs[question] = run
        let answer = await run.answer(on: actor, ifLeft: left, work)
        if run.isIdle, runs[question] === run { runs[question] = nil }
        return answer
    }

    /// Answers every question with the same.
    func endAll(_ answer: Answer) {
        for run in runs.values { run.end(answer) }
    }
}

/// Work that is under way for somebody, whose outcome is dropped once it was stopped.
struct Attempt {
    /// What to do, in turns of the actor that the closure names; it gets the ticket of its attempt.
    ///
    /// The closure brings its isolation along, and an attempt looks at it before it begins, because the compiler does not
    /// hold this rule: a closure that does not name the actor runs outside of it, and where the type is
    /// `nonisolated(nonsending)`, so does a closure with a list of captures (Swift 6.3.1).
    typealias Work<Outcome> = @isolated(any) (Ticket) async -> Outcome

    let ticket: Ticket
    let task: Task<Void, Never>

    /// Begins work.
    ///
    /// - Parameters:
    ///   - ticket: its ticket.
    ///   - actor: the session.
    ///   - work: what to do.
    ///   - ended: gets the outcome, in the turn in which the work has ended; not once it was stopped.
    init<Outcome: Sendable>(
        _ ticket: Ticket, on actor: isolated any Actor,
        _ work: @escaping Work<Outcome>, ended: @escaping (Outcome) -> Void
    ) {
        precondition(work.isolation === actor, "The work must name the actor, so that it runs in its turns.")
        self.ticket = ticket
        task = Task {
            // Named, so that the task runs on this actor.
            _ = actor
            guard ticket.isValid else { return }
            let outcome = await work(ticket)
            if ticket.isValid { ended(outcome) }
        }
    }

    /// Ends it: from now on it shows nothing, and its outcome is dropped.
    func stop() {
        ticket.clear()
        task.cancel()
    }
}
