public import Foundation

/// A place that keeps bytes under keys.
///
/// The contract of every backend:
/// - A batch is atomic: after a crash, a failure or a reading by someone else, all of its changes are there or none.
/// - When ``apply(_:)`` returns, the batch is as durable as the backend ever makes it.
/// - A value read is a value that was put, byte for byte; damage is an error, not other bytes.
/// - A failed call has changed nothing.
/// - Calls may come from any thread at any time. They are synchronous and short.
public protocol StorageBackend: Sendable {
    /// The value of a key.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: any ``StorageError`` about reading.
    func value(for key: StorageKey) throws(StorageError) -> Data?

    /// All keys that are this key or lie below it, in no particular order.
    ///
    /// - Parameter ancestor: where to look.
    /// - Returns: the keys that have values.
    /// - Throws: any ``StorageError`` about reading.
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey]

    /// Makes all changes, in order, or none.
    ///
    /// - Parameter batch: the changes.
    /// - Throws: any ``StorageError``; nothing has changed then.
    func apply(_ batch: [StorageChange]) throws(StorageError)
}
