import Foundation
import TVEModels
import Testing

/// Runs the built `tve` and reads what it prints.
struct Tool {
    let status: Int32
    let output: String

    /// The first line that explains why a step failed.
    var failure: String? {
        output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix("failed") }
    }

    static var executable: URL {
        // Test runners and tools are in the same folder.
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("tve")
    }

    private static let launches = Guarded(())

    /// Starts a process, one at a time: Foundation iterates over all open files in this call.
    ///
    /// With more than 1,300 of them it crashes, which is why suites with sandboxes run their tests one by one.
    static func launch(_ process: Process) throws {
        try launches.withLock { _ in try process.run() }
    }

    static func run(
        _ arguments: [String], input: String? = nil, of program: URL = executable
    ) async throws -> Tool {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "NO_COLOR" }
            // Hundreds of tests share two cores with it.
            .merging(["TVE_TIMEOUT": "120"]) { $1 }
        let source = Pipe()
        if input != nil { process.standardInput = source }
        try launch(process)
        if let input {
            let handle = source.fileHandleForWriting
            Thread.detachNewThread {
                try? handle.write(contentsOf: Data(input.utf8))
                try? handle.close()
            }
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Reading blocks, so it has its own thread instead of one that other tests wait for.
                Thread.detachNewThread {
                    let output = pipe.fileHandleForReading.bytes()
                    process.waitUntilExit()
                    continuation.resume(
                        returning: Tool(
                            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self)))
                }
            }
        } onCancel: {
            process.terminate()
        }
    }
}

extension Pipe {
    /// The output up to this number of line ends; its own thread waits for it, because tasks have few threads.
    func read(lines: Int) async -> Data {
        let handle = fileHandleForReading
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: handle.bytes(lines: lines)) }
        }
    }
}

extension FileHandle {
    /// The bytes up to the end, or up to this number of line ends.
    ///
    /// Foundation's own methods end the program when a signal interrupts them, and a child's end sends one.
    func bytes(lines wanted: Int = .max) -> Data {
        var bytes = Data()
        var lines = 0
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while lines < wanted {
            let count = Foundation.read(fileDescriptor, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer[..<count]
                lines += buffer[..<count].count { $0 == UInt8(ascii: "\n") }
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        return bytes
    }
}
