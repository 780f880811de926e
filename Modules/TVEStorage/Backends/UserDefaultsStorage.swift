import Foundation
import TVEModels

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
public final class UserDefaultsStorage: StorageBackend, ForwardingStorage {
    let storage: any StorageBackend

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
}

/// One preference of one suite.
private struct UserDefaultsCarrier: SnapshotCarrier {
    let suiteName: String

    private static let key = "swift-access-enabler.entitlements"

    func load() throws(StorageError) -> Data? {
        guard let value = try suite().object(forKey: Self.key) else { return nil }
        // A value of another type under our name is damage, not an empty store.
        guard let bytes = value as? Data else { throw .damaged(.checksum) }
        return bytes
    }

    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool {
        let suite = try suite()
        suite.set(bytes, forKey: Self.key)
        // Without this, Foundation on Linux never writes anything.
        guard suite.synchronize() else { throw .cannotWrite(errno: EIO) }
        return true
    }

    private func suite() throws(StorageError) -> UserDefaults {
        guard let suite = UserDefaults(suiteName: suiteName) else { throw .cannotRead(errno: EINVAL) }
        return suite
    }
}

/// Lets one handle at a time write a suite of preferences, which have no lock of their own.
private final class PreferenceLock: Sendable {
    private let directory: StorageDirectory
    private let path: String
    private let system = StorageSystem()

    /// Milliseconds to wait for another handle.
    private static let patience = 5_000

    /// Makes the lock of a suite; nothing is created before the first write.
    init(suiteName: String) {
        #if canImport(Darwin)
        // The only place that every app may write to, also on tvOS.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swift-access-enabler")
        #else
        let folder = FileStorage.defaultDirectory(name: "preferences")
        #endif
        directory = StorageDirectory(path: folder.path, system: system)
        path = folder.appending(PathComponent("\(suiteName).lock"), isDirectory: false).path
    }

    /// Runs work under the lock.
    func hold(_ work: () throws(StorageError) -> Void) throws(StorageError) {
        _ = try directory.prepare()
        // Opened each time: the system may clear the folder at any time.
        let lock = try StorageLock(path, system)
        try lock.take(patience: Self.patience)
        defer { lock.release() }
        try work()
    }
}
