import Foundation

/// The system calls under ``FileStorage``: this type and its extensions are the only ones that make any.
enum StorageFile {
    /// Tells one snapshot from the next.
    struct Identity: Equatable {
        let inode: UInt64
        let size: Int
        let seconds: Int
        let nanoseconds: Int
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
    static func identity(of url: URL) throws(StorageError) -> Identity? {
        var status = stat()
        guard lstat(url.path, &status) == 0 else {
            guard errno == ENOENT else { throw .cannotRead(errno: errno) }
            return nil
        }
        return try identity(status)
    }

    /// Puts new bytes in the place of a file: beside it, flushed, renamed, and the directory flushed.
    ///
    /// Everything that can fail comes before the rename; what follows it can no longer be taken back and is no reason to
    /// call the write a failure.
    static func replace(_ url: URL, with bytes: Data) throws(StorageError) -> Snapshot {
        let directory = url.deletingLastPathComponent()
        let parent = open(directory.path, O_RDONLY | O_CLOEXEC)
        guard parent >= 0 else { throw .cannotWrite(errno: errno) }
        defer { close(parent) }
        // The lock is held, so one name will do; a leftover of a crash goes first.
        let temporary = directory.appendingPathComponent("entitlements.new")
        unlink(temporary.path)
        let descriptor = open(temporary.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(errno: errno) }
        do throws(StorageError) {
            do throws(StorageError) {
                try write(bytes, to: descriptor)
                try flush(descriptor)
            } catch {
                close(descriptor)
                throw error
            }
            let snapshot = try Snapshot(descriptor)
            guard rename(temporary.path, url.path) == 0 else { throw .cannotWrite(errno: errno) }
            // The new name itself shall survive a power cut, on file systems that can promise that.
            try? flush(parent)
            return snapshot
        } catch {
            unlink(temporary.path)
            throw error
        }
    }

    private static func write(_ bytes: Data, to descriptor: Int32) throws(StorageError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0 {
                guard errno == EINTR else { throw .cannotWrite(errno: errno) }
            } else {
                rest = rest.dropFirst(count)
            }
        }
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// Waits until what was written is on the medium.
    private static func flush(_ descriptor: Int32) throws(StorageError) {
        #if canImport(Darwin)
        // fsync leaves the bytes in the drive's own cache there.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw .cannotWrite(errno: errno) }
    }

    static func identity(_ status: stat) throws(StorageError) -> Identity {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_mode & 0o077 == 0 else { throw .permissionsTooOpen }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return Identity(
            inode: UInt64(status.st_ino), size: Int(status.st_size), seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }

    /// The number inside one of Foundation's errors; `EIO` when it hides none.
    static func systemError(_ error: any Error) -> Int32 {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return cause.domain == NSPOSIXErrorDomain ? Int32(cause.code) : EIO
    }
}
