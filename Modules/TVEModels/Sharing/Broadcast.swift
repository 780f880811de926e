/// A source that sends each value to any number of streams, to all of them in the same order.
///
/// It cannot deadlock for the following reason. While a task is being cancelled, the runtime holds a lock of that task
/// and terminates the streams that the task awaits. Sending to such a stream takes the same lock. The termination of a
/// stream must therefore never wait for a sender: it takes only the lock of `ended`, and no code locks or calls
/// anything while it holds that lock.
package final class Broadcast<Value: Sendable>: Sendable {
    private struct Listeners {
        var streams: [Int: AsyncStream<Value>.Continuation] = [:]
        var count = 0
        var isFinished = false
    }

    private let listeners = Guarded(Listeners())
    /// The numbers of streams that have terminated, which are removed from the list before its next use.
    private let ended = Guarded<[Int]>([])

    package init() {}

    deinit { finish() }

    /// A Boolean value that indicates whether the broadcast has finished.
    ///
    /// The closure is not a key path, because a generic type creates a new key path at each use, and every event reads
    /// this property.
    package var isFinished: Bool { listeners.withLock { $0.isFinished } }

    package var hasListeners: Bool { withPresent { !$0.streams.isEmpty } }

    /// Sends a value to all streams.
    package func send(_ value: Value) {
        withPresent { for stream in $0.streams.values { stream.yield(value) } }
    }

    /// Creates a stream of all values sent from now on.
    ///
    /// After ``finish()``, the stream ends at once.
    ///
    /// - Parameters:
    ///   - waiting: the number of values that are buffered for a slow listener, which loses the oldest ones.
    ///   - limit: the maximum number of streams at a time.
    /// - Returns: the stream, or nil when the limit is reached.
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

    /// Ends all streams.
    ///
    /// Values sent later are discarded.
    package func finish() {
        withPresent { listeners in
            listeners.isFinished = true
            for stream in listeners.streams.values { stream.finish() }
            listeners.streams = [:]
        }
    }

    private func withPresent<Result: Sendable>(_ body: (inout Listeners) -> Result) -> Result {
        listeners.withLock { listeners in
            // Most sessions have no stream, and then none has terminated.
            if !listeners.streams.isEmpty {
                let gone = ended.withLock { ended in
                    defer { ended = [] }
                    return ended
                }
                for number in gone { listeners.streams[number] = nil }
            }
            return body(&listeners)
        }
    }
}
