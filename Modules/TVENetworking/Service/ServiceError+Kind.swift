import TVEModels

extension ServiceError {
    /// A Boolean value that indicates whether the login is not finished yet.
    ///
    /// The viewer may still be logging in, or gave up and may return (wire protocol, pendingLogout on session).
    package var isLoginPending: Bool {
        switch self {
        case .notLoggedIn: true
        case .pendingLogout(let signal): !signal.isDeviceMismatch
        default: false
        }
    }

    /// A Boolean value that indicates whether the same request may succeed a little later.
    package var isTransient: Bool {
        switch self {
        // The status 410 means that the service itself has ended.
        case .status(410): false
        // The answer was truncated, or an intermediary sent a page in its place.
        case .status, .transport, .webPage, .unreadable, .unreadableJSON: true
        // Nobody corrects the configuration of an application while a viewer waits.
        case .refused(let error) where error.code?.hasBytePrefix("invalid_configuration_") == true: false
        case .refused(let error): error.action == "retry" || error.isFailureOfService
        case .denied(let denial): denial.reason == .network
        default: false
        }
    }

    /// A Boolean value that indicates whether something between the device and the service has answered in its place.
    package var isOfNetwork: Bool {
        switch self {
        case .webPage: true
        // The two other statuses may be about the country of the viewer, where another network does not help.
        case .status(let status), .registrationCodeRefused(let status):
            status != 403 && status != 451 && Self.isOfNetworkOrPlace(status)
        default: false
        }
    }

    /// A Boolean value that indicates whether the code of a login is invalid because it has expired or another code has
    /// replaced it.
    package var isCodeExpired: Bool {
        guard case .refused(let error) = self else { return false }
        return error.code == "invalid_authentication_session" || error.code == "invalid_parameter_code"
    }
}
