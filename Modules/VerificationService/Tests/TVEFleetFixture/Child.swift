public import Foundation
import NIOConcurrencyHelpers
import TVEModels

/// A program that a test started, and that ends with the test at the latest.
public final class Child: Sendable {
    /// The program's process id.
    public let id: Int32
    private let process: NIOLockedValueBox<Process>
    private static let launches = NIOLockedValueBox(())

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: its environment in addition to `PATH`.
    ///   - output: the file for its output and errors.
    public init(_ path: String, _ arguments: [String], environment: [String: String] = [:], output: URL) throws {
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
        // One at a time: Foundation iterates over all open files in this call.
        try Self.launches.withLockedValue { _ in try process.run() }
        try? handle.close()
        id = process.processIdentifier
        self.process = NIOLockedValueBox(process)
    }

    deinit {
        signal(SIGKILL)
    }

    /// Whether it is running.
    public var isRunning: Bool { process.withLockedValue { $0.isRunning } }

    /// Its exit status; nil while it is running.
    public var status: Int32? { process.withLockedValue { $0.isRunning ? nil : $0.terminationStatus } }

    /// Sends a signal.
    public func signal(_ number: Int32) {
        if isRunning { kill(id, number) }
    }

    /// Waits until it has ended.
    ///
    /// - Returns: its status; nil when it hangs.
    public func ended() -> Int32? {
        waitUntil { !self.isRunning }
        return status
    }
}

/// Polls a condition.
///
/// - Parameter seconds: the limit, which only ends what hangs.
/// - Returns: whether the condition became true in time.
@discardableResult
public func waitUntil(within seconds: Double = 60, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    while DispatchTime.now().uptimeNanoseconds < end {
        if try condition() { return true }
        usleep(2_000)
    }
    return try condition()
}
