import TVEModels

/// The right of an attempt to show something, to ask, and to have its outcome counted.
///
/// A stop, a cancel and the end of the session clear it in the turn of the actor in which the call gets its answer, so
/// nothing of the attempt is shown afterwards. It may be read in any thread: what waits in a queue of the app's asks
/// again in the moment in which it runs.
package final class Ticket: Sendable {
    private let listeners: SessionEvents
    private let isCleared = Guarded(false)

    init(_ listeners: SessionEvents) {
        self.listeners = listeners
    }

    /// Whether the attempt goes on; false for good once it has ended or its session was closed.
    package var isValid: Bool { listeners.isOpen && !isCleared.withLock(\.self) }

    /// Ends a row of stages whose attempt is over; nobody hears of the error.
    func check() throws(TVEError) {
        guard isValid else { throw .startCancelled }
    }

    func clear() { isCleared.withLock { $0 = true } }
}
