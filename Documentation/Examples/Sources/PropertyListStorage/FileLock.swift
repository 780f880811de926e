import Foundation
import TVEStorage

/// A lock that one handle on this device holds, until it is released or its process ends.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// Waits for the lock.
    ///
    /// - Parameter patience: the longest time to wait. With zero, there is one attempt.
    init(_ file: URL, patience: Duration) throws(StorageError) {
        descriptor = open(file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(errno: errno) }
        let end = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else {
                close(descriptor)
                throw .locked
            }
            usleep(10_000)
        }
    }

    func release() {
        // A process that is just being started may have a copy of the descriptor, which would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
