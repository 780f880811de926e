import Foundation

extension StorageFile {
    /// An advisory lock between processes.
    final class Lock: Sendable {
        let inode: UInt64
        private let descriptor: Int32

        /// Opens the lock without taking it.
        init(_ url: URL) throws(StorageError) {
            descriptor = open(url.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .cannotWrite(errno: errno) }
            var status = stat()
            guard fstat(descriptor, &status) == 0 else {
                close(descriptor)
                throw .cannotWrite(errno: errno)
            }
            inode = UInt64(status.st_ino)
        }

        deinit {
            close(descriptor)
        }

        /// Takes the lock.
        ///
        /// Holders keep it for one write, so only a process that was stopped in the middle makes anybody wait for long.
        ///
        /// - Parameter patience: milliseconds to wait for another holder.
        func take(patience: Int) throws(StorageError) {
            for _ in 0...patience {
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
                guard errno == EWOULDBLOCK || errno == EINTR else { throw .cannotWrite(errno: errno) }
                usleep(1_000)
            }
            throw .locked
        }

        func release() {
            _ = flock(descriptor, LOCK_UN)
        }
    }
}
