import TVEModels

/// The stage of a start, and the calls that wait for it.
///
/// Equal starts at the same time are one. The configuration of an earlier start is used until the new one is loaded.
struct StartMachine: StateMachine {
    enum State: Sendable {
        case idle
        case running(Start, Stage)
        case closed
    }

    /// The stages of a start, in this order.
    enum Stage: Sendable, CaseIterable {
        /// The store is checked, and the services are asked.
        case asking
        /// Takes over the platform's login, without the viewer.
        case signingOn
        /// Takes over the logins that the service keeps.
        case takingOver
        /// Takes over another requestor's login, with a page that the viewer need not see.
        case loggingInPassively
    }

    private(set) var state = State.idle
    /// What the services answered last.
    private(set) var loaded: LoadedConfiguration?
    private var numbers = 0

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
        case (.loaded(let configuration, let expired), .running(let start, .asking)):
            loaded = configuration
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
        case (.viewerChangedLogin, .running(let start, .signingOn)):
            return [.stop(start: start.number)] + run(.takingOver, renumbered(start))
        case (.viewerChangedLogin, .running(let start, .loggingInPassively)):
            return [.stop(start: start.number)] + end(start)
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
        case (.loaded, _), (.failed, _), (.ended, _), (.viewerChangedLogin, _), (.left, _):
            return []
        }
    }

    private mutating func run(_ stage: Stage, _ start: Start) -> [StartEffect] {
        state = .running(start, stage)
        return [.run(stage, start)]
    }

    /// The start under a new number, so that the late outcome of its stopped step is dropped.
    private mutating func renumbered(_ start: Start) -> Start {
        numbers += 1
        return Start(number: numbers, calls: start.calls, presenter: start.presenter)
    }

    private mutating func end(_ start: Start) -> [StartEffect] {
        state = .idle
        guard let loaded else { return [.answer(start.calls, .failure(.startCancelled))] }
        return [.answer(start.calls, .success(loaded.merged))]
    }
}
