import AppleDevice
import Foundation
import TVEDeviceBinding
import Testing

extension AppleSide {
    struct DeviceTests {
        private let device = AppleDevice.takeNew()

        @Test func vendorsHaveAnIDEach() async throws {
            var seeds: [String: DeviceSeed?] = [:]
            for app in [
                App.player, .guide, App("com.example.news.Player", team: "TEAM1"), App("Player", team: "TEAM1"),
            ] {
                device.run(app)
                seeds[app.bundleID] = try await MachineSeed.read()
            }
            #expect(seeds["com.example.tv.Player"] == seeds["com.example.tv.Guide"])
            #expect(Set(seeds.values.compactMap { $0?.value }).count == 3)
        }

        @Test func T63_aVendorWhoseLastAppWasDeleted_hasAnotherID() async throws {
            device.run(.player)
            device.run(.guide)
            let before = try await MachineSeed.read()
            device.delete(.player)
            device.run(.player)
            #expect(try await MachineSeed.read() == before)
            device.delete(.player)
            device.delete(.guide)
            device.run(.player)
            #expect(try await MachineSeed.read() != before)
        }

        @Test func thereIsNoID_beforeTheFirstUnlock() async throws {
            device.run(.player)
            device.restart()
            await #expect(throws: MachineSeed.NotYetKnown.self) { try await MachineSeed.read() }
            device.with { $0.passcode = .locked }
            #expect(try await MachineSeed.read() != nil)
        }
    }
}
