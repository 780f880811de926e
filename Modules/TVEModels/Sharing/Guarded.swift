package import Foundation

/// A value that only one thread at a time can access.
///
/// The standard library's `Mutex` does the same. On Linux, however, the thread sanitizer does not recognize its futex
/// and reports false races, while it does recognize Foundation's lock. A lock that the sanitizer does not recognize
/// hides real races as well.
///
/// The conformance is unchecked because the compiler cannot know that `value` is only used under the lock.
///
/// The method is inlinable, so that other modules can specialize it for their own types and remove its closure.
package final class Guarded<Value>: @unchecked Sendable {
    @usableFromInline let lock = NSLock()
    @usableFromInline var value: Value

    package init(_ value: sending Value) {
        // Such a value would have the address of this object, and the thread sanitizer would take an access to it for a
        // race with the reading of the object's type.
        assert(MemoryLayout<Value>.size > 0, "A value without size needs a Lock.")
        self.value = value
    }

    /// Calls `body` with the value, under the lock.
    ///
    /// A nested call deadlocks.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

extension Guarded: CustomReflectable {
    /// A mirror without children, so that `dump` neither reads the value without the lock nor shows it.
    package var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}

/// A cache of the value that was parsed from the most recent text, because callers mostly read the same text again.
package final class LastRead<Value: Sendable>: Sendable {
    @usableFromInline let last = Guarded<(text: String, value: Value)?>(nil)

    package init() {}

    /// Returns the value of a text, and parses it only if the previous text had other bytes.
    ///
    /// - Parameter read: a closure that parses the text. If it throws, the cache does not change.
    @inlinable
    package func value(of text: String, _ read: (String) throws -> Value) rethrows -> Value {
        // A token has a dozen texts, so the lock returns only a value that is used.
        let known = last.withLock { last -> Value? in
            guard let last, last.text.isSameBytes(as: text) else { return nil }
            return last.value
        }
        if let known { return known }
        let value = try read(text)
        last.withLock { $0 = (text, value) }
        return value
    }
}
