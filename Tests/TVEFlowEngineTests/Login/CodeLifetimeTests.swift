import Foundation
import TVEModels
import TVENetworking
import TVETestSupport
import Testing

@testable import TVEFlowEngine

struct CodeLifetimeTests {
    /// A date that no service sends comes from a device whose clock is wrong, so the usual half hour applies.
    @Test(
        arguments: [
            (-1, 1_800), (0, 0), (60, 60), (7_200, 7_200), (86_400, 86_400), (86_401, 1_800),
        ] as [(TimeInterval, Int)])
    func aCode_lastsUntilItsEnd_ifThatIsWithinADay(rest: TimeInterval, lifetime: Int) {
        let clock = ManualClock()
        let page = LoginPage(
            step: .typeCode, requestorID: "DEMO", mvpdID: "demo-cable", registrationCode: "CODE",
            expires: clock.now.addingTimeInterval(rest))
        #expect(page.lifetime(at: clock.sessionClock) == .seconds(lifetime))
    }
}
