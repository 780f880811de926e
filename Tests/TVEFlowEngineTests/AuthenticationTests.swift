import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime, .timeLimit(.hanging))
struct AuthenticationTests {
    @Test(.row("SP1", "HX1"), arguments: ServiceDialect.both(["demo-cable", "demo-fiber"] as [MVPDID]))
    func logsIn_throughPickerAndPage(dialect: ServiceDialect, provider: MVPDID) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect)
        let viewer = ViewerWhoLogsIn(choice: provider)
        let profile = try await session.authenticate(using: viewer)
        #expect(profile.mvpdID == provider && profile.requestorID == "DEMO")
        #expect(profile.expires == fixture.clock.now.addingTimeInterval(2_592_000))
        #expect(profile.trackingID.utf8.count == 32)
        #expect(viewer.shown == ["picker: demo-cable demo-fiber", "login"])
        #expect(log.take() == ["selected \(provider)", "authn cached false", "authenticated"])
        #expect(await session.authenticationStatus() == .authenticated(profile))
        #expect(log.take() == ["authn cached true", "authenticated"])
    }

    @Test(.row("T-07", "GA1"), arguments: ServiceDialect.allCases)
    func findsTheLogin_afterARestart(dialect: ServiceDialect) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(dialect)
        let (session, log) = try await fixture.session()
        let viewer = ViewerWhoLogsIn()
        let asked = fixture.transport.requests.count
        try await session.authenticate(using: viewer)
        #expect(viewer.shown.isEmpty)
        if dialect == .classic { #expect(fixture.transport.requests.count == asked) }
        #expect(log.take() == ["authn cached true", "authenticated"])
    }

    @Test(.row("CA2", "N000"), arguments: ServiceDialect.allCases)
    func saysNotAuthenticated_whenNobodyLoggedIn(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).session()
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(log.take() == ["N000", "authn false", "not: notAuthenticated"])
    }

    @Test(.row("CA3"), arguments: ServiceDialect.allCases)
    func saysNotAuthenticated_fromTheSecondOfExpiryOn(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        fixture.clock.advance(by: 2_592_000 - 1)
        #expect(await session.isLoggedIn, "The token still has a second.")
        fixture.clock.advance(by: 1)
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
    }

    @Test(.row("CA4", "T-03"), arguments: ServiceDialect.allCases)
    func saysNotAuthenticated_whenTheProviderIsGone(dialect: ServiceDialect) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(dialect)
        fixture.answer(.configuration, dialect.renaming("demo-cable", to: "other"))
        let (session, _) = try await fixture.session()
        _ = try await session.configuration()
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        guard dialect == .classic else { return }
        // A configuration of the classic services is valid until the next start.
        fixture.clock.advance(by: 200)
        #expect(await !session.isLoggedIn)
    }

    @Test(.row("T-30", "T-81"), arguments: ServiceDialect.allCases)
    func passesOverATokenOfAnotherDevice_andKeepsIt(dialect: ServiceDialect) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(dialect)
        let kept = fixture.entitlements
        let (other, _) = try await fixture.session(device: "device-2")
        #expect(await other.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(fixture.entitlements == kept)
        // The same login is refused if a copied store contains it under this device's name.
        let login = try #require(fixture.storage.value(for: fixture.login.appending("authn")))
        let owner = StorageKey(
            "requestor", "DEMO", DeviceIdentity(seed: "device-2", app: nil).fingerprint.hexadecimal)
        fixture.storage.apply([
            .put(owner.appending("current"), Data("demo-cable".utf8)),
            .put(owner.appending("mvpd").appending("demo-cable").appending("authn"), login),
        ])
        #expect(await other.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
    }

    @Test(.row("GA2"), arguments: ServiceDialect.allCases)
    func showsALogin_whenForced(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect).loggedIn()
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer, isForced: true)
        #expect(viewer.shown == (dialect == .restV2 ? ["logout", "login"] : ["login"]))
    }

    /// The page of the old login comes too late to end the new one.
    @Test(.row("GA2", "CL19"), arguments: [false, true])
    func theLoginPageOpens_whenTheLogoutPageOfAForcedLoginNeverEnds(isSeen: Bool) async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session { $0.loginBrowser = isSeen ? .system : .webView }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let viewer = ViewerWhoNeverLogsOut()
        let login = Task { try await session.authenticate(using: viewer, isForced: true) }
        await viewer.isAtLogout.arrival()
        await fixture.clock.advanceOnceSomethingSleeps(by: isSeen ? 59 : 9)
        #expect(viewer.log.shown.isEmpty)
        await fixture.clock.advanceOnceSomethingSleeps(by: 1)
        #expect(try await login.value.mvpdID == "demo-cable")
        #expect(viewer.log.shown == ["login"])
    }

    @Test(.row("GA5", "D-12"), arguments: ServiceDialect.allCases)
    func skipsThePicker_whenTheProviderIsKnown(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        fixture.clock.advance(by: 2_592_000)
        #expect(try await session.shownByALogin() == ["login"])
    }

    /// The requestor works with the platform, and the device has no sign-on of its own.
    @Test(arguments: ServiceDialect.allCases)
    func skipsThePicker_onADeviceWithoutThePlatform(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect, world: .withPlatform())
        fixture.clock.advance(by: 2_592_000)
        _ = try await session.configuration()
        #expect(try await session.shownByALogin() == ["login"])
    }

    @Test(.row("GA5", "D-12"), arguments: ServiceDialect.allCases)
    func showsThePicker_whenTheAppSkipsNone_andHasChosenNoProvider(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let (session, _) = try await fixture.session { $0.skipsPicker = false }
        try await session.authenticate(using: ViewerWhoLogsIn())
        fixture.clock.advance(by: 2_592_000)
        #expect(try await session.shownByALogin() == ["picker: demo-cable demo-fiber", "login"])
        fixture.clock.advance(by: 2_592_000)
        try await session.selectProvider("demo-cable")
        #expect(try await session.shownByALogin() == ["login"])
    }

    @Test(
        .row("N005", "SP2", "SP3"),
        arguments: ServiceDialect.both([
            ("SP2", ViewerWhoLogsIn(choice: nil)), ("SP3", ViewerWhoLogsIn(viewer: nil)),
        ]))
    func storesNothing_whenTheViewerLeaves(dialect: ServiceDialect, row: String, viewer: ViewerWhoLogsIn) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect)
        let error = await #expect(throws: TVEError.self) { try await session.authenticate(using: viewer) }
        #expect(error?.code == .providerNotSelected && error?.status == .providerSelectionCancelled, "\(row)")
        #expect(log.take().suffix(3) == ["N005", "authn false", "not: providerNotSelected"])
        #expect(fixture.entitlements == 0)
    }

    @Test(.row("HX2", "N130"), arguments: ServiceDialect.allCases)
    func reportsNoToken_whenTheViewerPressesCancelOnThePage(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect)
        await #expect(throws: TVEError(.authenticationFailed)) {
            try await session.authenticate(using: ViewerWhoLogsIn(viewer: .cancels))
        }
        #expect(log.take().suffix(3) == ["N130", "authn false", "not: authenticationFailed"])
        #expect(fixture.entitlements == 0)
    }

    @Test(arguments: ServiceDialect.allCases)
    func leavesTheLogin_whenThePasswordIsWrong(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect).session()
        let viewer = ViewerWhoLogsIn(viewer: .logsIn(name: "viewer", password: "wrong"))
        await #expect(throws: TVEError(.providerNotSelected)) { try await session.authenticate(using: viewer) }
    }

    @Test(arguments: ServiceDialect.allCases)
    func refusesAProviderThatWasNotOffered(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).session()
        let viewer = ViewerWhoLogsIn(choice: "nope")
        await #expect(throws: TVEError(.unknownProvider)) { try await session.authenticate(using: viewer) }
        #expect(viewer.shown == ["picker: demo-cable demo-fiber"])
        #expect(log.take() == ["N500", "authn false", "not: unknownProvider"])
    }

    // The service fails between the login page and the token, and the stored login stays valid.
    @Test(
        .row("HX2", "HX3", "N500"),
        arguments: ServiceDialect.both([
            ("HX3", ScriptedTransport.Answer.failure(.unreachable), TVEError.Code.serviceUnreachable, "N500"),
            ("HX3", .response(status: 500, body: "<html>oops"), .serviceFailed, "N500"),
            ("HX3", .response(status: 200, body: "garbage"), .serviceFailed, "N500"),
        ]) + [
            (.classic, "HX2", ServiceDialect.classic.noLogin, .authenticationFailed, "N130"),
            (.restV2, "HX2", ServiceDialect.restV2.noLogin, .authenticationFailed, "N130"),
            (
                .classic, "HX3", .response(status: 200, body: "<result><authnToken>x</authnToken></result>"),
                .serviceFailed, "N500"
            ),
            (
                .classic, "device mismatch",
                .response(status: 200, body: "<pendingLogout reason=\"34764\">true</pendingLogout>"),
                .deviceMismatch, "SEC412"
            ),
            (
                .restV2, "HX3", .response(status: 200, body: "{\"profiles\":{\"demo-cable\":{\"type\":\"regular\"}}}"),
                .serviceFailed, "N500"
            ),
        ])
    func keepsWhatWasStored_whenTheServiceFails(
        dialect: ServiceDialect, row: String, answer: ScriptedTransport.Answer, code: TVEError.Code, status: String
    ) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        fixture.answer(.outcome, answer)
        let error = await #expect(throws: TVEError.self, "\(row)") {
            try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        }
        #expect(error?.code == code && error?.status?.rawValue == status, "\(row)")
        #expect(log.take().suffix(3) == [status, "authn false", "not: \(code.rawValue)"])
        #expect(await session.isLoggedIn, "\(row): the earlier login is gone.")
    }

    // Only a classic token contains a device and a requestor.
    @Test(
        .row("HX3"),
        arguments: [
            ("<<fingerprint>>", String(repeating: "0", count: 40), TVEError.Code.deviceMismatch, "SEC412"),
            ("RequestorID&gt;DEMO&lt;", "RequestorID&gt;DEMO2&lt;", .authenticationFailed, "N500"),
        ])
    func aTokenForSomebodyElse_isRefused(
        part: String, replacement: String, code: TVEError.Code, status: String
    ) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.classic)
        let own = DeviceIdentity(seed: "device-1", app: nil).fingerprint.hexadecimal
        let part = part.replacing("<<fingerprint>>", with: own)
        fixture.answer(.outcome, .rewritten { $0.replacing(part, with: replacement) })
        let error = await #expect(throws: TVEError.self) {
            try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        }
        #expect(error?.code == code && log.take().contains(status))
        #expect(await session.isLoggedIn, "The earlier login is gone.")
    }

    @Test(.row("TV2", "REG500"), arguments: ServiceDialect.allCases)
    func reportsThatThereIsNoRegistrationCode(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect)
        fixture.answer(.code, .response(status: 500, body: ""))
        await #expect(throws: TVEError(.authenticationFailed)) {
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        #expect(log.take().contains("REG500"))
    }

    @Test(arguments: ServiceDialect.allCases)
    func cancelsTheLogin_withItsTask(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        for choice in [MVPDID?.none, "demo-cable"] {
            let viewer = ViewerWhoWaits(choice: choice)
            let login = Task { try await session.authenticate(using: viewer) }
            for await _ in viewer.isAtPage.stream { break }
            login.cancel()
            await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
        }
        #expect(fixture.entitlements == 0)
    }

    @Test(arguments: ServiceDialect.allCases)
    func givesUpThePage_whenTheCodeHasRunOut(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        let viewer = ViewerWhoWaits()
        let login = Task { try await session.authenticate(using: viewer) }
        for await _ in viewer.isAtPage.stream { break }
        await fixture.clock.advanceOnceSomethingSleeps(by: 1_790)
        #expect(fixture.clock.sleepers > 0)
        fixture.clock.advance(by: 10)
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
    }

    @Test(arguments: ServiceDialect.allCases)
    func showsOneLogin_toCallersAtTheSameTime(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect).session()
        let viewer = ViewerWhoLogsIn()
        async let first = session.authenticate(using: viewer)
        async let second = session.authenticate(using: viewer)
        #expect(try await first == second)
        #expect(viewer.shown.filter { $0 == "login" }.count == 1)
    }

    @Test(arguments: ServiceDialect.allCases)
    func showsThePageAgain_whenAnotherCallJoinsTheLogin(dialect: ServiceDialect) async throws {
        let (_, session, _) = try await FlowFixture.started(dialect)
        let viewer = ViewerWhoLogsInLate()
        let first = Task { try await session.authenticate(using: viewer) }
        await viewer.page.arrival()
        let second = Task { try await session.authenticate(using: ViewerWhoLogsIn()) }
        #expect(await soon { viewer.timesShownAgain.withLock(\.self) == 1 })
        viewer.page.open()
        #expect(try await first.value == second.value)
    }

    /// Two calls share the login, and the app cancels one of them.
    @Test(arguments: ServiceDialect.both([0, 1]))
    func logsInForTheOtherCall_whenOneOfTwoIsCancelled(dialect: ServiceDialect, leaving: Int) async throws {
        let (_, session, _) = try await FlowFixture.started(dialect)
        let viewer = ViewerWhoLogsInLate()
        let first = await session.begun { session in try await session.authenticate(using: viewer).mvpdID }
        await viewer.page.arrival()
        let second = await session.begun { session in
            try await session.authenticate(using: ViewerWhoLogsIn()).mvpdID
        }
        let (left, other) = leaving == 0 ? (first, second) : (second, first)
        await left.cancelled()
        await #expect(throws: TVEError(.providerNotSelected)) { try await left.value }
        viewer.page.open()
        #expect(await other.endsSoon())
        other.cancel()
        #expect(try await other.value == "demo-cable")
    }

    @Test(arguments: ServiceDialect.allCases)
    func endsTheLogin_whenBothOfTwoCallsAreCancelled(dialect: ServiceDialect) async throws {
        let (_, session, _) = try await FlowFixture.started(dialect)
        let viewer = ViewerWhoLogsInLate()
        let first = await session.begun { session in try await session.authenticate(using: viewer) }
        await viewer.page.arrival()
        let second = await session.begun { session in try await session.authenticate(using: viewer) }
        for call in [first, second] { await call.cancelled() }
        #expect(await soon { await !session.hasRunningLogin })
        viewer.page.open()
    }

    /// The viewer has finished the page, and the service has not answered yet.
    @Test(arguments: ServiceDialect.allCases)
    func announcesNoCode_whenAnotherCallJoinsALoginOfThisScreen(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.outcome, request) { await answer.pass() }
            return nil
        }
        let first = Task { try await session.authenticate(using: ViewerWhoLogsIn()) }
        await answer.arrival()
        let second = await session.begun { session in try await session.authenticate(using: ViewerWhoLogsIn()) }
        answer.open()
        #expect(try await first.value == second.value)
        #expect(log.count(of: "REGCODE") == 0 && log.count(of: "authenticated") == 1)
    }

    // The test is limited to the classic services, because an app of REST API v2 chooses one browser for all providers.
    @Test(arguments: [("demo-cable", true), ("demo-fiber", false)] as [(MVPDID, Bool)])
    func opensThePagesOfAProvider_inTheSystemsBrowser_ifTheAppSaysSo(
        provider: MVPDID, needsSafari: Bool
    ) async throws {
        let fixture = try await FlowFixture(.classic)
        let (session, _) = try await fixture.session { $0.systemBrowserProviders = ["demo-cable"] }
        let viewer = ViewerWithPages(choice: provider)
        try await session.authenticate(using: viewer)
        #expect(viewer.logins.map(\.needsSafari) == [needsSafari])
    }

    @Test(.row("SP7"), arguments: ServiceDialect.allCases)
    func answersProviderNotSelected_whenNobodyIsLoggedIn(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect)
        try await session.selectProvider("demo-fiber")
        _ = log.take()
        try await session.selectProvider(nil)
        #expect(log.take() == ["authn false", "not: providerNotSelected"])
        #expect(try await session.selectedProvider() == nil)
        #expect(fixture.storage.value(for: fixture.login.appending("authn")) == nil)
    }

    @Test(.row("SP8"), arguments: ServiceDialect.allCases)
    func forgetsTheChoice_andKeepsTheToken(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        let kept = fixture.storage.keys(under: fixture.login)
        try await session.selectProvider(nil)
        #expect(log.take() == ["authn false", "not: providerNotSelected"])
        #expect(Set(fixture.storage.keys(under: fixture.login)) == Set(kept))
        #expect(try await session.selectedProvider() == nil)
    }

    @Test(
        .row("SP3", "SP8"),
        arguments: [(.classic, "DEMO"), (.restV2, "DEMO"), (.classic, "DEMO2")] as [(ServiceDialect, RequestorID)])
    func forgetsTheChoice_andKeepsTheToken_whileALoginIsRunning(
        dialect: ServiceDialect, requestor: RequestorID
    ) async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(dialect)
        // The second requestor has no choice of its own, and shares the login of the first one.
        let session = try await requestor == "DEMO" ? first : fixture.session(requestor: requestor).0
        let viewer = ViewerWhoWaits()
        let login = Task { try await session.authenticate(using: viewer, isForced: true) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        try await session.selectProvider(nil)
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
        #expect(fixture.isLoginStored)
        #expect(try await session.selectedProvider() == nil)
        #expect(await !session.isLoggedIn)
    }

    @Test(.row("SP3"), arguments: ServiceDialect.allCases)
    func forgetsAChoiceWithoutALogin_whileTheLoginWithItIsRunning(dialect: ServiceDialect) async throws {
        let (_, session, _) = try await FlowFixture.started(dialect)
        try await session.selectProvider("demo-fiber")
        let viewer = ViewerWhoWaits()
        let login = Task { try await session.authenticate(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        try await session.selectProvider(nil)
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
        #expect(try await session.selectedProvider() == nil)
    }

    @Test(.row("SP11", "SP12"), arguments: ServiceDialect.allCases)
    func choosesTheProviderOfTheNextLogin(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).loggedIn()
        try await session.selectProvider("demo-fiber")
        #expect(log.take() == ["selected demo-fiber"])
        #expect(try await session.selectedProvider()?.id == "demo-fiber")
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        let viewer = ViewerWhoLogsIn()
        #expect(try await session.authenticate(using: viewer).mvpdID == "demo-fiber")
        #expect(viewer.shown == ["login"])
        // The first login is still there.
        try await session.selectProvider("demo-cable")
        #expect(await session.isLoggedIn, "The login with the first provider is gone.")
    }

    @Test(.row("SP13"), arguments: ServiceDialect.allCases)
    func refusesAnUnknownProvider(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).loggedIn()
        await #expect(throws: TVEError(.unknownProvider)) { try await session.selectProvider("nope") }
        #expect(log.take() == ["N500", "authn false", "not: unknownProvider"])
        #expect(try await session.selectedProvider()?.id == "demo-cable")
    }

    @Test(arguments: ServiceDialect.allCases)
    func treatsAnUnreadableToken_asNone_andKeepsIt(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        let key = fixture.login.appending("authn")
        fixture.storage.apply([.put(key, Data("garbage".utf8))])
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(fixture.storage.value(for: key) == Data("garbage".utf8))
    }

    // The viewer leaves while the library itself is working: before the page is shown, and after the redirect.
    @Test(.row("SP6"), arguments: ServiceDialect.allCases, [Moment.code, .outcome])
    func endsTheLogin_whereverItIs(dialect: ServiceDialect, moment: Moment) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect)
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(moment, request) { _ = try? await session.selectProvider(nil) }
            return nil
        }
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        #expect(log.take().suffix(3) == ["N005", "authn false", "not: providerNotSelected"])
        #expect(fixture.entitlements == 0)
    }

    @Test(arguments: ServiceDialect.allCases, [Moment.code, .outcome])
    func staysLoggedOut_whenTheViewerLogsOutDuringALogin(dialect: ServiceDialect, moment: Moment) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(moment, request) { try? await session.logout() }
            return nil
        }
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        #expect(fixture.entitlements == 0)
    }

    // Only a classic token contains a proxy and the provider behind it.
    @Test func logsIn_withAProxiedProvider() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.classic)
        fixture.answer(
            .outcome,
            .rewritten {
                $0.replacing(
                    "simpleTokenMsoID&gt;demo-cable&lt;/simpleTokenMsoID&gt;",
                    with: "simpleTokenMsoID&gt;proxy&lt;/simpleTokenMsoID&gt;"
                        + "&lt;simpleTokenSubMvpdID&gt;demo-cable&lt;/simpleTokenSubMvpdID&gt;")
            })
        let profile = try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(profile.mvpdID == "demo-cable")
        #expect(await session.authenticationStatus() == .authenticated(profile))
    }
}

/// A viewer whose browser never ends at the redirect of a logout.
private struct ViewerWhoNeverLogsOut: AuthenticationPresenter {
    let isAtLogout = Gate()
    let log = ViewerWhoLogsIn()

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { await log.chooseProvider(among: providers) }
    func presentLogin(_ page: BrowserPage) async -> URL? { await log.presentLogin(page) }
    func presentLogout(_ page: BrowserPage) async { await isAtLogout.pass() }
}
