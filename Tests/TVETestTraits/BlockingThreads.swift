import Dispatch

/// An executor with a thread for each test that blocks it.
///
/// All tasks share one thread per processor core. On a machine with two cores, two tests that wait for a program on
/// such threads would stop all other tests, and also the tasks that the two have started and wait for.
@available(macOS 15, iOS 18, tvOS 18, *)
final class BlockingThreads: TaskExecutor {
    static let shared = BlockingThreads()
    private let queue = DispatchQueue(label: "tests that block their threads", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
