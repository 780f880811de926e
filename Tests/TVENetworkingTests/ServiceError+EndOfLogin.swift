import TVEModels
import TVENetworking

extension ServiceError {
    /// The service's reason for the end of a login, or nil for any other error.
    var endOfLogin: PendingLogout? { if case .pendingLogout(let signal) = self { signal } else { nil } }
}
