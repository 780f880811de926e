import Foundation

/// A directory of a test's own, gone when the test is over.
final class TemporaryDirectory {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("tve-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var store: URL { url.appendingPathComponent("store") }
    var file: URL { store.appendingPathComponent("entitlements.store") }
}
