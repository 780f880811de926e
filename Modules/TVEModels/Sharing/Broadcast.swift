/// Sends values to any number of streams, to all in the same order.
///
/// Why it cannot deadlock: while a task is cancelled, the runtime holds a lock of this task and ends the streams that the
/// task waits for. Sending to such a stream takes the same lock. So the end of a stream must never wait for a sender: it
/// takes only the lock of `ended`, and nothing is locked or called under that one.
package final class Broadcast<Value: Sendable>: Sendable {
    private struct Listeners {
        var streams: [Int: AsyncStream<Value>.Continuation] = [:]
        var count = 0
        var isFinished = false
    }

    private let listeners = Guarded(Listeners())
    /// Streams that have ended and are still in the list.
    private let ended = Guarded<[Int]>([])

    package init() {}

    deinit { finish() }

    /// Whether nothing more is sent.
    ///
    /// No key path: in a generic type each use makes a new one, and every event asks.
    package var isFinished: Bool { listeners.withLock { $0.isFinished } }

    package var hasListeners: Bool { withPresent { !$0.streams.isEmpty } }

    /// Sends a value to all streams.
    package func send(_ value: Value) {
        withPresent { for stream in $0.streams.values { stream.yield(value) } }
    }

    /// A stream of all values from now on; after ``finish()`` one that has ended.
    ///
    /// - Parameters:
    ///   - waiting: how many values wait for a slow listener; it loses the oldest.
    ///   - limit: most streams at a time.
    /// - Returns: nil when there are that many already.
    package func stream(waiting: Int, limit: Int = .max) -> AsyncStream<Value>? {
        withPresent { listeners in
            guard listeners.streams.count < limit else { return nil }
            let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(waiting))
            guard !listeners.isFinished else {
                continuation.finish()
                return stream
            }
            listeners.count += 1
            continuation.onTermination = { [ended, number = listeners.count] _ in
                ended.withLock { $0.append(number) }
            }
            listeners.streams[listeners.count] = continuation
            return stream
        }
    }

    /// Ends all streams; nothing more is sent.
    package func finish() {
        withPresent { listeners in
            listeners.isFinished = true
            for stream in listeners.streams.values { stream.finish() }
            listeners.streams = [:]
        }
    }

    private func withPresent<Result: Sendable>(_ body: (inout Listeners) -> Result) -> Result {
        listeners.withLock { listeners in
            let gone = ended.withLock { ended in
                defer { ended = [] }
                return ended
            }
            for number in gone { listeners.streams[number] = nil }
            return body(&listeners)
        }
    }
}
