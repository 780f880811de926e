@testable import TVEFlowEngine

/// A part of a session that makes decisions and cannot wait: it receives events and returns effects.
///
/// A state machine has no I/O, no clock and no task. The session performs the effects, returns their outcomes as
/// events, and ignores the outcomes of an attempt that has ended. Every order of events can therefore be tested without
/// a network, and one `switch` shows what may happen next.
protocol StateMachine: Sendable {
    associatedtype Event: Sendable
    associatedtype Effect: Sendable

    /// Handles an event.
    ///
    /// - Returns: the effects, in the order in which to perform them. The machine already has its new state, so that
    ///   events caused by the effects find it.
    mutating func handle(_ event: Event) -> [Effect]
}

extension LoginMachine: StateMachine {}
extension RefreshMachine: StateMachine {}
