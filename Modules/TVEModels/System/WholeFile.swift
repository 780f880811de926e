package import Foundation

/// Functions that write files for their owner alone, either completely or not at all.
package enum WholeFile {
    /// Writes a new file and waits until it is on the medium with its name.
    ///
    /// If writing fails, the file is removed.
    ///
    /// - Parameters:
    ///   - path: the path of the file, which must not exist yet.
    ///   - bytes: the contents of the file.
    ///   - flushNames: waits until the names in a directory are on the medium, and returns 0 or the system's error
    ///     number.
    /// - Returns: 0, or the system's error number.
    package static func create(
        _ path: String, _ bytes: Data, flushNames: (_ directory: String) -> Int32 = WholeFile.flushNames(in:)
    ) -> Int32 {
        var number = write(path, bytes)
        guard number == 0 else { return number }
        let directory = (path as NSString).deletingLastPathComponent
        number = flushNames(directory.isEmpty ? "." : directory)
        if number != 0 { SystemCall.remove(path) }
        return number
    }

    /// Waits until the names in a directory are on the medium.
    ///
    /// This is not possible for a directory that may be entered but not listed, and in some file systems. Then the
    /// names are on the medium some time later.
    ///
    /// - Returns: 0, or the system's error number.
    package static func flushNames(in directory: String) -> Int32 {
        let descriptor = SystemCall.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return [EACCES, EPERM].contains(errno) ? 0 : errno }
        defer { close(descriptor) }
        // Some file systems cannot flush a directory.
        return fsync(descriptor) == 0 || [EINVAL, ENOTSUP, EBADF].contains(errno) ? 0 : errno
    }

    /// Writes a new file and waits until its bytes are on the medium.
    private static func write(_ path: String, _ bytes: Data) -> Int32 {
        let file = SystemCall.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: 0o600)
        guard file >= 0 else { return errno }
        var number: Int32 = 0
        var left = bytes[...]
        while !left.isEmpty, number == 0 {
            let count = left.withSpan { SystemCall.write($0, to: file) }
            if count > 0 { left = left.dropFirst(count) } else if errno != EINTR { number = errno }
        }
        if number == 0, fsync(file) != 0 { number = errno }
        if close(file) != 0, number == 0 { number = errno }
        if number != 0 { SystemCall.remove(path) }
        return number
    }

    /// Writes a file under a temporary name beside its destination and, once complete, moves it over an existing file.
    ///
    /// - Returns: 0, or the system's error number.
    package static func replace(_ path: String, _ bytes: Data) -> Int32 {
        let beside = "\(path).\(UUID().uuidString)"
        let number = write(beside, bytes)
        guard number == 0, SystemCall.rename(beside, to: path) != 0 else { return number }
        let failure = errno
        SystemCall.remove(beside)
        return failure
    }

    /// Returns the name of the file that ``replace(_:_:)`` would have replaced, for the name of a file that it left.
    ///
    /// It leaves a file when the process is killed in the middle.
    ///
    /// - Parameter name: the name of a file in a directory.
    /// - Returns: the name of the whole file; `nil` when the name is not one under which a file is written.
    package static func destination(ofTemporary name: String) -> String? {
        // The temporary name ends with a dot and 36 characters.
        let end = name.utf8.suffix(37)
        guard name.utf8.count > 37, end.first == UInt8(ascii: "."),
            UUID(uuidString: String(decoding: end.dropFirst(), as: UTF8.self)) != nil
        else { return nil }
        return String(decoding: name.utf8.dropLast(37), as: UTF8.self)
    }
}
