import Foundation
import TVEModels

/// A place that stores bytes under keys.
///
/// The contract of every backend:
/// - A batch is atomic: after a crash, after a failure and for other readers, either all of its changes exist or none.
/// - The values that ``update(_:)`` reads are still current when its changes are made: no other handle and, where the
///   place is shared, no other process changes the store in between. A backend that cannot guarantee this between
///   processes documents it.
/// - When ``update(_:)`` returns, the changes are as durable as the backend ever makes them.
/// - A value that is read has exactly the bytes that were stored. Damage causes an error and never returns other bytes.
/// - A failed call has changed nothing.
/// - Values removed with ``StorageChange/removeAll(under:)`` are removed permanently: no file of the backend contains
///   their bytes any more.
/// - Calls may come from any thread at any time. They are synchronous and short.
///
/// The only method that writes can also read. It takes a body instead of a list of conditions, because every place that
/// stores bytes can run one: a log holds its lock, a database its write transaction, a preference the lock around its
/// one value. A keychain item is replaced if it is unchanged since the body read it, and otherwise the body runs again.
/// Conditions would need a language that each backend would have to implement completely.
public protocol StorageBackend: StorageReading, Sendable {
    /// Reads, decides and writes in one step.
    ///
    /// - Parameter body: reads the current values and returns the changes to make, in order. It may run on another
    ///   thread, and run again if another process was faster, so it must only read and decide. It must not call the
    ///   store itself, because that would deadlock.
    /// - Throws: every error of `body`, or any ``StorageError``. Then nothing has changed.
    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError)

    /// Reads, decides and writes in one step, unless somebody else keeps the place locked for too long.
    ///
    /// A session limits the waits of all its writes: nobody waits for a copy that it can request again, and for
    /// anything else only briefly.
    ///
    /// - Parameters:
    ///   - patience: the longest time to wait for another handle or process that is writing. With zero, the place is
    ///     tried once. A backend in which no writer waits long for another ignores it.
    ///   - body: the same as for ``update(_:)``.
    /// - Throws: `StorageError.locked` if the place was locked all the time, every error of `body`, or any other
    ///   ``StorageError``. Then nothing has changed.
    func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError)

    /// Returns the damage of the stored bytes as a whole.
    ///
    /// A single damaged value is detected when it is read.
    ///
    /// - Returns: the damage, or nil if the bytes are consistent.
    /// - Throws: any ``StorageError`` about reading.
    func damage() throws(StorageError) -> StorageError.Damage?

    /// Returns a Boolean value that indicates whether the store can be written to and returns the bytes that were
    /// written.
    ///
    /// The method need not wait until the bytes are on the medium.
    ///
    /// - Returns: false if other bytes were read.
    /// - Throws: any ``StorageError``.
    func probe() throws(StorageError) -> Bool

    /// Removes everything, even values that are too damaged to be read or changed.
    ///
    /// - Throws: any ``StorageError``. Then every value that could be read before can still be read.
    func removeEverything() throws(StorageError)

    /// Replaces a store that cannot be read as a whole, and preserves its bytes elsewhere if possible.
    ///
    /// The new store has the values that can be read nevertheless, or none. Another process may have replaced the store
    /// already, and a backend for several processes then removes nothing.
    ///
    /// - Throws: any ``StorageError``. Then nothing has changed.
    func setAside() throws(StorageError)

    /// The number of bytes that keys and values together should take at most.
    ///
    /// The value is nil if the place has no limit that a session can reach. ``EntitlementStore`` makes room before a
    /// change exceeds the limit: it removes permissions, which the service grants again. A backend need not enforce the
    /// limit.
    var capacity: Int? { get }

    /// Returns a number that differs after every change by any process, for callers that cache the values they have
    /// read.
    ///
    /// A number does not come back with other values, not even after ``removeEverything()`` or ``setAside()``.
    ///
    /// - Returns: the number, or nil if the backend cannot determine one without reading everything.
    /// - Throws: any ``StorageError`` about reading.
    func revision() throws(StorageError) -> UInt64?
}

/// Defaults for backends that store values unchanged, cannot be damaged as a whole, and can always be written to.
extension StorageBackend {
    /// The longest time for which the default implementations wait for another writer.
    ///
    /// A session must never wait without a limit.
    private static var patienceOfDefaults: Duration { .seconds(5) }

    /// Reads, decides and writes in one step, because no writer of such a backend waits long for another.
    public func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try update(body)
    }

    /// Returns nil, because such a backend has no damage.
    public func damage() throws(StorageError) -> StorageError.Damage? { nil }

    /// Stores a value, reads it and removes it, each time with a limited wait.
    public func probe() throws(StorageError) -> Bool {
        let key = StoredEntry.probe(UUID().uuidString).key
        let value = Data(key.rawValue.utf8)
        try update(patience: Self.patienceOfDefaults) { _ throws(StorageError) in [.put(key, value)] }
        let found: Data?
        do throws(StorageError) {
            found = try self.value(for: key)
        } catch .invalidValue {
            found = nil
        }
        try update(patience: Self.patienceOfDefaults) { _ throws(StorageError) in [.remove(key)] }
        let left = try self.value(for: key)
        return found == value && left == nil
    }

    /// Removes every key, with a limited wait.
    public func removeEverything() throws(StorageError) {
        try update(patience: Self.patienceOfDefaults) { _ throws(StorageError) in [.removeAll(under: .everything)] }
    }

    /// Removes everything.
    public func setAside() throws(StorageError) { try removeEverything() }

    /// The value is nil, because such a backend has no limit.
    public var capacity: Int? { nil }

    /// Returns nil, because the backend has no revision.
    public func revision() throws(StorageError) -> UInt64? { nil }

    /// Makes changes that depend on no stored value.
    ///
    /// A caller whose changes depend on stored values reads them inside ``update(_:)``.
    ///
    /// - Parameter batch: the changes, made in order.
    /// - Throws: any ``StorageError``. Then nothing has changed.
    public func apply(_ batch: [StorageChange]) throws(StorageError) {
        try update { _ throws(StorageError) in batch }
    }

    /// Reads, decides and writes in one step, and returns the body's result.
    ///
    /// - Parameters:
    ///   - patience: the longest time to wait for another handle or process that is writing, or nil for the backend's
    ///     own; see ``update(patience:_:)``.
    ///   - body: the same as for ``update(_:)``. Its additional result is returned after the changes are made.
    /// - Returns: the result of `body`.
    /// - Throws: every error of `body`, or any ``StorageError``. Then nothing has changed.
    public func updating<Outcome: Sendable>(
        patience: Duration? = nil,
        _ body:
            @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> (
                changes: [StorageChange], outcome: Outcome
            )
    ) throws(StorageError) -> Outcome {
        let found = Guarded<Outcome?>(nil)
        let work: @Sendable (any StorageReading) throws(StorageError) -> [StorageChange] = { present in
            let (changes, outcome) = try body(present)
            found.withLock { $0 = outcome }
            return changes
        }
        if let patience { try update(patience: patience, work) } else { try update(work) }
        // A backend that returns without running the body has changed nothing.
        guard let outcome = found.withLock({ $0 }) else { throw .cannotWrite(errno: ECANCELED) }
        return outcome
    }
}
