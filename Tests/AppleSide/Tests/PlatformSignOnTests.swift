import AppleDevice
import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVEStorage
import TVETestSupport
import Testing
import VideoSubscriberAccount

extension AppleSide {
    /// Tests of `VideoSubscriberSignOn` without the rest of the library.
    struct PlatformSignOnTests {
        private let device = AppleDevice.takeNew()
        private let signOn: VideoSubscriberSignOn
        private let viewer = DialogViewer()
        private static let silent = PlatformAccountRequest(
            supportedProviderIDs: PlatformProviderIDs("apple-cable"), mayInterrupt: false,
            channelID: "https://saml.sp.auth.adobe.com")
        private static let visible = PlatformAccountRequest(
            supportedProviderIDs: PlatformProviderIDs("apple-cable"), featuredProviderIDs: ["apple-cable"],
            mayInterrupt: true,
            channelID: "https://saml.sp.auth.adobe.com",
            samlRequest: "<Request/>", attributeNames: ["uid"])

        init() throws {
            device.run(.player)
            device.with { [viewer] in $0.dialogsOnScreen = { viewer.dialogsOnScreen } }
            signOn = try #require(VideoSubscriberSignOn())
        }

        /// Returns the error of a request that may show a dialog, or `nil` if it succeeds.
        private func failure() async -> PlatformSignOnError? {
            do throws(PlatformSignOnError) {
                _ = try await signOn.account(Self.visible, presenter: viewer)
                return nil
            } catch {
                return error
            }
        }

        /// The framework would end such an app if it were called.
        @Test(arguments: [nil, ""])
        func isNotThere_inAnAppWithoutATextForTheViewer(text: String?) {
            var app = App.player
            app.infoPlist["NSVideoSubscriberAccountUsageDescription"] = text
            device.run(app)
            #expect(VideoSubscriberSignOn() == nil && SessionEnvironment.systemPlatform == nil)
        }

        /// The framework reports that the viewer was not asked, although the viewer never will be.
        @Test func saysWhatIsWrong_inAnAppWithoutTheEntitlement() async {
            var app = App.player
            app.maySignOn = false
            device.run(app)
            device.with { $0.account.access = .granted }
            #expect(await signOn.access(mayAsk: true) == .failed(domain: VSErrorDomain, code: 0))
            await #expect(throws: PlatformSignOnError.accessNotGranted) {
                try await signOn.account(Self.silent, presenter: nil)
            }
        }

        /// This is also true for an environment that the app creates itself, for example to import older stores.
        @Test func isPartOfEveryEnvironment() throws {
            let redirect = try #require(URL(string: "adobepass://ios.app"))
            let environment = SessionEnvironment(
                storage: MemoryStorage(), app: AppIdentity(bundleID: "com.example.tv.Player", teamID: "TEAM1"),
                redirectURL: redirect)
            #expect(environment.platform is VideoSubscriberSignOn)
        }

        // MARK: - Permission

        @Test(
            arguments: [
                (.granted, .granted), (.denied, .denied), (.restricted, .restricted), (.notDetermined, .undetermined),
            ] as [(TVAccount.Access, PlatformAccess)])
        func saysWhatTheAppMay(state: TVAccount.Access, expected: PlatformAccess) async {
            device.with {
                $0.account.access = state
                $0.account.answer = .notDetermined
            }
            #expect(await signOn.access(mayAsk: false) == expected)
            #expect(await signOn.access(mayAsk: true) == expected)
        }

        /// All of these have the status of a viewer who was not asked.
        @Test(
            arguments: VSError.Code.allCases.map { ($0, VSErrorDomain) } + [(.unsupported, NSCocoaErrorDomain)],
            [true, false])
        func looksAtTheErrorFirst(error: (code: VSError.Code, domain: String), mayAsk: Bool) async {
            device.with { $0.account.accessFailure = NSError(domain: error.domain, code: error.code.rawValue) }
            let failed = PlatformAccess.failed(domain: error.domain, code: error.code.rawValue)
            let expected: PlatformAccess =
                switch error.code {
                case .unsupported where error.domain == VSErrorDomain: .notOffered
                // Before the viewer was asked, the error adds nothing to the status.
                case .accessNotGranted where !mayAsk: .undetermined
                default: failed
                }
            #expect(await signOn.access(mayAsk: mayAsk) == expected)
        }

        @Test(arguments: [(.granted, .granted), (.denied, .denied)] as [(TVAccount.Access, PlatformAccess)])
        func asksTheViewer_onlyIfItMay(answer: TVAccount.Access, expected: PlatformAccess) async {
            device.with { $0.account.answer = answer }
            #expect(await signOn.access(mayAsk: false) == .undetermined)
            #expect(await signOn.access(mayAsk: true) == expected)
            #expect(await signOn.access(mayAsk: false) == expected)
        }

        @Test func knowsNothing_whenTheQuestionIsCancelled() async {
            device.with { $0.account.access = .granted }
            let question = Task { [signOn] in
                // The task is cancelled before it begins.
                withUnsafeCurrentTask { $0?.cancel() }
                return await signOn.access(mayAsk: true)
            }
            #expect(await question.value == .undetermined)
        }

        // MARK: - The account

        @Test func tellsWhoIsSignedIn_withoutADialog() async throws {
            let expires = Date(timeIntervalSinceNow: 1_000)
            device.grantAccess {
                $0.login = TVAccount.Login("apple-cable", expires: expires)
            }
            let account = try await signOn.account(Self.silent, presenter: nil)
            #expect(account == PlatformAccount(providerID: "apple-cable", expires: expires))
            #expect(viewer.shown.isEmpty)
        }

        @Test(arguments: [false, true])
        func takesAnAnswer_thatComesBeforeTheCallReturns(isSignedIn: Bool) async throws {
            device.grantAccess {
                $0.login = isSignedIn ? TVAccount.Login("apple-cable") : nil
                $0.answersAtOnce = true
            }
            #expect(await signOn.access(mayAsk: true) == .granted)
            if isSignedIn {
                #expect(try await signOn.account(Self.silent, presenter: nil).providerID == "apple-cable")
            } else {
                await #expect(throws: PlatformSignOnError.notSignedIn) {
                    try await signOn.account(Self.silent, presenter: nil)
                }
            }
        }

        @Test(
            arguments: [
                (.saml, "<Answer to=\"<Request/>\"/>"), (.verificationData, "<Answer to=\"<Request/>\"/>"),
                (.none, nil),
            ] as [(TVAccount.Proof, String?)])
        func handsOnTheProvidersAnswer(proof: TVAccount.Proof, expected: String?) async throws {
            device.grantAccess {
                $0.login = TVAccount.Login("apple-cable")
                $0.proof = proof
                $0.saml = { "<Answer to=\"\($0)\"/>" }
            }
            #expect(try await signOn.account(Self.visible, presenter: viewer).samlResponse == expected)
            #expect(
                device.with(\.questions) == [
                    TVAccountQuestion(
                        channel: "https://saml.sp.auth.adobe.com", supported: ["apple-cable"],
                        featured: ["apple-cable"],
                        verificationToken: "<Request/>", attributes: ["uid"], mayInterrupt: true)
                ])
        }

        @Test func asksForAPassword_whenTheProvidersLoginRanOut() async throws {
            device.grantAccess {
                $0.login = TVAccount.Login("apple-cable", expires: Date(timeIntervalSinceNow: -1))
                $0.choice = .logsIn("apple-cable")
            }
            var request = Self.visible
            request.mayInterrupt = false
            await #expect(throws: PlatformSignOnError.failed("VSErrorDomain 4")) {
                try await signOn.account(request, presenter: nil)
            }
            #expect(try await signOn.account(Self.visible, presenter: viewer).samlResponse != nil)
            #expect(viewer.shown == ["present", "dismiss"])
        }

        /// The login of the system is ignored, and the system may ask for another one only if it may show a dialog.
        @Test func asksAgain_whenForced() async throws {
            device.grantAccess {
                $0.login = TVAccount.Login("apple-cable")
                $0.choice = .logsIn("apple-cable")
            }
            var request = Self.visible
            request.isForced = true
            #expect(try await signOn.account(request, presenter: viewer).providerID == "apple-cable")
            #expect(viewer.shown == ["present", "dismiss"])
            #expect(device.with(\.questions).map(\.isForced) == [true])
            request.mayInterrupt = false
            await #expect(throws: PlatformSignOnError.failed("VSErrorDomain 4")) {
                try await signOn.account(request, presenter: nil)
            }
        }

        @Test func knowsWhereTheViewerSignsOut() async {
            let platform: (any PlatformSignOn)? = SessionEnvironment.systemPlatform
            #expect(await platform?.settingsURL?.absoluteString == VSOpenTVProviderSettingsURLString)
        }

        // MARK: - The picker

        @Test(
            arguments: [
                (.closes, .cancelled), (.takesOther, .unsupportedProvider(id: nil)),
                (.takesListed("apple-fiber"), .unsupportedProvider(id: "apple-fiber")),
            ] as [(TVAccount.Choice, PlatformSignOnError)])
        func saysWhatTheViewerDid(choice: TVAccount.Choice, expected: PlatformSignOnError) async {
            device.grantAccess { $0.choice = choice }
            await #expect(throws: expected) { try await signOn.account(Self.visible, presenter: viewer) }
            #expect(viewer.shown == ["present", "dismiss"])
        }

        /// The picker of the system also lists the app's own providers.
        @Test func namesTheProvider_thatOnlyTheAppListed() async {
            device.grantAccess { $0.choice = .takesListed("demo-fiber") }
            var request = Self.visible
            request.otherProviders = [TVProvider(id: "demo-fiber", displayName: "Demo Fiber", logoURL: "")]
            await #expect(throws: PlatformSignOnError.unsupportedProvider(id: "demo-fiber")) {
                try await signOn.account(request, presenter: viewer)
            }
            #expect(device.with(\.questions).map(\.ownProviders) == [["demo-fiber"]])
        }

        @Test func logsIn_withThePicker() async throws {
            device.grantAccess { $0.choice = .logsIn("apple-cable") }
            let account = try await signOn.account(Self.visible, presenter: viewer)
            #expect(account.providerID == "apple-cable" && account.samlResponse == "<Response/>")
            #expect(viewer.shown == ["present", "dismiss"])
            #expect(await viewer.areViewControllers)
        }

        @Test(arguments: TVAccount.Cancellation.allCases)
        func takesThePickerAway_whenTheLoginIsCancelled(cancellation: TVAccount.Cancellation) async {
            device.grantAccess {
                $0.choice = .leavesOpen
                $0.cancellation = cancellation
            }
            let login = Task { await failure() }
            await viewer.waitUntilShown()
            login.cancel()
            #expect(await login.value == .cancelled)
            #expect(viewer.shown == ["present", "dismiss"])
        }

        /// By then, the app may show something else.
        @Test func takesThePickerAwayOnce_whenTheFrameworkDoesSoMuchLater() async throws {
            device.grantAccess {
                $0.choice = .leavesOpen
                $0.cancellation = .endsWhenTold
            }
            let login = Task { await failure() }
            await viewer.waitUntilShown()
            login.cancel()
            #expect(await login.value == .cancelled)
            let lateEnd = device.with(\.account.lateEnd)
            let end = try #require(lateEnd)
            await end()
            #expect(viewer.shown == ["present", "dismiss"])
        }

        @Test func showsNothing_whenTheLoginWasCancelledBefore() async {
            device.grantAccess { $0.login = TVAccount.Login("apple-cable") }
            let login = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await failure()
            }
            #expect(await login.value == .cancelled)
            #expect(viewer.shown.isEmpty)
        }

        /// A process has one queue of requests, in which only the viewer or a cancellation ends the wait.
        @Test func aSilentRequest_waitsBehindAnOpenDialog() async throws {
            device.grantAccess { $0.choice = .leavesOpen }
            let login = Task { await failure() }
            await viewer.waitUntilShown()
            let silent = Task { try await signOn.account(Self.silent, presenter: nil) }
            while device.with(\.waitingForAccount.isEmpty), !Task.isCancelled { await Task.yield() }
            device.with { $0.account.login = TVAccount.Login("apple-cable") }
            login.cancel()
            #expect(await login.value == .cancelled)
            #expect(try await silent.value.providerID == "apple-cable")
        }

        // MARK: - Failures

        @Test(arguments: VSError.Code.allCases)
        func saysWhyNot(code: VSError.Code) async {
            device.grantAccess { $0.failure = NSError(domain: VSErrorDomain, code: code.rawValue) }
            let expected: PlatformSignOnError =
                switch code {
                case .accessNotGranted: .accessNotGranted
                case .unsupportedProvider: .unsupportedProvider(id: nil)
                case .userCancelled: .cancelled
                case .unsupported: .notOffered
                default: .failed("VSErrorDomain \(code.rawValue)")
                }
            await #expect(throws: expected) { try await signOn.account(Self.visible, presenter: viewer) }
            #expect(viewer.shown.isEmpty)
        }

        @Test func saysWhyNot_inForeignWords() async {
            device.grantAccess {
                // A code has no meaning in the domain of another error.
                $0.failure = NSError(domain: NSCocoaErrorDomain, code: 2)
            }
            await #expect(throws: PlatformSignOnError.failed("NSCocoaErrorDomain 2")) {
                try await signOn.account(Self.silent, presenter: nil)
            }
        }

        @Test(
            arguments: [
                (.notDetermined, nil, .accessNotGranted), (.granted, nil, .notSignedIn), (.granted, 2, .cancelled),
            ] as [(TVAccount.Access, Int?, PlatformSignOnError)])
        func saysThatTheViewerIsNotSignedIn(access: TVAccount.Access, code: Int?, expected: PlatformSignOnError) async {
            device.with {
                $0.account.access = access
                $0.account.silentFailure = code
            }
            await #expect(throws: expected) { try await signOn.account(Self.silent, presenter: nil) }
        }

        @Test func namesTheProvider_thatTheRequestorDoesNotWorkWith() async {
            device.grantAccess { $0.login = TVAccount.Login("apple-fiber") }
            await #expect(throws: PlatformSignOnError.unsupportedProvider(id: "apple-fiber")) {
                try await signOn.account(Self.silent, presenter: nil)
            }
        }
    }
}
