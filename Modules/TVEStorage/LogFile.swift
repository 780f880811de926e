import Foundation

/// An open log file.
///
/// As long as it is open the system gives its inode to no other file, so an unchanged inode at the path really means the
/// same file.
final class LogFile: Sendable {
    let inode: UInt64
    private let descriptor: Int32

    /// Opens the file at a path; a symbolic link in its place would lead elsewhere and is not followed.
    ///
    /// - Returns: nil when there is none.
    static func open(_ url: URL) throws(StorageError) -> LogFile? {
        let descriptor = Foundation.open(url.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP, EISDIR: throw .notAFile
            // A store that may only be read is read; writing will say what is wrong.
            case EACCES, EROFS: return try openForReading(url)
            default: throw .cannotRead(errno: errno)
            }
        }
        return try LogFile(descriptor)
    }

    private static func openForReading(_ url: URL) throws(StorageError) -> LogFile {
        let descriptor = Foundation.open(url.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotRead(errno: errno) }
        return try LogFile(descriptor)
    }

    /// Makes a new file for the owner alone; a leftover of a crash goes first.
    static func create(_ url: URL) throws(StorageError) -> LogFile {
        unlink(url.path)
        let descriptor = Foundation.open(url.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(errno: errno) }
        return try LogFile(descriptor)
    }

    /// Takes an open file over, and closes it when that fails.
    private init(_ descriptor: Int32) throws(StorageError) {
        self.descriptor = descriptor
        var status = stat()
        do throws(StorageError) {
            guard fstat(descriptor, &status) == 0 else { throw .cannotRead(errno: errno) }
            inode = try StorageFile.identity(status).inode
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        close(descriptor)
    }

    /// The bytes from an offset on; fewer than asked for when the file ends before.
    func read(at offset: Int, count: Int) throws(StorageError) -> Data {
        var bytes = Data(count: count)
        var filled = 0
        while filled < count {
            let read = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
            }
            if read < 0 {
                guard errno == EINTR else { throw .cannotRead(errno: errno) }
            } else if read == 0 {
                return bytes.prefix(filled)
            } else {
                filled += read
            }
        }
        return bytes
    }

    func write(_ bytes: Data, at offset: Int) throws(StorageError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written, off_t(offset + written))
            }
            if count < 0 {
                guard errno == EINTR else { throw .cannotWrite(errno: errno) }
            } else {
                written += count
            }
        }
    }

    func truncate(to length: Int) throws(StorageError) {
        while ftruncate(descriptor, off_t(length)) != 0 {
            guard errno == EINTR else { throw .cannotWrite(errno: errno) }
        }
    }

    /// Waits until what was written is on the medium.
    func flush() throws(StorageError) { try StorageFile.flush(descriptor) }
}
