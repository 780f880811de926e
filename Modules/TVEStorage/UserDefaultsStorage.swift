public import Foundation

/// A backend in the user defaults: for apps that keep everything else there, tvOS apps above all.
///
/// All values are one checksummed preference, written twice, into two suites: Foundation on Linux cuts a suite's file to
/// nothing before it writes it anew, and reads a damaged one as empty, so that a crash in between costs one copy and never
/// both. Every write costs as much as the whole store is large. What the system promises about preferences holds for this
/// store: on Apple systems a write is on disk some time later.
///
/// Updates of all handles that see the same temporary folder, in one or several processes, wait for each other on a lock
/// file. Two processes still read what the system shows them of each other's preferences, which may be late: then the later
/// writer's snapshot takes the place of the earlier one's, and at worst all changes of that one are lost. Apps of several
/// folders that share a suite are in the same position. Keep a store that several processes write in a ``FileStorage``.
public final class UserDefaultsStorage: StorageBackend {
    private let storage: SnapshotStorage

    /// Opens a store; nothing is read or created before the first call.
    ///
    /// - Parameter suiteName: the suite, the app's own; the second copy is in the suite of this name with `.copy` behind it.
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

    /// Reads, decides and writes in one step, while no other handle on this device does.
    ///
    /// - Parameter body: sees the present values and returns the changes to make, in order.
    /// - Throws: what `body` throws, or any ``StorageError``; nothing has changed then.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try storage.update(body)
    }

    /// Whether both copies fit their checksums.
    ///
    /// - Returns: nil when they do, else what is wrong with one.
    /// - Throws: any ``StorageError`` about reading.
    public func damage() throws(StorageError) -> StorageError.Damage? { try storage.damage() }

    /// Removes everything, damaged copies included.
    ///
    /// - Throws: any ``StorageError``.
    public func removeEverything() throws(StorageError) { try storage.removeEverything() }
}
