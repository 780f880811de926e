import Foundation
import TVETestTraits

/// A directory for a single test, which is removed at the end of the test.
final class TemporaryDirectory {
    let url = URL.testFolder.appendingPathComponent("tve-\(UUID().uuidString)")

    init() {
        // If this fails, the test that uses the directory fails too.
        try? FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var store: URL { url.appendingPathComponent("store") }
    var file: URL { store.appendingPathComponent("entitlements.store") }

    /// Returns the bytes of the log without the zeros after its records.
    func records() throws -> Data {
        let bytes = try Data(contentsOf: file)
        return bytes.prefix((bytes.lastIndex { $0 != 0 } ?? -1) + 1)
    }

    /// Returns a Boolean value that indicates whether any file of the store contains some bytes.
    func holds(_ bytes: Data) throws -> Bool { try store.holds(bytes) }

    /// Overwrites the log in the same file.
    func overwrite(_ bytes: Data) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    /// Changes one byte of the log in place.
    func flip(_ offset: Int, _ mask: UInt8 = 1) throws {
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: UInt64(offset))
        let byte = try handle.read(upToCount: 1)?.first ?? 0
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data([byte ^ mask]))
        try handle.close()
    }
}

extension URL {
    /// Returns a Boolean value that indicates whether any file of this folder contains some bytes.
    func holds(_ bytes: Data) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: path).contains { name in
            try Data(contentsOf: appendingPathComponent(name)).range(of: bytes) != nil
        }
    }
}
