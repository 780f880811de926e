import TVEModels
import TVENetworking

extension ServiceError {
    /// Whether nobody has finished the login so far: somebody may be at it, or gave up and may come again (wire protocol,
    /// pendingLogout on session).
    var meansNotYet: Bool {
        switch self {
        case .notLoggedIn: true
        case .pendingLogout(let signal): !signal.isDeviceMismatch
        default: false
        }
    }
}
