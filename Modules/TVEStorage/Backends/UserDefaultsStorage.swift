import Foundation
import TVEModels

/// A backend in the user defaults: for apps that store everything else there, above all on tvOS.
///
/// All values are one checksummed preference. On Linux it is written twice, into two suites: Foundation there truncates a
/// suite's file before it rewrites it, and reads a damaged one as empty, so that a crash in between destroys one copy and
/// never both. Apple's systems replace the file, so that there is one copy, and a second one of an earlier version is
/// removed by the first change. The cost of every write grows with the size of the whole store. This store is as durable
/// as the system's preferences: on Apple systems a write reaches the disk some time later.
///
/// tvOS warns an app whose user defaults reach 512 KB (`sizeLimitExceededNotification`), and ends it at 1 MB. A store has
/// therefore a `capacity`.
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
    /// - Parameters:
    ///   - suiteName: the suite, the app's own; a second copy is in the suite of this name followed by `.copy`.
    ///   - capacity: most bytes that keys and values should take; nil for no limit. By default 256 KB, half of what an
    ///     app on tvOS may have before the system warns it.
    public convenience init(suiteName: String, capacity: Int? = 256 << 10) {
        #if canImport(Darwin)
        self.init(suiteName: suiteName, capacity: capacity, keepsCopy: false)
        #else
        self.init(suiteName: suiteName, capacity: capacity, keepsCopy: true)
        #endif
    }

    /// Opens a store as another system does.
    package init(suiteName: String, capacity: Int?, keepsCopy: Bool) {
        let lock = PreferenceLock(suiteName: suiteName)
        storage = SnapshotStorage(
            [
                UserDefaultsCarrier(suiteName: suiteName),
                UserDefaultsCarrier(suiteName: "\(suiteName).copy", isKept: keepsCopy),
            ], capacity: capacity, alone: { work throws(StorageError) in try lock.hold(work) })
    }
}

/// One preference of one suite.
private struct UserDefaultsCarrier: SnapshotCarrier {
    let suiteName: String
    var isKept = true

    private static let key = "swift-access-enabler.entitlements"

    func load() throws(StorageError) -> Data? {
        guard let value = try suite().object(forKey: Self.key) else { return nil }
        // A value of another type under our name is damage, not an empty store.
        guard let bytes = value as? Data else { throw .damaged(.checksum) }
        return bytes
    }

    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool {
        let suite = try suite()
        if isKept { suite.set(bytes, forKey: Self.key) } else { suite.removeObject(forKey: Self.key) }
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
