public import Foundation

/// A backend in the user defaults: for apps that store everything else there, above all on tvOS.
///
/// All values are one checksummed preference, written twice, into two suites: Foundation on Linux truncates a suite's
/// file before it rewrites it, and reads a damaged one as empty, so that a crash in between destroys one copy and never
/// both. The cost of every write grows with the size of the whole store. This store is as durable as the system's
/// preferences: on Apple systems a write reaches the disk some time later.
///
/// Updates of all handles that use the same temporary folder, in one or several processes, wait for each other on a
/// lock file. Two processes still read each other's preferences as the system shows them, which may be late: then the
/// later writer's snapshot replaces the earlier one's, and at worst all changes of that one are lost. The same is true
/// of apps with different temporary folders that share a suite. For a store that several processes write, use
/// ``FileStorage``.
public final class UserDefaultsStorage: StorageBackend {
    private let storage: SnapshotStorage

    /// Opens a store; nothing is read or created before the first call.
    ///
    /// - Parameter suiteName: the suite, the app's own; the second copy is in the suite of this name followed by
    ///   `.copy`.
    public init(suiteName: String) {
        let lock = PreferenceLock(suiteName: suiteName)
        storage = SnapshotStorage(
            [UserDefaultsCarrier(suiteName: suiteName), UserDefaultsCarrier(suiteName: "\(suiteName).copy")],
            alone: { work throws(StorageError) in try lock.hold(work) })
    }

    /// The value of a key.
    ///
    /// - Parameter key: which value.
    /// - Returns: the bytes, or nil when the key has no value.
    /// - Throws: any ``StorageError`` about reading.
    public func value(for key: StorageKey) throws(StorageError) -> Data? { try storage.value(for: key) }

    /// All keys that are this key or lie below it.
    ///
    /// - Parameter ancestor: where to look.
    /// - Returns: the keys that have values.
    /// - Throws: any ``StorageError`` about reading.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try storage.keys(under: ancestor)
    }

    /// Reads, decides and writes in one step, during which no other handle on this device writes.
    ///
    /// - Parameter body: reads the current values and returns the changes to make, in order.
    /// - Throws: what `body` throws, or any ``StorageError``; nothing has changed then.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update(body)
    }

    /// Whether both copies match their checksums.
    ///
    /// - Returns: nil when they do, else the damage of one.
    /// - Throws: any ``StorageError`` about reading.
    public func damage() throws(StorageError) -> StorageError.Damage? { try storage.damage() }

    /// Removes everything, damaged copies included.
    ///
    /// - Throws: any ``StorageError``.
    public func removeEverything() throws(StorageError) { try storage.removeEverything() }
}
