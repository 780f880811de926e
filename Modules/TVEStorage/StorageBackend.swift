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

    /// The values of several keys, for who wants many at once.
    ///
    /// - Parameter keys: which values.
    /// - Returns: for each key its bytes, nil without a value, or why this value cannot be read.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>]

    /// The bytes of a value as they are kept, even when they are no longer what was put; for keeping damaged values aside.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: any ``StorageError`` about reading.
    func rawValue(for key: StorageKey) throws(StorageError) -> Data?

    /// Whether what is kept fits together as a whole; damage to a single value shows when it is read.
    ///
    /// - Returns: nil when it does, else what is wrong.
    /// - Throws: any ``StorageError`` about reading.
    func damage() throws(StorageError) -> StorageError.Damage?

    /// Removes everything, even what is too damaged to be read or changed.
    ///
    /// - Throws: any ``StorageError``; what could be read before can still be read then.
    func removeEverything() throws(StorageError)
}

/// For backends that keep values as they are, have nothing that could be damaged as a whole, and can always be written to.
extension StorageBackend {
    /// One value after the other.
    public func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        var values: [Result<Data?, StorageError>] = []
        values.reserveCapacity(keys.count)
        for key in keys {
            do throws(StorageError) {
                values.append(.success(try value(for: key)))
            } catch .invalidValue(let key) {
                values.append(.failure(.invalidValue(key)))
            }
        }
        return values
    }

    /// The value of a key.
    public func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try value(for: key) }

    /// No damage.
    public func damage() throws(StorageError) -> StorageError.Damage? { nil }

    /// Removes every key there is.
    public func removeEverything() throws(StorageError) { try apply([.removeAll(under: .everything)]) }
}
