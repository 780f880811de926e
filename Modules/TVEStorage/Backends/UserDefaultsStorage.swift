import Foundation
import TVEModels

/// A backend in the user defaults, for apps that store everything else there, above all on tvOS.
///
/// All values are one checksummed preference. On Linux it is written twice, into two suites. There, Foundation
/// truncates a suite's file before it rewrites it, and reads a damaged file as empty, so a crash in between destroys
/// one copy but never both. Apple's systems replace the file, so there is a single copy, and the first change removes a
/// second copy of an earlier version. The cost of every write grows with the size of the whole store. The store is as
/// durable as the system's preferences: on Apple systems, a write reaches the disk some time later.
///
/// tvOS warns an app whose user defaults reach 512 KB (`sizeLimitExceededNotification`), and terminates it at 1 MB.
/// Therefore a store has a `capacity`.
///
/// Updates of all handles with the same folder for a lock file, in one process or several, wait for each other. The
/// folder is the temporary one on Apple's systems, and one beside the stores of ``FileStorage/defaultDirectory(name:)``
/// elsewhere. Two processes still read each other's preferences as the system shows them, which may be late. Then the
/// later writer's snapshot replaces the earlier one's, and at worst all changes of that one are lost. The same is true
/// of apps with different folders that share a suite. For a store that several processes write, use ``FileStorage``.
public final class UserDefaultsStorage: StorageBackend, ForwardingStorage {
    let storage: any StorageBackend

    /// Opens a store.
    ///
    /// It reads and creates nothing before the first call.
    ///
    /// - Parameters:
    ///   - suiteName: the app's own suite. A second copy is in the suite of this name followed by `.copy`. Apple's
    ///     systems have no suite with the name of the app's bundle id: with that name, every call throws
    ///     `StorageError.cannotRead(errno: EINVAL)`.
    ///   - capacity: the number of bytes that keys and values should take at most, or nil for no limit. The default of
    ///     256 KB is half the size at which tvOS warns an app.
    public convenience init(suiteName: String, capacity: Int? = 256 << 10) {
        #if canImport(Darwin)
        self.init(suiteName: suiteName, capacity: capacity, keepsCopy: false)
        #else
        self.init(suiteName: suiteName, capacity: capacity, keepsCopy: true)
        #endif
    }

    /// Opens a store with the copies of another system.
    package init(suiteName: String, capacity: Int?, keepsCopy: Bool, system: StorageSystem = StorageSystem()) {
        let lock = PreferenceLock(suiteName: suiteName, system)
        storage = SnapshotStorage(
            [
                UserDefaultsSnapshotItem(suiteName: suiteName),
                UserDefaultsSnapshotItem(suiteName: "\(suiteName).copy", isKept: keepsCopy),
            ], capacity: capacity, exclusively: { patience, work throws(StorageError) in try lock.hold(patience, work) }
        )
    }
}

/// A single preference of a suite.
private struct UserDefaultsSnapshotItem: SnapshotItem {
    let suiteName: String
    var isKept = true

    private static let key = "swift-access-enabler.entitlements"

    func load() throws(StorageError) -> Data? {
        guard let value = try suite().object(forKey: Self.key) else { return nil }
        // A value of another type under this name is damage, not an empty store.
        guard let bytes = value as? Data else { throw .damaged(.checksum) }
        return bytes
    }

    func save(_ bytes: Data, insteadOf old: Data?) throws(StorageError) -> Bool {
        let suite = try suite()
        if isKept { suite.set(bytes, forKey: Self.key) } else { suite.removeObject(forKey: Self.key) }
        // Without this call, Foundation on Linux never writes anything.
        guard suite.synchronize() else {
            // The change is undone, because this process would otherwise read a value that was never written to the
            // medium.
            if let old { suite.set(old, forKey: Self.key) } else { suite.removeObject(forKey: Self.key) }
            throw .cannotWrite(errno: EIO)
        }
        return true
    }

    private func suite() throws(StorageError) -> UserDefaults {
        guard let suite = UserDefaults(suiteName: suiteName) else { throw .cannotRead(errno: EINVAL) }
        return suite
    }
}

/// A lock with which one handle at a time writes a suite of preferences, which have no lock of their own.
private final class PreferenceLock: Sendable {
    private let directory: StorageDirectory
    private let path: String
    private let system: StorageSystem

    /// The time to wait for another handle, unless a caller names one.
    private static let patience = Duration.seconds(5)

    /// Creates the lock of a suite, without creating a file before the first write.
    init(suiteName: String, _ system: StorageSystem) {
        self.system = system
        #if canImport(Darwin)
        // This is the only folder that every app may write to, also on tvOS.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swift-access-enabler")
        #else
        let folder = FileStorage.defaultDirectory(name: "preferences")
        #endif
        directory = StorageDirectory(path: folder.path, system: system)
        path = folder.appending(PathComponent("\(suiteName).lock"), isDirectory: false).path
    }

    /// Runs work under the lock.
    func hold(_ patience: Duration?, _ work: () throws(StorageError) -> Void) throws(StorageError) {
        let lock = try StorageWait.retry(for: patience ?? Self.patience) { () throws(StorageError) -> StorageLock? in
            // The lock file is opened each time, because the system may clear the folder at any time, even while this
            // waits. Then others lock another file.
            var failure: StorageError?
            for _ in 0..<16 {
                do throws(StorageError) {
                    _ = try directory.prepare()
                    let lock = try StorageLock(path, system)
                    guard try lock.takeIfFree() else { return nil }
                    if try system.status(of: path).map(FileIdentity.init) == lock.identity { return lock }
                } catch .cannotWrite(errno: ENOENT) {
                    // The folder was removed before the file was opened, or it cannot be made.
                    failure = .cannotWrite(errno: ENOENT)
                }
            }
            if let failure { throw failure }
            return nil
        }
        defer { lock.release() }
        try work()
    }
}
