import Foundation
import TVEModels
import TVENetworking
import Testing

struct CodeLifetimeTests {
    /// A date that no service sends comes from a device whose clock is wrong, so the usual half hour applies.
    @Test(
        arguments: [
            (-1, 1_800), (0, 0), (60, 60), (7_200, 7_200), (86_400, 86_400), (86_401, 1_800),
        ] as [(TimeInterval, Int)])
    func aCode_lastsUntilItsEnd_ifThatIsWithinADay(rest: TimeInterval, lifetime: Int) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let page = LoginPage(
            step: .typeCode, requestorID: "DEMO", mvpdID: "demo-cable", registrationCode: "CODE",
            expires: now.addingTimeInterval(rest))
        #expect(page.lifetime(at: now) == .seconds(lifetime))
    }
}
