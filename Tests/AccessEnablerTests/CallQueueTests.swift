import TVEModels
import TVETestTraits
import Testing

@testable import AccessEnabler

@Suite(.timeLimit(.hanging))
struct CallQueueTests {
    @Test(.row("Q1")) func holdsCalls_andRunsThemInOrder() async {
        let queue = CallQueue()
        let (stream, line) = AsyncStream<Int>.makeStream()
        for number in 1...100 { queue.submit { line.yield(number) } }
        _ = queue.open(with: { line.yield(0) }, supersedes: { _ in false })
        queue.submit {
            line.yield(101)
            line.finish()
        }
        var order: [Int] = []
        for await number in stream { order.append(number) }
        #expect(order == Array(0...101))
    }

    @Test func waitsForACall_beforeTheNext() async {
        let queue = CallQueue()
        let running = Guarded(0)
        let (stream, line) = AsyncStream<Int>.makeStream()
        _ = queue.open(with: {}, supersedes: { _ in false })
        for number in 0..<20 {
            queue.submit {
                let now = running.withLock { running in
                    running += 1
                    return running
                }
                await Task.yield()
                running.withLock { $0 -= 1 }
                line.yield(now)
                if number == 19 { line.finish() }
            }
        }
        for await now in stream { #expect(now == 1) }
    }
}
