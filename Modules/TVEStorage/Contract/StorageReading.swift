public import Foundation

/// A source of stored values, which is the store itself or a transaction of it.
public protocol StorageReading {
    /// Returns the value of a key.
    ///
    /// - Parameter key: the key of the value.
    /// - Returns: the bytes, or nil if the key has no value.
    /// - Throws: any ``StorageError`` about reading.
    func value(for key: StorageKey) throws(StorageError) -> Data?

    /// Returns all keys that are this key or lie below it, in no particular order.
    ///
    /// - Parameter ancestor: the key to search under.
    /// - Returns: the keys that have values.
    /// - Throws: any ``StorageError`` about reading.
    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey]

    /// Returns the values of several keys, for callers that need many at once.
    ///
    /// - Parameter keys: the keys of the values.
    /// - Returns: for each key, its bytes, nil if it has no value, or the error of this value.
    /// - Throws: any ``StorageError`` about reading the store as a whole.
    func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>]

    /// Returns the stored bytes of a value, even if they differ from the bytes that were put, to preserve damaged
    /// values.
    ///
    /// - Parameter key: the key of the value.
    /// - Returns: the bytes, or nil if the key has no value.
    /// - Throws: any ``StorageError`` about reading.
    func rawValue(for key: StorageKey) throws(StorageError) -> Data?
}

/// Defaults for stores that store values unchanged.
extension StorageReading {
    /// Reads one value after the other.
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

    /// Returns the value of a key.
    public func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try value(for: key) }
}

extension StorageReading {
    /// Returns the value of a key, or nil if there is none or it is unreadable.
    func readableValue(for key: StorageKey) throws(StorageError) -> Data? {
        do throws(StorageError) {
            return try value(for: key)
        } catch .invalidValue {
            return nil
        }
    }
}
