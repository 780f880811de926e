import Foundation

/// An advisory lock between processes, and between holders in one process, on a file that contains nothing.
///
/// The lock is released when the object is deallocated, and by the system when the process ends.
package final class FileLock: Sendable {
    /// The reason for which a lock was not taken.
    package enum Failure: Error, Sendable, Equatable {
        /// Somebody else holds the lock.
        case held
        /// The system has refused to open the file or to lock it, with this error number.
        case system(errno: Int32)
    }

    private let descriptor: Int32

    /// Takes the lock, and creates its file for the owner alone if it does not exist.
    ///
    /// - Parameters:
    ///   - path: the path of the file. A link is not followed.
    ///   - patience: the time to wait for another holder.
    /// - Throws: the reason for which the lock was not taken.
    package init(_ path: String, patience: Duration = .zero) throws(Failure) {
        // One call opens the file or creates it. A second call could replace the file that another holder has locked.
        let file = SystemCall.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        guard file >= 0 else { throw .system(errno: errno) }
        let end = ContinuousClock.now + patience
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            guard number == EWOULDBLOCK, ContinuousClock.now < end else {
                close(file)
                throw number == EWOULDBLOCK ? .held : .system(errno: number)
            }
            usleep(1_000)
        }
        descriptor = file
    }

    deinit {
        // To close the file is not enough: a program that another thread is just starting has a copy of the descriptor,
        // with which the lock would last until that program runs.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
