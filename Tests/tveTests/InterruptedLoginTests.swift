import Foundation
import TVETestTraits
import Testing

/// A login that a signal ends while another login is stored.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct InterruptedLoginTests {
    /// The dialect and the signal are independent of each other.
    @Test(arguments: [("v2", SIGINT), ("v2", SIGTERM), ("v2", SIGHUP), ("classic", SIGINT)])
    func aSignal_leavesTheLoginWithTheOtherProvider(dialect: String, number: Int32) async throws {
        let desk = try await Desk(dialect)
        try await desk.prepareLogin()
        let (process, output) = try Tool.start(desk.full(["login", "--provider", "demo-fiber", "--second-screen"]))
        #expect(await String(decoding: output.read(lines: 1), as: UTF8.self).hasPrefix("Code: "))
        kill(process.processIdentifier, number)
        await process.ended()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
        let status = try await desk.run("status")
        #expect(status.status == 0 && status.output.contains("Logged in with demo-cable"), "\(status.output)")
    }
}
