import Foundation
import Testing

/// Runs the built `tve` and reads what it prints.
struct Tool {
    let status: Int32
    let output: String

    /// The first line that says why a step failed.
    var failure: String? {
        output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix("failed") }
    }

    static var executable: URL {
        // Test runners and tools stand in the same folder.
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("tve")
    }

    static func run(_ arguments: String...) async throws -> Tool {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "NO_COLOR" }
        let (ended, end) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = {
            end.yield($0.terminationStatus)
            end.finish()
        }
        try process.run()
        // Read to the end first: a full pipe would keep the tool from ending.
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        var status: Int32 = -1
        for await code in ended { status = code }
        return Tool(status: status, output: String(decoding: output, as: UTF8.self))
    }
}
