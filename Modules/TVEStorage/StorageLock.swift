import Foundation

/// An advisory lock between processes, and between handles of one process: a file that is locked as a whole.
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

    /// Takes the lock.
    ///
    /// Holders keep it for one write, so only a process that was stopped in the middle makes anybody wait for long.
    ///
    /// - Parameter patience: milliseconds to wait for another holder.
    func take(patience: Int) throws(StorageError) {
        for _ in 0...patience {
            if try system.lock(descriptor) { return }
            usleep(1_000)
        }
        throw .locked
    }

    func release() { system.unlock(descriptor) }
}
