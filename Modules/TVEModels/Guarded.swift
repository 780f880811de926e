import Foundation

/// A value that one thread at a time may touch.
///
/// The standard library's `Mutex` does the same, but on Linux the thread sanitizer does not see its futex and reports
/// what it guards; it knows the lock of Foundation. What the sanitizer cannot watch, nobody watches.
///
/// Unchecked, because the compiler cannot know that `value` is touched under the lock alone.
package final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    /// Calls `body` with the value while nobody else can reach it.
    ///
    /// Calling it again from inside waits for ever.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
