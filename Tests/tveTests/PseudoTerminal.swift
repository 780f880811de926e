#if os(Linux)
import Foundation

/// A terminal, for a program that writes differently on one.
struct PseudoTerminal {
    /// What the program uses.
    let device: FileHandle
    /// What the person sees.
    private let screen: FileHandle

    init() throws {
        let screen = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard screen >= 0 else { throw POSIXError(.ENODEV) }
        self.screen = FileHandle(fileDescriptor: screen, closeOnDealloc: true)
        // Swift does not see `unlockpt` and `ptsname`; these are the requests behind them, TIOCSPTLCK and TIOCGPTN.
        var (isLocked, number): (CInt, CInt) = (0, 0)
        guard ioctl(screen, 0x4004_5431, &isLocked) == 0, ioctl(screen, 0x8004_5430, &number) == 0 else {
            throw POSIXError(.ENODEV)
        }
        let device = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard device >= 0 else { throw POSIXError(.ENODEV) }
        self.device = FileHandle(fileDescriptor: device, closeOnDealloc: true)
    }

    /// The lines up to the one that has a text; its own thread waits for them, because tasks have few threads.
    func lines(until last: String) async -> [String] {
        let screen = screen
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes = Data()
                while bytes.firstRange(of: Data(last.utf8)) == nil || bytes.last != UInt8(ascii: "\n"),
                    case let more = screen.bytes(lines: 1), !more.isEmpty
                {
                    bytes += more
                }
                // A terminal ends its lines with a carriage return as well.
                let lines = bytes.split(separator: UInt8(ascii: "\n")).map { line in
                    String(decoding: line.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
                }
                continuation.resume(returning: lines)
            }
        }
    }
}
#endif
