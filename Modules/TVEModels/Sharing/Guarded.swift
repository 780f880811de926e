import Foundation

/// A value that only one thread at a time can access.
///
/// The standard library's `Mutex` does the same, but on Linux the thread sanitizer does not see its futex and reports
/// false races; it knows Foundation's lock. A lock that the sanitizer does not see hides real races as well.
///
/// Unchecked, because the compiler cannot know that `value` is only used under the lock.
package final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    /// Calls `body` with the value, under the lock.
    ///
    /// A nested call deadlocks.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// What was read from a text last, because mostly the same text is read again.
package final class LastRead<Value: Sendable>: Sendable {
    private let last = Guarded<(text: String, value: Value)?>(nil)

    package init() {}

    /// The value of a text, read only if the last text had other bytes.
    ///
    /// - Parameter read: reads it; what it throws is not remembered.
    package func value(of text: String, _ read: (String) throws -> Value) rethrows -> Value {
        if let known = last.withLock({ $0 }), known.text.isSameBytes(as: text) { return known.value }
        let value = try read(text)
        last.withLock { $0 = (text, value) }
        return value
    }
}
