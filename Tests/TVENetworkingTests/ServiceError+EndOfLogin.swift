import TVEModels
import TVENetworking

extension ServiceError {
    /// What the service says about a login that has ended; nil for another error.
    var endOfLogin: PendingLogout? { if case .pendingLogout(let signal) = self { signal } else { nil } }
}
