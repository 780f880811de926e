import Foundation
import TVEStorage

/// Keeps all values in one property list, which is replaced as a whole while a lock file is held.
///
/// Every write costs as much as the whole list is large, so this suits a store of some dozens of tokens. Everybody who
/// may read the folder can read the list: put ``SealedStorage`` around it, or keep the folder to yourself.
public final class PropertyListStorage: StorageBackend {
    private let list: URL
    /// A list that could not be read, until values are removed for good.
    private let damaged: URL
    private let lock: URL

    /// The time that a call waits for another handle, unless the caller has less patience.
    private static let patience = Duration.seconds(5)

    /// Opens a store.
    ///
    /// - Parameter folder: where the list is, or will be; it must exist.
    public init(folder: URL) {
        list = folder.appendingPathComponent("values.plist")
        damaged = folder.appendingPathComponent("values.damaged")
        lock = folder.appendingPathComponent("values.lock")
    }

    /// The value of a key.
    public func value(for key: StorageKey) throws(StorageError) -> Data? { try present().value(for: key) }

    /// All keys that are this key or lie below it.
    public func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] {
        try present().keys(under: ancestor)
    }

    /// The values of several keys, for which the list is read once.
    public func values(for keys: [StorageKey]) throws(StorageError) -> [Result<Data?, StorageError>] {
        try present().values(for: keys)
    }

    /// Reads, decides and writes in one step, while no other handle on this device does.
    public func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try update(patience: Self.patience, body)
    }

    /// Reads, decides and writes, but waits at most this long for another handle.
    public func update(
        patience: Duration,
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        let held = try FileLock(lock, patience: min(patience, Self.patience))
        defer { held.release() }
        let before = try present()
        var after = before
        for change in try body(before) {
            if case .removeAll = change { try eraseDamaged() }
            after.make(change)
        }
        if after != before { try replace(after) }
    }

    /// Empties the list, even one that cannot be read, which no update can change.
    public func removeEverything() throws(StorageError) {
        let held = try FileLock(lock, patience: Self.patience)
        defer { held.release() }
        try eraseDamaged()
        try replace(StoredValues())
    }

    /// Puts an empty list in the place of one that cannot be read, which stays as `values.damaged`.
    public func setAside() throws(StorageError) {
        let held = try FileLock(lock, patience: Self.patience)
        defer { held.release() }
        do throws(StorageError) {
            // Another process may have replaced the list already.
            _ = try present()
        } catch .damaged {
            try keepDamaged()
            try replace(StoredValues())
        }
    }

    private func present() throws(StorageError) -> StoredValues {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: list)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return StoredValues()
        } catch {
            throw .cannotRead(errno: errno)
        }
        guard let values = try? PropertyListDecoder().decode(StoredValues.self, from: bytes) else {
            throw .damaged(.checksum)
        }
        return values
    }

    private func keepDamaged() throws(StorageError) {
        do {
            try Data(contentsOf: list).write(to: damaged, options: .atomic)
        } catch {
            throw .cannotWrite(errno: errno)
        }
    }

    /// Removes what was set aside, which may contain values that have been removed.
    private func eraseDamaged() throws(StorageError) {
        guard unlink(damaged.path) == 0 || errno == ENOENT else { throw .cannotWrite(errno: errno) }
    }

    /// Puts a new list in the place of the old one: readers see the old one or the new one, and nothing in between.
    private func replace(_ values: StoredValues) throws(StorageError) {
        do {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            try encoder.encode(values).write(to: list, options: .atomic)
        } catch {
            throw .cannotWrite(errno: errno)
        }
    }
}
