import Foundation

/// An advisory lock between processes, and between handles of one process: a file that is locked as a whole, and counts how often
/// the file that it is for was replaced.
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

    /// Takes the lock, if nobody has it.
    func takeIfFree() throws(StorageError) -> Bool { try system.lock(descriptor) }

    /// Takes the lock.
    ///
    /// Holders keep it for one write, so only a process that was stopped in the middle makes anybody wait for long.
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

    /// How often a file that this lock is for was replaced, as the lock's own bytes say; the lock must be held.
    ///
    /// A writer learns from it that the file it has open is no longer the one in use.
    func replacements() throws(StorageError) -> UInt64 {
        var count: UInt64 = 0
        let read = withUnsafeMutableBytes(of: &count) { system.read(descriptor, at: 0, into: $0) }
        // Somebody may have cut the lock's file: then nothing is known.
        return try read.get() == 8 ? count.littleEndian : 0
    }

    /// Notes that a file is about to be replaced; the lock must be held.
    func noteReplacement() throws(StorageError) {
        // Where the count cannot be read, any other number says as much.
        let next = ((try? replacements()).map { $0 &+ 1 } ?? system.uptime).littleEndian
        try withUnsafeBytes(of: next) { system.write(descriptor, $0, at: 0) }.get()
    }
}
