import TVEModels
import TVENetworking
import TVETracking

/// What a session reports to its listeners.
extension EntitlementSession {
    /// Reports an error's status code, if it has one, and returns the error.
    func reported(_ error: TVEError, resource: Resource? = nil) -> TVEError {
        if let status = error.status {
            var event = StatusEvent(status, message: error.statusMessage, resource: resource)
            event.trace = error.trace
            listeners.emit(.status(event))
        }
        return error
    }

    func track(_ event: TrackingEvent) {
        let client = services.first?.deviceInformation.map(TrackedClient.init) ?? TrackedClient(loaded?.merged)
        listeners.emit(.tracking(event, client))
        guard listeners.isOpen else { return }
        for sink in sinks { sink.record(event, client: client, at: clock.now()) }
    }
}
