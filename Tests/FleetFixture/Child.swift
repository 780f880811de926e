#if VerificationService
public import Foundation
import TVEModels

/// A program that a test started, and that ends with the test at the latest.
public final class Child: Sendable {
    /// The program's process id.
    public let id: Int32
    private let process: Guarded<Process>
    private static let launches = Guarded(())

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: where it lies.
    ///   - arguments: its arguments.
    ///   - environment: what it finds in its environment beside `PATH`.
    ///   - output: the file that its output and errors go to.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], output: URL
    ) throws {
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let handle = try FileHandle(forWritingTo: output)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        // One at a time: Foundation looks through all open files meanwhile.
        try Self.launches.withLock { _ in try process.run() }
        try? handle.close()
        id = process.processIdentifier
        self.process = Guarded(process)
    }

    deinit {
        signal(SIGKILL)
    }

    /// Whether it still runs.
    public var isRunning: Bool { process.withLock { $0.isRunning } }

    /// How it ended; nil while it runs.
    public var status: Int32? { process.withLock { $0.isRunning ? nil : $0.terminationStatus } }

    /// Sends a signal.
    public func signal(_ number: Int32) {
        if isRunning { kill(id, number) }
    }

    /// Waits until it has ended.
    ///
    /// - Returns: its status; nil when it still runs after that time.
    public func ended(within seconds: Double = 30) -> Int32? {
        waitUntil(within: seconds) { !self.isRunning }
        return status
    }
}

/// Looks again and again whether something holds.
///
/// - Parameters:
///   - seconds: after which it is given up; it only tells what hangs.
///   - condition: what is waited for.
/// - Returns: whether it held in time.
@discardableResult
public func waitUntil(within seconds: Double = 30, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    while DispatchTime.now().uptimeNanoseconds < end {
        if try condition() { return true }
        usleep(2_000)
    }
    return try condition()
}
#endif
