import Foundation

/// A backend that passes to another backend every call that it does not implement itself.
protocol ForwardingStorage: StorageBackend {
    var storage: any StorageBackend { get }
}

// These methods are public because public types inherit them.
extension ForwardingStorage {
    /// Returns the other backend's value of a key.
    public func value(for key: StorageKey) throws(StorageError) -> Data? { try storage.value(for: key) }
    /// Returns the bytes that the other backend has stored for a key.
    public func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try storage.rawValue(for: key) }
    /// Returns the other backend's values of several keys.
    public func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        try storage.values(for: keys)
    }
    /// Returns the other backend's keys.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try storage.keys(under: ancestor)
    }
    /// Reads, decides and writes in the other backend, in one step.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update(body)
    }
    /// Reads, decides and writes in the other backend, which waits at most this long for another writer.
    public func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update(patience: patience, body)
    }
    /// Returns the damage of the other backend's bytes, or nil if they are consistent.
    public func damage() throws(StorageError) -> StorageError.Damage? { try storage.damage() }
    /// Returns a Boolean value that indicates whether the other backend can be written to.
    public func probe() throws(StorageError) -> Bool { try storage.probe() }
    /// Removes everything from the other backend, damaged bytes included.
    public func removeEverything() throws(StorageError) { try storage.removeEverything() }
    /// Replaces the other backend's unreadable store.
    public func setAside() throws(StorageError) { try storage.setAside() }
    /// The other backend's capacity.
    public var capacity: Int? { storage.capacity }
    /// Returns the other backend's revision, if it has one.
    public func revision() throws(StorageError) -> UInt64? { try storage.revision() }
}
