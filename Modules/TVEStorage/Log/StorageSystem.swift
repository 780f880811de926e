package import Foundation
import TVEModels

/// All system calls of this module.
///
/// Tests can make each of them fail anywhere, and observe the changes that each of them makes on the medium.
package struct StorageSystem: Sendable {
    package enum Call: Sendable, CaseIterable {
        case open, status, list, read, write, allocate, flush, rename, link, remove, makeDirectory, lock
    }

    /// The way in which a call fails.
    package enum Fault: Sendable {
        /// The call fails with this error number, without any effect.
        case error(Int32)
        /// The call writes half of its bytes, and fails with this error number when it continues.
        case half(Int32)
    }

    /// The effect of a call on the files.
    package enum Effect: Sendable {
        /// A file was opened, and perhaps created, or a directory was opened.
        case opened(String, Int32)
        /// The descriptor is about to be closed.
        case closes(Int32)
        case wrote(Int32, Data, at: Int)
        case lengthened(Int32, to: Int)
        case flushed(Int32)
        case renamed(String, to: String)
        case linked(String, as: String)
        case removed(String)
        case madeDirectory(String)
    }

    /// Returns the fault of the call that follows, or nil to make the call.
    ///
    /// The property itself is nil outside tests.
    private let fault: (@Sendable (Call) -> Fault?)?
    /// Receives the effect of each call that has changed something.
    ///
    /// The property is nil outside tests.
    private let effect: (@Sendable (Effect) -> Void)?
    /// Returns the time of a monotonic clock, in nanoseconds.
    private let clock: @Sendable () -> UInt64
    /// A Boolean value that indicates whether a file grows without space on the medium, as on Apple's systems.
    ///
    /// Those systems have no call to allocate it.
    private let growsByTruncation: Bool

    #if canImport(Darwin)
    package static let growsByTruncation = true
    #else
    package static let growsByTruncation = false
    #endif

    /// Creates the real system, one with faults, or one whose effects are observed.
    ///
    /// - Parameters:
    ///   - fault: returns the fault to simulate before each call, or nil for none.
    ///   - effect: receives the effect of each call that has changed something.
    ///   - growsByTruncation: a Boolean value that indicates whether a file grows as on Apple's systems.
    ///   - clock: returns the time of a monotonic clock, in nanoseconds.
    package init(
        fault: (@Sendable (Call) -> Fault?)? = nil, effect: (@Sendable (Effect) -> Void)? = nil,
        growsByTruncation: Bool = Self.growsByTruncation,
        clock: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
    ) {
        self.fault = fault
        self.effect = effect
        self.growsByTruncation = growsByTruncation
        self.clock = clock
    }

    /// Repeats a call until no signal interrupts it, and returns the error number if it failed.
    @inline(__always)
    private func failure(_ call: Call, _ run: () -> Bool) -> Int32? {
        if fault != nil, let number = playedFault(call) { return number }
        while !run() {
            let number = errno
            if number != EINTR { return number }
        }
        return nil
    }

    @inline(never)
    private func playedFault(_ call: Call) -> Int32? {
        switch fault?(call) {
        case nil: nil
        case .error(let number)?, .half(let number)?: number
        }
    }

    // MARK: - Paths

    /// Returns the status of a path without following links, or nil if the path does not exist.
    func status(of path: String) throws(StorageError) -> stat? {
        var status = stat()
        // The system fills the structure.
        switch failure(.status, { unsafe lstat(path, &status) == 0 }) {
        case nil: return status
        case ENOENT?: return nil
        case let number?: throw .cannotRead(errno: number)
        }
    }

    /// Opens the file at a path.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - flags: the flags of the system's call.
    ///   - followsLink: a Boolean value that indicates whether the path itself may be a symbolic link.
    /// - Returns: the descriptor, or the error number.
    func open(_ path: String, _ flags: Int32, followsLink: Bool = false) -> Result<Int32, SystemError> {
        var descriptor: Int32 = -1
        let number = failure(.open) {
            // Without `O_NONBLOCK`, a named pipe in the place of a file that may only be read would block the thread.
            let waitsForNobody = flags & O_ACCMODE == O_RDONLY ? O_NONBLOCK : 0
            let flags = flags | (followsLink ? 0 : O_NOFOLLOW) | O_CLOEXEC | waitsForNobody
            descriptor = SystemCall.open(path, flags, mode: 0o600)
            return descriptor >= 0
        }
        if let number { return .failure(SystemError(number: number)) }
        effect?(.opened(path, descriptor))
        return .success(descriptor)
    }

    /// Creates a directory that only the owner can access.
    ///
    /// A single call creates it with its mode, so that it is never open to others.
    ///
    /// - Returns: false if something with that name exists already.
    func makeDirectory(_ path: String) throws(StorageError) -> Bool {
        switch failure(.makeDirectory, { unsafe mkdir(path, 0o700) == 0 }) {
        case nil:
            effect?(.madeDirectory(path))
            return true
        case EEXIST?: return false
        case let number?: throw .cannotWrite(errno: number)
        }
    }

    /// Returns the names in a directory, or none if it does not exist.
    func names(in path: String) throws(StorageError) -> [String] {
        var names: [String] = []
        let number = failure(.list) {
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: path)
                return true
            } catch {
                let reason = (error as? CocoaError)?.underlying as? POSIXError
                errno = reason?.code.rawValue ?? EIO
                return false
            }
        }
        if let number, number != ENOENT { throw .cannotRead(errno: number) }
        return names
    }

    func rename(_ path: String, to other: String) throws(StorageError) {
        if let number = failure(.rename, { unsafe Foundation.rename(path, other) == 0 }) {
            throw .cannotWrite(errno: number)
        }
        effect?(.renamed(path, to: other))
    }

    /// Gives a file a second name.
    ///
    /// - Returns: false if something with that name exists already.
    func link(_ path: String, as other: String) throws(StorageError) -> Bool {
        switch failure(.link, { unsafe Foundation.link(path, other) == 0 }) {
        case nil:
            effect?(.linked(path, as: other))
            return true
        case EEXIST?: return false
        case let number?: throw .cannotWrite(errno: number)
        }
    }

    /// Removes a name if it exists.
    func remove(_ path: String) throws(StorageError) {
        switch failure(.remove, { SystemCall.remove(path) == 0 }) {
        case nil: effect?(.removed(path))
        case ENOENT?: return
        case let number?: throw .cannotWrite(errno: number)
        }
    }

    /// Waits until the names in a directory are on the medium, if its file system can flush directories.
    ///
    /// The directory of a store must not be a link, which ``StorageDirectory`` checks. The directories above it may be
    /// links, as on any path.
    func flushDirectory(_ path: String) throws(StorageError) {
        switch open(path, O_RDONLY | O_DIRECTORY, followsLink: true) {
        case .failure(let error): throw .cannotWrite(errno: error.number)
        case .success(let descriptor):
            defer { close(descriptor) }
            do throws(StorageError) {
                try flush(descriptor)
            } catch .cannotWrite(let number) where [EINVAL, ENOTSUP].contains(number) {
                // A shared folder of VirtualBox, for example, has no such flush, and no later attempt would succeed.
                return
            }
        }
    }

    // MARK: - Open files

    func status(of descriptor: Int32) throws(StorageError) -> stat {
        var status = stat()
        // The system fills the structure.
        if let number = failure(.status, { unsafe fstat(descriptor, &status) == 0 }) {
            throw .cannotRead(errno: number)
        }
        return status
    }

    /// Reads bytes up to the end of the file.
    ///
    /// - Returns: the bytes, which are fewer than requested if the file ends earlier.
    func read(_ descriptor: Int32, at offset: Int, count: Int) throws(StorageError) -> Data {
        var bytes = Data(count: count)
        // The closure returns the error, because an error thrown by the closure would lose its type.
        let filled = unsafe bytes.withUnsafeMutableBytes { buffer in unsafe fill(buffer, descriptor, at: offset) }
        return try filled.get() == count ? bytes : bytes.prefix(filled.get())
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, _ descriptor: Int32, at offset: Int
    ) -> Result<Int, StorageError> {
        var filled = 0
        while filled < buffer.count {
            var count = 0
            let number = failure(.read) {
                // The system writes into the remaining part of the buffer.
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                unsafe count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
                return count >= 0
            }
            if let number { return .failure(.cannotRead(errno: number)) }
            if count == 0 { break }
            filled += count
        }
        return .success(filled)
    }

    /// Returns the length of an open file in bytes, without reading its status.
    func length(of descriptor: Int32) throws(StorageError) -> Int {
        var length = 0
        let number = failure(.status) {
            length = Int(lseek(descriptor, 0, SEEK_END))
            return length >= 0
        }
        if let number { throw .cannotRead(errno: number) }
        return length
    }

    /// Returns a Boolean value that indicates whether an open file is blank at an offset.
    ///
    /// The file is blank if it contains only zeros there, or ends there.
    ///
    /// - Parameters:
    ///   - descriptor: the file.
    ///   - offset: the offset, which is at least that of the first record.
    ///   - isAfterRecord: a Boolean value that indicates whether the last byte of a record must precede the offset.
    func isBlank(_ descriptor: Int32, at offset: Int, isAfterRecord: Bool) throws(StorageError) -> Bool {
        // The four bytes before the offset, and the head of a record after it, which is never all zeros.
        var words: (before: UInt32, first: UInt32, second: UInt32, third: UInt32) = (0, 0, 0, 0)
        // The system writes the sixteen bytes of the four numbers.
        let number = failure(.read) {
            unsafe pread(descriptor, &words, 4 + LogFormat.recordHeaderLength, off_t(offset - 4)) >= 0
        }
        if let number { throw .cannotRead(errno: number) }
        guard words.first == 0, words.second == 0, words.third == 0 else { return false }
        return !isAfterRecord || UInt32(littleEndian: words.before) >> 24 == UInt32(LogRecord.Marker.end)
    }

    func write(_ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int) -> Result<Void, StorageError> {
        switch fault?(.write) {
        case nil: return writeAll(descriptor, bytes, at: offset)
        case .error(let number)?: return .failure(.cannotWrite(errno: number))
        case .half(let number)?:
            return writeAll(descriptor, bytes.extracting(first: bytes.count / 2), at: offset)
                .flatMap { .failure(.cannotWrite(errno: number)) }
        }
    }

    private func writeAll(
        _ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int
    ) -> Result<Void, StorageError> {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(droppingFirst: written)
            // The system reads the remaining bytes.
            let count = unsafe rest.withUnsafeBytes { rest in
                unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
            }
            if count >= 0 {
                effect?(.wrote(descriptor, Data(rest.extracting(first: count)), at: offset + written))
                written += count
            } else if errno != EINTR {
                return .failure(.cannotWrite(errno: errno))
            }
        }
        return .success(())
    }

    /// Extends a file to a length, allocated on the medium if the file system supports that.
    ///
    /// - Parameters:
    ///   - descriptor: the file.
    ///   - start: its current length.
    ///   - length: its new length. The added bytes are zeros.
    func lengthen(_ descriptor: Int32, from start: Int, to length: Int) throws(StorageError) {
        let number = failure(.allocate) {
            if growsByTruncation { return ftruncate(descriptor, off_t(length)) == 0 }
            #if canImport(Darwin)
            return false
            #else
            // The call returns its error number, and writes zeros itself if the file system has no operation for this.
            errno = posix_fallocate(descriptor, off_t(start), off_t(length - start))
            return errno == 0
            #endif
        }
        if let number { throw .cannotWrite(errno: number) }
        effect?(.lengthened(descriptor, to: length))
    }

    /// Waits until all written bytes are on the medium.
    package func flush(_ descriptor: Int32) throws(StorageError) {
        let number = failure(.flush) {
            #if canImport(Darwin)
            // On Apple systems, fsync leaves the bytes in the drive's own cache.
            return fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0
            #else
            // The length of the file is flushed with its bytes, but its times are not. Directories need the other call.
            return fdatasync(descriptor) == 0 || (errno == EINVAL && fsync(descriptor) == 0)
            #endif
        }
        if let number { throw .cannotWrite(errno: number) }
        effect?(.flushed(descriptor))
    }

    /// Takes the advisory lock of an open file if it is free.
    ///
    /// - Returns: false if another process holds it.
    func lock(_ descriptor: Int32) throws(StorageError) -> Bool {
        switch failure(.lock, { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }) {
        case nil: return true
        case EWOULDBLOCK?: return false
        case let number?: throw .cannotWrite(errno: number)
        }
    }

    func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

    func close(_ descriptor: Int32) {
        effect?(.closes(descriptor))
        _ = Foundation.close(descriptor)
    }

    /// The time of a monotonic clock, in nanoseconds.
    var uptime: UInt64 { clock() }

    /// The effective user id of this process.
    var user: uid_t { geteuid() }
}

/// A file, which no path or name identifies.
///
/// While the file is open, the system does not reuse its inode, so an equal identity at a path means the same file.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
    }
}

/// The system's error number, for callers that interpret it themselves.
struct SystemError: Error {
    let number: Int32
}
