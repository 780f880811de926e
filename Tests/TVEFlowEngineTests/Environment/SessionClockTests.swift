import Foundation
import TVEModels
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

@Suite(.timeLimit(.hanging))
struct SessionClockTests {
    /// The caller may go on as if nothing had begun, so nothing may begin.
    @Test func runsNothing_forACallerThatWasCancelledBefore() async {
        let (clock, hasBegun) = (ManualClock().sessionClock, Guarded(false))
        let caller = Task {
            // Ends with the cancellation.
            try? await Task.sleep(for: .hanging)
            return await clock.run(atMost: .seconds(1)) { hasBegun.withLock { $0 = true } }
        }
        caller.cancel()
        #expect(await caller.value == nil)
        #expect(hasBegun.withLock { $0 } == false)
    }

    /// Nobody waits longer because somebody sets the device's clock.
    @Test func aManualClockThatIsSetBack_leavesUptimeAndSleepersAlone() async throws {
        let clock = ManualClock()
        let device = clock.sessionClock
        let start = clock.now
        let sleeper = Task { try await device.sleep(.seconds(10)) }
        await clock.advanceOnceSomethingSleeps(by: 4)
        clock.advance(by: -3_600)
        #expect(clock.now == start.addingTimeInterval(-3_596) && device.uptime() == .seconds(4))
        #expect(clock.sleepers == 1)
        clock.advance(by: 6)
        try await sleeper.value
        #expect(clock.sleepers == 0 && device.uptime() == .seconds(10))
    }

    @Test func endsWithItsCaller_andHasTheResultOfTheCancelledOperation() async {
        let (clock, gate) = (ManualClock().sessionClock, Gate())
        let caller = Task {
            await clock.run(atMost: .seconds(1)) {
                await gate.pass()
                return Task.isCancelled
            }
        }
        await gate.arrival()
        caller.cancel()
        #expect(await caller.value == true)
    }
}
