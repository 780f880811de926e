import AppleDevice
import Foundation
import TVEDeviceBinding
import Testing

extension AppleSide {
    struct DeviceTests {
        private let device = AppleDevice.takeNew()

        @Test func vendorsHaveAnIDEach() async {
            var seeds: [String: DeviceSeed?] = [:]
            for app in [
                App.player, .guide, App("com.example.news.Player", team: "TEAM1"), App("Player", team: "TEAM1"),
            ] {
                device.run(app)
                seeds[app.bundleID] = await MachineSeed.read()
            }
            #expect(seeds["com.example.tv.Player"] == seeds["com.example.tv.Guide"])
            #expect(Set(seeds.values.compactMap { $0?.value }).count == 3)
        }

        @Test func T63_aVendorWhoseLastAppWasDeleted_hasAnotherID() async {
            device.run(.player)
            device.run(.guide)
            let before = await MachineSeed.read()
            device.delete(.player)
            device.run(.player)
            #expect(await MachineSeed.read() == before)
            device.delete(.player)
            device.delete(.guide)
            device.run(.player)
            #expect(await MachineSeed.read() != before)
        }

        @Test func thereIsNoID_beforeTheFirstUnlock() async {
            device.run(.player)
            device.restart()
            #expect(await MachineSeed.read() == nil)
            device.with { $0.passcode = .locked }
            #expect(await MachineSeed.read() != nil)
        }
    }
}
