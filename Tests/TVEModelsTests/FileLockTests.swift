import Foundation
import TVEModels
import Testing

struct FileLockTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    @Test func aLock_hasOneHolder() throws {
        defer { SystemCall.remove(path) }
        let first = try FileLock(path)
        #expect(throws: FileLock.Failure.held) { try FileLock(path) }
        #expect(throws: FileLock.Failure.held) { try FileLock(path, patience: .milliseconds(2)) }
        withExtendedLifetime(first) {}
    }

    /// A new process has copies of all open files until it runs its program.
    @Test func aLock_endsWithItsHolder_whileAnotherThreadStartsAProgram() throws {
        defer { SystemCall.remove(path) }
        var lock: FileLock? = try FileLock(path)
        let copies = try copiesOfDescriptors()
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1 && lock != nil)
        lock = nil
        #expect(throws: Never.self) { try FileLock(path) }
    }

    /// Returns copies of the descriptors with which this process has the file open.
    private func copiesOfDescriptors() throws -> [Int32] {
        let file = try #require(SystemCall.status(of: path, followsLinks: false))
        return try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap { Int32($0) }
            .filter { number in
                guard let status = SystemCall.status(of: number) else { return false }
                return status.st_ino == file.st_ino && status.st_dev == file.st_dev
            }.map { dup($0) }
    }

    @Test func aFileThatCannotBeOpened_isNoHolder() throws {
        #expect(throws: FileLock.Failure.system(errno: ENOENT)) { try FileLock("\(path)/lock") }
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
        defer { SystemCall.remove(path) }
        #expect(throws: FileLock.Failure.system(errno: ELOOP)) { try FileLock(path) }
    }
}
