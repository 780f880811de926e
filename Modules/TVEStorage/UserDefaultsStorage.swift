public import Foundation

/// A backend in the user defaults: for apps that keep everything else there, tvOS apps above all.
///
/// All values are one checksummed preference, written twice, into two suites: Foundation on Linux cuts a suite's file to
/// nothing before it writes it anew, and reads a damaged one as empty, so that a crash in between costs one copy and never
/// both. For one process at a time; every write costs as much as the whole store is large. What the system promises
/// about preferences holds for this store: on Apple systems a write is on disk some time later.
public final class UserDefaultsStorage: StorageBackend {
    private let storage: SnapshotStorage

    /// Opens a store; nothing is read or created before the first call.
    ///
    /// - Parameter suiteName: the suite, the app's own; the second copy is in the suite of this name with `.copy` behind it.
    public init(suiteName: String) {
        storage = SnapshotStorage([
            UserDefaultsCarrier(suiteName: suiteName), UserDefaultsCarrier(suiteName: "\(suiteName).copy"),
        ])
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

    /// Makes all changes, in order.
    ///
    /// - Parameter batch: the changes.
    /// - Throws: any ``StorageError``.
    public func apply(_ batch: [StorageChange]) throws(StorageError) { try storage.apply(batch) }

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
