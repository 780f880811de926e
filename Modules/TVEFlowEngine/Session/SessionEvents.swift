import TVEModels

/// The listeners of a session, which receive events in the order in which they happen.
///
/// The events of a call are sent before the call returns.
final class SessionEvents: Sendable {
    private let observer: @Sendable (SessionEvent) -> Void
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
