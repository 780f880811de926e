@testable import TVEFlowEngine

/// A change of a login's state.
struct Transition: Hashable, CustomStringConvertible {
    let from: LoginMachine.StateName
    let to: LoginMachine.StateName

    var description: String { "\(from.rawValue) --> \(to.rawValue)" }

    /// The changes that the states list.
    static var listed: Set<Transition> {
        Set(LoginMachine.StateName.allCases.flatMap { from in from.successors.map { Transition(from: from, to: $0) } })
    }

    /// Every change that one event causes in each state.
    ///
    /// - Parameter ways: events that lead into the states.
    static func made(ways: [[LoginEvent]], events: [LoginEvent]) -> Set<Transition> {
        var found: Set<Transition> = []
        for way in ways {
            for event in events {
                var machine = LoginMachine()
                for event in way { _ = machine.handle(event) }
                let before = machine.stateName
                _ = machine.handle(event)
                if machine.stateName != before { found.insert(Transition(from: before, to: machine.stateName)) }
            }
        }
        return found
    }
}
