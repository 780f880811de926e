import Foundation

/// The files of a store's directory.
struct StorePaths: Sendable {
    let directory: StorageDirectory
    let log: String
    let lock: String
    /// Where a damaged log is kept when writing continues without its damaged end.
    let damaged: String

    /// Computed once: making a path takes longer than writing a value.
    init(_ directory: URL, _ system: StorageSystem) {
        self.directory = StorageDirectory(path: directory.path, system: system)
        log = directory.appendingPathComponent("entitlements.store").path
        lock = directory.appendingPathComponent("entitlements.lock").path
        damaged = directory.appendingPathComponent("entitlements.damaged").path
    }

    private var system: StorageSystem { directory.system }

    /// Whether the directory contains bytes of an earlier log: of a damaged one, or of an interrupted rewrite.
    var hasLeftovers: Bool {
        [damaged, "\(damaged).new", "\(log).new"].contains { path in
            // A file whose status cannot be read may exist.
            (try? system.status(of: path).map { _ in true } ?? false) ?? true
        }
    }

    /// Removes the copies of damaged logs: they may contain values that must be removed permanently.
    func eraseAsides() throws(StorageError) {
        for path in [damaged, "\(damaged).new"] { try system.remove(path) }
    }
}
