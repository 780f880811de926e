import Foundation
import TVEModels

/// The two output streams, through which all output of this tool goes.
///
/// Output that cannot be written is never treated as written. If a fact is lost, the command ends. If a text for the
/// person is lost, the work continues without it, but the command does not exit with 0.
enum Output: Int32 {
    case standardOutput = 1
    case standardError = 2

    /// The first failure to write output.
    private static let firstLoss = Guarded<OutputFailure?>(nil)

    /// The failure that lost output, or `nil` if everything was written.
    static var loss: OutputFailure? { firstLoss.withLock(\.self) }

    /// Opens `/dev/null` in place of each closed standard stream.
    ///
    /// Otherwise the next file that this program opens, for example its store, would get the number of the stream, and
    /// messages would be written into it. Reading from a reserved input and writing to a reserved output fail.
    static func reserveStreams() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            // The system assigns the lowest free number, which is that of the closed stream.
            _ = SystemCall.open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes all bytes without a buffer, so that the reader of a pipe receives each line at once.
    func write(_ bytes: Data) throws(OutputFailure) {
        let number = Self.write(bytes, to: rawValue)
        guard number != 0 else { return }
        let failure = OutputFailure(stream: self, errno: number)
        Self.firstLoss.withLock { $0 = $0 ?? failure }
        throw failure
    }

    /// Writes all bytes, and fails if the reader accepts none for a second while nobody waits for it.
    ///
    /// Each write fits into the pipe's buffer, because a write that blocks could not be abandoned.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - mayWait: the closure that returns whether somebody still waits for the reader.
    func write(_ bytes: Data, waitingWhile mayWait: @Sendable () -> Bool) async throws(OutputFailure) {
        // A pipe that can be written to has so much room, and does not mix so many bytes with those of other programs.
        let room = Int(PIPE_BUF)
        var rest = bytes[...]
        var end: ContinuousClock.Instant?
        while !rest.isEmpty {
            if SystemCall.isWritable(rawValue, within: 0) {
                try write(rest.prefix(room))
                rest = rest.dropFirst(room)
                end = nil
                continue
            }
            if !mayWait() {
                let limit = end ?? .now + .seconds(1)
                guard .now < limit else { throw OutputFailure(stream: self, errno: EAGAIN) }
                end = limit
            }
            // All tasks may share one thread, so no thread is blocked.
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Writes all bytes to a file descriptor.
    ///
    /// - Returns: the system's error number, or 0 if all bytes were written.
    static func write(_ bytes: Data, to file: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withSpan { SystemCall.write($0, to: file) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                // Another program at the same terminal or pipe may have made it non-blocking.
                var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                // The call receives the one entry that its count names.
                _ = unsafe poll(&ready, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}

struct OutputFailure: Error, CustomStringConvertible {
    let stream: Output
    /// The system's error number.
    let errno: Int32

    var description: String {
        "\(stream == .standardOutput ? "Standard output" : "Standard error") cannot be written: \(systemText(errno)). "
            + "Check the file or the program that receives it."
    }
}

/// Returns the system's text for an error number, for example `No space left on device (error 28)`.
func systemText(_ number: Int32) -> String { "\(SystemCall.message(number)) (error \(number))" }
