import Foundation
import TVEModels
import TVETestTraits
import Testing

@Suite(.timeLimit(.hanging))
struct BroadcastTests {
    @Test func aStreamGetsAllValues_inOrder_untilTheEnd() async throws {
        let broadcast = Broadcast<Int>()
        let streams = try (0..<3).map { _ in try #require(broadcast.stream(waiting: 100)) }
        for number in 0..<100 { broadcast.send(number) }
        broadcast.finish()
        broadcast.send(100)
        for stream in streams {
            var got: [Int] = []
            for await number in stream { got.append(number) }
            #expect(got == Array(0..<100))
        }
    }

    @Test func aSlowListener_losesTheOldest() async throws {
        let broadcast = Broadcast<Int>()
        let stream = try #require(broadcast.stream(waiting: 2))
        for number in 0..<5 { broadcast.send(number) }
        broadcast.finish()
        #expect(await stream.reduce(into: []) { $0.append($1) } == [3, 4])
    }

    @Test func aStreamAfterTheEnd_endsAtOnce() async throws {
        let broadcast = Broadcast<Int>()
        broadcast.finish()
        #expect(broadcast.isFinished)
        let stream = try #require(broadcast.stream(waiting: 1))
        #expect(await stream.first { _ in true } == nil)
    }

    @Test func anEndedStreamMakesRoomForAnother() async throws {
        let broadcast = Broadcast<Int>()
        var stream = broadcast.stream(waiting: 1, limit: 1)
        #expect(stream != nil)
        #expect(broadcast.stream(waiting: 1, limit: 1) == nil)
        stream = nil
        #expect(!broadcast.hasListeners)
        #expect(broadcast.stream(waiting: 1, limit: 1) != nil)
    }

    @Test func streamsEndWithTheirBroadcast() async throws {
        var broadcast: Broadcast<Int>? = Broadcast()
        let stream = try #require(broadcast?.stream(waiting: 1))
        broadcast = nil
        #expect(await stream.first { _ in true } == nil)
    }

    /// The end of a stream must not wait for a sender.
    ///
    /// While a task is being cancelled, the runtime holds a lock of that task, which a sender needs to resume the task.
    /// Neither thread belongs to the tasks, so a deadlock stops the threads and not the test.
    @available(macOS 15, iOS 18, tvOS 18, *)
    @Test func aListenerCanBeCancelled_whileAValueIsSent() async throws {
        let broadcast = Broadcast<Int>()
        let stream = try #require(broadcast.stream(waiting: 1))
        let gate = Gate()
        let listener = Task(executorPreference: gate) { for await _ in stream {} }
        await gate.allTasksWait()
        gate.close()
        let sent = AsyncStream<Void>.makeStream()
        let cancelled = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            broadcast.send(1)
            sent.continuation.yield()
        }
        #expect(await gate.held.stream.first { true } != nil)
        Thread.detachNewThread {
            listener.cancel()
            cancelled.continuation.yield()
        }
        // If the two threads wait for each other, no value arrives before the test's time limit.
        #expect(await cancelled.stream.first { true } != nil, "The cancellation waits for the sender.")
        gate.open()
        _ = await sent.stream.first { true }
        await listener.value
    }
}

/// An executor that runs tasks on a queue, and holds the next thread that resumes one of them.
@available(macOS 15, iOS 18, tvOS 18, *)
private final class Gate: TaskExecutor {
    private let queue = DispatchQueue(label: "tasks behind a gate")
    private let isClosed = Guarded(false)
    private let opened = DispatchSemaphore(value: 0)
    /// A stream that yields a value when a thread is held.
    let held = AsyncStream<Void>.makeStream()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let holds = isClosed.withLock { isClosed in
            defer { isClosed = false }
            return isClosed
        }
        if holds {
            held.continuation.yield()
            opened.wait()
        }
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Returns when no task can continue by itself.
    func allTasksWait() async {
        await withCheckedContinuation { waiting in queue.async { waiting.resume() } }
    }

    func close() { isClosed.withLock { $0 = true } }

    func open() { opened.signal() }
}
