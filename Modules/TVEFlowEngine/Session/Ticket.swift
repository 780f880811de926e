import TVEModels

/// The right of an attempt to show something, to send requests, and to have its outcome used.
///
/// A stop, a cancellation and the end of the session clear the ticket in the turn of the actor in which the call is
/// answered, so nothing of the attempt is shown afterwards. The ticket may be read on any thread. Work that waits in a
/// queue of the app reads it again when it runs.
package final class Ticket: Sendable {
    private let listeners: SessionEvents
    private let isCleared = Guarded(false)

    init(_ listeners: SessionEvents) {
        self.listeners = listeners
    }

    /// A Boolean value that indicates whether the attempt continues.
    ///
    /// The value stays false once the attempt has ended or its session was closed.
    package var isValid: Bool { listeners.isOpen && !isCleared.withLock { $0 } }

    /// Returns the outcome of a stage of the attempt, or throws if the attempt is over.
    ///
    /// The stage is written as the argument, so that no attempt goes on after it without this check. No caller receives
    /// the error, because it only ends the stages.
    func after<Outcome>(_ stage: Outcome) throws(TVEError) -> Outcome {
        guard isValid else { throw .startCancelled }
        return stage
    }

    func clear() { isCleared.withLock { $0 = true } }
}
