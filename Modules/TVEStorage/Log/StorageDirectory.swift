import Foundation
import TVEModels

/// The directory of a store, with the rule that its contents belong to the owner alone and contain no links.
struct StorageDirectory: Sendable {
    let path: String
    let system: StorageSystem

    /// Creates the directory and its parents if they are missing, for the owner alone.
    ///
    /// - Returns: the directories with a new name that must be flushed.
    func prepare() throws(StorageError) -> [String] {
        var made: [String] = []
        if try status() == nil { try make(path, &made) }
        guard let status = try status() else { throw .cannotWrite(errno: ENOENT) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFile }
        try Self.checkOwner(status, system)
        return made
    }

    /// Returns the status of the path.
    ///
    /// An error is reported as one of writing, because the caller is about to write.
    private func status() throws(StorageError) -> stat? {
        do throws(StorageError) {
            return try system.status(of: path)
        } catch .cannotRead(let number) {
            throw .cannotWrite(errno: number)
        }
    }

    private func make(_ path: String, _ made: inout [String]) throws(StorageError) {
        let parent = (path as NSString).deletingLastPathComponent
        do throws(StorageError) {
            if try system.makeDirectory(path) { made.append(parent) }
        } catch .cannotWrite(errno: ENOENT) where parent != path && !parent.isEmpty {
            try make(parent, &made)
            if try system.makeDirectory(path) { made.append(parent) }
        }
    }

    /// Refuses anything except a regular file of this user alone.
    static func check(_ status: stat, _ system: StorageSystem) throws(StorageError) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        try checkOwner(status, system)
    }

    private static func checkOwner(_ status: stat, _ system: StorageSystem) throws(StorageError) {
        guard status.st_uid == system.user else { throw .foreignOwner }
        guard status.st_mode & 0o077 == 0 else { throw .permissionsTooOpen }
    }

    /// Waits until the names in the directory are on the medium.
    func flush() throws(StorageError) { try system.flushDirectory(path) }
}

/// The files of a store's directory.
struct StorePaths: Sendable {
    let directory: StorageDirectory
    let log: String
    let lock: String
    /// The path to which a damaged log is moved when writing continues without its damaged end.
    let damaged: String

    /// The paths are computed once, because creating a path takes longer than writing a value.
    init(_ directory: URL, _ system: StorageSystem) {
        self.directory = StorageDirectory(path: directory.path, system: system)
        log = directory.appendingPathComponent("entitlements.store").path
        lock = directory.appendingPathComponent("entitlements.lock").path
        damaged = directory.appendingPathComponent("entitlements.damaged").path
    }

    private var system: StorageSystem { directory.system }

    /// A Boolean value that indicates whether the directory contains bytes of an earlier log that was damaged or whose
    /// rewrite was interrupted.
    var hasLeftovers: Bool {
        // A directory that cannot be listed may contain such bytes.
        (try? !leftovers().isEmpty) ?? true
    }

    /// Removes the bytes of earlier logs, which may contain values that must be removed permanently.
    func eraseLeftovers() throws(StorageError) { for path in try leftovers() { try system.remove(path) } }

    /// Returns an unfinished rewrite, and every file whose name begins like that of a damaged log.
    ///
    /// Other files beside the log may belong to the app, for example its sealing key.
    private func leftovers() throws(StorageError) -> [String] {
        try system.names(in: directory.path).map { "\(directory.path)/\($0)" }
            .filter { $0 == "\(log).new" || $0.hasBytePrefix(damaged) }
    }
}
