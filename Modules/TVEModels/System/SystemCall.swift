package import Foundation

/// Wrappers for C library functions that take or return pointers, with Swift types in their place.
///
/// Each function makes exactly one call, and `errno` afterwards belongs to that call.
package enum SystemCall {
    /// Opens a file.
    ///
    /// - Returns: the file descriptor, or a negative number on failure.
    package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
        // The text is copied for the call and null-terminated.
        unsafe Foundation.open(path, flags, mode)
    }

    /// Writes bytes to an open file.
    ///
    /// - Returns: the number of bytes written, or a negative number on failure.
    package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int {
        // The system reads exactly as many bytes as the span has.
        unsafe bytes.withUnsafeBytes { bytes in unsafe Foundation.write(descriptor, bytes.baseAddress, bytes.count) }
    }

    /// Returns a Boolean value that indicates whether a write to an open file would not wait, once it has become so.
    ///
    /// A pipe then has room for 4,096 bytes on Linux, and for 512 on Apple systems.
    package static func isWritable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // The call receives the one entry that its count names, and returns after the given time at the latest.
        return unsafe poll(&ready, 1, milliseconds) > 0
    }

    /// Returns the status of an open file, or nil on failure.
    package static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        // The system fills the structure.
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Returns the status of the file at a path, or nil on failure.
    ///
    /// - Parameter followsLinks: a Boolean value that indicates whether to follow a symbolic link.
    package static func status(of path: String, followsLinks: Bool) -> stat? {
        var status = stat()
        // The system fills the structure.
        let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
        return result == 0 ? status : nil
    }

    /// Creates a directory.
    ///
    /// - Returns: 0, or a negative number on failure.
    package static func makeDirectory(_ path: String, mode: mode_t) -> Int32 { unsafe mkdir(path, mode) }

    /// Removes a directory, which must be empty.
    ///
    /// - Returns: 0, or a negative number on failure.
    @discardableResult
    package static func removeDirectory(_ path: String) -> Int32 { unsafe rmdir(path) }

    /// Renames a file and replaces a file that already has the new name.
    ///
    /// - Returns: 0, or a negative number on failure.
    package static func rename(_ path: String, to other: String) -> Int32 { unsafe Foundation.rename(path, other) }

    /// Removes a directory entry of a file.
    @discardableResult
    package static func remove(_ path: String) -> Int32 { unsafe unlink(path) }

    /// Returns the system's message for an error number.
    package static func message(_ number: Int32) -> String {
        // The result is never nil, because unknown numbers have a message too. It is copied at once, because the next
        // call may overwrite it.
        unsafe String(cString: strerror(number))
    }

    /// Returns the name of this machine, or nil on failure.
    package static func machineName() -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        // The system writes at most as many bytes as it is told, so the last one stays 0.
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Sets an environment variable for this process and for the child processes that it starts afterwards.
    ///
    /// - Parameters:
    ///   - name: the name of the variable.
    ///   - value: its new value.
    package static func setVariable(_ name: String, _ value: String) {
        // Both texts are copied. A reader on another thread may still see the old list of variables, which is not
        // freed.
        _ = unsafe setenv(name, value, 1)
    }
}
