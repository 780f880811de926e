import Foundation
import TVEModels

/// Lets one handle at a time write a suite of preferences, which have no lock of their own.
final class PreferenceLock: Sendable {
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
        path = folder.appendingPathComponent("\(suiteName.replacing("/", with: "_")).lock").path
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
