@testable import TVEFlowEngine

/// A change of state.
struct Transition: Hashable, CustomStringConvertible {
    let from: String
    let to: String

    var description: String { "\(from) --> \(to)" }

    /// Every change of state that one event causes in each state.
    ///
    /// - Parameters:
    ///   - machine: a new one.
    ///   - ways: events that lead into the states.
    ///   - events: the events to try in each.
    ///   - word: the name of a machine's state.
    static func all<Machine: StateMachine>(
        of machine: Machine, ways: [[Machine.Event]], events: [Machine.Event], word: (Machine) -> String
    ) -> Set<Transition> {
        var found: Set<Transition> = []
        for way in ways {
            for event in events {
                var machine = machine
                for event in way { _ = machine.handle(event) }
                let before = word(machine)
                _ = machine.handle(event)
                found.insert(Transition(from: before, to: word(machine)))
            }
        }
        return found
    }
}
