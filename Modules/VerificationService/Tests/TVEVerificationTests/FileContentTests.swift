import Foundation
import Logging
import TVEFleetFixture
import TVEModels
import TVETestTraits
import TVETokenVerification
import TVEVerification
import Testing

/// Files that are gone, and files about which nothing is known because their folder cannot be searched.
///
/// A key or a caller's key is lost with the former, and stays with the latter.
struct FileContentTests {
    private static func read(_ path: String) -> FileContent { FileContent(path: path, limit: 100) }

    /// Returns the problems of a directory of keys.
    private static func problems(_ path: String) -> [KeyDirectory.Problem] {
        KeyDirectory(
            path: path, keys: MediaTokenKeySet(), requestor: "DEMO",
            logger: Logger(label: "", factory: { _ in SwiftLogNoOpLogHandler() }), metrics: PrometheusRegistry()
        ).load()
    }

    @Test(.row("VP14", "VP16")) func aFileIsMissing_onlyIfTheSystemSaysThatThereIsNone() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("a".utf8).write(to: folder.appendingPathComponent("file"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("loop").path, withDestinationPath: "loop")
        // No file system of these systems has names of this length.
        let long = String(repeating: "a", count: 300)
        for (name, content) in [
            ("file", .bytes(Data("a".utf8))), ("none", .missing), ("none/file", .missing), ("file/none", .missing),
            ("loop", .unreadable), ("loop/file", .unreadable), (long, .unreadable), ("\(long)/file", .unreadable),
        ] as [(String, FileContent)] {
            #expect(Self.read("\(folder.path)/\(name)") == content, "\(name.prefix(20))")
        }
        for (name, problem) in [
            ("none", .missing), ("file/none", .missing), (long, .unreadable), ("\(long)/keys", .unreadable),
        ] as [(String, KeyDirectory.Problem)] {
            #expect(Self.problems("\(folder.path)/\(name)") == [problem], "\(name.prefix(20))")
        }
    }

    @Test(.row("VP14", "VP16"), .enabled(if: geteuid() != 0, "Root may enter every folder."))
    func whatIsInAFolderThatCannotBeEntered_isNotMissing() throws {
        let manager = FileManager.default
        let folder = try temporaryFolder()
        defer {
            try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
            try? manager.removeItem(at: folder)
        }
        try manager.setAttributes([.posixPermissions: 0o000], ofItemAtPath: folder.path)
        #expect(Self.read("\(folder.path)/file") == .unreadable)
        #expect(Self.problems("\(folder.path)/keys") == [.unreadable])
    }
}
