import Foundation
public import Testing

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

// These limits only end what hangs. They are far longer than the slowest machine needs: a shorter limit fails where many
// tests share one busy core.

extension TimeLimitTrait.Duration {
    /// What a test takes that hangs, including the wait for its turn.
    public static var hanging: Self { .minutes(60) }
}

extension Duration {
    /// What one exchange, callback or program takes that hangs.
    public static var hanging: Self { .seconds(600) }
}
