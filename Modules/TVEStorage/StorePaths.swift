import Foundation

/// The files of a store's directory.
struct StorePaths: Sendable {
    let directory: StorageDirectory
    let log: String
    let lock: String
    /// Where a damaged log is kept when writing goes on without its damaged end.
    let damaged: String

    /// Once and for all: making a path takes longer than writing a value.
    init(_ directory: URL, _ system: StorageSystem) {
        self.directory = StorageDirectory(path: directory.path, system: system)
        log = directory.appendingPathComponent("entitlements.store").path
        lock = directory.appendingPathComponent("entitlements.lock").path
        damaged = directory.appendingPathComponent("entitlements.damaged").path
    }

    private var system: StorageSystem { directory.system }

    /// Whether bytes of an earlier log stand beside this one: of a damaged one, or of a rewriting that broke off.
    var hasLeftovers: Bool {
        [damaged, "\(damaged).new", "\(log).new"].contains { path in
            // What cannot be looked at may be there.
            (try? system.status(of: path).map { _ in true } ?? false) ?? true
        }
    }

    /// Removes what was kept aside of a damaged log: what is to be gone may be in there.
    func eraseAsides() throws(StorageError) {
        for path in [damaged, "\(damaged).new"] { try system.remove(path) }
    }
}
