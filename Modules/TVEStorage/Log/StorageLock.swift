import Foundation
import TVEModels

/// An advisory lock between processes, and between handles of one process: a file that is locked as a whole.
///
/// It also counts how often the log was replaced.
final class StorageLock: Sendable {
    let inode: UInt64
    private let descriptor: Int32
    private let system: StorageSystem

    /// Opens the lock without taking it.
    init(_ path: String, _ system: StorageSystem) throws(StorageError) {
        switch system.open(path, O_RDWR | O_CREAT) {
        case .failure(let error): throw .cannotWrite(errno: error.number)
        case .success(let opened): descriptor = opened
        }
        self.system = system
        do throws(StorageError) {
            inode = UInt64(try system.status(of: descriptor).st_ino)
        } catch {
            system.close(descriptor)
            throw error
        }
    }

    deinit {
        system.close(descriptor)
    }

    /// Takes the lock, if it is free.
    func takeIfFree() throws(StorageError) -> Bool { try system.lock(descriptor) }

    /// Takes the lock.
    ///
    /// Holders keep it for one write, so only a process that was stopped while it held the lock causes a long wait.
    ///
    /// - Parameter patience: milliseconds to wait for another holder.
    func take(patience: Int) throws(StorageError) {
        for _ in 0...patience {
            if try takeIfFree() { return }
            usleep(1_000)
        }
        throw .locked
    }

    func release() { system.unlock(descriptor) }

    /// How often the log was replaced, as recorded in the lock's file; the lock must be held.
    ///
    /// It tells a writer that its open file was replaced.
    func replacements() throws(StorageError) -> UInt64 {
        let bytes = try system.read(descriptor, at: 0, count: 8)
        // Another process may have truncated the lock's file: then nothing is known.
        return bytes.count == 8 ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } : 0
    }

    /// Records that the log is about to be replaced; the lock must be held.
    func noteReplacement() throws(StorageError) {
        // When the count cannot be read, any other number serves the purpose.
        let next = (try? replacements()).map { $0 &+ 1 } ?? system.uptime
        try next.littleEndianBytes.withSpan { bytes in system.write(descriptor, bytes, at: 0) }.get()
    }
}
