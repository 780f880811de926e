import Foundation
import TVEStorage

/// Where a demo keeps its registration and its login.
///
/// At a running service the demo is one app on one device: it keeps its registration for the next run, as row CL1 of the
/// acceptance list asks for. Two demos at the same time are two devices, so one of them gets a new store; so does a
/// sandbox in this process.
struct DemoStore {
    let directory: URL
    /// Says that this demo has the kept store; nil for a store of its own.
    private let lock: FileHandle?

    /// Takes the kept store without its login, or makes a new one.
    ///
    /// - Throws: any `StorageError` of the kept store.
    init(isForRunningService: Bool) throws {
        let kept = FileStorage.defaultDirectory(name: "tve-demo")
        lock = isForRunningService ? Self.lock(kept) : nil
        guard lock != nil else {
            directory = FileManager.default.temporaryDirectory.appendingPathComponent("tve-demo-\(UUID().uuidString)")
            return
        }
        directory = kept
        try FileStorage(directory: kept).apply([.removeAll(under: StorageKey("requestor"))])
    }

    /// Takes a store for this process, until it ends.
    ///
    /// - Returns: nil when another demo has it.
    private static func lock(_ store: URL) -> FileHandle? {
        let file = store.appendingPathExtension("lock")
        try? FileManager.default.createDirectory(
            at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
        if !FileManager.default.fileExists(atPath: file.path) {
            _ = FileManager.default.createFile(
                atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        guard let handle = FileHandle(forUpdatingAtPath: file.path) else { return nil }
        return flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 ? handle : nil
    }

    /// Removes a store that is not kept.
    func remove() {
        if lock == nil { try? FileManager.default.removeItem(at: directory) }
    }
}
