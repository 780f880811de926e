import Foundation
import TVEModels
import Testing

@Suite(.timeLimit(.minutes(1)))
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

    /// Neither thread belongs to the tasks, so that a deadlock stops them and not the test.
    @Test func listenersThatAreCancelledDuringASend_stopNobody() async throws {
        let broadcast = Broadcast<Int>()
        let (awake, isOver) = (Guarded(0), Guarded(false))
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) { broadcast.send(1) }
        }
        Thread.detachNewThread {
            for round in 1...100 {
                let tasks = (0..<4).compactMap { _ in
                    broadcast.stream(waiting: 10).map { stream in
                        Task {
                            var isFirst = true
                            for await _ in stream where isFirst {
                                isFirst = false
                                awake.withLock { $0 += 1 }
                            }
                        }
                    }
                }
                // Only a task that waits for its stream can be cancelled in the wrong moment.
                while awake.withLock({ $0 }) < 4 * round {}
                for task in tasks { task.cancel() }
            }
            isOver.withLock { $0 = true }
        }
        let limit = ContinuousClock.now + .seconds(30)
        var hasEnded = false
        while !hasEnded, ContinuousClock.now < limit {
            await Task.yield()
            hasEnded = isOver.withLock(\.self)
        }
        #expect(hasEnded, "the sender and the cancelling thread wait for each other")
    }
}
