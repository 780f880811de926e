import Foundation
import TVETestTraits
import Testing

/// Tests that a program that hangs ends with its test.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ProcessEndTests {
    /// Every program that a task starts inherits that SIGTERM is blocked, and some never unblock it.
    @Test func aCancelledTest_endsAProgramThatSIGTERMDoesNotReach() async throws {
        let process = Process()
        let output = Tool.pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Without SIGKILL the program would end by itself, so that this test would fail and not hang.
        process.arguments = ["-c", "trap '' TERM; echo ignored; exec sleep 30"]
        process.standardOutput = output
        try Tool.launch(process)
        #expect(await output.read(lines: 1) == Data("ignored\n".utf8))
        let wait = Task { await process.ended() }
        wait.cancel()
        await wait.value
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
    }
}
