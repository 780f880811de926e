package import Foundation

/// Files for their owner alone, which are complete or not there.
package enum WholeFile {
    /// Writes a new file and waits until it is on the medium; one that could not be written is removed again.
    ///
    /// - Parameter path: its place, which must be free.
    /// - Returns: 0, or the system's number of the error.
    package static func create(_ path: String, _ bytes: Data) -> Int32 {
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

    /// Writes a file beside its place, and replaces one of its name once it is complete.
    ///
    /// - Returns: 0, or the system's number of the error.
    package static func replace(_ path: String, _ bytes: Data) -> Int32 {
        let beside = "\(path).\(UUID().uuidString)"
        let number = create(beside, bytes)
        guard number == 0, SystemCall.rename(beside, to: path) != 0 else { return number }
        let failure = errno
        SystemCall.remove(beside)
        return failure
    }
}
