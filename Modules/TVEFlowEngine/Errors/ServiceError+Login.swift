import TVEModels
import TVENetworking

extension ServiceError {
    /// Whether nobody has finished the login so far: somebody may be at it, or gave up and may come again (wire protocol,
    /// pendingLogout on session).
    var isLoginPending: Bool {
        switch self {
        case .notLoggedIn: true
        case .pendingLogout(let signal): !signal.isDeviceMismatch
        default: false
        }
    }

    /// Whether the same question may be answered a little later.
    var isTransient: Bool {
        switch self {
        case .status, .transport: true
        case .refused(let error): error.action == "retry" || error.status ?? 0 >= 500
        case .denied(let denial): denial.reason == .network
        default: false
        }
    }

    /// Whether the code of a login is no longer good: it has run out, or another one has taken its place.
    var isCodeExpired: Bool {
        guard case .refused(let error) = self else { return false }
        return error.code == "invalid_authentication_session" || error.code == "invalid_parameter_code"
    }
}
