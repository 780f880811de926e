import Foundation

/// Runs this program in a child process.
enum ChildProcess {
    /// The child's output, without the line end.
    ///
    /// - Throws: ``ToolFailure`` with the child's error output when it failed.
    static func output(_ arguments: [String]) async throws -> String {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let (text, complaint) = await withCheckedContinuation { continuation in
            // Reading blocks, so it has its own thread.
            Thread.detachNewThread {
                let text = output.fileHandleForReading.bytesToEnd()
                let complaint = errors.fileHandleForReading.bytesToEnd()
                process.waitUntilExit()
                continuation.resume(returning: (text, complaint))
            }
        }
        guard process.terminationStatus == 0 else {
            throw ToolFailure(
                String(decoding: complaint, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
