import Foundation
@_spi(VerificationService) import TVEModels

/// Threads for blocking waits on sockets, and for reports, which must not block a thread of Swift's pool.
enum RedisThread {
    /// The reason of a failure when the system allows this program no further thread.
    static let noneLeft = "the system starts no further thread"

    /// A closure that starts a thread with a name and its work, or throws an error if the system has no thread left.
    typealias Starter =
        @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) throws(RedisUsesError) -> Void

    static let starter: Starter = { (name, body) throws(RedisUsesError) in try start(name, body) }

    private struct Work {
        let name: String
        let body: @Sendable () -> Void
    }

    /// Starts a thread.
    ///
    /// Foundation's `Thread` ignores that the system has no thread left, so that its caller would wait for ever.
    ///
    /// - Parameters:
    ///   - name: the name of the thread.
    ///   - stackSize: the size of its stack, in bytes.
    ///   - body: the work of the thread.
    /// - Throws: `.unreachable` when the system has no thread left. Then `body` never runs.
    static func start(
        _ name: String, stackSize: Int = 512 << 10, _ body: @escaping @Sendable () -> Void
    ) throws(RedisUsesError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        unsafe pthread_attr_setstacksize(&attributes, stackSize)
        // The new thread takes the work out of this memory and frees it. Without a thread, that happens here.
        let work = UnsafeMutablePointer<Work>.allocate(capacity: 1)
        unsafe work.initialize(to: Work(name: name, body: body))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let failure = unsafe pthread_create(
            &thread, &attributes,
            { work in
                unsafe RedisThread.run(work)
                return nil
            }, work)
        guard failure != 0 else { return }
        _ = unsafe take(work)
        throw .unreachable(noneLeft)
    }

    private static func run(_ place: UnsafeMutableRawPointer?) {
        guard let work = unsafe place?.assumingMemoryBound(to: Work.self) else { return }
        // OpenSSL writes without MSG_NOSIGNAL. A closed peer must end the connection and not the process.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let taken = unsafe take(work)
        Thread.current.name = taken.name
        taken.body()
    }

    private static func take(_ place: UnsafeMutablePointer<Work>) -> Work {
        defer { unsafe place.deallocate() }
        return unsafe place.move()
    }
}

/// A point in time on a monotonic clock by which an operation must end.
struct RedisDeadline: Sendable, Comparable {
    let nanoseconds: UInt64

    static var now: RedisDeadline { RedisDeadline(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

    /// Returns the point in time that is a number of seconds later, at most a day.
    func advanced(by seconds: TimeInterval) -> RedisDeadline {
        RedisDeadline(nanoseconds: nanoseconds + UInt64(min(max(seconds, 0), 86_400) * 1e9))
    }

    /// The number of milliseconds until the deadline, rounded up, as `poll` takes it; 0 after the deadline.
    var milliseconds: Int32 {
        let now = Self.now.nanoseconds
        return nanoseconds <= now ? 0 : Int32(min((nanoseconds - now + 999_999) / 1_000_000, 86_400_000))
    }

    static func < (left: RedisDeadline, right: RedisDeadline) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// A pipe through which one thread wakes another that waits in `poll`.
final class WakePipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// Creates a pipe.
    ///
    /// - Throws: `.unreachable` when the process has no file descriptor left.
    init() throws(RedisUsesError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .unreachable(ServiceSupport.message(errno)) }
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
        // The write to a full pipe fails, but a full pipe already wakes the thread.
        _ = unsafe write(writing, &byte, 1)
    }

    /// Waits until ``wake()`` is called, the socket can be read, or the deadline has passed.
    ///
    /// - Parameters:
    ///   - socket: the descriptor of a socket to watch; `nil` for none.
    ///   - deadline: the end of the wait; `nil` for none.
    /// - Returns: `true` if the socket can be read.
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
