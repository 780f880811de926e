import Foundation

extension Duration {
    /// How long this thread has computed so far, by which a test measures what code costs that does not wait.
    ///
    /// The time of a clock also counts how long other tests and programs keep the machine busy.
    public static var workOfThisThread: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
