import Foundation

extension StorageFile {
    /// An advisory lock between processes, held until it is released.
    struct Lock {
        private let descriptor: Int32

        /// Takes the lock.
        ///
        /// Holders keep it for the writing of one snapshot, so only a process that was stopped in the middle makes
        /// anybody wait for long.
        ///
        /// - Parameter patience: milliseconds to wait for another holder.
        init(_ url: URL, patience: Int) throws(StorageError) {
            descriptor = open(url.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .cannotWrite(errno: errno) }
            for _ in 0...patience {
                if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
                guard errno == EWOULDBLOCK || errno == EINTR else {
                    let number = errno
                    close(descriptor)
                    throw .cannotWrite(errno: number)
                }
                usleep(1_000)
            }
            close(descriptor)
            throw .locked
        }

        func release() {
            close(descriptor)
        }
    }
}
