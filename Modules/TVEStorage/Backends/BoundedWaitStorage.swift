/// A backend whose writes wait at most a given time for another writer.
package struct BoundedWaitStorage: ForwardingStorage {
    let storage: any StorageBackend
    private let longest: Duration

    /// Limits the waits of a backend.
    ///
    /// - Parameters:
    ///   - storage: the backend.
    ///   - longest: the longest time that a write waits for another handle or process that is writing.
    package init(_ storage: any StorageBackend, waitingAtMost longest: Duration) {
        self.storage = storage
        self.longest = longest
    }

    /// Reads, decides and writes in one step, within the limit.
    package func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update(patience: longest, body)
    }

    /// Returns a Boolean value that indicates whether the backend can be written to, unless it is locked.
    package func probe() throws(StorageError) -> Bool {
        try update { _ throws(StorageError) in [] }
        return try storage.probe()
    }
}

extension EntitlementStore {
    /// Returns this store with a limit of the time that its writes wait for another writer.
    package func waiting(atMost longest: Duration) -> EntitlementStore {
        EntitlementStore(
            backend: BoundedWaitStorage(backend, waitingAtMost: longest), reader: reader, fingerprint: fingerprint)
    }
}
