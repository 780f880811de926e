import Foundation

/// A backend that passes every call on to another one, unless it makes the call itself.
protocol ForwardingStorage: StorageBackend {
    var storage: any StorageBackend { get }
}

// Public, because they are calls of public types.
extension ForwardingStorage {
    /// The other backend's value of a key.
    public func value(for key: StorageKey) throws(StorageError) -> Data? { try storage.value(for: key) }
    /// The bytes that the other backend has stored.
    public func rawValue(for key: StorageKey) throws(StorageError) -> Data? { try storage.rawValue(for: key) }
    /// The other backend's values of several keys.
    public func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        try storage.values(for: keys)
    }
    /// The other backend's keys.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try storage.keys(under: ancestor)
    }
    /// Reads, decides and writes in the other backend, in one step.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update(body)
    }
    /// Whether the other backend's bytes are consistent.
    public func damage() throws(StorageError) -> StorageError.Damage? { try storage.damage() }
    /// Whether the other backend can be written to.
    public func probe() throws(StorageError) -> Bool { try storage.probe() }
    /// Removes everything from the other backend, damaged bytes included.
    public func removeEverything() throws(StorageError) { try storage.removeEverything() }
    /// Begins the other backend anew.
    public func setAside() throws(StorageError) { try storage.setAside() }
    /// The other backend's limit.
    public var capacity: Int? { storage.capacity }
    /// The other backend's number of changes, if it has one.
    public func revision() throws(StorageError) -> UInt64? { try storage.revision() }
}
