public import Foundation

/// Reads values: from the store itself, or inside a transaction.
public protocol StorageReading {
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

    /// The values of several keys, for callers that need many at once.
    ///
    /// - Parameter keys: which values.
    /// - Returns: for each key its bytes, nil without a value, or the error of this value.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>]

    /// The stored bytes of a value, even when they differ from what was put; for keeping damaged values aside.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: any ``StorageError`` about reading.
    func rawValue(for key: StorageKey) throws(StorageError) -> Data?
}

/// Defaults for stores that keep values as they are.
extension StorageReading {
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
}
