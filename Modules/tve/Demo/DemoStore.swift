import Foundation
import TVEModels
import TVEStorage

/// The store in which a demo saves its registration and its login.
///
/// With a running service, the demo is one app on one device. It reuses its registration in the next run, as row CL1 of
/// the acceptance list requires. Two demos that run at the same time are two devices, so one of them gets a new store.
/// A demo with a sandbox in this process also gets a new store.
struct DemoStore {
    let directory: URL
    /// The lock on the permanent store, or `nil` if this demo has a temporary store.
    private let lock: FileLock?

    /// Opens the permanent store and removes its login, or chooses a new directory for a temporary store.
    ///
    /// - Parameter isForRunningService: a Boolean value that indicates whether the demo uses a running service.
    /// - Throws: any `StorageError` of the permanent store, or a `CocoaError` if the directory of a temporary store
    ///   cannot be created.
    init(isForRunningService: Bool) throws {
        let permanent = FileStorage.defaultDirectory(name: "tve-demo")
        lock = isForRunningService ? Self.lock(permanent) : nil
        guard lock != nil else {
            directory = FileManager.default.temporaryDirectory.appendingPathComponent("tve-demo-\(UUID().uuidString)")
            // The error of a step would not name the folder.
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return
        }
        directory = permanent
        try FileStorage(directory: permanent).apply([.removeAll(under: StorageKey("requestor"))])
    }

    /// Locks a store for this process until the process ends.
    ///
    /// - Returns: the lock, or `nil` if another demo holds it.
    static func lock(_ store: URL) -> FileLock? {
        try? FileManager.default.createDirectory(
            at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
        return try? FileLock(store.appendingPathExtension("lock").path)
    }

    /// Removes the store if it is temporary.
    func remove() {
        if lock == nil { try? FileManager.default.removeItem(at: directory) }
    }
}
