import Crypto
import Foundation

/// A file with a sealing key: 32 bytes, for the owner alone.
struct SealingKeyFile: Sendable {
    /// A key and the file it was read from.
    struct Found {
        let key: SealingKey
        /// Kept open, so that the system does not reuse the file's inode.
        let file: LogFile
    }

    private let path: String
    private let directory: StorageDirectory
    private let system: StorageSystem

    init(_ url: URL, _ system: StorageSystem) {
        path = url.path
        directory = StorageDirectory(path: url.deletingLastPathComponent().path, system: system)
        self.system = system
    }

    /// The current file's inode, nil for none.
    func inode() throws(StorageError) -> UInt64? {
        try system.status(of: path).map { UInt64($0.st_ino) }
    }

    /// The current key, nil when there is no file.
    func key() throws(StorageError) -> Found? {
        guard let file = try LogFile.open(path, system) else { return nil }
        let bytes = try file.read(at: 0, count: 33)
        return Found(key: try SealingKey(SymmetricKey(data: bytes)), file: file)
    }

    /// The current key, or a new one that is on the medium with its name.
    ///
    /// Two processes that create it at the same time get the same key.
    func keyOrNew() throws(StorageError) -> Found {
        if let found = try key() { return found }
        for parent in try directory.prepare() { try system.flushDirectory(parent) }
        // Written under a temporary name, then moved into place unless another process was faster.
        let finished = "\(path).\(UUID().uuidString)"
        let file = try LogFile.create(finished, system)
        defer { try? system.remove(finished) }
        try file.write(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }, at: 0)
        try file.flush()
        _ = try system.link(finished, as: path)
        try flushName()
        guard let found = try key() else { throw .keyMissing }
        return found
    }

    /// Waits until the file's name is on the medium.
    func flushName() throws(StorageError) { try directory.flush() }
}
