import Testing

@testable import TVEFlowEngine

/// A change of state.
struct Transition<Name: MachineStateName>: Hashable, CustomStringConvertible {
    let from: Name
    let to: Name

    var description: String { "\(from.rawValue) --> \(to.rawValue)" }

    /// The changes that a machine's states list.
    static var listed: Set<Transition> {
        Set(Name.allCases.flatMap { from in from.successors.map { Transition(from: from, to: $0) } })
    }

    /// Every change that one event causes in each state.
    ///
    /// - Parameter ways: events that lead into the states.
    static func made<Machine: NamedStates>(
        by machine: Machine, ways: [[Machine.Event]], events: [Machine.Event]
    ) -> Set<Transition> where Machine.StateName == Name {
        var found: Set<Transition> = []
        for way in ways {
            for event in events {
                var machine = machine
                for event in way { _ = machine.handle(event) }
                let before = machine.stateName
                _ = machine.handle(event)
                if machine.stateName != before { found.insert(Transition(from: before, to: machine.stateName)) }
            }
        }
        return found
    }
}

extension StateMachine {
    /// Checks that each call continues exactly once, whatever three events come, and then the end of the session.
    ///
    /// - Parameters:
    ///   - way: events that lead into a state.
    ///   - asking: the call that an event brings.
    ///   - going: the calls that an effect lets continue.
    func letsEverybodyGoOnce(
        after way: [Event], of events: [Event], until closed: Event, asking: (Event) -> CallID?,
        going: (Effect) -> [CallID]
    ) {
        for first in events {
            for second in events {
                for third in events {
                    var machine = self
                    let story = way + [first, second, third, closed]
                    let gone = story.flatMap { machine.handle($0) }.flatMap(going)
                    let asked = Dictionary(grouping: story.compactMap(asking), by: \.self)
                    // Only this test uses an id twice.
                    for (call, times) in asked where times.count == 1 {
                        #expect(gone.count { $0 == call } == 1, "\(call.number): \(story)")
                    }
                }
            }
        }
    }
}
