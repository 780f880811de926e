/// A part of a session that decides and cannot wait: events go in, effects come out.
///
/// No I/O, no clock, no task. Whoever performs the effects hands their outcomes back as events, and drops those of an attempt that is over.
/// So every order of events can be tried without a network, and what may happen next can be read in one `switch`.
protocol StateMachine: Sendable {
    associatedtype Event: Sendable
    associatedtype Effect: Sendable

    /// Takes an event.
    ///
    /// - Returns: what is to be done, in this order. The machine has moved on by then, so that whatever the effects cause finds the new state.
    mutating func handle(_ event: Event) -> [Effect]
}
