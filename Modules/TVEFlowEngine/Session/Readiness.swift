import TVEModels

/// The readiness of a session for calls about logins: after the first start and before the end of the session.
///
/// Only the start changes it, because only the start receives its ``Changes``.
final class Readiness {
    private let listeners: SessionEvents
    /// A Boolean value that indicates whether a start has succeeded.
    private(set) var hasStarted = false
    /// A Boolean value that indicates whether the first start has progressed so far that logins can be read.
    private var isUsableEarly = false
    /// The error of the last start, if it failed.
    private(set) var failure: TVEError?

    private init(_ parts: SessionParts) {
        listeners = parts.listeners
    }

    /// A Boolean value that indicates whether calls can use logins.
    var isUsable: Bool { hasStarted || isUsableEarly }

    /// Throws an error before the first start and after the session was closed.
    func check() throws(TVEError) {
        guard listeners.isOpen else { throw .sessionIsClosed }
        guard isUsable else { throw .sessionIsNotStarted(failure) }
    }

    /// The changes of a readiness, with which it is created.
    struct Changes {
        let readiness: Readiness

        init(_ parts: SessionParts) { readiness = Readiness(parts) }

        /// Records that the services have answered and the store has been cleaned up, so that logins can be read.
        func cleanUpEnded() { readiness.isUsableEarly = true }

        /// Records the outcome of a start.
        ///
        /// A failed start does not undo the success of an earlier one.
        ///
        /// - Parameter failure: the error of the start, or `nil` if it succeeded.
        func startEnded(_ failure: TVEError?) {
            readiness.isUsableEarly = false
            readiness.hasStarted = readiness.hasStarted || failure == nil
            readiness.failure = failure
        }
    }
}
