package import Foundation

/// Calls of the C library that take or return pointers, with Swift's own types in their place.
///
/// Each one makes exactly one call; `errno` afterwards is that call's.
package enum SystemCall {
    /// Opens a file.
    ///
    /// - Returns: its descriptor; negative when it failed.
    package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
        // The text is copied for the call, with a zero at its end.
        unsafe Foundation.open(path, flags, mode)
    }

    /// - Returns: how many were written; negative when it failed.
    package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int {
        // The system reads as many bytes as there are.
        unsafe bytes.withUnsafeBytes { bytes in unsafe Foundation.write(descriptor, bytes.baseAddress, bytes.count) }
    }

    /// What the system knows about an open file; nil when it failed.
    package static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        // The system fills the structure.
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// What the system knows about a path; nil when it failed.
    ///
    /// - Parameter followsLinks: whether a symbolic link stands for what it names.
    package static func status(of path: String, followsLinks: Bool) -> stat? {
        var status = stat()
        // The system fills the structure.
        let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
        return result == 0 ? status : nil
    }

    /// Whether this process may use a path in a way; 0 if so.
    package static func access(_ path: String, _ way: Int32) -> Int32 { unsafe Foundation.access(path, way) }

    /// - Returns: 0; negative when it failed.
    package static func makeDirectory(_ path: String, mode: mode_t) -> Int32 { unsafe mkdir(path, mode) }

    /// Gives a file another name, in place of a file that has it.
    ///
    /// - Returns: 0; negative when it failed.
    package static func rename(_ path: String, to other: String) -> Int32 { unsafe Foundation.rename(path, other) }

    /// Removes a name of a file.
    @discardableResult
    package static func remove(_ path: String) -> Int32 { unsafe unlink(path) }

    /// The system's text for an error number.
    package static func message(_ number: Int32) -> String {
        // Never nil: unknown numbers have a text too. It is copied at once; the next call may overwrite it.
        unsafe String(cString: strerror(number))
    }

    /// Sets a variable of the environment, for this process and the children that it starts afterwards.
    ///
    /// - Parameters:
    ///   - name: the name of the variable.
    ///   - value: its new value.
    package static func setVariable(_ name: String, _ value: String) {
        // Both texts are copied. A reader on another thread may still see the old list of variables, which stays.
        _ = unsafe setenv(name, value, 1)
    }
}
