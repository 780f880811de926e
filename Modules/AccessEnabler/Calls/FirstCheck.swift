import TVEFlowEngine
import TVEStorage

/// The check that an access enabler was made with: it begins at once, off the app's threads, and the first session
/// waits for it.
struct FirstCheck: Sendable {
    /// The app's environment, with the check that a session runs by itself when the storage could not be used before.
    let environment: SessionEnvironment
    private let task: Task<IntegrityReport?, Never>

    /// - Returns: nil when no check was requested.
    init?(_ type: IntegrityCheckType, _ environment: SessionEnvironment) {
        guard let mode = type.mode else { return nil }
        var environment = environment
        environment.housekeeping.integrityCheck = mode
        self.environment = environment
        task = Task.detached { [environment] in await environment.checkStore() }
    }

    /// The result of the check; nil when the storage could not be used.
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
