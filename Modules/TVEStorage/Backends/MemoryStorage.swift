public import Foundation
import TVEModels

/// A backend that stores its values in memory only, for tests, previews and devices that must not store anything.
public final class MemoryStorage: StorageBackend {
    private let values = Guarded<[StorageKey: Data]>([:])

    /// Creates an empty store.
    public init() {}

    /// Returns the value of a key.
    public func value(for key: StorageKey) -> Data? { values.withLock { $0[key] } }

    /// Returns all keys that are this key or lie below it.
    public func keys(under ancestor: StorageKey) -> [StorageKey] {
        values.withLock { $0.keys.filter { $0.isInside(ancestor) } }
    }

    /// Makes all changes, in order.
    public func apply(_ batch: [StorageChange]) {
        values.withLock { values in
            for change in batch { values.apply(change) }
        }
    }

    /// Reads, decides and writes under the lock.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try values.withLock { values throws(StorageError) in
            for change in try body(DictionaryReading(values)) { values.apply(change) }
        }
    }
}
