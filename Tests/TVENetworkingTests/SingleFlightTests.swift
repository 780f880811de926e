import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.timeLimit(.hanging))
struct SingleFlightTests {
    private let flight = SingleFlight<Int>()
    private let runs = Counter()

    @Test func runsOnce_forAllWhoAskMeanwhile() async {
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await flight.run {
                        while flight.callers < 50, !Task.isCancelled { await Task.shortPause() }
                        return runs.next()
                    }
                }
            }
            for await answer in group { #expect(answer == 1) }
        }
        #expect(runs.count == 1)
        #expect(flight.callers == 0)
    }

    @Test func anUrgentCaller_raisesThePriorityOfTheOperation() async {
        let background = Task(priority: .background) {
            await flight.run {
                while Task.currentPriority < .high, !Task.isCancelled { await Task.shortPause() }
                return runs.next()
            }
        }
        while flight.callers < 1, !Task.isCancelled { await Task.shortPause() }
        let urgent = Task(priority: .high) { await flight.run { -1 } }
        #expect(await urgent.value == 1)
        background.cancel()
    }

    @Test func startsAnew_afterTheEnd() async {
        #expect(await flight.run { runs.next() } == 1)
        #expect(await flight.run { runs.next() } == 2)
    }

    @Test func throwsTheErrorOfTheOperation() async throws {
        let flight = SingleFlight<Result<Int, TransportError>>()
        let value = try await flight.run { () async throws(TransportError) -> Int in 7 }
        #expect(value == 7)
        await #expect(throws: TransportError.unreachable) {
            try await flight.run { () async throws(TransportError) -> Int in throw .unreachable }
        }
    }

    @Test func cancelsTheOperation_whenTheLastCallerIsCancelled() async {
        let caller = Task {
            await flight.run {
                while !Task.isCancelled { await Task.shortPause() }
                return runs.next()
            }
        }
        while flight.callers < 1, !Task.isCancelled { await Task.shortPause() }
        caller.cancel()
        #expect(await caller.value == nil)
        while runs.count < 1, !Task.isCancelled { await Task.shortPause() }
    }

    @Test func goesOn_whenOneOfTwoCallersIsCancelled() async {
        let isOpen = Guarded(false)
        let operation: @Sendable () async -> Int = {
            while !isOpen.withLock(\.self), !Task.isCancelled { await Task.shortPause() }
            return Task.isCancelled ? -1 : runs.next()
        }
        let first = Task { await flight.run(operation) }
        let second = Task { await flight.run(operation) }
        while flight.callers < 2, !Task.isCancelled { await Task.shortPause() }
        first.cancel()
        // The cancelled caller returns although the operation continues.
        #expect(await first.value == nil)
        #expect(flight.callers == 1)
        isOpen.withLock { $0 = true }
        #expect(await second.value == 1)
    }

    @Test func givesItsCallersTheOutcome_whenItIsCancelledFromOutside() async {
        // Without an operation there is nothing to cancel.
        flight.cancel()
        let caller = Task {
            await flight.run {
                while !Task.isCancelled { await Task.shortPause() }
                return 7
            }
        }
        while flight.callers < 1, !Task.isCancelled { await Task.shortPause() }
        flight.cancel()
        #expect(await caller.value == 7)
    }

    @Test func returnsNil_whenItsTaskIsCancelledAlready() async {
        let caller = Task {
            while !Task.isCancelled { await Task.shortPause() }
            return await flight.run { 1 }
        }
        caller.cancel()
        #expect(await caller.value == nil)
        #expect(flight.callers == 0)
    }

    @Test func waitsForAnAbandonedOperation_beforeTheNext() async {
        let isOpen = Guarded(false)
        let running = Guarded(0)
        let most = Guarded(0)
        let operation: @Sendable () async -> Int = {
            let number = running.withLock { running in
                running += 1
                return running
            }
            most.withLock { $0 = max($0, number) }
            while !isOpen.withLock(\.self) { await Task.shortPause() }
            running.withLock { $0 -= 1 }
            return number
        }
        let abandoned = Task { await flight.run(operation) }
        while running.withLock(\.self) < 1, !Task.isCancelled { await Task.shortPause() }
        abandoned.cancel()
        #expect(await abandoned.value == nil)
        let next = Task { await flight.run(operation) }
        while flight.callers < 1, !Task.isCancelled { await Task.shortPause() }
        // These pauses give the next operation time to begin too early.
        for _ in 0..<20 { await Task.shortPause() }
        isOpen.withLock { $0 = true }
        #expect(await next.value == 1 && most.withLock(\.self) == 1)
    }

    @Test func doesNotJoinAnAbandonedOperation() async {
        let abandoned = Task {
            await flight.run {
                while !Task.isCancelled { await Task.shortPause() }
                return -1
            }
        }
        while flight.callers < 1, !Task.isCancelled { await Task.shortPause() }
        abandoned.cancel()
        #expect(await abandoned.value == nil)
        #expect(await flight.run { runs.next() } == 1)
    }
}

private final class Counter: Sendable {
    private let value = Guarded(0)

    var count: Int { value.withLock(\.self) }

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
