#if VerificationService
import Foundation
import TVEModels

/// Wakes a thread that waits in `poll`, from another thread.
final class WakePipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// Makes a pipe; throws `.unreachable` when the process has no descriptor left.
    init() throws(RedisUsesError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .unreachable(SystemCall.message(errno)) }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Ends the current wait, or the next one.
    func wake() {
        var byte: UInt8 = 1
        // A full pipe wakes as well.
        _ = unsafe write(writing, &byte, 1)
    }

    /// Waits until ``wake()`` is called, the socket can be read, or the deadline has passed; nil is none.
    ///
    /// - Returns: whether the socket can be read.
    func wait(socket: Int32?, until deadline: RedisDeadline?) -> Bool {
        var watched = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
        if let socket { watched.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
        let found = unsafe poll(&watched, nfds_t(watched.count), deadline?.milliseconds ?? -1)
        guard found > 0 else { return false }
        if watched[0].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 256)
            while unsafe read(reading, &bytes, bytes.count) == bytes.count {}
        }
        return watched.count > 1 && watched[1].revents != 0
    }
}
#endif
