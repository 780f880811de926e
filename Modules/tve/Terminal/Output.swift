import Foundation
import TVEModels

/// The two output streams; all output of this tool ends here.
///
/// What cannot be written never counts as written. A fact that is lost ends the command. A text for the person that is
/// lost does not, because the work goes on without it; but then the command does not exit with 0.
enum Output: Int32 {
    case standardOutput = 1
    case standardError = 2

    /// Why output was lost, the first time.
    private static let firstLoss = Guarded<OutputFailure?>(nil)

    /// Why output was lost; nil when everything was written.
    static var loss: OutputFailure? { firstLoss.withLock(\.self) }

    /// Opens something in the place of each standard stream that is closed.
    ///
    /// Otherwise the next file that this program opens, for example its store, would get the number of the stream, and
    /// messages would be written into it. Reading from such a stream and writing to it fail.
    static func reserveStreams() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            // The lowest number that is free: this one.
            _ = SystemCall.open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes all bytes, unbuffered, so that a pipe carries each line at once.
    func write(_ bytes: Data) throws(OutputFailure) {
        let number = Self.write(bytes, to: rawValue)
        guard number != 0 else { return }
        let failure = OutputFailure(stream: self, errno: number)
        Self.firstLoss.withLock { $0 = $0 ?? failure }
        throw failure
    }

    /// - Returns: the system's error number, or 0.
    static func write(_ bytes: Data, to file: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withSpan { SystemCall.write($0, to: file) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                // The other programs at this terminal or pipe may have made it non-blocking.
                var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                // One entry, as it says.
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
        "\(stream == .standardOutput ? "Standard output" : "Standard error") cannot be written: \(systemText(errno))."
    }
}

/// What the system says about an error number: `No space left on device (error 28)`.
func systemText(_ number: Int32) -> String { "\(SystemCall.message(number)) (error \(number))" }
