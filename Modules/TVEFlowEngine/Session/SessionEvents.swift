import TVEModels

/// Sends events to all listeners, in the order in which they happen.
///
/// Events of a call are sent before the call returns.
final class SessionEvents: Sendable {
    private struct Listeners {
        var streams: [Int: AsyncStream<SessionEvent>.Continuation] = [:]
        var count = 0
        var isClosed = false
    }

    private let observer: @Sendable (SessionEvent) -> Void
    private let listeners = Guarded(Listeners())

    init(observer: @escaping @Sendable (SessionEvent) -> Void) {
        self.observer = observer
    }

    func emit(_ event: SessionEvent) {
        let (isClosed, streams) = listeners.withLock { ($0.isClosed, $0.streams.values.map(\.self)) }
        guard !isClosed else { return }
        observer(event)
        for stream in streams { stream.yield(event) }
    }

    var isOpen: Bool { listeners.withLock { !$0.isClosed } }

    /// Sends nothing more and ends all streams.
    func close() {
        let streams = listeners.withLock { listeners in
            defer { (listeners.streams, listeners.isClosed) = ([:], true) }
            return listeners.streams.values.map(\.self)
        }
        // Outside the lock, because the end of a stream takes the lock.
        for stream in streams { stream.finish() }
    }

    /// A stream of all events from now on.
    ///
    /// A listener that falls far behind loses the oldest events.
    func stream() -> AsyncStream<SessionEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1_024)) { continuation in
            let number = listeners.withLock { listeners in
                listeners.count += 1
                listeners.streams[listeners.count] = continuation
                return listeners.count
            }
            continuation.onTermination = { [weak self] _ in
                self?.listeners.withLock { _ = $0.streams.removeValue(forKey: number) }
            }
        }
    }

    deinit {
        listeners.withLock { listeners in
            for stream in listeners.streams.values { stream.finish() }
        }
    }
}
