package import Foundation
import TVEModels

/// All system calls of this module, in one place, so that tests can make each of them fail anywhere, and see what each
/// of them has changed on the medium.
package struct StorageSystem: Sendable {
    package enum Call: Sendable, CaseIterable {
        case open, status, list, read, write, allocate, flush, rename, link, remove, makeDirectory, lock
    }

    /// How a call fails.
    package enum Fault: Sendable {
        /// With this error number, without any effect.
        case error(Int32)
        /// A write that writes half, and fails with this error number when it continues.
        case half(Int32)
    }

    /// What a call has changed, or made lasting.
    package enum Effect: Sendable {
        /// A file was opened, perhaps created, or a directory was opened.
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

    /// Called before each call; nil in the answer passes the call to the system; nil itself outside tests.
    private let fault: (@Sendable (Call) -> Fault?)?
    /// Called after each call that has changed something; nil outside tests.
    private let effect: (@Sendable (Effect) -> Void)?
    /// Nanoseconds by a monotonic clock.
    private let clock: @Sendable () -> UInt64
    /// Whether a file grows without room on the medium, as on Apple's systems, which have no call to allocate it.
    private let growsByTruncation: Bool

    #if canImport(Darwin)
    package static let growsByTruncation = true
    #else
    package static let growsByTruncation = false
    #endif

    /// Makes the real system, one with faults, or one whose effects are observed.
    ///
    /// - Parameters:
    ///   - fault: called before each call; returns the fault to simulate, if any.
    ///   - effect: called after each call that has changed something.
    ///   - growsByTruncation: whether a file grows as on Apple's systems.
    ///   - clock: nanoseconds by a monotonic clock.
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

    /// Repeats a call until no signal interrupts it; the error number when it failed.
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

    /// The status of a path, links not followed; nil if it does not exist.
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
    /// - Returns: the descriptor, or the error number.
    func open(_ path: String, _ flags: Int32) -> Result<Int32, SystemError> {
        var descriptor: Int32 = -1
        let number = failure(.open) {
            descriptor = SystemCall.open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
            return descriptor >= 0
        }
        if let number { return .failure(SystemError(number: number)) }
        effect?(.opened(path, descriptor))
        return .success(descriptor)
    }

    /// Creates a directory for the owner alone.
    ///
    /// One call creates it with its mode, so that it is never open to others.
    ///
    /// - Returns: false when something with that name exists already.
    func makeDirectory(_ path: String) throws(StorageError) -> Bool {
        switch failure(.makeDirectory, { unsafe mkdir(path, 0o700) == 0 }) {
        case nil:
            effect?(.madeDirectory(path))
            return true
        case EEXIST?: return false
        case let number?: throw .cannotWrite(errno: number)
        }
    }

    /// The names in a directory; none if it does not exist.
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
    /// - Returns: false when something with that name exists already.
    func link(_ path: String, as other: String) throws(StorageError) -> Bool {
        switch failure(.link, { unsafe Foundation.link(path, other) == 0 }) {
        case nil:
            effect?(.linked(path, as: other))
            return true
        case EEXIST?: return false
        case let number?: throw .cannotWrite(errno: number)
        }
    }

    /// Removes a name, if it exists.
    func remove(_ path: String) throws(StorageError) {
        switch failure(.remove, { SystemCall.remove(path) == 0 }) {
        case nil: effect?(.removed(path))
        case ENOENT?: return
        case let number?: throw .cannotWrite(errno: number)
        }
    }

    /// Waits until the names in a directory are on the medium.
    func flushDirectory(_ path: String) throws(StorageError) {
        switch open(path, O_RDONLY | O_DIRECTORY) {
        case .failure(let error): throw .cannotWrite(errno: error.number)
        case .success(let descriptor):
            defer { close(descriptor) }
            try flush(descriptor)
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
    /// - Returns: the bytes; fewer than requested when the file ends before.
    func read(_ descriptor: Int32, at offset: Int, count: Int) throws(StorageError) -> Data {
        var bytes = Data(count: count)
        // The closure cannot throw this error itself: its type would be lost.
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
                // The system writes into what is left of the buffer.
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

    /// Whether an open file has at least the given length, and contains only zeros at an offset, or ends there.
    ///
    /// Two short calls: every read begins with this.
    ///
    /// - Parameter hasName: whether the file must still have a name too. This check makes the next write of any process
    ///   slower by a quarter: newer versions of Linux store finer timestamps for files whose status was read, and flush
    ///   them.
    func isUntouched(
        _ descriptor: Int32, at offset: Int, ofAtLeast length: Int, hasName: Bool
    ) throws(StorageError) -> Bool {
        var present = 0
        let missing = failure(.status) {
            guard hasName else {
                present = Int(lseek(descriptor, 0, SEEK_END))
                return present >= 0
            }
            guard let status = SystemCall.status(of: descriptor) else { return false }
            present = status.st_nlink > 0 ? Int(status.st_size) : -1
            return true
        }
        if let missing { throw .cannotRead(errno: missing) }
        guard present >= length else { return false }
        // As long as the head of a record, which is never all zeros.
        var head: (UInt64, UInt32) = (0, 0)
        // The system writes the twelve bytes of both numbers.
        let number = failure(.read) {
            unsafe pread(descriptor, &head, LogFormat.recordHeaderLength, off_t(offset)) >= 0
        }
        if let number { throw .cannotRead(errno: number) }
        return head.0 == 0 && head.1 == 0
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
            // The system reads as many bytes as are left.
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

    /// Extends a file to the given length, allocated on the medium where the file system supports that.
    ///
    /// - Parameters:
    ///   - descriptor: the file.
    ///   - start: its current length.
    ///   - length: its new length; the added bytes are zeros.
    func lengthen(_ descriptor: Int32, from start: Int, to length: Int) throws(StorageError) {
        let number = failure(.allocate) {
            if growsByTruncation { return ftruncate(descriptor, off_t(length)) == 0 }
            #if canImport(Darwin)
            return false
            #else
            // It returns its error number, and writes zeros itself where the file system has no call for this.
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
            // On Apple systems fsync leaves the bytes in the drive's own cache.
            return fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0
            #else
            // The length of the file is flushed with its bytes, times are not. Directories need the other call.
            return fdatasync(descriptor) == 0 || (errno == EINVAL && fsync(descriptor) == 0)
            #endif
        }
        if let number { throw .cannotWrite(errno: number) }
        effect?(.flushed(descriptor))
    }

    /// Takes the advisory lock of an open file if it is free.
    ///
    /// - Returns: false when another process holds it.
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

    /// Nanoseconds by a monotonic clock.
    var uptime: UInt64 { clock() }

    /// The effective user id of this process.
    var user: uid_t { geteuid() }
}

/// The system's error number, for callers that interpret it themselves.
struct SystemError: Error {
    let number: Int32
}
