import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@testable import AccessEnabler

@Suite(.fewAtATime, .timeLimit(.hanging))
struct BrowserChoiceTests {
    // SV5 concerns versions before 3.1. SV6 concerns view controllers that prevent a system's view controller.
    @Test(
        .row("SV1", "SV2", "SV3"),
        arguments: [
            ("SV1", false, false, false, BrowserChoice.webViewOfApp), ("SV1", false, true, true, .webViewOfApp),
            ("SV2", true, false, true, .automatic), ("SV2 without a system browser", true, false, false, .webViewOfApp),
            ("SV3", true, true, true, .safariOfApp), ("SV3", true, true, false, .safariOfApp),
        ])
    func chooses(row: String, needsSafari: Bool, appDrives: Bool, hasAutomatic: Bool, choice: BrowserChoice) {
        let made = BrowserChoice(needsSafari: needsSafari, appDrivesSafari: appDrives, hasAutomatic: hasAutomatic)
        #expect(made == choice, "\(row)")
    }

    /// The app shows a page that the system's browser refuses.
    @Test(.row("SV2")) func asksTheApp_forAPageThatTheBrowserCannotOpen() async throws {
        let app = try await ClassicApp(world: Self.world, automaticBrowser: HeadlessSafari(viewer: nil, canOpen: false))
        app.beginLogin()
        #expect(await app.callbacks(until: \.isNavigation).last?.isNavigation == true)
    }

    /// The viewer saw no page, and therefore did not leave one.
    @Test func failsALogin_whoseBrowserCouldNotOpen() async throws {
        let app = try await ClassicApp(world: Self.world, automaticBrowser: MissingSafari())
        app.beginLogin()
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(callbacks.last == .authenticationStatus(0, code: GENERIC_AUTHENTICATION_ERROR), "\(callbacks)")
    }

    private static let world: SandboxWorld = {
        var world = SandboxWorld.demo
        world.providers[0].usesSafari = true
        return world
    }()

    @Test(.row("SV3", "K5", "LO2")) func asksTheAppForSafari_whenItSaidSo() async throws {
        let app = try await ClassicApp(world: Self.world)
        app.enabler.setOptions([OPTION_HANDLE_SVC: true])
        app.beginLogin()
        let page = await app.callbacks(until: \.isNavigation).last
        #expect(page?.word == "navigate in Safari")
        try await app.finish(#require(page?.page))
        #expect(await app.loginStatus() == .authenticationStatus(1, code: ""))
        app.enabler.logout()
        // LO2: Safari cannot be hidden, so the app shows the logout too.
        #expect(await app.callbacks(until: \.isNavigation).last?.word == "navigate in Safari")
    }

    @Test(.row("SV4")) func asksForAnOrdinaryPage_whenTheAppHasNoMethodForSafari() async throws {
        let app = try await ClassicApp(world: Self.world)
        let plain = PlainDelegate()
        app.enabler.delegate = plain
        app.enabler.setOptions([OPTION_HANDLE_SVC: true])
        app.beginLogin()
        while plain.recorder.callbacks.isEmpty, !Task.isCancelled { await Task.shortPause() }
        #expect(plain.recorder.callbacks.first?.word == "navigate")
        app.enabler.setSelectedProvider(nil)
    }

    @Test(.row("SV2")) func showsThePageItself_withoutACallback() async throws {
        let browser = HeadlessSafari(viewer: .logsIn(name: "viewer", password: "secret"))
        let app = try await ClassicApp(world: Self.world, automaticBrowser: browser)
        app.beginLogin()
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(callbacks.last == .authenticationStatus(1, code: "") && callbacks.filter(\.isNavigation).isEmpty)
    }

    // MARK: - REST API v2, whose configuration says nothing about browsers

    /// The application's own redirect.
    private static let redirect = "com.example.app://login"

    @Test(.row("CL28", "SV7")) func overRESTv2_theSystemsBrowserShowsThePage_withTheApplicationsRedirect() async throws
    {
        let browser = HeadlessSafari(viewer: .logsIn(name: "viewer", password: "secret"))
        let app = try await ClassicApp(.restV2, automaticBrowser: browser) {
            $0.safariRedirectURL = URL(string: Self.redirect)
        }
        app.beginLogin()
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(callbacks.last == .authenticationStatus(1, code: "") && callbacks.filter(\.isNavigation).isEmpty)
        #expect(browser.pages.map(\.redirectURL.absoluteString) == [Self.redirect])
        #expect(app.enabler.canHandle("\(Self.redirect)?x"))
    }

    @Test(.row("SV7")) func overRESTv2_theAppShowsSafari_whenItSaidSo() async throws {
        let app = try await ClassicApp(.restV2) { $0.safariRedirectURL = URL(string: Self.redirect) }
        app.enabler.setOptions([OPTION_HANDLE_SVC: true])
        app.beginLogin()
        #expect(await app.callbacks(until: \.isNavigation).last?.word == "navigate in Safari")
        app.enabler.setSelectedProvider(nil)
    }

    @Test(.row("SV7")) func overRESTv2_aWebViewIsTheAppsChoice() async throws {
        let browser = HeadlessSafari(viewer: nil)
        let app = try await ClassicApp(.restV2, automaticBrowser: browser) {
            $0.safariRedirectURL = URL(string: Self.redirect)
            $0.loginBrowser = .webView
        }
        app.setRequestor()
        try await app.logIn()
        #expect(browser.pages.isEmpty)
        #expect(!app.recorder.callbacks.filter(\.isNavigation).isEmpty)
    }

    /// Only the registration names the redirect, at which the page of the login ends.
    @Test func overRESTv2_knowsARedirect_thatIsRegisteredForTheApplication() async throws {
        var world = SandboxWorld.demo
        world.behavior.restV2.redirectURLs = ["own.app://login"]
        let app = try await ClassicApp(.restV2, world: world)
        #expect(!app.enabler.canHandle("own.app://login?x"))
        app.beginLogin()
        _ = await app.callbacks(until: \.isNavigation)
        #expect(app.enabler.canHandle("own.app://login?x"))
        #expect(!app.enabler.canHandle("other.app://login?x"))
        app.enabler.setSelectedProvider(nil)
    }

    @Test(.row("SP4")) func cancels_whenTheViewerClosesIt_orTheAppDoes() async throws {
        let closed = try await ClassicApp(world: Self.world, automaticBrowser: HeadlessSafari(viewer: nil))
        closed.beginLogin()
        let end = ClassicCallback.authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR)
        #expect(await closed.loginStatus() == end)

        let endless = EndlessSafari()
        let app = try await ClassicApp(world: Self.world, automaticBrowser: endless)
        app.beginLogin()
        _ = await endless.opened.stream.first { _ in true }
        app.enabler.setSelectedProvider(nil)
        #expect(await app.loginStatus() == end)
    }

    /// The app never had the page, so it does not know that the page has ended.
    @Test(.row("SP4", "D-16"), arguments: ServiceDialect.allCases)
    func cancels_whenTheCodeOfThePageExpires(service: ServiceDialect) async throws {
        let endless = EndlessSafari()
        let app = try await ClassicApp(service, world: Self.world, automaticBrowser: endless)
        app.beginLogin()
        _ = await endless.opened.stream.first { _ in true }
        await app.clock.advanceOnceSomethingSleeps(by: 1_800)
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(callbacks.last == .authenticationStatus(0, code: PROVIDER_NOT_SELECTED_ERROR), "\(callbacks)")
    }

    @Test(
        .row("D-47"),
        arguments: [
            ("adobepass://ios.app", true), ("ADOBEPASS://adobe.com/x?y", true), ("adobepass:", true), (nil, false),
            ("", false), ("https://ios.app", false), ("not a url", false),
        ])
    func HX_knowsItsRedirect(url: String?, isOurs: Bool) async throws {
        #expect(AccessEnabler("statement").canHandle(url) == isOurs)
    }
}

/// An app that omits the optional method.
private final class PlainDelegate: NSObject, EntitlementDelegate, Sendable {
    let recorder = CallbackRecorder()

    func navigate(toUrl url: String!) { recorder.navigate(toUrl: url) }
    func setRequestorComplete(_ status: Int32) {}
    func setAuthenticationStatus(_ status: Int32, errorCode code: String!) {}
    func displayProviderDialog(_ mvpds: [Any]!) {}
    func setToken(_ token: String!, forResource resource: String!) {}
    func tokenRequestFailed(_ resource: String!, errorCode code: String!, errorDescription description: String!) {}
    func presentTvProviderDialog(_ viewController: PlatformViewController!) {}
    func dismissTvProviderDialog(_ viewController: PlatformViewController!) {}
    func selectedProvider(_ mvpd: MVPD!) {}
    func preauthorizedResources(_ resources: [Any]!) {}
    func setMetadataStatus(
        _ metadata: Any!, encrypted: Bool, forKey key: Int32, andArguments arguments: [AnyHashable: Any]!
    ) {}
    func sendTrackingData(_ data: [Any]!, forEventType event: Int32) {}
}

/// A system browser in which the viewer does what a test says, or leaves at once.
private struct HeadlessSafari: AutomaticBrowser {
    let viewer: HeadlessBrowser.Viewer?
    var canOpen = true
    private let opened = Guarded<[BrowserPage]>([])

    init(viewer: HeadlessBrowser.Viewer?, canOpen: Bool = true) {
        self.viewer = viewer
        self.canOpen = canOpen
    }

    /// The pages that were opened, in order.
    var pages: [BrowserPage] { opened.withLock(\.self) }

    func canOpen(_ page: BrowserPage) -> Bool { canOpen }

    func open(_ page: BrowserPage) async -> URL? {
        opened.withLock { $0.append(page) }
        var browser = HeadlessBrowser(transport: BrowserTransport())
        guard let viewer,
            case .redirect(let end) = await browser.open(page.url, endingAt: page.redirectURL, as: viewer)
        else { return nil }
        return end
    }
}

/// A system browser that opens no page.
private struct MissingSafari: AutomaticBrowser {
    func open(_ page: BrowserPage) async throws(PageNotOpened) -> URL? { throw PageNotOpened("E 3") }
}

/// A system browser that the viewer never closes.
private struct EndlessSafari: AutomaticBrowser {
    let opened = AsyncStream<Void>.makeStream()

    func open(_ page: BrowserPage) async -> URL? {
        opened.continuation.yield()
        let (never, _) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        return nil
    }
}
