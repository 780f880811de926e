import TVEModels
import TVEStorage

/// The stage of a start, and the calls that wait for it.
///
/// Equal starts at the same time are one. A start that fails takes nothing away that an earlier one has found.
struct StartMachine: StateMachine {
    enum State: Sendable {
        case idle
        case running(Start, Stage)
        case closed
    }

    /// The stages of a start, in this order.
    enum Stage: Sendable, CaseIterable {
        /// The store is checked, and the services are asked for the configuration where it is needed.
        case asking
        /// Takes over the platform's login, without the viewer.
        case signingOn
        /// Takes over the logins that the service keeps.
        case takingOver
        /// Takes over another requestor's login, with a page that the viewer need not see.
        case loggingInPassively
    }

    enum StateName: String, MachineStateName {
        case idle, asking, signingOn, takingOver, loggingInPassively, closed

        var successors: Set<StateName> {
            switch self {
            case .idle: [.asking]
            case .asking: [.idle, .signingOn]
            case .signingOn: [.idle, .takingOver]
            case .takingOver: [.idle, .loggingInPassively]
            case .loggingInPassively: [.idle]
            case .closed: []
            }
        }
    }

    var stateName: StateName {
        switch state {
        case .idle: .idle
        case .running(_, .asking): .asking
        case .running(_, .signingOn): .signingOn
        case .running(_, .takingOver): .takingOver
        case .running(_, .loggingInPassively): .loggingInPassively
        case .closed: .closed
        }
    }

    private(set) var state = State.idle
    /// Whether a start has succeeded.
    private(set) var hasStarted = false
    private var numbers = 0

    /// Whether calls may ask about logins: after a start, and in the stages of the first one that need it.
    var isUsable: Bool {
        switch state {
        case .idle, .closed, .running(_, .asking): hasStarted
        case .running: true
        }
    }

    /// The running start.
    var start: Start? {
        if case .running(let start, _) = state { start } else { nil }
    }

    mutating func handle(_ event: StartEvent) -> [StartEffect] {
        switch (event, state) {
        case (.called(let call, _), .closed):
            return [.answer([call], .failure(.sessionIsClosed))]
        case (.called(let call, let presenter), .idle):
            numbers += 1
            return run(.asking, Start(number: numbers, calls: [call], presenter: presenter))
        case (.called(let call, let presenter), .running(var start, let stage)):
            start.calls.append(call)
            start.presenter = start.presenter ?? presenter
            state = .running(start, stage)
            return []
        case (.asked(let expired), .running(let start, .asking)):
            return [.tidyUp(expired)] + run(.signingOn, start)
        case (.failed(let error), .running(let start, _)):
            state = .idle
            return [.report(error), .answer(start.calls, .failure(error))]
        case (.ended, .running(let start, .signingOn)):
            return run(.takingOver, start)
        case (.ended, .running(let start, .takingOver)) where start.presenter != nil:
            return run(.loggingInPassively, start)
        case (.ended, .running(let start, .takingOver)), (.ended, .running(let start, .loggingInPassively)):
            return end(start)
        case (.left(let call), .running(var start, let stage)):
            guard start.calls.contains(call) else { return [] }
            start.calls.removeAll { $0 == call }
            let answer = StartEffect.answer([call], .failure(.startCancelled))
            guard start.calls.isEmpty else {
                state = .running(start, stage)
                return [answer]
            }
            state = .idle
            return [.stop(start: start.number), answer]
        case (.closed, .running(let start, _)):
            state = .closed
            return [.stop(start: start.number), .answer(start.calls, .failure(.sessionIsClosed))]
        case (.closed, _):
            state = .closed
            return []
        case (.asked, _), (.failed, _), (.ended, _), (.left, _):
            return []
        }
    }

    private mutating func run(_ stage: Stage, _ start: Start) -> [StartEffect] {
        state = .running(start, stage)
        return [.run(stage, start)]
    }

    private mutating func end(_ start: Start) -> [StartEffect] {
        state = .idle
        hasStarted = true
        return [.answer(start.calls, .success(()))]
    }
}

/// Events of starts.
enum StartEvent: Sendable {
    case called(CallID, (any AuthenticationPresenter)?)
    /// What the start needs from the services is there; these stored tokens had expired when it began.
    case asked([ExpiredToken])
    case failed(TVEError)
    /// A step that cannot fail has ended.
    case ended
    /// A call was cancelled.
    case left(CallID)
    case closed
}

/// What a start machine requests.
enum StartEffect: Sendable {
    /// Perform a stage; its end is an event.
    case run(StartMachine.Stage, Start)
    /// Cancel the running stage; its outcome is ignored.
    case stop(start: Int)
    /// Tidy the store before any call reads it.
    case tidyUp([ExpiredToken])
    case report(TVEError)
    case answer([CallID], Result<Void, TVEError>)
}

/// One start.
struct Start: Sendable {
    /// A unique number; outcomes of another start are dropped.
    let number: Int
    /// The calls that wait for it.
    var calls: [CallID]
    /// Opens the page of a silent login; nil for none.
    var presenter: (any AuthenticationPresenter)?
}

/// The session's state of its start.
struct StartFlow {
    /// The stage of the start.
    var machine = StartMachine()
    /// The calls that wait for it.
    var calls: [CallID: CheckedContinuation<Result<Void, TVEError>, Never>] = [:]
    /// The running step.
    var step: Step?
    /// Why the last start failed.
    var failure: TVEError?
    /// Whether the store was checked as the housekeeping requests.
    var hasCheckedStore = false
    /// The result of a check before the session was made.
    var earlyReport: IntegrityReport?

    /// A step of the start with a number.
    struct Step {
        let start: Int
        let task: Task<Void, Never>
    }
}
