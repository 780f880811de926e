import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits

@testable import TVEFlowEngine

/// Row HX7: the app is closed while its viewer is at the login page.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ResumedLoginTests {
    private let redirect = URL(string: "adobepass://ios.app") ?? URL(fileURLWithPath: "/")

    /// A process that ends at the login page, and the page that its browser showed.
    private func leaveAtThePage(_ fixture: FlowFixture) async throws -> BrowserPage {
        let (session, _) = try await fixture.session()
        let viewer = ViewerThatWatches()
        let login = Task { try await session.authenticate(using: viewer) }
        let page = try #require(await viewer.pages.stream.first { _ in true })
        // The next process reads the data that is on disk now. The end of this process must not change it.
        let key = try #require(
            fixture.storage.keys(under: StorageKey("requestor")).first { $0.rawValue.hasSuffix("/pending") })
        let kept = try #require(fixture.storage.value(for: key))
        await login.cancelled()
        // The caller returns at once, the login ends a moment later.
        while fixture.storage.value(for: key) != nil, !Task.isCancelled { await Task.shortPause() }
        fixture.storage.apply([.put(key, kept)])
        return page
    }

    /// - Returns: where the browser ended.
    @discardableResult
    private func logIn(at page: BrowserPage) async throws -> URL {
        var browser = HeadlessBrowser(transport: BrowserTransport())
        let end = await browser.open(
            page.url, endingAt: page.redirectURL, as: .logsIn(name: "viewer", password: "secret"))
        guard case .redirect(let url) = end else { throw TVEError(.authenticationFailed, message: "\(end)") }
        return url
    }

    /// The process after one that ended at the login page, where the viewer may have logged in meanwhile.
    private func nextProcess(
        _ dialect: ServiceDialect, hasLoggedIn: Bool = false
    ) async throws -> (FlowFixture, page: BrowserPage, EntitlementSession, EventLog) {
        let fixture = try await FlowFixture(dialect)
        let page = try await leaveAtThePage(fixture)
        if hasLoggedIn { try await logIn(at: page) }
        let (next, log) = try await fixture.session()
        return (fixture, page, next, log)
    }

    /// Holds the service's answer about the login back until the returned call; the stream says when it was asked.
    private func hold(_ fixture: FlowFixture) -> (isAsked: AsyncStream<Void>, release: @Sendable () -> Void) {
        let (asked, isHeld) = (AsyncStream<Void>.makeStream(), Guarded(true))
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.outcome, request) else { return nil }
            asked.continuation.yield()
            while isHeld.withLock(\.self), !Task.isCancelled { await Task.shortPause() }
            return nil
        }
        return (asked.stream, { isHeld.withLock { $0 = false } })
    }

    @Test(.row("HX7", "HX4"), arguments: ServiceDialect.allCases)
    func finishesTheLogin_inTheNextProcess(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let page = try await leaveAtThePage(fixture)
        let end = try await logIn(at: page)
        let (next, log) = try await fixture.session()
        #expect(try await next.resumeLogin(at: end)?.mvpdID == "demo-cable")
        #expect(log.take() == ["authn cached false", "authenticated"])
        // Only once (row HX4).
        #expect(try await next.resumeLogin(at: end) == nil)
        #expect(log.take().isEmpty)
    }

    /// An app that closes its session at the page loses no more than one that the system ends there.
    @Test(.row("HX7", "Q15"), arguments: ServiceDialect.allCases)
    func finishesTheLogin_whoseSessionWasClosed(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let (session, _) = try await fixture.session()
        let viewer = ViewerThatWatches()
        let login = Task { try await session.authenticate(using: viewer) }
        let page = try #require(await viewer.pages.stream.first { _ in true })
        await session.end()
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
        let end = try await logIn(at: page)
        let (next, _) = try await fixture.session()
        #expect(try await next.resumeLogin(at: end)?.mvpdID == "demo-cable")
    }

    /// A viewer who has logged in with demo-cable before is at a login page, and the session is closed.
    ///
    /// - Parameters:
    ///   - mvpdID: the provider of the page. The login with demo-cable has ended only if it is demo-cable.
    ///   - isLeft: a Boolean value that indicates whether the app leaves the login just before, of which the session
    ///     learns only after it was closed.
    /// - Returns: two Boolean values that indicate whether the page and the record of the earlier success are stored.
    private func closeAtThePage(
        _ dialect: ServiceDialect, of mvpdID: MVPDID = "demo-cable", isLeft: Bool
    ) async throws -> (isPageKept: Bool, canAuthenticate: Bool) {
        let fixture = try await FlowFixture(dialect)
        let (session, _) = try await fixture.session { $0.skipsPicker = false }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let isAgain = mvpdID == "demo-cable"
        if isAgain { fixture.clock.advance(by: 31 * 86_400) }
        let viewer = ViewerThatWatches(choice: mvpdID)
        let login = Task { try await session.authenticate(using: viewer, isForced: !isAgain) }
        _ = try #require(await viewer.pages.stream.first { _ in true })
        let success = fixture.login.appending("canAuthenticate")
        try #require(fixture.storage.value(for: success) != nil)
        if isLeft {
            session.parts.listeners.close()
            await login.cancelled()
            #expect(await soon { await !session.hasRunningLogin })
        }
        await session.end()
        _ = await login.result
        let pages = fixture.storage.keys(under: StorageKey("requestor")).filter { $0.rawValue.hasSuffix("/pending") }
        return (!pages.isEmpty, fixture.storage.value(for: success) != nil)
    }

    /// The next login needs no picker, because the last one has not failed.
    @Test(.row("HX7", "Q15"), arguments: ServiceDialect.allCases)
    func isKept_whenItsSessionIsClosed(dialect: ServiceDialect) async throws {
        let kept = try await closeAtThePage(dialect, isLeft: false)
        #expect(kept.isPageKept && kept.canAuthenticate)
    }

    @Test(.row("Q15"), arguments: ServiceDialect.allCases)
    func isForgotten_whenTheAppLeavesItBeforeItsSessionIsClosed(dialect: ServiceDialect) async throws {
        let kept = try await closeAtThePage(dialect, isLeft: true)
        #expect(!kept.isPageKept && !kept.canAuthenticate)
    }

    /// The viewer returns to the provider whose login is still valid, which a closed session cannot read.
    @Test(.row("Q15"), arguments: ServiceDialect.allCases)
    func changesNothingAboutAValidLogin_whenTheAppLeavesAnotherOneBeforeItsSessionIsClosed(
        dialect: ServiceDialect
    ) async throws {
        let kept = try await closeAtThePage(dialect, of: "demo-fiber", isLeft: true)
        #expect(!kept.isPageKept && kept.canAuthenticate)
    }

    @Test(.row("HX2"), arguments: ServiceDialect.allCases)
    func reportsThatThereIsNoToken_whenTheViewerNeverLoggedIn(dialect: ServiceDialect) async throws {
        let (_, _, next, log) = try await nextProcess(dialect)
        await #expect(throws: TVEError(.authenticationFailed)) { try await next.resumeLogin(at: redirect) }
        #expect(log.take() == ["N130", "authn false", "not: authenticationFailed"])
    }

    /// The service is not asked, and the page is forgotten.
    @Test(.row("HX2"), arguments: ServiceDialect.allCases)
    func endsAtOnce_whenTheRedirectNamesAnError(dialect: ServiceDialect) async throws {
        let (fixture, _, next, log) = try await nextProcess(dialect)
        let refused = redirect.appending(queryItems: [URLQueryItem(name: "error", value: "access_denied")])
        let error = await #expect(throws: TVEError.self) { try await next.resumeLogin(at: refused) }
        #expect(error?.code == .authenticationFailed && error?.message?.contains("access_denied") == true)
        #expect(log.take() == ["N130", "authn false", "not: authenticationFailed"])
        #expect(fixture.count(of: .outcome) == 0)
        #expect(try await next.resumeLogin(at: redirect) == nil)
    }

    @Test(.row("HX7"), arguments: ServiceDialect.allCases)
    func canBeTriedAgain_whenTheServiceWasAway(dialect: ServiceDialect) async throws {
        let (fixture, _, next, log) = try await nextProcess(dialect, hasLoggedIn: true)
        fixture.answer(.outcome, .failure(.unreachable))
        await #expect(throws: TVEError(.serviceUnreachable)) { try await next.resumeLogin(at: redirect) }
        fixture.transport.setScript { _, _ in nil }
        #expect(try await next.resumeLogin(at: redirect)?.mvpdID == "demo-cable")
        #expect(
            log.take() == ["N500", "authn false", "not: serviceUnreachable", "authn cached false", "authenticated"])
    }

    /// The disk was full for a moment: the service still has the login.
    @Test(.row("HX7"), arguments: ServiceDialect.allCases)
    func canBeTriedAgain_whenTheLoginCouldNotBeStored(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let page = try await leaveAtThePage(fixture)
        let disk = FailingStorage()
        for key in fixture.storage.keys(under: .everything) {
            disk.memory.apply([.put(key, try #require(fixture.storage.value(for: key)))])
        }
        let storage = InterruptedStorage(disk)
        let (next, _) = try await fixture.session { $0.storage = storage }
        try await logIn(at: page)
        fixture.transport.setScript { request, _ in
            if fixture.isAt(.outcome, request) {
                // The next change finds out that nobody keeps the store locked, and the one after it stores the login.
                storage.interrupt {
                    storage.interrupt {
                        disk.fail(.writing)
                        storage.interrupt { disk.fail(nil) }
                    }
                }
            }
            return nil
        }
        await #expect(throws: TVEError(.storageFailed)) { try await next.resumeLogin(at: redirect) }
        fixture.transport.setScript { _, _ in nil }
        disk.fail(nil)
        #expect(try await next.resumeLogin(at: redirect)?.mvpdID == "demo-cable")
    }

    /// The app has a picker of its own, and says again what the viewer has logged in with already.
    @Test(.row("HX7"), arguments: ServiceDialect.allCases)
    func finishesTheLogin_whenTheAppChoosesItsProviderMeanwhile(dialect: ServiceDialect) async throws {
        let (fixture, _, next, log) = try await nextProcess(dialect, hasLoggedIn: true)
        let service = hold(fixture)
        let begun = fixture.count(of: .code)
        let login = Task { try await next.resumeLogin(at: redirect)?.mvpdID }
        _ = await service.isAsked.first { _ in true }
        try await next.selectProvider("demo-cable")
        service.release()
        #expect(try await login.value == "demo-cable")
        #expect(fixture.count(of: .code) == begun)
        #expect(log.take() == ["selected demo-cable", "authn cached false", "authenticated"])
    }

    /// Whatever the other app's URL was, the viewer is at a login of this app by now.
    @Test(.row("HX6"), arguments: ServiceDialect.allCases)
    func anotherAppsURL_endsNoLogin_thatBeganWhileTheServiceWasAsked(dialect: ServiceDialect) async throws {
        let (fixture, page, next, log) = try await nextProcess(dialect)
        try await logIn(at: page)
        let service = hold(fixture)
        let other = try #require(URL(string: "adobepass://x"))
        let call = Task { try await next.resumeLogin(at: other)?.mvpdID }
        _ = await service.isAsked.first { _ in true }
        let viewer = ViewerWhoWaits(choice: nil)
        let login = Task { try await next.authenticate(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        _ = log.take()
        service.release()
        #expect(try await call.value == nil)
        #expect(log.take().isEmpty)
        try await next.selectProvider(nil)
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
    }

    @Test(.row("HX7", "Q15"), arguments: ServiceDialect.allCases)
    func isRefused_whenItsSessionIsClosed(dialect: ServiceDialect) async throws {
        let (fixture, _, next, log) = try await nextProcess(dialect)
        await next.end()
        let (asked, stored) = (fixture.transport.requests, fixture.storage.keys(under: .everything))
        _ = log.take()
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await next.resumeLogin(at: redirect) }
        #expect(fixture.transport.requests == asked && log.take().isEmpty)
        #expect(Set(fixture.storage.keys(under: .everything)) == Set(stored))
    }

    /// The login that is running receives the redirect of its own page from its presenter.
    @Test(arguments: ServiceDialect.allCases)
    func leavesARunningLoginAlone_whenTheRedirectIsThatOfItsOwnPage(dialect: ServiceDialect) async throws {
        let (_, session, _) = try await FlowFixture.started(dialect)
        let viewer = ViewerWhoLogsInLate()
        let login = Task { try await session.authenticate(using: viewer) }
        await viewer.page.arrival()
        #expect(try await session.resumeLogin(at: redirect) == nil)
        viewer.page.open()
        #expect(try await login.value.mvpdID == "demo-cable")
    }

    /// The redirect of such a page may come once more, and must not log in a viewer who has logged out elsewhere.
    @Test(arguments: ServiceDialect.allCases)
    func isForgotten_whenTheViewerHasFinishedThePage(dialect: ServiceDialect) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(dialect)
        let (next, log) = try await fixture.session()
        #expect(try await next.resumeLogin(at: redirect) == nil)
        #expect(log.count(of: "authenticated") == 0)
    }

    /// Another process has opened a page since, and its redirect may still arrive.
    @Test(arguments: ServiceDialect.allCases)
    func keepsThePageOfANewerLogin_whenAnOlderOneEnds(dialect: ServiceDialect) async throws {
        let (fixture, first, _) = try await FlowFixture.started(dialect)
        let (second, _) = try await fixture.session()
        let (older, newer) = (ViewerWhoWaits(), ViewerWhoWaits())
        let olderLogin = Task { try await first.authenticate(using: older) }
        _ = await older.isAtPage.stream.first { _ in true }
        let newerLogin = Task { try await second.authenticate(using: newer) }
        _ = await newer.isAtPage.stream.first { _ in true }
        let key = try #require(
            fixture.storage.keys(under: StorageKey("requestor")).first { $0.rawValue.hasSuffix("/pending") })
        let kept = try #require(fixture.storage.value(for: key))
        await olderLogin.cancelled()
        #expect(await soon { await !first.hasRunningLogin })
        #expect(fixture.storage.value(for: key) == kept)
        await newerLogin.cancelled()
    }

    @Test(.row("HX7"), arguments: ServiceDialect.allCases)
    func winsOverAPickerThatIsOpen(dialect: ServiceDialect) async throws {
        let (_, page, next, _) = try await nextProcess(dialect)
        let viewer = ViewerWhoWaits(choice: nil)
        let login = Task { try await next.authenticate(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        try await logIn(at: page)
        #expect(try await next.resumeLogin(at: redirect)?.mvpdID == "demo-cable")
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
    }

    /// Over REST API v2, a new code of the device ends the one before it.
    @Test(.row("HX7")) func overTheClassicServices_winsOverACodeThatIsShown() async throws {
        let fixture = try await FlowFixture(.classic)
        let page = try await leaveAtThePage(fixture)
        let (next, log) = try await fixture.session { $0.loginStyle = .secondScreen }
        try await logIn(at: page)
        let viewer = ViewerWhoLogsIn(choice: "demo-fiber")
        let login = Task { try await next.authenticate(using: viewer) }
        #expect(await soon { !viewer.shownCodes.isEmpty })
        #expect(try await next.resumeLogin(at: redirect)?.mvpdID == "demo-cable")
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
        #expect(viewer.shownCodes.count == 2 && viewer.shownCodes.last == "none")
        #expect(log.count(of: "not: providerNotSelected") == 1 && log.count(of: "authenticated") == 1)
    }

    /// The viewer has finished the page of this login, and then the page that another process has opened.
    @Test(.row("HX7"), arguments: ServiceDialect.allCases)
    func endsWithTheRedirectOfAnotherPage_whichAnotherProcessHasOpened(dialect: ServiceDialect) async throws {
        let (fixture, _, next, log) = try await nextProcess(dialect, hasLoggedIn: true)
        let service = hold(fixture)
        let first = Task { try await next.resumeLogin(at: redirect)?.mvpdID }
        _ = await service.isAsked.first { _ in true }
        let (other, _) = try await fixture.session()
        try await other.selectProvider("demo-fiber")
        let viewer = ViewerThatWatches()
        let waiting = Task { try await other.authenticate(using: viewer) }
        let page = try #require(await viewer.pages.stream.first { _ in true })
        try await logIn(at: page)
        let second = Task { try await next.resumeLogin(at: redirect)?.mvpdID }
        await #expect(throws: TVEError(.providerNotSelected)) { try await first.value }
        service.release()
        #expect(try await second.value == "demo-fiber")
        #expect(log.count(of: "not: providerNotSelected") == 1 && log.count(of: "authenticated") == 1)
        await waiting.cancelled()
    }

    /// A login that a redirect has resumed has no screen until a call brings one, which later calls do not replace.
    @Test(.row("M17"), arguments: ServiceDialect.allCases)
    func isShownByTheFirstCall_thatHasJoined(dialect: ServiceDialect) async throws {
        let (fixture, _, next, _) = try await nextProcess(dialect, hasLoggedIn: true)
        let service = hold(fixture)
        let resumed = Task { try await next.resumeLogin(at: redirect) }
        _ = await service.isAsked.first { _ in true }
        let viewers = [ViewerWhoLogsIn(), ViewerWhoLogsIn()]
        var calls: [Task<MVPDID, any Error>] = []
        for viewer in viewers {
            let call = await next.begun { session in try await session.authenticate(using: viewer).mvpdID }
            calls.append(call)
        }
        try await next.selectProvider("demo-fiber")
        service.release()
        for call in calls { #expect(try await call.value == "demo-fiber") }
        #expect(viewers.map(\.shown) == [["login"], []])
        _ = await resumed.result
    }

    /// The viewer has left the page for another provider, whose login fails before it has a page.
    @Test(.row("HX7", "M17"), arguments: ServiceDialect.allCases)
    func isForgotten_whenTheViewerHasChosenAnotherProvider(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        let viewer = ViewerThatWatches()
        let login = Task { try await session.authenticate(using: viewer) }
        let page = try #require(await viewer.pages.stream.first { _ in true })
        fixture.answer(.code, .response(status: 500, body: ""))
        try await session.selectProvider("demo-fiber")
        await #expect(throws: TVEError(.authenticationFailed)) { try await login.value }
        try await logIn(at: page)
        let (next, _) = try await fixture.session()
        #expect(try await next.resumeLogin(at: redirect) == nil)
    }

    /// The TempPass that was just chosen has not logged the device in yet, and the call waits for it.
    @Test(arguments: ServiceDialect.allCases)
    func isTheAnswerOfACall_thatWaitsForATempPass(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withTempPass())
        try await logIn(at: leaveAtThePage(fixture))
        let (next, log) = try await fixture.session()
        let service = hold(fixture)
        let pass = Task { try await next.selectProvider("TempPass") }
        _ = await service.isAsked.first { _ in true }
        let viewer = ViewerWhoLogsIn()
        let login = await next.begun { session in try await session.authenticate(using: viewer).mvpdID }
        let resumed = await next.begun { [redirect] session in try await session.resumeLogin(at: redirect)?.mvpdID }
        service.release()
        #expect(try await resumed.value == "demo-cable")
        #expect(await login.endsSoon())
        login.cancel()
        #expect(try await login.value == "demo-cable")
        await #expect(throws: TVEError(.providerNotSelected)) { try await pass.value }
        // A login that still began would need only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(viewer.shown.isEmpty && log.count(of: "authenticated") == 1)
    }

    /// The second one ends nothing, even if it names an error.
    @Test(.row("HX4"), arguments: ServiceDialect.allCases, ["", "?error=access_denied"])
    func answersTheRedirectOnce_whenItComesTwice(dialect: ServiceDialect, query: String) async throws {
        let (fixture, _, next, log) = try await nextProcess(dialect, hasLoggedIn: true)
        let again = try #require(URL(string: redirect.absoluteString + query))
        let service = hold(fixture)
        let first = Task { try await next.resumeLogin(at: redirect)?.mvpdID }
        _ = await service.isAsked.first { _ in true }
        let second = AsyncStream<MVPDID?>.makeStream()
        await next.begin { session in
            second.continuation.yield(try? await session.resumeLogin(at: again)?.mvpdID)
        }
        service.release()
        #expect(try await first.value == "demo-cable")
        #expect(await second.stream.first { _ in true } == .some(nil))
        #expect(log.take() == ["authn cached false", "authenticated"])
    }

    /// Only a call that has joined the login can show the page of the other provider.
    @Test(.row("HX7", "M17"), arguments: ServiceDialect.allCases, [false, true])
    func aChoiceOfAnotherProvider_isForTheCallThatHasJoined_orForTheNext(
        dialect: ServiceDialect, isJoined: Bool
    ) async throws {
        let (fixture, _, next, log) = try await nextProcess(dialect, hasLoggedIn: true)
        let service = hold(fixture)
        let first = Task { try await next.resumeLogin(at: redirect)?.mvpdID }
        _ = await service.isAsked.first { _ in true }
        let viewer = ViewerWhoLogsIn()
        let second = AsyncStream<MVPDID?>.makeStream()
        if isJoined {
            await next.begin { session in
                second.continuation.yield(try? await session.authenticate(using: viewer).mvpdID)
            }
        }
        try await next.selectProvider("demo-fiber")
        service.release()
        if isJoined {
            #expect(await second.stream.first { _ in true } == .some("demo-fiber"))
            #expect(viewer.shown == ["login"])
        } else {
            #expect(try await first.value == nil)
            #expect(log.count(of: "not: providerNotSelected") == 0)
            #expect(try await next.selectedProvider()?.id == "demo-fiber")
        }
        _ = await first.result
    }

    @Test(.row("HX6"), arguments: ServiceDialect.allCases)
    func anotherAppsURL_endsNoLogin_andForgetsNoPage(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let page = try await leaveAtThePage(fixture)
        let other = try #require(URL(string: "adobepass://x"))
        let (next, log) = try await fixture.session()
        #expect(try await next.resumeLogin(at: other) == nil)
        let viewer = ViewerWhoWaits(choice: nil)
        let login = Task { try await next.authenticate(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        let asked = fixture.count(of: .outcome)
        #expect(try await next.resumeLogin(at: other) == nil)
        #expect(fixture.count(of: .outcome) == asked, "The viewer is at a newer login.")
        #expect(log.take().isEmpty)
        login.cancel()
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
        try await logIn(at: page)
        // If the service has the login, the login is valid whatever the URL contains.
        #expect(try await next.resumeLogin(at: other)?.mvpdID == "demo-cable")
    }

    /// The service has the login, so that a request about it would finish it.
    @Test(.row("HX6"), arguments: ServiceDialect.allCases, ["other://ios.app", "https://ios.app", "file:///ios.app"])
    func ignoresAURL_thatIsNoRedirect_whileTheServiceHasTheLogin(dialect: ServiceDialect, text: String) async throws {
        let (fixture, page, next, log) = try await nextProcess(dialect)
        try await logIn(at: page)
        let url = try #require(URL(string: text))
        #expect(try await next.resumeLogin(at: url) == nil)
        #expect(fixture.count(of: .outcome) == 0)
        #expect(log.take().isEmpty && !fixture.isLoginStored)
        // The page is still stored.
        #expect(try await next.resumeLogin(at: redirect)?.mvpdID == "demo-cable")
    }

    @Test(arguments: ServiceDialect.allCases)
    func aLogoutWhileAnotherAppsURLIsChecked_staysALogout(dialect: ServiceDialect) async throws {
        let (fixture, _, next, log) = try await nextProcess(dialect, hasLoggedIn: true)
        let service = hold(fixture)
        let other = try #require(URL(string: "adobepass://x"))
        let call = Task { try await next.resumeLogin(at: other) }
        _ = await service.isAsked.first { _ in true }
        try await next.logout()
        service.release()
        #expect(try await call.value == nil)
        #expect(!fixture.isLoginStored)
        #expect(!log.take().contains("authenticated"))
    }

    @Test(.row("HX6"), arguments: ServiceDialect.allCases)
    func ignoresOtherURLs_andOldLogins(dialect: ServiceDialect) async throws {
        let (fixture, _, next, log) = try await nextProcess(dialect)
        #expect(try await next.resumeLogin(at: URL(fileURLWithPath: "/")) == nil)
        fixture.clock.advance(by: 1_800)
        #expect(try await next.resumeLogin(at: redirect) == nil)
        #expect(log.take().isEmpty)
    }

    @Test(arguments: ServiceDialect.allCases)
    func forgetsTheLogin_withALogout(dialect: ServiceDialect) async throws {
        let (fixture, _, next, _) = try await nextProcess(dialect)
        try await next.logout()
        #expect(try await next.resumeLogin(at: redirect) == nil)
        #expect(fixture.entitlements == 0)
    }

    /// The app uses another service of the requestor, whose page may end at the same redirect.
    ///
    /// - Parameter isOlder: a Boolean value that indicates whether an earlier version, which recorded no service, has
    ///   stored the page.
    @Test(.row("HX7"), arguments: ServiceDialect.allCases, [false, true])
    func ignoresThePageOfAnotherService(dialect: ServiceDialect, isOlder: Bool) async throws {
        let (fixture, _, next, _) = try await nextProcess(dialect, hasLoggedIn: true)
        let key = try #require(
            fixture.storage.keys(under: StorageKey("requestor")).first { $0.rawValue.hasSuffix("/pending") })
        let kept = String(decoding: try #require(fixture.storage.value(for: key)), as: UTF8.self)
        let changed = kept.replacing(
            #""service":""#, with: isOlder ? #""unknownToEarlierVersions":""# : #""service":"other."#)
        #expect(changed != kept)
        fixture.storage.apply([.put(key, Data(changed.utf8))])
        #expect(try await next.resumeLogin(at: redirect)?.mvpdID == (isOlder ? "demo-cable" : nil))
        let asked = fixture.transport.requests.filter {
            $0.contains("/profiles/code/") || $0.contains("/sessionDevice")
        }
        #expect(asked.isEmpty != isOlder)
    }

    /// The viewer has logged out of the provider, or no longer wants to choose one.
    @Test(arguments: ServiceDialect.allCases, [false, true])
    func forgetsTheLogin_withALogoutOfItsProvider_orACancelledChoice(
        dialect: ServiceDialect, isLogout: Bool
    ) async throws {
        let (_, _, next, _) = try await nextProcess(dialect, hasLoggedIn: true)
        if isLogout { try await next.logout(of: "demo-cable") } else { try await next.selectProvider(nil) }
        #expect(try await next.resumeLogin(at: redirect) == nil)
        #expect(await !next.isLoggedIn)
    }

    @Test(arguments: ServiceDialect.allCases)
    func isFinished_afterALogoutOfAnotherProvider(dialect: ServiceDialect) async throws {
        let (_, _, next, _) = try await nextProcess(dialect, hasLoggedIn: true)
        try await next.logout(of: "demo-fiber")
        #expect(try await next.resumeLogin(at: redirect)?.mvpdID == "demo-cable")
    }

    @Test(arguments: ServiceDialect.allCases)
    func ignoresWhatItCannotRead(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        _ = try await leaveAtThePage(fixture)
        let key = try #require(
            fixture.storage.keys(under: StorageKey("requestor")).first { $0.rawValue.hasSuffix("/pending") })
        for bytes in [Data(), Data("{}".utf8), Data([0xFF])] {
            fixture.storage.apply([.put(key, bytes)])
            let (next, _) = try await fixture.session()
            #expect(try await next.resumeLogin(at: redirect) == nil)
        }
    }
}

/// A viewer who looks at the login page and does nothing.
private struct ViewerThatWatches: AuthenticationPresenter {
    var choice: MVPDID = "demo-cable"
    let pages = AsyncStream<BrowserPage>.makeStream()

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { choice }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        pages.continuation.yield(page)
        let (never, _) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        return nil
    }

    func presentLogout(_ page: BrowserPage) async {}
}
