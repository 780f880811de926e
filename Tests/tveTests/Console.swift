import Foundation
import TVETestTraits
import Testing

/// A pseudo terminal whose other end is connected to the three standard streams of a program.
final class Console: Sendable {
    private let ours: Int32
    private let theirs: FileHandle

    init() throws {
        #if canImport(Darwin)
        ours = posix_openpt(O_RDWR | O_NOCTTY)
        try #require(ours >= 0 && grantpt(ours) == 0 && unlockpt(ours) == 0)
        let name = try #require(ptsname(ours).map { String(cString: $0) })
        #else
        // The C library declares these functions only for programs that define a macro, so the test makes the system
        // calls that the functions would make.
        ours = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var lock: Int32 = 0
        var number: Int32 = 0
        let setLock: UInt = 0x4004_5431
        let getNumber: UInt = 0x8004_5430
        try unsafe #require(ours >= 0 && ioctl(ours, setLock, &lock) == 0 && ioctl(ours, getNumber, &number) == 0)
        let name = "/dev/pts/\(number)"
        #endif
        let end = unsafe open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(end >= 0)
        theirs = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    }

    deinit { close(ours) }

    /// Starts a program on the terminal, in the environment of the tool with some other variables.
    func start(
        _ arguments: [String], of program: URL = Tool.executable, environment: [String: String] = [:]
    ) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = Tool.environment.merging(environment) { $1 }
        process.standardInput = theirs
        process.standardOutput = theirs
        process.standardError = theirs
        try Tool.launch(process)
        // Now only the program has the other end open, so the text ends when the program ends.
        try theirs.close()
        return process
    }

    /// A Boolean value that indicates whether the terminal shows what is typed.
    var echoes: Bool {
        var settings = termios()
        return unsafe tcgetattr(ours, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    func type(_ text: String) {
        _ = unsafe Array(text.utf8).withUnsafeBytes { unsafe write(ours, $0.baseAddress, $0.count) }
    }

    /// Returns the text up to the given part, or up to the program's end if the part never appears.
    ///
    /// Reading ends too if no byte comes for too long.
    func text(upTo part: String) async -> String { await read { $0.contains(part) } }

    /// Returns the text up to the program's end.
    func everything() async -> String { await read { _ in false } }

    private func read(until isEnough: @escaping @Sendable (String) -> Bool) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [ours] in
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4_096)
                while !isEnough(String(decoding: bytes, as: UTF8.self)) {
                    var watched = pollfd(fd: ours, events: Int16(POLLIN), revents: 0)
                    let ready = unsafe poll(&watched, 1, Int32(Duration.hanging.components.seconds * 1_000))
                    if ready < 0, errno == EINTR { continue }
                    guard ready > 0 else { break }
                    let count = unsafe Foundation.read(ours, &buffer, buffer.count)
                    // Reading from a terminal whose other end is closed fails with EIO.
                    if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { break }
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}
