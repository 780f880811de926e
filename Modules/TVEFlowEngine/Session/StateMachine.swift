/// A part of a session that decides and cannot wait: events go in, effects come out.
///
/// No I/O, no clock, no task. The session performs the effects, returns their outcomes as events, and drops those of an
/// attempt that has ended. So every order of events can be tested without a network, and one `switch` shows what may
/// happen next.
protocol StateMachine: Sendable {
    associatedtype Event: Sendable
    associatedtype Effect: Sendable
    associatedtype StateName: MachineStateName

    var stateName: StateName { get }

    /// - Returns: the effects, in this order. The machine already has its new state, so that events caused by the
    ///   effects find it.
    mutating func handle(_ event: Event) -> [Effect]
}

/// The states of a machine by name, each with the states that may follow it.
///
/// Tests try every event in every state and compare.
protocol MachineStateName: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The states to which one event may lead, apart from `closed`, to which every state leads.
    var successors: Set<Self> { get }
}
