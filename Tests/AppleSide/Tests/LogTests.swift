import AccessEnabler
import AppleDevice
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import Testing

extension AppleSide {
    struct LogTests {
        private let device = AppleDevice.takeNew()

        /// The log shows the codes of a login, a denial and a failed start, and none of their texts.
        @Test(arguments: ServiceDialect.allCases)
        func showsCodes_andNoTexts(dialect: ServiceDialect) async throws {
            let app = await PhoneApp(.player, sandbox: try await PhoneApp.sandbox(), service: dialect)
            try await app.logIn()
            app.enabler.getAuthorization("DEMO-PLUS")
            let end = await app.callbacks { if case .tokenRequestFailed = $0 { true } else { false } }
            guard case .tokenRequestFailed(_, _, let text)? = end.last else {
                Issue.record("The viewer may watch: \(end)")
                return
            }
            // The line about the call itself is written when the call has ended, right after its callback.
            while !device.with({ $0.log.contains { $0.contains("authorize") } }), !Task.isCancelled {
                await Task.shortPause()
            }
            let log = device.with(\.log)
            #expect(log.allSatisfy { $0.hasPrefix("swift-access-enabler session ") })
            #expect(log.contains("swift-access-enabler session 16 Z100 <private>"))
            #expect(log.contains { $0.contains(" 1 authenticate succeeded after ") })
            #expect(log.contains { $0.contains(" 0 authorize failed: ") })
            #expect(!text.isEmpty && !log.contains { $0.contains(text) || $0.contains("DEMO-PLUS") })
        }

        @Test func namesEveryLevel() async throws {
            // The viewer is not logged in (info), the clock is wrong (warning), and there is a code to type (success).
            let app = await PhoneApp(.player, sandbox: try await PhoneApp.sandbox(), service: .classic)
            #expect(await !app.isLoggedIn())
            #expect(device.with(\.log).contains("swift-access-enabler session 1 N000 <private>"))
            let sandbox = try await PhoneApp.sandbox {
                $0.providers[0].degradation = .authenticateAll
            }
            let degraded = await PhoneApp(.player, sandbox: sandbox, service: .classic)
            degraded.enabler.setSelectedProvider("demo-cable")
            degraded.enabler.getAuthentication()
            _ = await degraded.callbacks(until: \.isAuthenticationStatus)
            #expect(device.with(\.log).contains("swift-access-enabler session 0 N010 <private>"))
        }

        /// Without a session, nothing else says why the app cannot begin.
        @Test func showsWhyThereIsNoSession() async {
            AppleDevice.current.run(.player)
            let enabler = AccessEnabler("statement")
            let recorder = CallbackRecorder()
            enabler.delegate = recorder
            enabler.setRequestor("DEMO", serviceProviders: ["ftp://sp.example.com"])
            _ = await recorder.callbacks { if case .requestorComplete = $0 { true } else { false } }
            #expect(device.with(\.log).contains("swift-access-enabler session 16 CFG404 <private>"))
            withExtendedLifetime(enabler) {}
        }

        @Test func tellsWhatACheckOfTheStoreFound() async throws {
            let sandbox = try await PhoneApp.sandbox()
            try await PhoneApp(.player, sandbox: sandbox, service: .classic).logIn()
            let enabler = AccessEnabler(
                storageCheck: .INTEGRITY_CHECK_CLEAR, softwareStatement: sandbox.softwareStatement)
            let recorder = CallbackRecorder()
            enabler.delegate = recorder
            enabler.setRequestor("DEMO", serviceProviders: [sandbox.baseURL.absoluteString + "/adobe-services"])
            _ = await recorder.callbacks { if case .requestorComplete = $0 { true } else { false } }
            #expect(device.with(\.log).contains { $0.hasPrefix("swift-access-enabler session 0 storage check: ") })
            withExtendedLifetime(enabler) {}
        }
    }
}
