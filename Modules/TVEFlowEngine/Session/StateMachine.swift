/// A part of a session that decides and cannot wait: events go in, effects come out.
///
/// No I/O, no clock, no task. The session performs the effects, returns their outcomes as events, and drops those of an
/// attempt that has ended. So every order of events can be tested without a network, and one `switch` shows what may
/// happen next.
protocol StateMachine: Sendable {
    associatedtype Event: Sendable
    associatedtype Effect: Sendable

    /// - Returns: the effects, in this order. The machine already has its new state, so that events caused by the
    ///   effects find it.
    mutating func handle(_ event: Event) -> [Effect]
}
