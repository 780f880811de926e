import TVEFlowEngine
import TVEStorage

/// The storage check with which an access enabler was created.
///
/// It begins at once, off the app's threads, and the first session waits for it.
struct FirstCheck: Sendable {
    /// The app's environment, including the check that a session runs by itself if the storage could not be read
    /// earlier.
    let environment: SessionEnvironment
    private let task: Task<IntegrityReport?, Never>

    /// Starts the check, or returns nil when no check was requested.
    init?(_ type: IntegrityCheckType, _ environment: SessionEnvironment) {
        guard let mode = type.mode else { return nil }
        var environment = environment
        environment.housekeeping.integrityCheck = mode
        self.environment = environment
        task = Task.detached { [environment] in await environment.checkStore() }
    }

    /// The result of the check, or nil when the storage could not be read.
    var report: IntegrityReport? {
        get async { await task.value }
    }
}

extension IntegrityCheckType {
    fileprivate var mode: IntegrityMode? {
        switch self {
        case .INTEGRITY_CHECK_NONE: nil
        case .INTEGRITY_CHECK_ALL: .all
        case .INTEGRITY_CHECK_CLEAR: .clear
        }
    }
}
