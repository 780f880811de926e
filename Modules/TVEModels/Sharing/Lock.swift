package import Foundation

/// A lock that guards no value of its own, for work of several steps and for resources outside this process.
///
/// It is ``Guarded`` without a value, and uses Foundation's lock for the same reason.
package final class Lock: Sendable {
    @usableFromInline let lock = NSLock()

    package init() {}

    /// Calls `body` under the lock.
    ///
    /// A nested call deadlocks.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}
