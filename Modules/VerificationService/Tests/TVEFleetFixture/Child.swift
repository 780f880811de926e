public import Foundation
import NIOConcurrencyHelpers
import TVEModels

/// A program that a test has started, and that ends with the test at the latest.
public final class Child: Sendable {
    /// The id of the process.
    public let id: Int32
    private let process: NIOLockedValueBox<Process>
    private static let launches = NIOLockedValueBox(())

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: the path of the program.
    ///   - arguments: the arguments of the program.
    ///   - environment: the environment in addition to `PATH` and to what `.ci/mutations/run` sets.
    ///   - output: the file for standard output and standard error.
    public convenience init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], output: URL
    ) throws {
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        try self.init(path, arguments, environment: environment, output: try FileHandle(forWritingTo: output))
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: the path of the program.
    ///   - arguments: the arguments of the program.
    ///   - environment: the environment in addition to `PATH` and to what `.ci/mutations/run` sets.
    ///   - output: the handle for standard output and standard error, which is closed in this process.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], output: FileHandle
    ) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let mutation = ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("TVE_MUTATION") }
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
            .merging(mutation) { $1 }.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        // Programs start one at a time, because Foundation iterates over all open files in this call.
        try Self.launches.withLockedValue { _ in try process.run() }
        try? output.close()
        id = process.processIdentifier
        self.process = NIOLockedValueBox(process)
    }

    deinit {
        signal(SIGKILL)
    }

    /// Opens a descriptor that no program inherits.
    ///
    /// Foundation lists the open descriptors before it starts a program, and closes those in it. The program would keep
    /// one that another test opens meanwhile, and if it were a socket, the other side would not notice its end.
    ///
    /// - Parameter open: a closure that opens the descriptor without waiting, and returns it, or -1 after a failure.
    static func own(_ open: () -> Int32) -> Int32 {
        launches.withLockedValue { _ in
            let descriptor = open()
            if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            return descriptor
        }
    }

    /// A Boolean value that indicates whether the program is running.
    public var isRunning: Bool { process.withLockedValue { $0.isRunning } }

    /// The exit status; `nil` while the program is running.
    public var status: Int32? { process.withLockedValue { $0.isRunning ? nil : $0.terminationStatus } }

    /// Sends a signal to the program, if it is running.
    public func signal(_ number: Int32) {
        if isRunning { kill(id, number) }
    }

    /// Waits until the program has ended.
    ///
    /// - Returns: the exit status; `nil` if the program hangs.
    public func ended() -> Int32? {
        waitUntil { !self.isRunning }
        return status
    }
}

/// Polls a condition until it is true.
///
/// - Parameters:
///   - seconds: the time limit, which only ends tests that hang.
///   - condition: a closure that returns whether the condition is true.
/// - Returns: `true` if the condition became true in time.
@discardableResult
public func waitUntil(within seconds: Double = 600, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    while DispatchTime.now().uptimeNanoseconds < end {
        if try condition() { return true }
        usleep(2_000)
    }
    return try condition()
}
