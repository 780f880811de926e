import TVEModels
import TVENetworking
import TVETracking

/// The reports of a session to the app's listeners and to the sinks of analytics, in addition to the results of its
/// calls.
///
/// Each report is sent in the turn of the actor in which the session made the decision. A closed session reports
/// nothing.
final class Reports {
    private let providers: Providers

    init(_ providers: Providers) {
        self.providers = providers
    }

    private var parts: SessionParts { providers.parts }

    func emit(_ event: SessionEvent) { parts.listeners.emit(event) }

    func status(_ event: StatusEvent) { emit(.status(event)) }

    /// Reports an error's status code, if it has one, and returns the error.
    func reported(_ error: TVEError, resource: Resource? = nil) -> TVEError {
        if let code = error.status {
            var event = StatusEvent(code, message: error.statusMessage, resource: resource)
            event.trace = error.trace
            status(event)
        }
        return error
    }

    func track(_ event: TrackingEvent) {
        let client = providers.trackedClient
        emit(.tracking(event, client))
        guard parts.isOpen else { return }
        for sink in parts.sinks { sink.record(event, client: client, at: parts.clock.now()) }
    }

    // MARK: - Who is logged in

    @discardableResult
    func announce(_ status: AuthenticationStatus) -> AuthenticationStatus {
        // Analytics have no value for an unknown status, and "not logged in" would be false.
        if case .notAuthenticated = status { track(.authentication(nil)) }
        emit(.authentication(status))
        return status
    }

    /// - Parameter isCached: a Boolean value that indicates whether the login was known before.
    @discardableResult
    func announce(login profile: Profile, isCached: Bool) -> AuthenticationStatus {
        track(.authentication(TrackedLogin(profile, isCached: isCached)))
        return announce(.authenticated(profile))
    }

    /// Reports a failed request or login with its status code, a tracking event and the authentication status.
    @discardableResult
    func announce(failure error: TVEError) -> AuthenticationStatus {
        _ = reported(error)
        return announce(AuthenticationStatus(error))
    }

    // MARK: - Answers

    /// Notifies the app of the outcome of a login, a logout or a choice of provider.
    @discardableResult
    func notify(_ status: AuthenticationStatus) -> AuthenticationStatus {
        if parts.isOpen { parts.listeners.answers.authentication(status) }
        return status
    }

    /// Notifies the app of the answer to a request for permission.
    func notify(_ answer: Result<MediaToken, TVEError>, about resource: Resource) {
        parts.listeners.answers.permission(resource, answer)
    }
}

extension TrackedClient {
    /// Describes a client of REST API v2, whose configuration is not loaded for a viewer who is logged in.
    init(_ device: DeviceInformation) {
        self.init(
            deviceType: device.trackedDeviceType, clientType: device.trackedClientType,
            operatingSystem: device.osName?.rawValue)
    }
}
