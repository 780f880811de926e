import Foundation
import TVEModels

/// A place that keeps bytes under keys.
///
/// The contract of every backend:
/// - A batch is atomic: after a crash, a failure or a reading by someone else, all of its changes are there or none.
/// - What ``update(_:)`` reads is still true when its changes are made: no other handle and, where the place is shared,
///   no other process changes the store in between. Backends that cannot promise that between processes say so.
/// - When ``update(_:)`` returns, the changes are as durable as the backend ever makes them.
/// - A value read is a value that was put, byte for byte; damage is an error, not other bytes.
/// - A failed call has changed nothing.
/// - What ``StorageChange/removeAll(under:)`` removed is gone: its bytes are in no file of the backend's any more.
/// - Calls may come from any thread at any time. They are synchronous and short.
///
/// There is one way to write, and it can read. A body instead of a list of conditions, because every place that keeps
/// bytes can run one: a log holds its lock meanwhile, a database its write transaction, a preference the lock around its
/// one value, and a keychain item is replaced if it is still the one that the body saw, else the body runs again.
/// Conditions would have to be a language, and each backend would have to understand all of it.
public protocol StorageBackend: StorageReading, Sendable {
    /// Reads, decides and writes in one step.
    ///
    /// - Parameter body: sees the present values and returns the changes to make, in order. It may run on another thread,
    ///   and again when somebody else was faster, so it must do nothing but read and decide. It must not call the store
    ///   itself: that would wait for ever.
    /// - Throws: what `body` throws, or any ``StorageError``; nothing has changed then.
    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError)

    /// Whether what is kept fits together as a whole; damage to a single value shows when it is read.
    ///
    /// - Returns: nil when it does, else what is wrong.
    /// - Throws: any ``StorageError`` about reading.
    func damage() throws(StorageError) -> StorageError.Damage?

    /// Whether the store can be written to and gives back what was written.
    ///
    /// It need not wait until the medium has the bytes.
    ///
    /// - Returns: false when something else came back than was written.
    /// - Throws: any ``StorageError``.
    func probe() throws(StorageError) -> Bool

    /// Removes everything, even what is too damaged to be read or changed.
    ///
    /// - Throws: any ``StorageError``; what could be read before can still be read then.
    func removeEverything() throws(StorageError)

    /// Begins anew in the place of a store that cannot be read, and keeps the unreadable bytes aside where that is possible.
    ///
    /// - Throws: any ``StorageError``; nothing has changed then.
    func setAside() throws(StorageError)

    /// A number that is another one after every change, whoever made it, for callers that keep what they have read.
    ///
    /// - Returns: the number, or nil when the backend cannot tell without reading everything.
    /// - Throws: any ``StorageError`` about reading.
    func revision() throws(StorageError) -> UInt64?
}

/// For backends that keep values as they are, have nothing that could be damaged as a whole, and can always be written to.
extension StorageBackend {
    /// No damage.
    public func damage() throws(StorageError) -> StorageError.Damage? { nil }

    /// Puts a value, reads it and removes it.
    public func probe() throws(StorageError) -> Bool {
        let key = StorageKey("probe", UUID().uuidString)
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

    /// Removes every key there is.
    public func removeEverything() throws(StorageError) { try apply([.removeAll(under: .everything)]) }

    /// Removes everything.
    public func setAside() throws(StorageError) { try removeEverything() }

    /// It cannot tell.
    public func revision() throws(StorageError) -> UInt64? { nil }

    /// Makes changes that depend on nothing that was read.
    ///
    /// Whoever decides by what is stored reads it inside ``update(_:)``.
    ///
    /// - Parameter batch: the changes, made in order.
    /// - Throws: any ``StorageError``; nothing has changed then.
    public func apply(_ batch: [StorageChange]) throws(StorageError) {
        try update { _ throws(StorageError) in batch }
    }

    /// Reads, decides and writes in one step, and hands out what the body found.
    ///
    /// - Parameter body: as for ``update(_:)``; what it returns beside the changes is handed out once they are made.
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
        // A backend that says it is done and never ran the body has changed nothing.
        guard let outcome = found.withLock({ $0 }) else { throw .cannotWrite(errno: ECANCELED) }
        return outcome
    }
}
