import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Tests of the screens of a viewer who chooses again, leaves, or returns later.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ChangedMindTests {
    private static let picker = "picker: demo-cable demo-fiber"

    // MARK: - The picker

    /// The TempPass that is over would only fail again.
    @Test(.row("TP5", "GA6"), arguments: ServiceDialect.allCases)
    func thePicker_comesAfterATempPassThatIsOver(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect, world: .withTempPass(.init(seconds: 600)))
        try await session.selectProvider("TempPass")
        _ = try await session.authorize("DEMO-1")
        fixture.clock.advance(by: 601)
        #expect(try await session.shownByALogin() == ["\(Self.picker) TempPass", "login"])
        #expect(await session.profile?.mvpdID == "demo-cable")
    }

    /// A refusal of the platform's account means that the viewer wants to choose, even if a provider is remembered.
    @Test(
        .row("AS8", "AS5"),
        arguments: ServiceDialect.both(
            [
                (.init(picker: .failure(.unsupportedProvider(id: nil))), ["platform dialog"]),
                (.init(access: .denied), []),
            ] as [(ScriptedPlatform.Script, [String])]))
    func thePicker_comesAfterThePlatformsNo_alsoWithARememberedProvider(
        dialect: ServiceDialect, script: ScriptedPlatform.Script, dialogs: [String]
    ) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let (session, _) = try await fixture.session { $0.platform = ScriptedPlatform(script) }
        try await session.authenticate(using: ViewerWhoLogsIn(choice: "demo-fiber"))
        fixture.clock.advance(by: 2_592_000)
        #expect(try await session.selectedProvider()?.id == "demo-fiber")
        #expect(try await session.shownByALogin() == dialogs + [Self.picker, "login"])
    }

    /// The viewer has left the first provider for another one, and then that one too.
    @Test(.row("GA7", "GA5"), arguments: ServiceDialect.both([true, false]))
    func thePicker_comesAfterTwoProvidersThatWereLeft_unlessTheFirstLoginWasValid(
        dialect: ServiceDialect, wasValid: Bool
    ) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        if !wasValid { fixture.clock.advance(by: 2_592_000) }
        let viewer = ViewerWhoWaits()
        let login = Task { try await session.authenticate(using: viewer, isForced: wasValid) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        try await session.selectProvider("demo-fiber")
        _ = await viewer.isAtPage.stream.first { _ in true }
        await login.cancelled()
        if wasValid { fixture.clock.advance(by: 2_592_000) }
        // Over REST API v2, the forced login has already ended the first login at the service. The viewer has left its
        // logout page, so that page opens again before the next login with the provider.
        let shown = try await session.shownByALogin()
        switch (dialect, wasValid) {
        case (.classic, true): #expect(shown == ["login"])
        case (.restV2, true): #expect(shown == [Self.picker, "logout", "login"])
        case (_, false): #expect(shown == [Self.picker, "login"])
        }
    }

    /// The viewer has left the page of the provider that the app had chosen.
    @Test(arguments: ServiceDialect.allCases)
    func thePicker_comesAfterAChosenProviderThatWasLeft(dialect: ServiceDialect) async throws {
        let (_, session, _) = try await FlowFixture.started(dialect)
        try await session.selectProvider("demo-fiber")
        let viewer = ViewerWhoLogsIn(viewer: nil)
        await #expect(throws: TVEError(.providerNotSelected)) { try await session.authenticate(using: viewer) }
        #expect(viewer.shown == ["login"])
        #expect(try await session.shownByALogin() == [Self.picker, "login"])
    }

    /// Both calls want the viewer logged in, or both want a new login.
    @Test(arguments: [false, true])
    func twoCallsOfAKind_shareALogin_thatHasNotBegunYet(areForced: Bool) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        let answer = await heldRequest(fixture, session)
        _ = log.take()
        let viewers = [ViewerWhoLogsIn(), ViewerWhoLogsIn()]
        var calls: [Task<MVPDID, any Error>] = []
        for viewer in viewers {
            let call = await session.begun { session in
                try await session.authenticate(using: viewer, isForced: areForced).mvpdID
            }
            calls.append(call)
        }
        answer.open()
        for call in calls { #expect(try await call.value == "demo-cable") }
        #expect(viewers.map(\.shown) == [areForced ? ["logout", "login"] : [], []])
        #expect(log.count(of: "authenticated") == 1)
    }

    /// The call that is under way finds the login that the other call is to replace.
    @Test(.row("GA8")) func aForcedLogin_showsThePage_whileAnotherCallFindsTheLogin() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        // The first call cannot find the login before this request has ended.
        let answer = await heldRequest(fixture, session)
        let first = await session.begun { session in try await session.authenticate(using: ViewerWhoLogsIn()) }
        let viewer = ViewerWhoLogsIn()
        let forced = await session.begun { session in
            try await session.authenticate(using: viewer, isForced: true)
        }
        answer.open()
        #expect(try await first.value.mvpdID == "demo-cable")
        _ = try await forced.value
        #expect(viewer.shown == ["logout", "login"])
    }

    /// The app's call waits for the TempPass that the viewer has just chosen, and is cancelled before it had its turn.
    @Test(.row("SP10"), arguments: ServiceDialect.allCases)
    func noPicker_comesForALoginThatWasCancelledBehindATempPass(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect, world: .withTempPass())
        let answer = Gate()
        let isDue = Guarded(true)
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.outcome, request), isDue.taken() else { return nil }
            await answer.pass()
            return .response(status: 500, body: "")
        }
        let pass = Task { try await session.selectProvider("TempPass") }
        await answer.arrival()
        let (cancelled, next) = (ViewerWhoLogsIn(), ViewerWhoLogsIn())
        await Task { try await session.authenticate(using: cancelled) }.cancelled()
        answer.open()
        await #expect(throws: TVEError.self) { try await pass.value }
        // A login that was still there would be joined, with its own presenter.
        try await session.authenticate(using: next)
        #expect(cancelled.shown.isEmpty)
        #expect(next.shown == ["\(Self.picker) TempPass", "login"])
    }

    /// Lets the session ask for profiles behind the app's back, and returns the gate that holds the answer.
    private func heldRequest(_ fixture: FlowFixture, _ session: EntitlementSession) async -> Gate {
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            // In a task of its own, so that nothing ends it but the test.
            if request.path?.contains("/profiles") == true { await Task { await answer.pass() }.value }
            return nil
        }
        fixture.clock.advance(by: 60)
        _ = await session.authenticationStatus()
        await answer.arrival()
        return answer
    }

    /// The login still waits for a request to end when the viewer chooses a TempPass that is running.
    @Test(.row("SP9", "GA8")) func aRunningTempPass_isTheAnswerOfALogin_thatHasNotBegunYet() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2, world: .withTempPass())
        try await session.selectProvider("TempPass")
        try await session.selectProvider("demo-fiber")
        let answer = await heldRequest(fixture, session)
        let viewer = ViewerWhoLogsIn()
        let login = Task { try await session.authenticate(using: viewer) }
        #expect(await soon { await session.hasRunningLogin })
        try await session.selectProvider("TempPass")
        answer.open()
        #expect(try await login.value.mvpdID == "TempPass")
        #expect(viewer.shown.isEmpty)
    }

    /// The TempPass is not running, and the login that still waits continues with it.
    @Test func aTempPass_isTheAnswerOfALogin_thatHasNotBegunYet_andIsReportedOnce() async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2, world: .withTempPass())
        let answer = await heldRequest(fixture, session)
        let viewer = ViewerWhoLogsIn()
        let login = await session.begun { session in try await session.authenticate(using: viewer).mvpdID }
        #expect(try await session.selectProvider("TempPass") == nil)
        answer.open()
        #expect(try await login.value == "TempPass")
        #expect(viewer.shown.isEmpty && log.count(of: "selected TempPass") == 1)
    }

    /// Both calls want the viewer logged in, and there is no login that the second one would replace.
    @Test func aForcedLogin_isTheLoginBefore_whenNobodyIsLoggedIn() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        let answer = await heldRequest(fixture, session)
        let (first, second) = (ViewerWhoLogsIn(), ViewerWhoLogsIn())
        let login = Task { try await session.authenticate(using: first) }
        #expect(await soon { await session.hasRunningLogin })
        let forced = AsyncStream<MVPDID?>.makeStream()
        await session.begin { session in
            forced.continuation.yield(try? await session.authenticate(using: second, isForced: true).mvpdID)
        }
        answer.open()
        #expect(try await login.value.mvpdID == "demo-cable")
        #expect(await forced.stream.first { _ in true } == .some("demo-cable"))
        #expect(first.shown.isEmpty)
        #expect(second.shown == [Self.picker, "login"])
    }

    /// The TempPass still waits for a request to end when the viewer logs out of it.
    @Test(arguments: ["TempPass", "demo-fiber"] as [MVPDID])
    func aTempPassThatHasNotBegunYet_endsWithItsOwnLogout(ended: MVPDID) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2, world: .withTempPass())
        let answer = await heldRequest(fixture, session)
        let choice = Task { try await session.selectProvider("TempPass") }
        #expect(await soon { await session.hasRunningLogin })
        try await session.logout(of: ended)
        answer.open()
        if ended == "TempPass" {
            await #expect(throws: TVEError(.providerNotSelected)) { try await choice.value }
        } else {
            _ = try await choice.value
        }
        #expect(await session.profile?.mvpdID == (ended == "TempPass" ? "demo-cable" : "TempPass"))
    }

    /// The viewer has withdrawn the choice, which the picker of the app must not show any more.
    @Test(.row("SP4")) func aProviderWhoseChoiceWasWithdrawn_isNoLongerSelected() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request) { await answer.pass() }
            return nil
        }
        let choice = Task { try await session.selectProvider("demo-fiber") }
        await answer.arrival()
        #expect(try await session.knownSelectedProvider()?.id == "demo-fiber")
        try await session.selectProvider(nil)
        #expect(try await session.knownSelectedProvider() == nil)
        answer.open()
        _ = await choice.result
        #expect(try await session.knownSelectedProvider() == nil)
    }

    /// Only the configuration tells whether the requestor has the provider at all.
    @Test(.row("SP13"), arguments: ["cancel", "end", "logout"])
    func aChoiceThatWasGivenUp_changesNothing(word: String) async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        await first.end()
        let (session, _) = try await fixture.session()
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request) { await answer.pass() }
            return nil
        }
        let choice = Task { try await session.selectProvider("gone") }
        await answer.arrival()
        switch word {
        case "cancel": choice.cancel()
        case "end": await session.end()
        default: try await session.logout(of: "gone")
        }
        answer.open()
        #expect(try await choice.value == nil)
        let (next, _) = try await fixture.session()
        #expect(await next.profile?.mvpdID == "demo-cable")
    }

    /// The stored choice of no name is that of no provider.
    @Test(.row("SP13")) func aProviderWithoutAName_isRefused_alsoWithoutTheService() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        await first.end()
        let (session, _) = try await fixture.session()
        fixture.answer(.configuration, .failure(.unreachable))
        await #expect(throws: TVEError(.unknownProvider)) { try await session.selectProvider("") }
        #expect(await session.profile?.mvpdID == "demo-cable")
    }

    /// The choice still waits for the configuration, and the provider of the last login needs none.
    @Test func aLogin_isWithTheProvider_whoseChoiceIsPending() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        await first.end()
        fixture.clock.advance(by: 2_592_000)
        let (session, _) = try await fixture.session()
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request) { await answer.pass() }
            return nil
        }
        let choice = Task { try await session.selectProvider("demo-fiber") }
        await answer.arrival()
        let viewer = ViewerWhoLogsIn(choice: nil)
        let login = await session.begun { session in try await session.authenticate(using: viewer).mvpdID }
        // A login that did not wait would need only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(viewer.shown.isEmpty)
        answer.open()
        _ = try await choice.value
        #expect(try await login.value == "demo-fiber")
        #expect(viewer.shown == ["login"])
    }

    /// The app has no provider for the second call, and the choice before it still waits for the configuration.
    @Test(.row("SP13")) func aProviderWithoutAName_takesNoEarlierChoiceBack() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request) { await answer.pass() }
            return nil
        }
        let choice = Task { try await session.selectProvider("demo-fiber") }
        await answer.arrival()
        await #expect(throws: TVEError(.unknownProvider)) { try await session.selectProvider("") }
        answer.open()
        _ = try await choice.value
        #expect(try await session.selectedProvider()?.id == "demo-fiber")
    }

    // MARK: - Another provider

    /// The first page closes late, and reports its own redirect then: the login is with the second provider all the
    /// same.
    @Test(.row("M17"), arguments: ServiceDialect.allCases)
    func thePageOfASecondProvider_opensWhenTheFirstHasClosed(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        let viewer = ViewerAtAPageThatStays()
        let login = Task { try await session.authenticate(using: viewer) }
        await viewer.page.arrival()
        try await session.selectProvider("demo-fiber")
        // Either the session waits for the first page, with a limit of its own, or the second page is there too early.
        #expect(await soon { fixture.clock.sleepers > 1 || viewer.shown.count > 1 })
        viewer.page.open()
        #expect(try await login.value.mvpdID == "demo-fiber")
        #expect(viewer.shown == ["opens", "closes", "opens"])
    }

    /// An app that never closes its first page does not keep the viewer from the second.
    @Test(.row("M17"), arguments: ServiceDialect.allCases)
    func thePageOfASecondProvider_opensAfterFiveSeconds_whenTheFirstNeverCloses(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        let viewer = ViewerAtAPageThatStays()
        let login = Task { try await session.authenticate(using: viewer) }
        await viewer.page.arrival()
        try await session.selectProvider("demo-fiber")
        #expect(await soon { fixture.clock.sleepers == 2 })
        fixture.clock.advance(by: 4)
        #expect(fixture.clock.sleepers == 2 && viewer.shown == ["opens"])
        fixture.clock.advance(by: 1)
        #expect(await soon { viewer.shown.count > 1 })
        #expect(try await login.value.mvpdID == "demo-fiber")
        #expect(viewer.shown == ["opens", "opens"])
        viewer.page.open()
    }

    /// The app leaves the login while the session still waits for the first page to close.
    @Test(arguments: ServiceDialect.allCases)
    func thePageOfASecondProvider_isNotRequested_whenTheLoginIsOverBeforeTheFirstHasClosed(
        dialect: ServiceDialect
    ) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        let viewer = ViewerAtAPageThatStays()
        let login = Task { try await session.authenticate(using: viewer) }
        await viewer.page.arrival()
        try await session.selectProvider("demo-fiber")
        #expect(await soon { fixture.clock.sleepers > 1 })
        let codes = fixture.count(of: .code)
        await login.cancelled()
        viewer.page.open()
        #expect(await soon { viewer.shown == ["opens", "closes"] })
        // A request that was still sent would need only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(fixture.count(of: .code) == codes && viewer.shown == ["opens", "closes"])
    }

    /// The viewer chooses in a picker of the app, and may have closed the page to do so.
    @Test(arguments: ServiceDialect.allCases)
    func thePageOfAProvider_opensAgain_whenItIsChosenAgain(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        let viewer = ViewerWhoWaits()
        let login = Task { try await session.authenticate(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        try await session.selectProvider("demo-cable")
        #expect(await soon { fixture.count(of: .code) == 2 })
        await login.cancelled()
    }

    /// The service answers about the first provider when the viewer has chosen the second one.
    @Test(.row("M17"), arguments: ServiceDialect.allCases)
    func aLoginIsWithTheSecondProvider_whenTheServiceAnswersLateAboutTheFirst(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        let (code, isFirst) = (Gate(), Guarded(true))
        fixture.transport.setInterception { request, body in
            guard fixture.isAt(.code, request), isFirst.taken() else { return nil }
            return await fixture.lateAnswer(to: request, body: body, after: code)
        }
        let viewer = ViewerWhoLogsIn()
        let login = Task { try await session.authenticate(using: viewer) }
        await code.arrival()
        try await session.selectProvider("demo-fiber")
        code.open()
        #expect(try await login.value.mvpdID == "demo-fiber")
        #expect(viewer.shown == [Self.picker, "login"])
    }

    /// The TempPass fails, and the viewer has chosen a provider before: nobody has taken that back.
    @Test(.row("SP11"), arguments: ServiceDialect.allCases)
    func anEarlierChoice_staysAfterATempPassThatFailed(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect, world: .withTempPass())
        try await session.selectProvider("demo-fiber")
        fixture.answer(.outcome, .response(status: 503, body: ""))
        await #expect(throws: TVEError.self) { try await session.selectProvider("TempPass") }
        fixture.transport.setScript { _, _ in nil }
        #expect(try await session.selectedProvider()?.id == "demo-fiber")
        #expect(try await session.shownByALogin() == ["login"])
        #expect(await session.profile?.mvpdID == "demo-fiber")
    }

    @Test(.row("SP12", "SP9"), arguments: ServiceDialect.allCases)
    func anEarlierChoice_endsWithATempPassThatIsStillGood(dialect: ServiceDialect) async throws {
        let (_, session, _) = try await FlowFixture.started(dialect, world: .withTempPass())
        try await session.selectProvider("TempPass")
        try await session.selectProvider("demo-fiber")
        try await session.selectProvider("TempPass")
        #expect(try await session.selectedProvider()?.id == "TempPass")
        #expect(await session.profile?.mvpdID == "TempPass")
    }

    @Test(arguments: ServiceDialect.allCases)
    func anEarlierChoice_endsWithATempPassThatLogsTheViewerIn(dialect: ServiceDialect) async throws {
        let (_, session, _) = try await FlowFixture.started(dialect, world: .withTempPass())
        try await session.selectProvider("demo-fiber")
        try await session.selectProvider("TempPass")
        #expect(try await session.selectedProvider()?.id == "TempPass")
    }

    /// The viewer has chosen a provider, and then signed in with another one in the system's settings.
    @Test(arguments: ServiceDialect.allCases)
    func anEarlierChoice_endsWithALoginOfThePlatform(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let platform = ScriptedPlatform()
        let (session, _) = try await fixture.session { $0.platform = platform }
        try await session.selectProvider("demo-fiber")
        platform.change { $0.signedIn = "apple-cable" }
        try await session.start()
        #expect(await session.profile?.mvpdID == "demo-cable")
        #expect(try await session.selectedProvider()?.id == "demo-cable")
    }

    /// The viewer logs out of a provider while the choice of another one still waits for the configuration.
    @Test func aChoiceThatIsPending_staysWithTheLogoutOfAnotherProvider() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request) { await answer.pass() }
            return nil
        }
        let choice = Task { try await session.selectProvider("demo-fiber") }
        await answer.arrival()
        try await session.logout(of: "demo-cable")
        answer.open()
        _ = try await choice.value
        let viewer = ViewerWhoLogsIn(choice: nil)
        #expect(try await session.authenticate(using: viewer).mvpdID == "demo-fiber")
        #expect(viewer.shown == ["login"])
    }

    // MARK: - Silent logins

    /// The start has begun to log in with another requestor's session; the viewer's own choice is newer.
    @Test(.row("PA4"))
    func aSilentLogin_ends_whenTheViewerChoosesAProvider() async throws {
        let fixture = try await FlowFixture(
            .classic,
            world: .demo {
                $0.authenticatesPerRequestor = true
                $0.usesSafari = true
            })
        let viewer = ViewerWhoLogsIn()
        try await fixture.session().0.authenticate(using: viewer)
        let (other, log) = try await fixture.session(requestor: "DEMO2", started: false)
        let code = Gate()
        fixture.transport.setInterception { request, body in
            guard fixture.isAt(.code, request) else { return nil }
            return await fixture.lateAnswer(to: request, body: body, after: code)
        }
        let shown = viewer.shown
        let start = Task { try await other.start(using: viewer) }
        await code.arrival()
        try await other.selectProvider("demo-fiber")
        code.open()
        try await start.value
        #expect(viewer.shown == shown && log.count(of: "authenticated") == 0)
        #expect(try await other.selectedProvider()?.id == "demo-fiber")
        #expect(await !other.isLoggedIn)
    }

    /// The viewer logs out, and the app starts its session again while the logout's page is still open.
    @Test(.row("AS4"), arguments: ServiceDialect.allCases)
    func aSilentLogin_doesNotBegin_duringALogout(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let platform = ScriptedPlatform(.init(picker: .failure(.unsupportedProvider(id: nil))))
        let (session, log) = try await fixture.session { $0.platform = platform }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let viewer = ViewerWhoWaits()
        let logout = Task { try await session.logout(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        _ = log.take()
        platform.change { $0.signedIn = "apple-cable" }
        let asked = platform.requests.count
        try await session.start()
        #expect(platform.requests.count == asked && log.count(of: "authenticated") == 0)
        #expect(await !session.isLoggedIn)
        await logout.cancelled()
    }
}

/// A viewer whose first page closes only when the test says so, whoever closes it; at the second page the viewer logs
/// in.
private final class ViewerAtAPageThatStays: AuthenticationPresenter {
    let page = Gate()
    private let screens = Guarded<[String]>([])

    /// The actions of the screen, in order.
    var shown: [String] { screens.withLock(\.self) }

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        let isFirst = screens.withLock { screens in
            screens.append("opens")
            return screens.count == 1
        }
        guard isFirst else {
            var browser = HeadlessBrowser(transport: BrowserTransport())
            let end = await browser.open(
                page.url, endingAt: page.redirectURL, as: .logsIn(name: "viewer", password: "secret"))
            return if case .redirect(let url) = end { url } else { nil }
        }
        // In a task of its own, so that nothing ends it but the test.
        await Task { await self.page.pass() }.value
        screens.withLock { $0.append("closes") }
        return page.redirectURL
    }

    func presentLogout(_ page: BrowserPage) async {}
}
