import AccessEnabler
import AppleDevice
import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

extension AppleSide {
    /// Tests of platform sign-on in an app that creates its access enabler with `AccessEnabler(_:)`.
    struct ClassicPlatformTests {
        private let device = AppleDevice.takeNew()

        init() {
            // This is the sandbox's form of a provider's answer.
            device.with {
                $0.account.saml = {
                    "<Response InResponseTo=\"\($0.escapedForXML)\">\n<NameID>viewer</NameID></Response>"
                }
            }
        }

        private static func sandbox(boarding: String? = nil) async throws -> Sandbox {
            try await PhoneApp.sandbox { world in
                world.providers[0].platformID = "apple-cable"
                world.providers[0].boardingStatus = boarding ?? "SUPPORTED"
            }
        }

        /// Returns the callbacks from the setting of the requestor to the end of the login, as words.
        private func login(_ app: PhoneApp, answers: Bool = false) async throws -> [String] {
            let start = app.recorder.callbacks.count
            app.enabler.getAuthentication()
            if answers { try await app.choose() }
            _ = await app.callbacks(until: \.isAuthenticationStatus)
            return app.recorder.callbacks[start...].compactMap(\.word)
        }

        @Test(arguments: ServiceDialect.allCases)
        func AS4_logsInSilently_atTheStart(dialect: ServiceDialect) async throws {
            device.grantAccess {
                $0.login = TVAccount.Login("apple-cable", expires: Date(timeIntervalSinceNow: 86_400))
            }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            #expect(await app.isLoggedIn())
            #expect(device.with(\.questions).allSatisfy { !$0.mayInterrupt })
        }

        @Test(
            arguments: [("AS1", .denied, "VSA403"), ("AS2", .notDetermined, "VSA404")]
                as [(String, TVAccount.Access, String)],
            ServiceDialect.allCases)
        func startReportsTheReason(
            row: (name: String, access: TVAccount.Access, status: String), dialect: ServiceDialect
        )
            async throws
        {
            device.with { $0.account.access = row.access }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            #expect(app.recorder.callbacks.compactMap(\.word).first == row.status, "\(row.name)")
            #expect(await !app.isLoggedIn())
        }

        /// In both cases the framework answers as if the viewer had not been asked, and the app's picker follows.
        @Test(
            arguments: [
                (code: 7, status: "N003", log: "N003 <private>"),
                (5, "VSA503", "VSA503 VSErrorDomain 5 <private>"),
            ], ServiceDialect.allCases)
        func namesTheErrorOfTheQuestion(
            row: (code: Int, status: String, log: String), dialect: ServiceDialect
        ) async throws {
            device.with { $0.account.accessFailure = NSError(domain: "VSErrorDomain", code: row.code) }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            let words = try await login(app, answers: true)
            #expect(words.prefix(2) == [row.status, "picker"] && words.last == "authentication 1 ")
            #expect(device.with(\.log).contains { $0.hasSuffix(" \(row.log)") })
        }

        @Test(arguments: ServiceDialect.allCases)
        func GA4_AS12_logsIn_withTheSystemsDialog(dialect: ServiceDialect) async throws {
            device.grantAccess { $0.choice = .logsIn("apple-cable") }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            #expect(try await login(app) == ["system's dialog", "system's dialog away", "authentication 1 "])
        }

        /// A forced login asks for the password once, and not again for the request of the service.
        @Test(arguments: ServiceDialect.allCases)
        func GA2_aForcedLogin_asksTheSystemForANewOne(dialect: ServiceDialect) async throws {
            device.grantAccess {
                $0.login = TVAccount.Login("apple-cable")
                $0.choice = .logsIn("apple-cable")
            }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            #expect(await app.isLoggedIn())
            let asked = device.with(\.questions.count)
            let start = app.recorder.callbacks.count
            app.enabler.getAuthentication(true, withData: nil)
            _ = await app.callbacks(until: \.isAuthenticationStatus)
            #expect(
                app.recorder.callbacks[start...].compactMap(\.word) == [
                    "system's dialog", "system's dialog away", "authentication 1 ",
                ])
            #expect(device.with(\.questions)[asked...].map(\.isForced) == [true, false])
        }

        @Test(arguments: ServiceDialect.allCases)
        func AS10_ends_whenTheViewerClosesTheDialog(dialect: ServiceDialect) async throws {
            device.with { $0.account.access = .granted }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            #expect(
                try await login(app) == [
                    "system's dialog", "system's dialog away", "N005",
                    "authentication 0 \(PROVIDER_NOT_SELECTED_ERROR)",
                ])
        }

        @Test(
            arguments: [("AS8", .takesOther, "N003"), ("AS9", .takesListed("apple-other"), "N004")]
                as [(String, TVAccount.Choice, String)], ServiceDialect.allCases)
        func goesOnWithTheAppsPicker(
            row: (name: String, choice: TVAccount.Choice, status: String), dialect: ServiceDialect
        )
            async throws
        {
            device.grantAccess { $0.choice = row.choice }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            let words = try await login(app, answers: true)
            #expect(
                words.prefix(4) == ["system's dialog", "system's dialog away", row.status, "picker"], "\(row.name)")
            #expect(words.last == "authentication 1 ", "\(row.name)")
        }

        @Test(arguments: [TVAccount.Access.denied, .restricted], ServiceDialect.allCases)
        func AS5_goesOnWithTheAppsPicker_withoutPermission(access: TVAccount.Access, dialect: ServiceDialect)
            async throws
        {
            device.with { $0.account.access = access }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            let words = try await login(app, answers: true)
            #expect(words.prefix(2) == ["VSA403", "picker"])
        }

        @Test(arguments: ServiceDialect.allCases)
        func AS11_goesOnWithALoginPage_whenTheSystemOnlyListsTheProvider(dialect: ServiceDialect) async throws {
            device.grantAccess { $0.choice = .takesListed("apple-cable") }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(boarding: "PICKER"), service: dialect)
            let start = app.recorder.callbacks.count
            app.enabler.getAuthentication()
            try await app.browse()
            _ = await app.callbacks(until: \.isAuthenticationStatus)
            #expect(
                app.recorder.callbacks[start...].compactMap(\.word) == ["system's dialog", "system's dialog away"]
                    + (app.pagesShowThemselves ? [] : ["page"]) + ["authentication 1 "])
        }

        /// The app cancels while the system's dialog is shown, and the dialog is dismissed before or after the answer.
        @Test(arguments: TVAccount.Cancellation.allCases, ServiceDialect.allCases)
        func M17_takesTheDialogAway_whenTheAppCancels(cancellation: TVAccount.Cancellation, dialect: ServiceDialect)
            async throws
        {
            device.grantAccess {
                $0.choice = .leavesOpen
                $0.cancellation = cancellation
            }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            app.enabler.getAuthentication()
            _ = await app.callbacks { $0.word == "system's dialog" }
            app.enabler.setSelectedProvider(nil)
            var missing: Set = ["authentication 0 \(PROVIDER_NOT_SELECTED_ERROR)", "system's dialog away"]
            let callbacks = await app.callbacks {
                if let word = $0.word { missing.remove(word) }
                return missing.isEmpty
            }
            #expect(missing.isEmpty, "\(callbacks)")
        }

        /// The service names a provider with platform sign-on, which the app does not support.
        @Test(.row("AS15"), arguments: ServiceDialect.allCases)
        func AS15_asksNothing_inAnAppWithoutATextForTheViewer(dialect: ServiceDialect) async throws {
            var player = App.player
            player.infoPlist = [:]
            let app = await PhoneApp(player, sandbox: try await Self.sandbox(), service: dialect)
            #expect(await !app.isLoggedIn())
            #expect(try await login(app, answers: true).first == "picker")
        }

        /// None of the ids that the app offers is known, and the framework takes an empty list to mean all providers.
        @Test(arguments: ServiceDialect.allCases)
        func AS15_asksNothing_whenTheFrameworkCanOfferNone(dialect: ServiceDialect) async throws {
            device.with { $0.account.access = .granted }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            let asked = device.with(\.questions).count
            app.enabler.getAuthentication([TV_PROVIDERS: ["demo-unknown"]])
            let callbacks = await app.callbacks { ["picker", "system's dialog"].contains($0.word) }
            #expect(callbacks.last?.word == "picker")
            #expect(device.with(\.questions).count == asked)
        }

        @Test(.row("AS16"), arguments: ServiceDialect.allCases)
        func AS16_goesOnWithTheAppsPicker_whereTheStoreHasNoProviders(dialect: ServiceDialect) async throws {
            device.grantAccess { $0.failure = NSError(domain: "VSErrorDomain", code: 7) }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            #expect(try await login(app, answers: true).prefix(2) == ["N003", "picker"])
        }

        @Test(arguments: ServiceDialect.allCases)
        func LO4_aLogoutTellsToSignOutInTheSettings(dialect: ServiceDialect) async throws {
            device.grantAccess { $0.login = TVAccount.Login("apple-cable") }
            let app = await PhoneApp(.player, sandbox: try await Self.sandbox(), service: dialect)
            app.enabler.logout()
            if dialect == .classic { try await app.browse() }
            _ = await app.callbacks(until: \.isAuthenticationStatus)
            #expect(app.recorder.callbacks.compactMap(\.word).contains("VSA203"))
        }
    }
}
