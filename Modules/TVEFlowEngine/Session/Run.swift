/// Work that runs once for several waiting calls, all of which receive its answer.
///
/// A call that arrives while the work runs joins it. When the last call is cancelled, the work is cancelled too and its
/// outcome is ignored; the next call begins the work anew. This is correct because joining, leaving and ending are
/// turns of one actor, an answer removes the call that it is for, and the work can end a run only with a ticket that is
/// still valid.
final class Run<Answer: Sendable> {
    typealias Work = Attempt.Work<Answer>

    private let listeners: SessionEvents
    private let callers = Callers<Answer>()
    private var attempt: Attempt?

    init(_ listeners: SessionEvents) {
        self.listeners = listeners
    }

    /// A Boolean value that indicates whether no call is waiting.
    var isIdle: Bool { callers.count == 0 }
    /// The task of the running work.
    var task: Task<Void, Never>? { attempt?.task }

    /// Waits for the answer of the running work, or begins the work if none is running.
    ///
    /// - Parameters:
    ///   - actor: the session.
    ///   - left: the answer to a call whose task is cancelled. The call receives it at once.
    ///   - work: the work to begin if none is running.
    /// - Returns: the answer, and a Boolean value that indicates whether this call began the work.
    func answer(
        on actor: isolated any Actor, ifLeft left: Answer, _ work: @escaping Work
    ) async -> (Answer, isFirst: Bool) {
        var isFirst = false
        let answer = await callers.wait(on: actor) { _ in
            guard attempt == nil else { return }
            isFirst = true
            begin(work, on: actor)
        } leave: { [self] call in
            callers.answer([call], left)
            if isIdle { stop() }
        }
        return (answer, isFirst)
    }

    private func begin(_ work: @escaping Work, on actor: isolated any Actor) {
        attempt = Attempt(Ticket(listeners), on: actor, work) { [self] answer in end(answer) }
    }

    /// Answers every call at once.
    ///
    /// The work is cancelled and its outcome is ignored.
    func end(_ answer: Answer) {
        stop()
        callers.answerAll(answer)
    }

    private func stop() {
        attempt?.stop()
        attempt = nil
    }
}

/// The current runs of a flow, each under its request.
///
/// Simultaneous equal requests share one run.
final class Runs<Key: Hashable & Sendable, Answer: Sendable> {
    private let listeners: SessionEvents
    private var runs: [Key: Run<Answer>] = [:]

    init(_ listeners: SessionEvents) {
        self.listeners = listeners
    }

    /// Joins the run of an equal request, or begins one; see ``Run/answer(on:ifLeft:_:)``.
    func answer(
        to request: Key, on actor: isolated any Actor, ifLeft left: Answer, _ work: @escaping Run<Answer>.Work
    ) async -> (Answer, isFirst: Bool) {
        let run = runs[request] ?? Run(listeners)
        runs[request] = run
        let answer = await run.answer(on: actor, ifLeft: left, work)
        // The place is looked up once, because two requests are only equal if their long tokens are.
        if run.isIdle, let place = runs.index(forKey: request), runs[place].value === run { runs.remove(at: place) }
        return answer
    }

    /// Ends all runs with the same answer.
    func endAll(_ answer: Answer) {
        for run in runs.values { run.end(answer) }
    }
}

/// Running work, whose outcome is ignored once the work was stopped.
struct Attempt {
    /// The work, which runs in turns of the actor that the closure names and receives the ticket of its attempt.
    ///
    /// The closure carries its isolation, and an attempt checks it before it begins, because the compiler does not
    /// enforce this rule. A closure that does not name the actor runs outside of it; where the type is
    /// `nonisolated(nonsending)`, so does a closure with a capture list (Swift 6.3.1).
    typealias Work<Outcome> = @isolated(any) (Ticket) async -> Outcome

    let ticket: Ticket
    let task: Task<Void, Never>

    /// Begins work.
    ///
    /// - Parameters:
    ///   - ticket: the ticket of the work.
    ///   - actor: the session.
    ///   - work: the work to run.
    ///   - ended: a closure that receives the outcome in the turn in which the work ends. It is not called once the
    ///     work was stopped.
    init<Outcome: Sendable>(
        _ ticket: Ticket, on actor: isolated any Actor,
        _ work: @escaping Work<Outcome>, ended: @escaping (Outcome) -> Void
    ) {
        precondition(work.isolation === actor, "The work must name the actor, so that it runs in its turns.")
        self.ticket = ticket
        task = Task {
            // The closure names the actor so that the task runs on it.
            _ = actor
            guard ticket.isValid else { return }
            let outcome = await work(ticket)
            if ticket.isValid { ended(outcome) }
        }
    }

    /// Stops the work.
    ///
    /// From now on it shows nothing, and its outcome is ignored.
    func stop() {
        ticket.clear()
        task.cancel()
    }
}
