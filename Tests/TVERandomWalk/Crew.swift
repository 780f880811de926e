import Foundation

/// Threads that run jobs as they arrive, while the thread of the walk makes the calls and runs the callbacks.
@available(macOS 15, iOS 18, tvOS 18, *)
final class Crew: @unchecked Sendable {
    /// The lock that guards the following properties.
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var callbacks: [@Sendable () -> Void] = []
    private var running = 0

    private var isIdle: Bool { jobs.isEmpty && running == 0 }

    init(threads: Int, executor: SerialLoop) {
        for _ in 0..<threads {
            Thread.detachNewThread { [self] in
                while true { work(for: executor) }
            }
        }
    }

    func enqueue(_ job: UnownedJob) {
        condition.withLock {
            jobs.append(job)
            condition.broadcast()
        }
    }

    func callBack(_ callback: @escaping @Sendable () -> Void) {
        condition.withLock {
            callbacks.append(callback)
            condition.broadcast()
        }
    }

    private func work(for executor: SerialLoop) {
        let job = condition.withLock {
            while jobs.isEmpty { condition.wait() }
            running += 1
            return jobs.removeFirst()
        }
        unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
        condition.withLock {
            running -= 1
            if isIdle { condition.broadcast() }
        }
    }

    /// Runs callbacks until no job and no callback is left, or until a limit is reached.
    ///
    /// - Parameter limit: the maximum number of callbacks. A limit below 1,000 also limits the time, to ten
    ///   microseconds per callback, so that the walk makes its next calls while jobs run.
    /// - Returns: `true` if no job and no callback is left.
    func run(atMost limit: Int) -> Bool {
        let end = Date(timeIntervalSinceNow: limit < 1_000 ? Double(limit) / 100_000 : 600)
        for _ in 0..<limit {
            let (callback, isTimeOver) = condition.withLock {
                var isInTime = true
                while callbacks.isEmpty, !isIdle, isInTime { isInTime = condition.wait(until: end) }
                return (callbacks.isEmpty ? nil : callbacks.removeFirst(), !isInTime)
            }
            if let callback { callback() } else { return !isTimeOver }
        }
        return condition.withLock { isIdle && callbacks.isEmpty }
    }
}
