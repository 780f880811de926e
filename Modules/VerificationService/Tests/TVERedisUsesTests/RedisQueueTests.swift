import Foundation
import TVETokenVerification
import Testing

@testable import TVERedisUses

/// A queue accepts 16,384 tokens, regardless of how earlier ones left it.
struct RedisQueueTests {
    private static let now = RedisDeadline(nanoseconds: 1_000_000_000)

    private static func call(_ tokens: Int, deadline: RedisDeadline) -> RedisCall {
        let spend = RedisSpend(.random(), keptAfterEnd: 0)
        return RedisCall(spends: [RedisSpend](repeating: spend, count: tokens), deadline: deadline, answer: { _ in })
    }

    /// Adds calls, and returns `true` if the queue accepted these and no more.
    private static func fill(_ queue: inout RedisQueue, _ calls: Int, of tokens: Int) -> Bool {
        for _ in 0..<calls where !queue.append(call(tokens, deadline: now)) { return false }
        return !queue.append(call(1, deadline: now))
    }

    private static func full() -> RedisQueue {
        var queue = RedisQueue()
        #expect(fill(&queue, 64, of: 256))
        return queue
    }

    @Test func callsThatCameTooLate_takeNoPlace() {
        var queue = Self.full()
        let early = queue.takeLate(RedisDeadline(nanoseconds: Self.now.nanoseconds - 1))
        let late = queue.takeLate(Self.now)
        #expect(early.isEmpty && late.count == 64 && queue.isEmpty)
        #expect(Self.fill(&queue, 64, of: 256))
    }

    @Test func callsThatWereTaken_takeNoPlace() {
        var queue = Self.full()
        let batch = queue.takeBatch()
        #expect(batch.count == 1)
        #expect(Self.fill(&queue, 1, of: 256))
        let all = queue.takeAll()
        #expect(all.count == 64)
        #expect(Self.fill(&queue, 1, of: 16_384))
    }

    /// One more token would delay the first one.
    @Test func aBatch_hasAtMost256Tokens_orOneCall() {
        var queue = RedisQueue()
        for tokens in [100, 156, 1, 300, 2] { _ = queue.append(Self.call(tokens, deadline: Self.now)) }
        let batches = (0..<4).map { _ in queue.takeBatch().map(\.spends.count) }
        #expect(batches == [[100, 156], [1], [300], [2]])
    }
}
