import Foundation
import TVETestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The executor of every task of the process.
///
/// By default it runs the tasks on the thread of the walk, in an order that a seed decides, and only within
/// ``run(atMost:)``, whose caller therefore knows when all tasks wait. With a crew it runs them on several threads in
/// an arbitrary order. Callbacks always run on the thread of the walk.
@available(macOS 15, iOS 18, tvOS 18, *)
final class SerialLoop: TaskExecutor, @unchecked Sendable {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// The loop of this process.
    static let shared = SerialLoop()

    private var jobs: [UnownedJob] = []
    /// The pending callbacks of an app's queue, in order.
    private var callbacks: [@Sendable () -> Void] = []
    private var random = SeededRandom(state: 0)
    private var callbacksAreLate = false
    private var crew: Crew?
    /// A Boolean value that indicates whether several threads run the tasks.
    var hasThreads: Bool { crew != nil }

    /// Makes this loop the executor of all tasks that have no executor of their own.
    ///
    /// - Parameter threads: the number of threads that run tasks at the same time; `nil` for the thread of the walk.
    func install(threads: Int?) {
        crew = threads.map { Crew(threads: $0, executor: self) }
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else {
            fatalError("This toolchain has no hook for the global executor.")
        }
        unsafe symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in SerialLoop.shared.enqueue(job) }
    }

    /// Sets the seed for the order of the next jobs.
    ///
    /// - Parameters:
    ///   - seed: the seed.
    ///   - callbacksAreLate: `true` if the queue of callbacks is busy with other work of the app.
    func begin(_ seed: UInt64, callbacksAreLate: Bool) {
        random = SeededRandom(state: seed)
        self.callbacksAreLate = callbacksAreLate
    }

    func enqueue(_ job: UnownedJob) {
        if let crew { crew.enqueue(job) } else { jobs.append(job) }
    }

    /// Queues a callback behind the pending ones.
    func callBack(_ callback: @escaping @Sendable () -> Void) {
        if let crew { crew.callBack(callback) } else { callbacks.append(callback) }
    }

    /// Runs an action on the thread of the walk, at once if that is the only thread.
    func onWalksThread(_ action: @escaping @Sendable () -> Void) {
        if let crew { crew.callBack(action) } else { action() }
    }

    /// Runs jobs and callbacks that are ready.
    ///
    /// - Parameter limit: the maximum number of jobs and callbacks.
    /// - Returns: `true` if no job and no callback is ready any more.
    @discardableResult
    func run(atMost limit: Int) -> Bool {
        if let crew { return crew.run(atMost: limit) }
        for _ in 0..<limit {
            let choice = jobs.count + (callbacks.isEmpty ? 0 : 1)
            guard choice > 0 else { return true }
            // `Int.random` would take longer than most jobs in a debug build.
            var number = Int(random.next() % UInt64(choice))
            if number == jobs.count, callbacksAreLate, !jobs.isEmpty, random.next() % 20 != 0 {
                number = Int(random.next() % UInt64(jobs.count))
            }
            if number == jobs.count {
                callbacks.removeFirst()()
            } else {
                unsafe jobs.remove(at: number).runSynchronously(on: asUnownedTaskExecutor())
            }
        }
        return jobs.isEmpty && callbacks.isEmpty
    }
}
