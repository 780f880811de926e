public import TVEModels
public import TVEStorage
public import TVETracking

/// An event that a session reports in addition to the results of its calls.
public enum SessionEvent: Sendable {
    /// An advanced status, as the `status` callback reports it.
    case status(StatusEvent)
    /// A tracking event, and the service's description of this client.
    case tracking(TrackingEvent, TrackedClient)
    /// The authentication status.
    ///
    /// It is reported when the app requests it, and when a login, a logout, a choice of provider, the platform or the
    /// service changes it.
    case authentication(AuthenticationStatus)
    /// A login that ends within ``EntitlementSession/noticeOfLoginEnd``, at the profile's `expires`.
    ///
    /// This is a good time to offer another login. The event is reported once for each login in a session, when a call
    /// first reads such a login; there is no timer.
    case loginEndsSoon(Profile)
    /// The result of the check of the store that the housekeeping requests.
    case integrity(IntegrityReport)
    /// The outcome and duration of a call that has ended.
    case completed(CallReport)
}

/// The listeners of a session, which receive events in the order in which they happen.
///
/// The events of a call are sent before the call returns.
final class SessionEvents: Sendable {
    private let observer: @Sendable (SessionEvent) -> Void
    /// The closures that receive the answers to calls.
    let answers: AnswerHandlers
    private let events = Broadcast<SessionEvent>()

    init(observer: @escaping @Sendable (SessionEvent) -> Void, answers: AnswerHandlers = AnswerHandlers()) {
        self.observer = observer
        self.answers = answers
    }

    func emit(_ event: SessionEvent) {
        guard isOpen else { return }
        observer(event)
        events.send(event)
    }

    var isOpen: Bool { !events.isFinished }

    /// Stops sending events and ends all streams.
    func close() { events.finish() }

    /// Returns a stream of all events from now on.
    ///
    /// The stream of a closed session has ended.
    ///
    /// A listener that falls far behind loses the oldest events.
    func stream() -> AsyncStream<SessionEvent> {
        events.stream(waiting: 1_024) ?? AsyncStream { $0.finish() }
    }
}
