import TVEModels
import TVENetworking
import TVETracking

/// Sends events to all listeners, in the order in which they happen.
///
/// Events of a call are sent before the call returns.
final class SessionEvents: Sendable {
    private let observer: @Sendable (SessionEvent) -> Void
    private let events = Broadcast<SessionEvent>()

    init(observer: @escaping @Sendable (SessionEvent) -> Void) {
        self.observer = observer
    }

    func emit(_ event: SessionEvent) {
        guard isOpen else { return }
        observer(event)
        events.send(event)
    }

    var isOpen: Bool { !events.isFinished }

    /// Sends nothing more and ends all streams.
    func close() { events.finish() }

    /// A stream of all events from now on; of a closed session, one that has ended.
    ///
    /// A listener that falls far behind loses the oldest events.
    func stream() -> AsyncStream<SessionEvent> {
        events.stream(waiting: 1_024) ?? AsyncStream { $0.finish() }
    }
}

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

extension TrackedClient {
    /// Describes a client with the words of the classic service, which finds them in the client's user agent; REST API v2
    /// has no such words, and its configuration is not loaded for a viewer who is logged in.
    init(_ device: DeviceInformation) {
        let deviceType: String? =
            switch (device.hardwareType, device.osName) {
            // These systems do not tell, and the classic service takes their clients for computers.
            case (.desktop, _), (nil, .linux), (nil, .windows): "computer"
            case (.tablet, _): "tablet"
            case (.mobilePhone, _): "mobile"
            case (.gamesConsole, _): "gameconsole"
            default: nil
            }
        let clientType =
            switch (device.osName, device.osVendor) {
            case (.iOS, _), (.tvOS, _), (nil, .apple): "ios"
            case (.android, _): "android"
            default: "html5"
            }
        self.init(deviceType: deviceType, clientType: clientType, operatingSystem: device.osName?.rawValue)
    }
}
