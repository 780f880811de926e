import AccessEnabler
import AppleDevice
import Foundation
import TVEFlowEngine
import TVENetworking
import TVESandbox
import TVETestSupport
import Testing

extension AppleSide {
    /// The browser of the system, and the app's own.
    struct BrowserTests {
        private let device = AppleDevice.takeNew()
        private let page: BrowserPage

        init() throws {
            device.run(.player)
            page = BrowserPage(
                url: try #require(URL(string: "https://login.example.com/")),
                redirectURL: try #require(URL(string: "com.example.app://login")), needsSafari: true)
        }

        @Test(arguments: [true, false])
        func endsAtTheRedirect(hasKeyWindow: Bool) async {
            device.with {
                $0.hasKeyWindow = hasKeyWindow
                $0.safari.journey = { _, scheme in URL(string: "\(scheme ?? "")://login?code=1") }
            }
            #expect(await SystemBrowser().open(page)?.absoluteString == "com.example.app://login?code=1")
            #expect(device.with(\.pages) == [page.url])
        }

        /// `adbe.<id>` with letters of both cases: the browser writes it in lower case.
        @Test func endsAtTheRedirect_whoseSchemeHasCapitals() async throws {
            device.with { $0.safari.journey = { _, _ in URL(string: "adbe.AbC://login?code=1") } }
            let mixed = BrowserPage(url: page.url, redirectURL: try #require(URL(string: "adbe.AbC://login")))
            #expect(SystemBrowser().canOpen(mixed))
            let end = try #require(await SystemBrowser().open(mixed))
            #expect(end.absoluteString == "adbe.abc://login?code=1" && mixed.ends(at: end))
        }

        /// The system raises.
        @Test(arguments: [
            ("ftp://login.example.com/", "adbe.abc://login"), ("about:blank", "adbe.abc://login"),
            ("https://login.example.com/", "https://app.example.com/login"),
            ("https://login.example.com/", "HTTP://app.example.com/login"), ("https://login.example.com/", "login"),
        ])
        func leavesAPageToTheApp_thatTheSystemRefuses(url: String, redirect: String) async throws {
            let page = BrowserPage(
                url: try #require(URL(string: url)), redirectURL: try #require(URL(string: redirect)))
            #expect(!SystemBrowser().canOpen(page))
            #expect(await SystemBrowser().open(page) == nil)
            #expect(device.with(\.pages).isEmpty)
        }

        /// The system shows an alert first, which a viewer does not expect when an app starts.
        @Test func opensNoPage_thatNeedNotBeSeen() async {
            var silent = page
            silent.mustBeSeen = false
            #expect(await SystemBrowser().open(silent) == nil)
            #expect(device.with(\.pages).isEmpty)
        }

        @Test func endsWithoutAURL_whenTheViewerCloses() async {
            #expect(await SystemBrowser().open(page) == nil)
        }

        @Test func endsWithoutAURL_whenTheBrowserCannotBeOpened() async {
            device.with { $0.safari.isThere = false }
            #expect(await SystemBrowser().open(page) == nil)
            #expect(device.with(\.pages).isEmpty)
        }

        @Test(arguments: [true, false])
        func closes_whenTheLoginIsCancelled(reports: Bool) async {
            let (opened, closed) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
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
            let login = Task { [page] in await SystemBrowser().open(page) }
            _ = await opened.stream.first { _ in true }
            login.cancel()
            #expect(await login.value == nil)
            _ = await closed.stream.first { _ in true }
        }

        @Test func opensNothing_whenTheLoginWasCancelledBefore() async {
            let login = Task { [page] in
                withUnsafeCurrentTask { $0?.cancel() }
                return await SystemBrowser().open(page)
            }
            #expect(await login.value == nil)
            #expect(device.with(\.pages).isEmpty)
        }

        /// The library shows the page itself, and the app is not asked (rows SV2, SV4, SV6).
        ///
        /// Over REST API v2 those of all providers.
        @Test(arguments: ServiceDialect.allCases)
        func SV2_showsThePagesOfProvidersThatNeedSafari(dialect: ServiceDialect) async throws {
            device.with { $0.safari.journey = { await PhoneApp.walk($0, $1) } }
            let sandbox = try await PhoneApp.sandbox { $0.providers[0].usesSafari = dialect == .classic }
            let app = await PhoneApp(.player, sandbox, dialect)
            app.enabler.getAuthentication()
            _ = await app.callbacks { if case .providerDialog = $0 { true } else { false } }
            app.enabler.setSelectedProvider("demo-cable")
            #expect(await app.callbacks(until: \.isAuthenticationStatus).compactMap(\.word) == ["authentication 1 "])
            #expect(device.with(\.pages).count == 1)
        }

        /// The app's own web view.
        @Test func SV1_leavesOtherPagesToTheApp() async throws {
            let app = await PhoneApp(.player, try await PhoneApp.sandbox(), .classic)
            try await app.logIn()
            #expect(device.with(\.pages).isEmpty)
        }
    }
}
