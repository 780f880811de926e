import Foundation

/// The system calls under ``FileStorage`` that are about paths; those about one open file are in ``LogFile``.
enum StorageFile {
    /// Tells one state of a file from the next, as far as a log needs it.
    struct Identity: Equatable {
        let inode: UInt64
        let size: Int
    }

    /// Makes the directory with its parents when it is missing, for the owner alone.
    static func prepare(_ directory: URL) throws(StorageError) {
        do throws(StorageError) {
            try make(directory)
        } catch .cannotWrite(errno: ENOENT) {
            do {
                try FileManager.default.createDirectory(
                    at: directory.deletingLastPathComponent(), withIntermediateDirectories: true)
            } catch {
                throw .cannotWrite(errno: systemError(error))
            }
            try make(directory)
        }
        var status = stat()
        guard lstat(directory.path, &status) == 0 else { throw .cannotRead(errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFile }
        guard status.st_mode & 0o077 == 0 else { throw .permissionsTooOpen }
    }

    /// Makes one directory unless it is there.
    ///
    /// One call makes it with its mode, so that it never stands open, not even for another process that comes at the
    /// same moment.
    private static func make(_ directory: URL) throws(StorageError) {
        guard mkdir(directory.path, 0o700) == 0 || errno == EEXIST else { throw .cannotWrite(errno: errno) }
    }

    /// Which file stands at a path, nil for none.
    static func identity(of path: String) throws(StorageError) -> Identity? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .cannotRead(errno: errno) }
            return nil
        }
        return try identity(status)
    }

    static func identity(_ status: stat) throws(StorageError) -> Identity {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_mode & 0o077 == 0 else { throw .permissionsTooOpen }
        return Identity(inode: UInt64(status.st_ino), size: Int(status.st_size))
    }

    /// Puts a finished file in the place of another, and keeps the other under a third name if one is given.
    ///
    /// Everything that can fail comes before the rename; what follows it can no longer be taken back and is no reason to
    /// call the replacement a failure.
    static func replace(_ url: URL, with finished: URL, keepingOldAs kept: URL? = nil) throws(StorageError) {
        let parent = open(url.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard parent >= 0 else { throw .cannotWrite(errno: errno) }
        defer { close(parent) }
        if let kept {
            unlink(kept.path)
            guard link(url.path, kept.path) == 0 || errno == ENOENT else { throw .cannotWrite(errno: errno) }
        }
        guard rename(finished.path, url.path) == 0 else { throw .cannotWrite(errno: errno) }
        // The new name itself shall survive a power cut, on file systems that can promise that.
        try? flush(parent)
    }

    /// Waits until the names in a file's directory are on the medium.
    static func flushDirectory(of url: URL) throws(StorageError) {
        let parent = open(url.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard parent >= 0 else { throw .cannotWrite(errno: errno) }
        defer { close(parent) }
        try flush(parent)
    }

    /// Waits until what was written is on the medium.
    static func flush(_ descriptor: Int32) throws(StorageError) {
        #if canImport(Darwin)
        // fsync leaves the bytes in the drive's own cache there.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        guard fsync(descriptor) == 0 else { throw .cannotWrite(errno: errno) }
        #else
        // The length of the file is flushed with its bytes, times are not.
        guard fdatasync(descriptor) == 0 || (errno == EINVAL && fsync(descriptor) == 0) else {
            throw .cannotWrite(errno: errno)
        }
        #endif
    }

    /// The number inside one of Foundation's errors; `EIO` when it hides none.
    static func systemError(_ error: any Error) -> Int32 {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return cause.domain == NSPOSIXErrorDomain ? Int32(cause.code) : EIO
    }
}
