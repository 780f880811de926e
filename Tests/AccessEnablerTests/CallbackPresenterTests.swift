import Foundation
import TVEDeviceBinding
import TVEModels
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import AccessEnabler
@testable import TVEFlowEngine

/// A login whose callback waits behind other callbacks, as an app sees it.
@Suite(.timeLimit(.hanging))
struct CallbackPresenterTests {
    private let recorder = CallbackRecorder()
    private let queue = HeldQueue()
    private let callbacks: Callbacks
    private let presenter: CallbackPresenter
    private let ticket = Ticket(SessionEvents { _ in })

    init() {
        callbacks = Callbacks(run: queue.submit)
        callbacks.delegate = recorder
        presenter = CallbackPresenter(callbacks, automaticBrowser: nil) { false }
    }

    @Test
    func showsNothing_ofALoginThatEndedBeforeItsCallback() async throws {
        let waysOut: [(CallbackPresenter) -> Void] = [{ _ = $0.redirected(to: nil) }, { $0.close() }]
        for wayOut in waysOut {
            let page = Task { try await presenter.presentLogin(Self.page) }
            await queue.holds(1)
            wayOut(presenter)
            callbacks.authentication(.notAuthenticated(TVEError(.providerNotSelected, message: "Cancelled.")))
            queue.runAll()
            _ = try await page.value
        }
        #expect(recorder.callbacks.map(\.isAuthenticationStatus) == [true, true])
    }

    @Test
    func showsNothing_ofALoginThatEndedBeforeItWasShownAgain() async {
        let picker = Task { await presenter.chooseProvider(among: []) }
        await queue.holds(1)
        queue.runAll()
        presenter.repeatCallback()
        picker.cancel()
        #expect(await picker.value == nil)
        queue.runAll()
        #expect(recorder.callbacks.map(\.isProviderDialog) == [true])
    }

    /// The picker of the first login has not reached the app when the page of the second one replaces it.
    @Test
    func showsNothing_ofALoginThatAnotherOneHasReplaced() async throws {
        let picker = Task { await presenter.chooseProvider(among: []) }
        await queue.holds(1)
        let page = Task { try await presenter.presentLogin(Self.page) }
        #expect(await picker.value == nil)
        await queue.holds(2)
        queue.runAll()
        #expect(recorder.callbacks.map(\.isNavigation) == [true])
        presenter.close()
        #expect(try await page.value == nil)
    }

    @Test
    func showsThePageOnceMore_whenItStillWaits() async throws {
        let page = Task { try await presenter.presentLogin(Self.page) }
        await queue.holds(1)
        presenter.repeatCallback()
        queue.runAll()
        #expect(recorder.callbacks.count == 2)
        #expect(presenter.redirected(to: Self.page.redirectURL))
        #expect(try await page.value == Self.page.redirectURL)
    }

    // MARK: - Calls that end logins

    @Test
    func showsNothing_ofALogin_thatACallOnItsWayEnds() async {
        presenter.endRequested()
        let picker = Task { await presenter.chooseProvider(among: []) }
        await queue.holds(1)
        queue.runAll()
        // The login ends when it is that call's turn.
        picker.cancel()
        #expect(await picker.value == nil)
        presenter.endPerformed()
        queue.runAll()
        #expect(recorder.callbacks.isEmpty)
    }

    @Test
    func showsNothing_ofALoginWhoseCallbackWaited_whenTheCallWasMade() async {
        let picker = Task { await presenter.chooseProvider(among: []) }
        await queue.holds(1)
        presenter.endRequested()
        queue.runAll()
        presenter.close()
        #expect(await picker.value == nil)
        #expect(recorder.callbacks.isEmpty)
    }

    @Test
    func showsALoginLater_whenTheLastCallOnItsWayDidNotEndIt() async throws {
        presenter.endRequested()
        presenter.endRequested()
        let page = Task { try await presenter.presentLogin(Self.page) }
        await queue.holds(1)
        queue.runAll()
        presenter.endPerformed()
        queue.runAll()
        #expect(recorder.callbacks.isEmpty)
        presenter.endPerformed()
        queue.runAll()
        #expect(recorder.callbacks.map(\.isNavigation) == [true])
        presenter.close()
        #expect(try await page.value == nil)
    }

    @Test
    func showsLogoutPages_whileACallThatEndsLoginsIsOnItsWay() async {
        presenter.endRequested()
        let shown = Task { [presenter] in await presenter.presentLogout(Self.page) }
        await queue.holds(1)
        queue.runAll()
        #expect(presenter.redirected(to: Self.page.redirectURL))
        await shown.value
        #expect(recorder.callbacks.map(\.isNavigation) == [true])
    }

    /// A login that needs no viewer opens no page in the app, whichever party shows Safari.
    @Test(.row("PA4"), arguments: [false, true], [false, true])
    func showsTheAppNoPage_thatNeedsNoViewer(appDrivesSafari: Bool, needsSafari: Bool) async throws {
        let presenter = CallbackPresenter(callbacks, automaticBrowser: nil) { appDrivesSafari }
        let hidden = BrowserPage(
            url: Self.page.url, redirectURL: Self.page.redirectURL, needsSafari: needsSafari, mustBeSeen: false)
        #expect(try await presenter.presentLogin(hidden) == nil)
        queue.runAll()
        #expect(recorder.callbacks.isEmpty)
    }

    @Test
    func opensNoAutomaticPage_whileACallThatEndsLoginsIsOnItsWay() async throws {
        let browser = CountingBrowser()
        let presenter = CallbackPresenter(callbacks, automaticBrowser: browser) { false }
        let page = BrowserPage(url: Self.page.url, redirectURL: Self.page.redirectURL, needsSafari: true)
        presenter.endRequested()
        let ended = Task { try await presenter.presentLogin(page) }
        while !presenter.isWaiting, !Task.isCancelled { await Task.shortPause() }
        ended.cancel()
        #expect(try await ended.value == nil)
        let shown = Task { try await presenter.presentLogin(page) }
        while !presenter.isWaiting, !Task.isCancelled { await Task.shortPause() }
        presenter.endPerformed()
        #expect(try await shown.value == page.redirectURL)
        #expect(browser.opened.withLock(\.self) == 1)
    }

    /// The page of a passive login is part of the start, and the call that ends logins waits for the start.
    @Test(.row("PA4", "Q5"))
    func waitsForNoPage_thatNeedsNoViewer_whileACallThatEndsLoginsIsOnItsWay() async throws {
        let browser = CountingBrowser()
        let presenter = CallbackPresenter(callbacks, automaticBrowser: browser) { false }
        let page = BrowserPage(
            url: Self.page.url, redirectURL: Self.page.redirectURL, needsSafari: true, mustBeSeen: false)
        presenter.endRequested()
        #expect(try await presenter.presentLogin(page) == nil)
        presenter.endPerformed()
        #expect(browser.opened.withLock(\.self) == 0)
    }

    /// The call follows the end of the login at once, before the login's task has noticed the end.
    @Test
    func opensNoAutomaticPage_ofALoginThatACallHasJustEnded() async throws {
        let browser = CountingBrowser()
        let presenter = CallbackPresenter(callbacks, automaticBrowser: browser) { false }
        let page = BrowserPage(url: Self.page.url, redirectURL: Self.page.redirectURL, needsSafari: true)
        // The task may notice the end first, so one round alone shows little.
        for _ in 0..<50 {
            presenter.endRequested()
            let ended = Task { try await presenter.presentLogin(page) }
            while !presenter.isWaiting, !Task.isCancelled { await Task.shortPause() }
            ended.cancel()
            presenter.endPerformed()
            #expect(try await ended.value == nil)
        }
        #expect(browser.opened.withLock(\.self) == 0)
    }

    /// The viewer has not left a page that was never open.
    @Test(arguments: [true, false])
    func saysThatTheBrowserCouldNotOpen_andTheLogoutGoesOn(isLogin: Bool) async throws {
        let presenter = CallbackPresenter(callbacks, automaticBrowser: MissingBrowser()) { false }
        let page = BrowserPage(url: Self.page.url, redirectURL: Self.page.redirectURL, needsSafari: true)
        if isLogin {
            await #expect(throws: PageNotOpened("E 3")) { try await presenter.presentLogin(page) }
        } else {
            await presenter.presentLogout(page)
        }
        queue.runAll()
        #expect(recorder.callbacks.isEmpty && !presenter.isWaiting)
    }

    @Test(arguments: [false, true])
    func presentsThePlatformsDialogLater_unlessItWasDismissed(isDismissed: Bool) async {
        let dialog = PlatformDialog(recorder)
        presenter.endRequested()
        await presenter.presentPlatformDialog(dialog, under: ticket)
        queue.runAll()
        if isDismissed {
            await presenter.dismissPlatformDialog(dialog)
            queue.runAll()
        }
        presenter.endPerformed()
        queue.runAll()
        #expect(recorder.callbacks == (isDismissed ? [] : [.presentPlatformDialog(ObjectIdentifier(recorder))]))
    }

    /// The dialog was shown again after the call, and the app has not received it yet.
    @Test
    func presentsNoDialog_thatWasDismissedOnItsWayToTheApp() async {
        let dialog = PlatformDialog(recorder)
        presenter.endRequested()
        await presenter.presentPlatformDialog(dialog, under: ticket)
        presenter.endPerformed()
        await presenter.dismissPlatformDialog(dialog)
        queue.runAll()
        #expect(recorder.callbacks.isEmpty)
    }

    /// The login ends before the platform has its dialog, or while a call that ends logins is holding the dialog back.
    @Test(arguments: [false, true])
    func presentsNoDialog_ofALoginThatHasEnded(isHeldBack: Bool) async {
        let dialog = PlatformDialog(recorder)
        if isHeldBack { presenter.endRequested() } else { ticket.clear() }
        await presenter.presentPlatformDialog(dialog, under: ticket)
        ticket.clear()
        if isHeldBack { presenter.endPerformed() }
        await presenter.dismissPlatformDialog(dialog)
        queue.runAll()
        #expect(recorder.callbacks.isEmpty)
    }

    @Test
    func dismissesTheDialogOnce_whenTheLoginEndsWhileItIsShown() async {
        let dialog = PlatformDialog(recorder)
        await presenter.presentPlatformDialog(dialog, under: ticket)
        queue.runAll()
        ticket.clear()
        await presenter.dismissPlatformDialog(dialog)
        await presenter.dismissPlatformDialog(dialog)
        queue.runAll()
        let shown = ObjectIdentifier(recorder)
        #expect(recorder.callbacks == [.presentPlatformDialog(shown), .dismissPlatformDialog(shown)])
    }

    @Test
    func presentsADialogLater_whenOnlyAnotherOneWasDismissed() async {
        let dialog = PlatformDialog(recorder)
        presenter.endRequested()
        await presenter.presentPlatformDialog(dialog, under: ticket)
        await presenter.dismissPlatformDialog(PlatformDialog(queue))
        presenter.endPerformed()
        queue.runAll()
        #expect(recorder.callbacks == [.presentPlatformDialog(ObjectIdentifier(recorder))])
    }

    // MARK: - Codes, pickers and pages

    /// The codes that the app has received.
    private var codes: [String] {
        recorder.callbacks.compactMap { callback -> String? in
            if case .status("REGCODE", _, let message, _) = callback { message } else { nil }
        }
    }

    /// The first code has become invalid before the app could show it.
    @Test
    func reportsTheLastCodeAlone() {
        callbacks.statusDelegate = recorder
        for code in ["FIRST", "SECOND"] {
            presenter.notify(code: StatusEvent(registrationCode: code), under: ticket)
        }
        queue.runAll()
        #expect(codes == ["SECOND"])
    }

    @Test(arguments: [false, true])
    func reportsACodeLater_once_unlessItsLoginHasEnded(hasEnded: Bool) {
        callbacks.statusDelegate = recorder
        presenter.endRequested()
        presenter.notify(code: StatusEvent(registrationCode: "CODE"), under: ticket)
        queue.runAll()
        #expect(codes == [])
        if hasEnded { ticket.clear() }
        for _ in 0..<2 {
            presenter.endPerformed()
            queue.runAll()
            // Nothing is left for the next call that ends logins.
            presenter.endRequested()
        }
        #expect(codes == (hasEnded ? [] : ["CODE"]))
    }

    @Test
    func keepsThePicker_whenTheAppSaysThatAPageHasEnded() async throws {
        let picker = Task { await presenter.chooseProvider(among: []) }
        await queue.holds(1)
        #expect(!presenter.redirected(to: Self.page.redirectURL) && !presenter.redirected(to: nil))
        try #require(presenter.isWaiting)
        picker.cancel()
        #expect(await picker.value == nil)
    }

    /// An app that never had the page cannot know that it has ended.
    @Test
    func knowsWhetherTheAppShowsThePageThatBeganLast() async throws {
        let presenter = CallbackPresenter(callbacks, automaticBrowser: CountingBrowser()) { false }
        #expect(presenter.appShowsPage)
        let page = BrowserPage(url: Self.page.url, redirectURL: Self.page.redirectURL, needsSafari: true)
        #expect(try await presenter.presentLogin(page) == page.redirectURL)
        #expect(!presenter.appShowsPage)
        let picker = Task { await presenter.chooseProvider(among: []) }
        await queue.holds(1)
        picker.cancel()
        #expect(await picker.value == nil)
        #expect(!presenter.appShowsPage, "A picker is no page.")
        let shown = Task { try await presenter.presentLogin(Self.page) }
        await queue.holds(2)
        #expect(presenter.appShowsPage)
        presenter.close()
        #expect(try await shown.value == nil)
    }

    // MARK: - Several of them

    @Test
    func dismissesEachDialogThatIsShown() async {
        let dialogs = [PlatformDialog(recorder), PlatformDialog(queue)]
        for dialog in dialogs { await presenter.presentPlatformDialog(dialog, under: ticket); queue.runAll() }
        for dialog in dialogs { await presenter.dismissPlatformDialog(dialog) }
        queue.runAll()
        let shown = dialogs.map { ObjectIdentifier($0.viewController) }
        #expect(recorder.callbacks.prefix(2) == shown.map { .presentPlatformDialog($0) }[...])
        #expect(recorder.callbacks.dropFirst(2) == shown.map { .dismissPlatformDialog($0) }[...])
    }

    /// Two calls of the app are about to end the login.
    ///
    /// After the first one, the second may still do so.
    @Test
    func showsNothing_whileOneOfTwoCallsStillHasToEndTheLogin() async throws {
        let dialog = PlatformDialog(recorder)
        presenter.endRequested()
        presenter.endRequested()
        let page = Task { try await presenter.presentLogin(Self.page) }
        await queue.holds(1)
        await presenter.presentPlatformDialog(dialog, under: ticket)
        queue.runAll()
        presenter.endPerformed()
        queue.runAll()
        #expect(recorder.callbacks.isEmpty)
        presenter.endPerformed()
        queue.runAll()
        #expect(recorder.callbacks.count == 2)
        #expect(presenter.redirected(to: Self.page.redirectURL))
        _ = try await page.value
    }

    @Test
    func beginsNothing_onceTheAppHasLeft() async throws {
        presenter.close()
        #expect(await presenter.chooseProvider(among: []) == nil)
        #expect(try await presenter.presentLogin(Self.page) == nil)
        await presenter.presentLogout(Self.page)
        await presenter.presentPlatformDialog(PlatformDialog(recorder), under: ticket)
        queue.runAll()
        #expect(recorder.callbacks.isEmpty)
    }

    /// Everything that waits for a call that ends logins retains the presenter.
    @Test
    func isReleased_withWhatItHoldsBack_onceTheAppHasLeft() async {
        weak var gone: CallbackPresenter?
        do {
            let presenter = CallbackPresenter(callbacks, automaticBrowser: nil) { false }
            gone = presenter
            callbacks.statusDelegate = recorder
            presenter.endRequested()
            await presenter.presentPlatformDialog(PlatformDialog(recorder), under: ticket)
            presenter.notify(code: StatusEvent(registrationCode: "ABCDEFG"), under: ticket)
            queue.runAll()
            #expect(recorder.callbacks.isEmpty, "Both are held back.")
            presenter.close()
        }
        #expect(await soon { gone == nil })
    }

    @Test
    func callsNoDelegate_onceTheAccessEnablerIsReleased() async {
        var enabler: AccessEnabler? = AccessEnabler(
            "statement",
            environment: SessionEnvironment(
                storage: MemoryStorage(), app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
                redirectURL: AccessEnabler.redirectURL),
            callbackRun: queue.submit)
        enabler?.delegate = recorder
        // No endpoint is a service URL, so this fails without a request.
        enabler?.setRequestor("DEMO", serviceProviders: ["http://example.com"])
        await queue.holds(1)
        enabler = nil
        queue.runAll()
        #expect(recorder.callbacks.isEmpty)
    }

    private static let page = BrowserPage(
        url: URL(fileURLWithPath: "/login"), redirectURL: URL(fileURLWithPath: "/redirect"))
}

/// A browser that reaches the redirect of each page at once.
private final class CountingBrowser: AutomaticBrowser {
    let opened = Guarded(0)

    func open(_ page: BrowserPage) async -> URL? {
        opened.withLock { $0 += 1 }
        return page.redirectURL
    }
}

/// A browser that opens no page.
private struct MissingBrowser: AutomaticBrowser {
    func open(_ page: BrowserPage) async throws(PageNotOpened) -> URL? { throw PageNotOpened("E 3") }
}
