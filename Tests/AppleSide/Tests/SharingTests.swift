import AccessEnabler
import AppleDevice
import TVENetworking
import TVETestSupport
import Testing

extension AppleSide {
    /// Tests of which apps share a login (API reference, C3 and C4) if they are created with `AccessEnabler(_:)`.
    struct SharingTests {
        private let device = AppleDevice.takeNew()

        /// Two apps that have something in common.
        struct Pair: Sendable {
            var row: String
            var first: App
            var second: App
            var isShared: Bool
        }

        private static let pairs = [
            Pair(row: "T-29 T-40", first: .player, second: .guide, isShared: true),
            Pair(
                row: "T-49", first: App("com.example.tv.Player", team: "TEAM1"),
                second: App("com.example.tv.Guide", team: "TEAM1"), isShared: false),
            Pair(
                row: "T-30 T-31 T-48", first: .player,
                second: App("com.example.news.Player", team: "TEAM1", keychainGroups: ["com.example.tv"]),
                isShared: false),
            Pair(
                row: "T-30, one vendor to the App Store",
                first: App(
                    "com.example.tv.Player", team: "TEAM1", keychainGroups: ["com.example.tv"], isFromAppStore: true),
                second: App(
                    "com.example.news.Player", team: "TEAM1", keychainGroups: ["com.example.tv"], isFromAppStore: true),
                isShared: false),
            Pair(
                row: "T-34", first: .player,
                second: App("com.example.tv.Guide", team: "TEAM2", keychainGroups: ["com.example.tv"]),
                isShared: false),
            Pair(
                row: "an extension of the app", first: .player,
                second: App("com.example.tv.Player.Widget", team: "TEAM1", keychainGroups: ["com.example.tv"]),
                isShared: false),
            Pair(row: "T-35", first: .player, second: App("org.example.Other", team: "TEAM2"), isShared: false),
        ]

        @Test(arguments: pairs, ServiceDialect.allCases)
        func aLoginCounts(pair: Pair, dialect: ServiceDialect) async throws {
            let sandbox = try await PhoneApp.sandbox()
            let first = await PhoneApp(pair.first, sandbox: sandbox, service: dialect)
            #expect(await !first.isLoggedIn(), "\(pair.row)")
            try await first.logIn()
            let second = await PhoneApp(pair.second, sandbox: sandbox, service: dialect)
            #expect(await second.isLoggedIn() == pair.isShared, "\(pair.row)")
            if !pair.isShared { try await second.logIn() }
            // The first app still finds a login, which is its own or the shared one.
            #expect(await first.isLoggedIn(), "\(pair.row)")
            #expect(await PhoneApp(pair.first, sandbox: sandbox, service: dialect).isLoggedIn(), "\(pair.row)")
        }

        /// The shared group is not the first one of either app, so each app has to name it.
        @Test(arguments: ServiceDialect.allCases, [nil, "TEAM1.com.example.tv"])
        func aLoginCounts_inANamedGroup(dialect: ServiceDialect, group: String?) async throws {
            let player = App(
                "com.example.tv.Player", team: "TEAM1", keychainGroups: ["com.example.player", "com.example.tv"])
            let guide = App(
                "com.example.tv.Guide", team: "TEAM1", keychainGroups: ["com.example.guide", "com.example.tv"])
            let sandbox = try await PhoneApp.sandbox()
            try await PhoneApp(player, sandbox: sandbox, service: dialect, keychainGroup: group).logIn()
            let second = await PhoneApp(guide, sandbox: sandbox, service: dialect, keychainGroup: group)
            #expect(await second.isLoggedIn() == (group != nil))
        }

        @Test(arguments: ServiceDialect.allCases)
        func T16_aLogoutCounts_forAppsThatShare(dialect: ServiceDialect) async throws {
            let sandbox = try await PhoneApp.sandbox()
            let first = await PhoneApp(.player, sandbox: sandbox, service: dialect)
            try await first.logIn()
            first.enabler.logout()
            try await first.browse()
            _ = await first.callbacks(until: \.isAuthenticationStatus)
            #expect(await !PhoneApp(.guide, sandbox: sandbox, service: dialect).isLoggedIn())
        }

        /// The keychain outlives the apps, and the login in it belongs to a device that no longer exists.
        @Test(arguments: ServiceDialect.allCases)
        func T63_aLoginStays_withTheFirstID_whenTheVendorsLastAppWasDeleted(dialect: ServiceDialect) async throws {
            let sandbox = try await PhoneApp.sandbox()
            try await PhoneApp(.player, sandbox: sandbox, service: dialect).logIn()
            device.delete(.player)
            let again = await PhoneApp(.player, sandbox: sandbox, service: dialect)
            #expect(await again.isLoggedIn())
        }

        /// The keychain was restored from a backup, and the login in it belongs to the other device.
        @Test(arguments: ServiceDialect.allCases)
        func aLoginEnds_withItsDevice(dialect: ServiceDialect) async throws {
            let sandbox = try await PhoneApp.sandbox()
            try await PhoneApp(.player, sandbox: sandbox, service: dialect).logIn()
            device.moveToAnotherDevice()
            let again = await PhoneApp(.player, sandbox: sandbox, service: dialect)
            #expect(await !again.isLoggedIn())
            try await again.logIn()
            #expect(await again.isLoggedIn())
        }

        /// A call in the background before the first unlock fails without giving the device a new identity.
        @Test(arguments: ServiceDialect.allCases)
        func T74_aLoginOutlasts_aStartBeforeTheFirstUnlock(dialect: ServiceDialect) async throws {
            let sandbox = try await PhoneApp.sandbox()
            try await PhoneApp(.player, sandbox: sandbox, service: dialect).logIn()
            let items = device.with(\.keychain)
            device.restart()
            let early = await PhoneApp(.player, sandbox: sandbox, service: dialect)
            #expect(early.recorder.callbacks.contains(.requestorComplete(ACCESS_ENABLER_STATUS_ERROR)))
            #expect(device.with(\.keychain) == items)
            device.with { $0.passcode = .unlocked }
            #expect(await PhoneApp(.player, sandbox: sandbox, service: dialect).isLoggedIn())
        }
    }
}
