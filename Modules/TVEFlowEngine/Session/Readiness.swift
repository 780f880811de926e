import TVEModels

/// The readiness of a session for calls about logins: after the first start and before the end of the session.
///
/// Only the start changes the readiness.
final class Readiness {
    private let listeners: SessionEvents
    /// A Boolean value that indicates whether a start has succeeded.
    private(set) var hasStarted = false
    /// A Boolean value that indicates whether the first start has progressed so far that logins can be read.
    private var isUsableEarly = false
    /// The error of the last start, if it failed.
    private(set) var failure: TVEError?

    init(_ parts: SessionParts) {
        listeners = parts.listeners
    }

    /// A Boolean value that indicates whether calls can use logins.
    var isUsable: Bool { hasStarted || isUsableEarly }

    /// Throws an error before the first start and after the session was closed.
    func check() throws(TVEError) {
        guard listeners.isOpen else { throw .sessionIsClosed }
        guard isUsable else { throw .sessionIsNotStarted(failure) }
    }

    // MARK: - The start

    /// Records that the services have answered and the store has been cleaned up, so that logins can be read.
    func cleanUpEnded() { isUsableEarly = true }

    /// Records the outcome of a start.
    ///
    /// A failed start does not undo the success of an earlier one.
    ///
    /// - Parameter failure: the error of the start, or `nil` if it succeeded.
    func startEnded(_ failure: TVEError?) {
        isUsableEarly = false
        hasStarted = hasStarted || failure == nil
        self.failure = failure
    }
}
