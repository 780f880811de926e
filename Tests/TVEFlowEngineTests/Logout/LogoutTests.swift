import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime, .timeLimit(.hanging))
struct LogoutTests {
    @Test(.row("LO1", "CL19", "D-2"), arguments: ServiceDialect.allCases)
    func wipesStorage_andEndsTheServersSession(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        _ = try await session.authorize("DEMO-1")
        _ = log.take()
        let saved = fixture.storage.keys(under: StorageKey("requestor")).map { ($0, fixture.storage.value(for: $0)) }
        #expect(saved.count >= 4)
        let viewer = ViewerWhoLogsIn()
        try await session.logout(using: viewer)
        #expect(viewer.shown == ["logout"])
        #expect(log.take() == ["authn false", "not: notAuthenticated"])
        #expect(fixture.entitlements == 0)
        // A copy of the tokens is useless after a logout.
        fixture.storage.apply(saved.compactMap { key, value in value.map { .put(key, $0) } })
        let (again, _) = try await fixture.session()
        await #expect(throws: TVEError(.notAuthenticated)) { try await again.authorize("DEMO-2") }
        // A service that keeps the logins may have reported this before the request for a permission.
        #expect(fixture.count(of: .authorization) == 2 || dialect == .restV2)
        let left = fixture.storage.keys(under: StorageKey("requestor"))
        #expect(!left.contains { $0.rawValue.hasSuffix("/authn") || $0.rawValue.contains("/authz/") })
    }

    @Test(arguments: ServiceDialect.allCases)
    func wipesStorage_evenWithoutAConfiguration(dialect: ServiceDialect) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(dialect)
        let (session, _) = try await fixture.session(started: false)
        try await session.logout()
        #expect(fixture.entitlements == 0)
        // A service that does not keep the logins has none that this device does not know.
        if dialect == .classic { #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty) }
    }

    @Test(.row("LO6"), arguments: ServiceDialect.allCases)
    func opensNoPage_whenNobodyIsLoggedIn(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).session()
        let viewer = ViewerWhoLogsIn()
        try await session.logout(using: viewer)
        #expect(viewer.shown.isEmpty)
        #expect(log.take() == ["authn false", "not: notAuthenticated"])
    }

    /// The classic dialect has one login at a time, which is none of the viewer's any more.
    @Test(.row("LO6")) func overTheClassicServices_opensNoPage_onceTheChoiceWasTakenBack() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.classic)
        try await session.selectProvider(nil)
        let viewer = ViewerWhoLogsIn()
        try await session.logout(using: viewer)
        #expect(viewer.shown.isEmpty && fixture.entitlements == 0)
    }

    /// The services end each login for the requestor that it belongs to.
    @Test(.row("LO10")) func overRESTv2_endsNoLoginOfAnotherRequestor_inTheNameOfThisOne() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (other, _) = try await fixture.session(requestor: "DEMO2")
        try await other.authenticate(using: ViewerWhoLogsIn())
        let (session, _) = try await fixture.session()
        let viewer = ViewerWhoLogsIn()
        try await session.logout(using: viewer)
        #expect(viewer.shown.isEmpty)
        #expect(!fixture.transport.requests.contains { $0.contains("/DEMO/logout/") })
    }

    /// The service names the page when it hears of the logout.
    @Test(.row("LO3", "LO10")) func onATelevision_keepsNoPageOfALogout_thatIsReceivedLater() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer("/logout/", .failure(.unreachable))
        try await first.logout()
        fixture.transport.setScript { _, _ in nil }
        let (session, _) = try await fixture.session { $0.loginStyle = .secondScreen }
        #expect(await !session.hasPendingLogout)
        #expect(await !session.hasUnopenedLogoutPage)
    }

    @Test(.row("LO8"), arguments: ServiceDialect.allCases)
    func ends_whenTheBrowserNeverComesBack(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        let viewer = ViewerWhoWaits()
        let logout = Task { try await session.logout(using: viewer) }
        for await _ in viewer.isAtPage.stream { break }
        #expect(fixture.entitlements == 0)
        await fixture.clock.advanceOnceSomethingSleeps(by: 59)
        #expect(fixture.clock.sleepers == 1)
        fixture.clock.advance(by: 1)
        try await logout.value
        #expect(log.take() == [], "without a callback")
    }

    @Test(.row("LO10", "T-15", "D-25"), arguments: ServiceDialect.allCases)
    func removesTheLoginsOfOtherRequestorsToo(dialect: ServiceDialect) async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(dialect)
        let (second, _) = try await fixture.session(requestor: "DEMO2")
        try await second.authenticate(using: ViewerWhoLogsIn(choice: "demo-fiber"))
        try await first.logout()
        #expect(await second.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
    }

    /// Nobody sees this logout, so that there is no page that a login would have to wait for.
    ///
    /// Over REST API v2 the login ends the old one itself, and has a presenter for the page.
    @Test(.row("LO9"), arguments: ServiceDialect.allCases)
    func letsALoginBegin_whileTheServiceIsToldWithoutAPage(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        let (told, isFirst) = (Gate(), Guarded(true))
        fixture.transport.setInterception { request, _ in
            if request.path?.contains("/logout") == true, isFirst.taken() { await Task { await told.pass() }.value }
            return nil
        }
        let viewer = ViewerWhoLogsIn()
        let logout = await session.begun { try await $0.logout() }
        if dialect == .restV2 { await told.arrival() }
        let login = Task { try await session.authenticate(using: viewer) }
        #expect(await soon { viewer.shown.last == "login" })
        told.open()
        _ = try await (logout.value, login.value)
        let pages = dialect == .restV2 ? ["logout", "login"] : ["login"]
        #expect(viewer.shown == ["picker: demo-cable demo-fiber"] + pages)
    }

    /// The login waits for the open page, which ends in time: what its own page says then is not doubted.
    @Test(.row("LO9", "HX2"), arguments: ServiceDialect.allCases)
    func leavesNoDoubtAboutTheNextLogin_whenItsPageEndsWhileThatWaits(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let clock = ManualClock(fixture.clock.now)
        let (session, _) = try await fixture.session { $0.clock = clock.sessionClock }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let viewer = ViewerWhoIsRefused()
        let logout = Task { try await session.logout(using: viewer) }
        await viewer.logoutPage.arrival()
        let (before, outcomes) = (clock.sleepers, fixture.count(of: .outcome))
        let login = Task { try await session.authenticate(using: viewer) }
        #expect(await soon { clock.sleepers > before })
        viewer.logoutPage.open()
        try await logout.value
        let error = await #expect(throws: TVEError.self) { try await login.value }
        #expect(error?.message?.contains(" the error access_denied,") == true, "\(error?.message ?? "")")
        #expect(fixture.count(of: .outcome) == outcomes)
    }

    /// The logout begins while the viewer is at the picker of a login, whose page would open beside that of the logout.
    @Test func isAnswered_whenThePageOfALoginThatBeganBeforeOpens() async throws {
        let (_, session, _) = try await FlowFixture.loggedIn(.restV2)
        try await session.selectProvider(nil)
        let viewer = ViewerWhoChoosesLate()
        let login = Task { try await session.authenticate(using: viewer) }
        await viewer.picker.arrival()
        let (leaving, isAnswered) = (ViewerWhoWaits(), Guarded(false))
        let logout = Task {
            try await session.logout(of: "demo-cable", using: leaving)
            isAnswered.withLock { $0 = true }
        }
        _ = await leaving.isAtPage.stream.first { _ in true }
        #expect(isAnswered.withLock(\.self) == false)
        viewer.picker.open()
        await viewer.loginPage.arrival()
        #expect(await soon { isAnswered.withLock(\.self) }, "Two pages are open at once.")
        await login.cancelled()
        await logout.cancelled()
    }

    @Test(arguments: ServiceDialect.allCases)
    func letsALoginBegin_whenItsPageHasStayedOpenForFiftyMilliseconds(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let clock = ManualClock(fixture.clock.now)
        let (session, _) = try await fixture.session { $0.clock = clock.sessionClock }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let viewer = ViewerWhoIsRefused()
        let logout = Task { try await session.logout(using: viewer) }
        await viewer.logoutPage.arrival()
        let login = Task { try await session.authenticate(using: viewer) }
        // The limit of the logout, and that of the login which waits for it.
        #expect(await soon { clock.sleepers == 2 })
        clock.advance(by: 0.0495)
        #expect(clock.sleepers == 2)
        clock.advance(by: 0.001)
        try await logout.value
        await login.cancelled()
    }

    /// The login no longer needs the place of the page, so that the viewer can still finish it.
    @Test(arguments: ServiceDialect.allCases)
    func isReported_whenALoginThatWaitedForItsPageHasEnded(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let clock = ManualClock(fixture.clock.now)
        let (session, log) = try await fixture.session { $0.clock = clock.sessionClock }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let viewer = ViewerWhoIsRefused()
        let logout = Task { try await session.logout(using: viewer) }
        await viewer.logoutPage.arrival()
        let login = Task { try await session.authenticate(using: viewer) }
        // The limit of the logout, and that of the login which waits for it.
        #expect(await soon { clock.sleepers == 2 })
        await login.cancelled()
        clock.advance(by: 0.06)
        #expect(clock.sleepers == 1)
        // The login that has ended would need only a moment to end the logout.
        for _ in 0..<20 { await Task.shortPause() }
        viewer.logoutPage.open()
        try await logout.value
        #expect(log.count(of: "not: notAuthenticated") == 1)
    }

    // The test is limited to the classic services, because the configuration of REST API v2 does not mention logout
    // pages.
    @Test(arguments: [false, true])
    func showsItsPage_ifTheConfigurationSaysSo(isSeen: Bool) async throws {
        let fixture = try await FlowFixture(.classic)
        let flag = "<foregroundLogout>\(isSeen)</foregroundLogout>"
        fixture.answer(.configuration, .rewritten { $0.replacing("</mvpd>", with: "\(flag)</mvpd>") })
        let (session, _) = try await fixture.session()
        let viewer = ViewerWithPages()
        try await session.authenticate(using: viewer)
        try await session.logout(using: viewer)
        #expect(viewer.logouts.map(\.mustBeSeen) == [isSeen])
    }

    /// The redirect of a logout page that is still open may come while the login waits for its own.
    ///
    /// The viewer waits less long for a page that is not shown.
    @Test(arguments: [(LoginBrowser.system, 60.0), (.webView, 10)])
    func leavesDoubtAboutAForcedLogin_whenItsPageStaysOpen(browser: LoginBrowser, limit: TimeInterval) async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session { $0.loginBrowser = browser }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let viewer = ViewerWhoIsRefused()
        let login = Task { try await session.authenticate(using: viewer, isForced: true) }
        await viewer.logoutPage.arrival()
        await fixture.clock.advanceOnceSomethingSleeps(by: limit - 1)
        #expect(fixture.clock.sleepers == 1)
        fixture.clock.advance(by: 1)
        await #expect(throws: TVEError.self) { try await login.value }
        #expect(viewer.logins.withLock(\.self) == 2, "The first redirect proves nothing, so the page is shown again.")
    }

    /// A page that is dismissed because its session ends was not finished by the viewer.
    @Test(.row("LO8"), arguments: ServiceDialect.allCases)
    func isNotReportedAsFinished_whenItsSessionIsClosed(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let finished = Guarded(0)
        let (session, log) = try await fixture.session { environment in
            environment.answers.authentication = { _ in finished.withLock { $0 += 1 } }
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(finished.withLock(\.self) == 1 && !log.take().isEmpty)
        let viewer = ViewerWhoWaits()
        let logout = Task { try? await session.logout(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        session.close()
        await session.end()
        _ = await logout.value
        #expect(finished.withLock(\.self) == 1 && log.take().isEmpty)
    }

    @Test(.row("LO8"), arguments: ServiceDialect.allCases)
    func leavesThePageOpen_whenASecondCallThatWasCancelledFindsNoLogin(dialect: ServiceDialect) async throws {
        let (_, session, log) = try await FlowFixture.loggedIn(dialect)
        let viewer = ViewerWhoWaits()
        let logout = Task { try await session.logout(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        let second = Task {
            // The gate lets only a cancelled task pass.
            await Gate().pass()
            try await session.logout()
        }
        second.cancel()
        try await second.value
        // Each logout is reported at its own end.
        #expect(log.take() == ["authn false", "not: notAuthenticated"])
        logout.cancel()
        try await logout.value
        #expect(log.take() == ["authn false", "not: notAuthenticated"])
    }

    /// Another process has logged the viewer in again, while the page of the first logout is still open.
    @Test(.row("LO8"), arguments: ServiceDialect.allCases)
    func isAnswered_whenASecondCallEndsANewerLogin(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        let viewer = ViewerWhoWaits()
        let isAnswered = Guarded(false)
        let logout = Task {
            try await session.logout(using: viewer)
            isAnswered.withLock { $0 = true }
        }
        _ = await viewer.isAtPage.stream.first { _ in true }
        try await fixture.session().0.authenticate(using: ViewerWhoLogsIn())
        try await session.logout()
        #expect(await soon { isAnswered.withLock(\.self) })
        // The viewer never finished the page of the first logout.
        #expect(log.count(of: "not: notAuthenticated") == 1)
        #expect(fixture.entitlements == 0)
        logout.cancel()
    }

    @Test(.row("GA7"), arguments: ServiceDialect.allCases)
    func opensThePicker_afterwards(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect).loggedIn()
        try await session.logout()
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer)
        #expect(viewer.shown.first == "picker: demo-cable demo-fiber")
    }
}

/// A viewer whose logout page ends when the test says so, and whose provider then refuses the login.
private struct ViewerWhoIsRefused: AuthenticationPresenter {
    let logoutPage = Gate()
    /// The number of times that the login page was shown.
    let logins = Guarded(0)

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }
    func presentLogin(_ page: BrowserPage) async -> URL? {
        logins.withLock { $0 += 1 }
        return URL(string: "adobepass://ios.app?error=access_denied")
    }
    func presentLogout(_ page: BrowserPage) async { await logoutPage.pass() }
}

/// A viewer who chooses a provider when the test says so, and then stays at its page.
private struct ViewerWhoChoosesLate: AuthenticationPresenter {
    let picker = Gate()
    let loginPage = Gate()

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        await picker.pass()
        return "demo-fiber"
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        await loginPage.pass()
        return nil
    }

    func presentLogout(_ page: BrowserPage) async {}
}
