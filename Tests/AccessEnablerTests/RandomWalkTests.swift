import Foundation
import TVENetworking
import TVESandbox
import TVETestTraits
import Testing

/// Apps that act at random: sequences of calls, reactions inside callbacks, faults, waits, other processes and
/// relaunches.
///
/// In the process `TVERandomWalk`, a seed determines every step, the order of all tasks, and the time that everything
/// outside the engine takes. `TVERandomWalk classic 17 1 --story` prints the story of seed 17.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct RandomWalkTests {
    /// A few sequences, so that a fault that stops every walk is noticed at once.
    ///
    /// `.ci/walks` runs more of them. The long test makes as many as end well before the limit of a turn.
    private static let seeds = LongTests.areOn ? (first: 1_000, count: 10_000) : (first: 1, count: 8)

    @Test(arguments: ServiceDialect.allCases)
    func everyCallIsAnswered_nothingIsShownAfterACancel_noLoginComesBack(dialect: ServiceDialect) async throws {
        let (first, count) = Self.seeds
        let (status, output) = try await walk(["\(dialect)", "\(first)", "\(count)"])
        #expect(status == 0, "\(output)")
        #expect(output.hasSuffix("\(count) sequences of \(dialect) from seed \(first): no problem\n"))
    }

    @Test(arguments: ServiceDialect.allCases)
    func overASession_everyCallEnds_aGrantIsDelivered_aClosedSessionIsSilent(dialect: ServiceDialect) async throws {
        let (first, count) = Self.seeds
        let (status, output) = try await walk(["\(dialect)", "\(first)", "\(count)", "--session"])
        #expect(status == 0, "\(output)")
        #expect(output.hasSuffix("\(count) sequences of \(dialect) from seed \(first): no problem\n"))
    }

    /// The output for a seed must be the same each time; otherwise a seed would be useless.
    @Test(arguments: [[], ["--session"]])
    func aSeedTellsTheSameStoryEachTime(options: [String]) async throws {
        let arguments = ["restV2", "5", "5", "--story"] + options
        let stories = try await [walk(arguments), walk(arguments)]
        #expect(stories[0].output == stories[1].output)
        #expect(stories[0].output.count > 500)
    }

    @Test func aMistypedOption_isNoOtherWalk() async throws {
        let (status, output) = try await walk(["classic", "1", "1", "--sesion"])
        #expect(status == 64)
        #expect(output.hasPrefix("TVERandomWalk has no option --sesion."))
    }

    private func walk(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL.builtPrograms.appendingPathComponent("TVERandomWalk")
        process.arguments = arguments
        let key = try SandboxKey.ofThisProcess.get().privateKeyPEM
        process.environment = ProcessInfo.processInfo.environment.merging(["TVE_WALK_KEY": key]) { $1 }
        let output = URL.temporaryDirectory.appending(path: "walk-\(UUID().uuidString)")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        // A walk that hangs is ended by the test's time limit.
        let status = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { ended in
                process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
                do {
                    try process.run()
                } catch {
                    ended.resume(throwing: error)
                }
            }
        } onCancel: {
            if process.isRunning { process.end() }
        }
        return (status, try String(contentsOf: output, encoding: .utf8))
    }
}
