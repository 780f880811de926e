import TVEModels

/// Whether calls may ask about logins: not before the first start, and not after the end of the session.
///
/// Only the start changes it.
final class Readiness {
    private let listeners: SessionEvents
    /// Whether a start has succeeded.
    private(set) var hasStarted = false
    /// Whether the first start has come so far that logins can be read.
    private var isUsableEarly = false
    /// Why the last start failed.
    private(set) var failure: TVEError?

    init(_ parts: SessionParts) {
        listeners = parts.listeners
    }

    /// Whether calls may ask about logins.
    var isUsable: Bool { hasStarted || isUsableEarly }

    /// Fails before the first start, and when the session is closed.
    func check() throws(TVEError) {
        guard listeners.isOpen else { throw .sessionIsClosed }
        guard isUsable else { throw .sessionIsNotStarted(failure) }
    }

    // MARK: - The start

    /// The services have answered, and the store is tidy.
    func storeIsTidy() { isUsableEarly = true }

    /// A start has ended; one that failed takes nothing away that an earlier one has found.
    func startEnded(_ outcome: Result<Void, TVEError>) {
        isUsableEarly = false
        switch outcome {
        case .success: (hasStarted, failure) = (true, nil)
        case .failure(let error): failure = error
        }
    }
}
