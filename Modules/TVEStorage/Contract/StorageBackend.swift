import Foundation
import TVEModels

/// A place that stores bytes under keys.
///
/// The contract of every backend:
/// - A batch is atomic: after a crash, after a failure and for other readers, either all of its changes are there or
///   none.
/// - What ``update(_:)`` reads is still current when its changes are made: no other handle and, where the place is
///   shared, no other process changes the store in between. Backends that cannot guarantee that between processes say
///   so.
/// - When ``update(_:)`` returns, the changes are as durable as the backend ever makes them.
/// - A value that is read is byte for byte a value that was put; damage is an error, not other bytes.
/// - A failed call has changed nothing.
/// - Values removed with ``StorageChange/removeAll(under:)`` are removed permanently: their bytes are in no file of the
///   backend any more.
/// - Calls may come from any thread at any time. They are synchronous and short.
///
/// There is one way to write, and it can read. It takes a body instead of a list of conditions, because every place
/// that stores bytes can run one: a log holds its lock, a database its write transaction, a preference the lock around
/// its one value. A keychain item is replaced if it is unchanged since the body read it, else the body runs again.
/// Conditions would need a language, and each backend would have to implement all of it.
public protocol StorageBackend: StorageReading, Sendable {
    /// Reads, decides and writes in one step.
    ///
    /// - Parameter body: reads the current values and returns the changes to make, in order. It may run on another
    ///   thread, and again when another process was faster, so it must only read and decide. It must not call the store
    ///   itself: that would deadlock.
    /// - Throws: what `body` throws, or any ``StorageError``; nothing has changed then.
    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError)

    /// Whether the stored bytes are consistent as a whole; a damaged single value is found when it is read.
    ///
    /// - Returns: nil when they are, else the damage.
    /// - Throws: any ``StorageError`` about reading.
    func damage() throws(StorageError) -> StorageError.Damage?

    /// Whether the store can be written to and returns what was written.
    ///
    /// It need not wait until the bytes are on the medium.
    ///
    /// - Returns: false when something else came back.
    /// - Throws: any ``StorageError``.
    func probe() throws(StorageError) -> Bool

    /// Removes everything, even what is too damaged to be read or changed.
    ///
    /// - Throws: any ``StorageError``; then every value that could be read before still can be.
    func removeEverything() throws(StorageError)

    /// Replaces a store that cannot be read with an empty one, and keeps the unreadable bytes aside if possible.
    ///
    /// - Throws: any ``StorageError``; nothing has changed then.
    func setAside() throws(StorageError)

    /// Most bytes that keys and values should take together; nil where the place has no limit that a session reaches.
    ///
    /// ``EntitlementStore`` makes room before a change exceeds it: it removes permissions, which the service gives again.
    /// A backend need not check it.
    var capacity: Int? { get }

    /// A number that differs after every change by any process, for callers that cache what they have read.
    ///
    /// - Returns: the number, or nil when the backend cannot tell without reading everything.
    /// - Throws: any ``StorageError`` about reading.
    func revision() throws(StorageError) -> UInt64?
}

/// Defaults for backends that store values as they are, cannot be damaged as a whole, and can always be written to.
extension StorageBackend {
    /// No damage.
    public func damage() throws(StorageError) -> StorageError.Damage? { nil }

    /// Puts a value, reads it and removes it.
    public func probe() throws(StorageError) -> Bool {
        let key = StoredEntry.probe(UUID().uuidString).key
        let value = Data(key.rawValue.utf8)
        try apply([.put(key, value)])
        let found: Data?
        do throws(StorageError) {
            found = try self.value(for: key)
        } catch .invalidValue {
            found = nil
        }
        try apply([.remove(key)])
        let left = try self.value(for: key)
        return found == value && left == nil
    }

    /// Removes every key.
    public func removeEverything() throws(StorageError) { try apply([.removeAll(under: .everything)]) }

    /// Removes everything.
    public func setAside() throws(StorageError) { try removeEverything() }

    /// No limit.
    public var capacity: Int? { nil }

    /// Unknown.
    public func revision() throws(StorageError) -> UInt64? { nil }

    /// Makes changes that depend on no stored value.
    ///
    /// A caller whose changes depend on stored values reads them inside ``update(_:)``.
    ///
    /// - Parameter batch: the changes, made in order.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func apply(_ batch: [StorageChange]) throws(StorageError) {
        try update { _ throws(StorageError) in batch }
    }

    /// Reads, decides and writes in one step, and returns the body's result.
    ///
    /// - Parameter body: as for ``update(_:)``; its additional result is returned after the changes are made.
    /// - Returns: what the body returned.
    /// - Throws: what `body` throws, or any ``StorageError``; nothing has changed then.
    public func updating<Outcome: Sendable>(
        _ body:
            @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> (
                changes: [StorageChange], outcome: Outcome
            )
    ) throws(StorageError) -> Outcome {
        let found = Guarded<Outcome?>(nil)
        try update { present throws(StorageError) in
            let (changes, outcome) = try body(present)
            found.withLock { $0 = outcome }
            return changes
        }
        // A backend that returns without running the body has changed nothing.
        guard let outcome = found.withLock({ $0 }) else { throw .cannotWrite(errno: ECANCELED) }
        return outcome
    }
}
