import Foundation
import TVEStorage

/// A lock that one handle on this device holds, until it is released or its process ends.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// Waits for the lock, five seconds at most.
    init(_ file: URL) throws(StorageError) {
        descriptor = open(file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(errno: errno) }
        for _ in 0..<500 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            usleep(10_000)
        }
        close(descriptor)
        throw .locked
    }

    func release() {
        close(descriptor)
    }
}
