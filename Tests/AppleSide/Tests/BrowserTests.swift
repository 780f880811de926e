import AccessEnabler
import AppleDevice
import AuthenticationServices
import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing
import UIKit

extension AppleSide {
    /// Tests of the system's browser and of the app's own web view.
    struct BrowserTests {
        private let device = AppleDevice.takeNew()
        private let page: BrowserPage

        init() throws {
            device.run(.player)
            page = BrowserPage(
                url: try #require(URL(string: "https://login.example.com/")),
                redirectURL: try #require(URL(string: "com.example.app://login")), needsSafari: true)
        }

        /// The browser opens in any active scene, even in one that has no window yet.
        @Test(arguments: DeviceScene.Window.allCases)
        func endsAtTheRedirect(window: DeviceScene.Window) async throws {
            device.with {
                $0.scene.window = window
                $0.safari.journey = { _, scheme in URL(string: "\(scheme ?? "")://login?code=1") }
            }
            #expect(try await SystemBrowser().open(page)?.absoluteString == "com.example.app://login?code=1")
            #expect(device.with(\.pages) == [page.url])
        }

        /// The scene of another display is active too, and nobody can use a page there.
        @Test(arguments: DeviceScene.Window.allCases)
        func opensNoPage_onADisplayWithoutInput(window: DeviceScene.Window) async throws {
            device.with {
                $0.scene.window = window
                $0.scene.hasExternalDisplays = true
                $0.safari.journey = { _, scheme in URL(string: "\(scheme ?? "")://login?code=1") }
            }
            #expect(try await SystemBrowser().open(page)?.absoluteString == "com.example.app://login?code=1")
            #expect(device.with(\.pages) == [page.url])
        }

        /// An app may have a `SystemBrowser` of its own (Documentation/Compatibility.md).
        @Test func isAMemberOfTheClass_andHasASecondName() {
            let names: [Any.Type] = [AccessEnabler.SystemBrowser.self, AccessEnablerSystemBrowser.self]
            #expect(names.allSatisfy { $0 == SystemBrowser.self })
        }

        // MARK: - A scene that is not active

        /// An alert of the system or Control Center was in front of the app.
        @Test func opens_whenTheSceneBecomesActive() async throws {
            let clock = ManualClock()
            device.with {
                $0.scene.activation = .foregroundInactive
                $0.safari.journey = { _, scheme in URL(string: "\(scheme ?? "")://login?code=1") }
            }
            let login = Task { [page] in try await SystemBrowser(clock: clock.sessionClock).open(page) }
            while clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
            // The first notification is about a scene without windows.
            await Self.notifyOfActivation()
            device.with { $0.scene.activation = .foregroundActive }
            await Self.notifyOfActivation()
            #expect(try await login.value?.absoluteString == "com.example.app://login?code=1")
            #expect(device.with(\.pages) == [page.url])
            #expect(clock.sleepers == 0, "The browser does not wait any longer.")
        }

        @Test func saysWhyNot_whenTheSceneStaysInactive() async {
            let clock = ManualClock()
            device.with { $0.scene.activation = .foregroundInactive }
            let login = Task { [page] in try await SystemBrowser(clock: clock.sessionClock).open(page) }
            await clock.advanceOnceSomethingSleeps(by: 10)
            await #expect(throws: PageNotOpened("no scene of the app is active")) { try await login.value }
            #expect(device.with(\.pages).isEmpty)
        }

        @Test func opensNothing_whenTheLoginIsCancelled_beforeTheSceneIsActive() async throws {
            let clock = ManualClock()
            device.with { $0.scene.activation = .foregroundInactive }
            let login = Task { [page] in try await SystemBrowser(clock: clock.sessionClock).open(page) }
            while clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
            login.cancel()
            #expect(try await login.value == nil)
            #expect(device.with { $0.pages.isEmpty && $0.log.isEmpty } && clock.sleepers == 0)
        }

        /// The page of a logout or the platform's dialog was over the window.
        @Test func opens_afterADismissal() async throws {
            let clock = ManualClock()
            device.with {
                $0.scene.isDismissing = true
                $0.safari.journey = { _, scheme in URL(string: "\(scheme ?? "")://login?code=1") }
            }
            let login = Task { [page] in try await SystemBrowser(clock: clock.sessionClock).open(page) }
            while clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
            device.with { $0.scene.isDismissing = false }
            clock.advance(by: 1)
            #expect(try await login.value?.absoluteString == "com.example.app://login?code=1")
        }

        @Test func saysWhyNot_whenADismissalDoesNotEnd() async {
            let clock = ManualClock(shortWait: .seconds(1))
            device.with { $0.scene.isDismissing = true }
            await #expect(throws: PageNotOpened("another view is still being dismissed")) {
                try await SystemBrowser(clock: clock.sessionClock).open(page)
            }
            #expect(device.with(\.pages).isEmpty)
        }

        /// The viewer has seen no page, and therefore has not decided anything.
        @Test func saysWhyNot_whenNoSceneIsInTheForeground() async {
            device.with { $0.scene.activation = .background }
            await #expect(throws: PageNotOpened("no scene of the app is active")) {
                try await SystemBrowser().open(page)
            }
            #expect(device.with(\.pages).isEmpty)
        }

        /// Notifies the app that one of its scenes has become active.
        @MainActor
        private static func notifyOfActivation() {
            NotificationCenter.default.post(name: UIScene.didActivateNotification, object: nil)
        }

        // MARK: - A browser that could not open

        /// Only the first code of the system means that the viewer left.
        @Test(arguments: 1...4)
        func saysWhyNot_whenTheSystemFails(code: Int) async throws {
            device.with { $0.safari.failure = code }
            if code == ASWebAuthenticationSessionError.Code.canceledLogin.rawValue {
                #expect(try await SystemBrowser().open(page) == nil)
                #expect(device.with(\.log).isEmpty)
            } else {
                let reason = "\(ASWebAuthenticationSessionErrorDomain) \(code)"
                await #expect(throws: PageNotOpened(reason)) { try await SystemBrowser().open(page) }
                #expect(device.with(\.log) == ["swift-access-enabler session 16 no page: \(reason)"])
            }
        }

        /// The status names the failure, because the viewer has not abandoned the login.
        @Test(arguments: ServiceDialect.allCases)
        func aLoginFails_whoseBrowserCouldNotOpen(dialect: ServiceDialect) async throws {
            let sandbox = try await PhoneApp.sandbox { $0.providers[0].usesSafari = dialect == .classic }
            let app = await PhoneApp(.player, sandbox: sandbox, service: dialect)
            device.with { $0.safari.failure = 3 }
            await expectFailedLogin(of: app.enabler, with: app.recorder)
        }

        /// The app has no entitlement for the host of its redirect, or the system has not verified it.
        @Test(arguments: ServiceDialect.allCases)
        func aLoginFails_whoseRedirectIsNotAssociatedWithTheApp(dialect: ServiceDialect) async throws {
            let sandbox = try await PhoneApp.sandbox { $0.providers[0].usesSafari = dialect == .classic }
            let redirect = try #require(URL(string: "https://app.example.com/login"))
            var environment = SessionEnvironment(
                storage: MemoryStorage(), app: AppIdentity(bundleID: "com.example.tv.Player", teamID: "TEAM1"),
                redirectURL: redirect)
            environment.safariRedirectURL = redirect
            let enabler = AccessEnabler(sandbox.softwareStatement, service: dialect, environment: environment)
            let recorder = CallbackRecorder()
            enabler.delegate = recorder
            enabler.statusDelegate = recorder
            enabler.setRequestor("DEMO", serviceProviders: [sandbox.baseURL.absoluteString + "/adobe-services"])
            await expectFailedLogin(of: enabler, with: recorder)
        }

        /// Begins a login, and expects that it fails without a page and that no status says that the viewer left.
        private func expectFailedLogin(of enabler: AccessEnabler, with recorder: CallbackRecorder) async {
            enabler.getAuthentication()
            _ = await recorder.callbacks { if case .providerDialog = $0 { true } else { false } }
            enabler.setSelectedProvider("demo-cable")
            let words = await recorder.callbacks(until: \.isAuthenticationStatus).compactMap(\.word)
            #expect(words.last == "authentication 0 \(GENERIC_AUTHENTICATION_ERROR)")
            #expect(!words.contains("N005"), "The viewer did not leave.")
            #expect(device.with(\.pages).isEmpty)
        }

        // MARK: - The redirect

        /// The browser writes a scheme such as `adbe.<id>` in lower case, even if the id has upper-case letters.
        @Test func endsAtTheRedirect_whoseSchemeHasCapitals() async throws {
            device.with { $0.safari.journey = { _, _ in URL(string: "adbe.AbC://login?code=1") } }
            let mixed = BrowserPage(url: page.url, redirectURL: try #require(URL(string: "adbe.AbC://login")))
            #expect(await SystemBrowser().canOpen(mixed))
            let end = try #require(try await SystemBrowser().open(mixed))
            #expect(end.absoluteString == "adbe.abc://login?code=1" && mixed.ends(at: end))
        }

        /// The system would raise an exception for such a scheme or page.
        @Test(arguments: [
            ("ftp://login.example.com/", "adbe.abc://login"), ("about:blank", "adbe.abc://login"),
            ("https://login.example.com/", "http://app.example.com/login"),
            ("https://login.example.com/", "https://app.example.com:8443/login"),
            ("https://login.example.com/", "HTTP://app.example.com/login"), ("https://login.example.com/", "login"),
        ])
        func leavesAPageToTheApp_thatTheSystemRefuses(url: String, redirect: String) async throws {
            let page = BrowserPage(
                url: try #require(URL(string: url)), redirectURL: try #require(URL(string: redirect)))
            #expect(await !SystemBrowser().canOpen(page))
            #expect(try await SystemBrowser().open(page) == nil)
            #expect(device.with(\.pages).isEmpty)
        }

        /// The redirect is on the web, at a host with which the app is associated.
        @Test(arguments: [
            ("https://App.example.com/login", "https://app.example.com/login?code=1", true),
            ("HTTPS://app.example.com", "https://app.example.com/?code=1", true),
            ("https://app.example.com/login", "https://app.example.com/other?code=1", false),
            ("https://app.example.com/login", "https://other.example.com/login?code=1", false),
        ])
        func endsAtARedirectOfTheWeb(redirect: String, reached: String, ends: Bool) async throws {
            var app = App.player
            app.credentialDomains = ["app.example.com"]
            device.run(app)
            device.with { $0.safari.journey = { _, _ in URL(string: reached) } }
            let page = BrowserPage(url: page.url, redirectURL: try #require(URL(string: redirect)))
            #expect(await SystemBrowser().canOpen(page))
            #expect(try await SystemBrowser().open(page)?.absoluteString == (ends ? reached : nil))
        }

        /// The framework's error has the code of a viewer who cancels, and its reason tells it apart.
        @Test func opensNothing_whereTheAppIsNotAssociatedWithTheRedirect() async throws {
            let page = BrowserPage(
                url: page.url, redirectURL: try #require(URL(string: "https://app.example.com/login")))
            let code = "\(ASWebAuthenticationSessionErrorDomain) 1"
            await #expect(throws: PageNotOpened(code)) { try await SystemBrowser().open(page) }
            #expect(device.with(\.pages).isEmpty)
            let reason = App.player.refusal(ofCallbackAt: "app.example.com")
            #expect(device.with(\.log) == [reason, code].map { "swift-access-enabler session 16 no page: \($0)" })
        }

        // MARK: - The system's alert

        /// The system asks the viewer first, who does not expect that when an app starts.
        @Test(.row("PA4")) func opensNoPage_thatNeedNotBeSeen() async throws {
            var silent = page
            silent.mustBeSeen = false
            #expect(try await SystemBrowser().open(silent) == nil)
            #expect(device.with { $0.pages.isEmpty && $0.alerts == 0 })
        }

        /// The system asks at a logout too, because only a page can remove the provider's cookies from Safari.
        @Test(arguments: [false, true])
        func theSystemAsks_beforeEveryPage(isLogout: Bool) async throws {
            device.with { $0.safari.journey = { _, scheme in URL(string: "\(scheme ?? "")://login") } }
            var page = page
            page.isLogout = isLogout
            #expect(try await SystemBrowser().open(page) != nil)
            #expect(device.with { $0.alerts == 1 && $0.pages.count == 1 && $0.privatePages == 0 })
            device.with { $0.safari.refusesAlert = true }
            #expect(try await SystemBrowser().open(page) == nil)
            #expect(device.with { $0.alerts == 2 && $0.pages.count == 1 })
        }

        /// Such a browser has no cookies that a logout would have to remove.
        @Test(arguments: [false, true])
        func aPrivateBrowser_asksNothing_andOpensNoLogout(isLogout: Bool) async throws {
            device.with { $0.safari.journey = { _, scheme in URL(string: "\(scheme ?? "")://login") } }
            var page = page
            page.isLogout = isLogout
            #expect(try await (SystemBrowser(isPrivate: true).open(page) == nil) == isLogout)
            #expect(device.with { $0.alerts == 0 && $0.privatePages == (isLogout ? 0 : 1) })
        }

        /// A viewer who refuses at a logout is logged out on the device and at the service.
        @Test(arguments: [false, true])
        func aLogoutEnds_evenIfTheViewerRefuses(refuses: Bool) async throws {
            let app = await PhoneApp(.player, sandbox: try await PhoneApp.sandbox(), service: .restV2)
            try await app.logIn()
            device.with { $0.safari.refusesAlert = refuses }
            let pages = device.with(\.pages.count)
            app.enabler.logout()
            #expect(
                await app.callbacks(until: \.isAuthenticationStatus).last?.word?.hasPrefix("authentication 0 ") == true)
            #expect(device.with { $0.alerts == 2 && $0.pages.count == pages + (refuses ? 0 : 1) })
            #expect(await !app.isLoggedIn())
        }

        @Test func endsWithoutAURL_whenTheViewerCloses() async throws {
            #expect(try await SystemBrowser().open(page) == nil)
        }

        /// The open page remains, and ends by itself.
        @Test func saysWhyNot_whenAnotherPageIsOpen() async throws {
            let opened = AsyncStream<Void>.makeStream()
            let redirected = AsyncStream<Void>.makeStream()
            device.with {
                $0.safari.journey = { _, scheme in
                    opened.continuation.yield()
                    for await _ in redirected.stream { break }
                    return URL(string: "\(scheme ?? "")://login")
                }
            }
            let first = Task { [page] in try await SystemBrowser().open(page) }
            for await _ in opened.stream { break }
            await #expect(throws: PageNotOpened("it did not start")) { try await SystemBrowser().open(page) }
            redirected.continuation.yield()
            #expect(try await first.value?.absoluteString == "com.example.app://login")
            #expect(device.with(\.pages.count) == 1)
        }

        @Test func saysWhyNot_whenThereIsNoBrowser() async {
            device.with { $0.safari.isThere = false }
            await #expect(throws: PageNotOpened("it did not start")) { try await SystemBrowser().open(page) }
            #expect(device.with(\.pages).isEmpty)
        }

        @Test(arguments: [true, false])
        func closes_whenTheLoginIsCancelled(reports: Bool) async throws {
            let opened = AsyncStream<Void>.makeStream()
            let closed = AsyncStream<Void>.makeStream()
            device.with {
                $0.safari.reportsCancellation = reports
                $0.safari.journey = { _, _ in
                    opened.continuation.yield()
                    let (never, _) = AsyncStream<Void>.makeStream()
                    for await _ in never {}
                    closed.continuation.yield()
                    return nil
                }
            }
            let login = Task { [page] in try await SystemBrowser().open(page) }
            _ = await opened.stream.first { _ in true }
            login.cancel()
            #expect(try await login.value == nil)
            _ = await closed.stream.first { _ in true }
        }

        @Test func opensNothing_whenTheLoginWasCancelledBefore() async throws {
            let login = Task { [page] in
                withUnsafeCurrentTask { $0?.cancel() }
                return try await SystemBrowser().open(page)
            }
            #expect(try await login.value == nil)
            #expect(device.with(\.pages).isEmpty)
        }

        /// The library shows the page itself, and the app is not asked (rows SV2, SV4, SV6).
        ///
        /// Over REST API v2 the library shows the pages of all providers.
        @Test(arguments: ServiceDialect.allCases)
        func SV2_showsThePagesOfProvidersThatNeedSafari(dialect: ServiceDialect) async throws {
            device.with { $0.safari.journey = { await PhoneApp.walk($0, $1) } }
            let sandbox = try await PhoneApp.sandbox { $0.providers[0].usesSafari = dialect == .classic }
            let app = await PhoneApp(.player, sandbox: sandbox, service: dialect)
            app.enabler.getAuthentication()
            _ = await app.callbacks { if case .providerDialog = $0 { true } else { false } }
            app.enabler.setSelectedProvider("demo-cable")
            #expect(await app.callbacks(until: \.isAuthenticationStatus).compactMap(\.word) == ["authentication 1 "])
            #expect(device.with(\.pages).count == 1)
        }

        /// The app shows other pages in its own web view.
        @Test func SV1_leavesOtherPagesToTheApp() async throws {
            let app = await PhoneApp(.player, sandbox: try await PhoneApp.sandbox(), service: .classic)
            try await app.logIn()
            #expect(device.with(\.pages).isEmpty)
        }
    }
}
