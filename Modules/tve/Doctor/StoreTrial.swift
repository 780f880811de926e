import Foundation
import TVEModels
import TVEStorage

/// A trial of the place of a store, in which a session would make, lock, write and read its files.
struct StoreTrial {
    let directory: URL

    /// Returns the error that a session would meet, or `nil` if it could use the place.
    ///
    /// Everything that the trial makes is removed again.
    func failure() -> StorageError? {
        let missing = missingDirectories
        // The trial has a folder of its own, so that it never changes a store that is there.
        let place = directory.appendingPathComponent("doctor-\(UUID().uuidString)", isDirectory: true)
        defer {
            try? FileManager.default.removeItem(at: place)
            // A directory in which another process has made its store in the meantime is not empty, and stays.
            for path in missing { SystemCall.removeDirectory(path) }
        }
        do throws(StorageError) {
            let key = StorageKey("doctor")
            let value = Data("doctor".utf8)
            try SealedStorage.file(place).update { _ in [.put(key, value)] }
            // The value is read with a new handle, which has no copy of it in memory.
            guard try SealedStorage.file(place).value(for: key) == value else { return .cannotRead(errno: EIO) }
        } catch {
            return error
        }
        return failureOfFiles
    }

    /// The error that a session would meet when it opens the files of an existing store for writing.
    private var failureOfFiles: StorageError? {
        for name in ["entitlements.store", "entitlements.lock"] {
            let path = directory.path + "/" + name
            // The check of the store reports anything else than a file.
            guard let status = SystemCall.status(of: path, followsLinks: false), status.st_mode & S_IFMT == S_IFREG
            else { continue }
            let file = SystemCall.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard file >= 0 else { return .cannotWrite(errno: errno) }
            close(file)
        }
        return nil
    }

    /// The directories that the trial makes, the innermost one first.
    private var missingDirectories: [String] {
        var missing: [String] = []
        var next = directory
        while next.path != "/", SystemCall.status(of: next.path, followsLinks: false) == nil, errno == ENOENT {
            missing.append(next.path)
            next.deleteLastPathComponent()
        }
        return missing
    }
}
