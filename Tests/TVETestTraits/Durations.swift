import Foundation
public import Testing

extension Duration {
    /// The processor time that this thread has used so far.
    ///
    /// A test measures with it the cost of code that does not wait. The time of a clock would also include the time
    /// during which other tests and programs keep the machine busy.
    public static var workOfThisThread: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

// These limits only end a test that hangs. They are much longer than the slowest machine needs, because a shorter limit
// would fail on a machine on which many tests share one busy core.
//
// All tests begin at once, and the time of a `timeLimit` starts then, so it covers the work of all others. Under the
// thread sanitizer and beside other programs that work can take most of an hour. The limit of a turn starts with the
// turn, and can be shorter for that reason.

extension TimeLimitTrait.Duration {
    /// The time after which a test is considered to hang, including the wait for its turn and for a free thread.
    public static var hanging: Self { .minutes(60) }
}

extension Duration {
    /// The time after which an exchange, a callback or a program is considered to hang.
    public static var hanging: Self { .seconds(600) }
}
