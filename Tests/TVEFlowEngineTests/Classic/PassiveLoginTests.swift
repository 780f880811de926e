import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime, .timeLimit(.hanging))
struct PassiveLoginTests {
    private static func world(_ change: (inout SandboxWorld.Provider) -> Void = { _ in }) -> SandboxWorld {
        .demo { provider in
            provider.authenticatesPerRequestor = true
            provider.usesSafari = true
            change(&provider)
        }
    }

    @Test(.row("PA4", "T-60", "N001")) func logsInWithTheOtherRequestorsSession_visibly() async throws {
        let fixture = try await FlowFixture(.classic, world: Self.world())
        let viewer = ViewerWhoLogsIn()
        let (session, _) = try await fixture.session()
        try await session.authenticate(using: viewer)
        let (other, log) = try await fixture.session(requestor: "DEMO2", started: false)
        try await other.start(using: viewer)
        #expect(log.take() == ["N001", "authn cached false", "authenticated"])
        #expect(viewer.shown.last == "silent login")
        _ = try await other.authorize("DEMO-1")
        // The next start finds the login of this requestor.
        let shown = viewer.shown
        try await other.start(using: viewer)
        #expect(viewer.shown == shown)
    }

    @Test(.row("PA4")) func goesOn_afterHalfAMinute_whenThePageIsNeverFinished() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.classic, world: Self.world())
        try await session.authenticate(using: ViewerWhoLogsIn())
        let (other, log) = try await fixture.session(requestor: "DEMO2", started: false)
        let viewer = ViewerWhoWaits()
        let hasStarted = Guarded(false)
        let start = Task {
            try await other.start(using: viewer)
            hasStarted.withLock { $0 = true }
        }
        for await _ in viewer.isAtPage.stream { break }
        await fixture.clock.advanceOnceSomethingSleeps(by: 29)
        #expect(fixture.clock.sleepers == 1 && !hasStarted.withLock(\.self))
        fixture.clock.advance(by: 1)
        try await start.value
        #expect(log.take() == ["N001"])
    }

    @Test(.row("T-58")) func goesOnAsNotLoggedIn_whenTheBrowserKnowsNobody() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.classic, world: Self.world())
        try await session.authenticate(using: ViewerWhoLogsIn())
        let (other, log) = try await fixture.session(requestor: "DEMO2", started: false)
        // This viewer's browser has no cookie of the first login.
        try await other.start(using: ViewerWhoLogsIn())
        #expect(log.take() == ["N001"])
        #expect(await other.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
    }

    @Test func isNotKept_whenAnotherProcessLoggedOutMeanwhile() async throws {
        let fixture = try await FlowFixture(.classic, world: Self.world())
        let storage = InterruptedStorage(fixture.storage)
        let viewer = ViewerWhoLogsIn()
        let (session, _) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: viewer)
        let (other, log) = try await fixture.session(requestor: "DEMO2", started: false) { $0.storage = storage }
        fixture.transport.setScript { request, _ in
            // The service is about to return the token, so the next write stores the silent login.
            if fixture.isAt(.outcome, request) {
                storage.interrupt { fixture.storage.apply([.removeAll(under: StorageKey("requestor"))]) }
            }
            return nil
        }
        try await other.start(using: viewer)
        #expect(viewer.shown.last == "silent login" && log.take() == ["N001"])
        #expect(fixture.entitlements == 0 && !storage.isPending)
    }

    // Reasons not to try a silent login.
    @Test(
        .row("PA3", "PA5", "T-59"),
        arguments: [
            ("PA3 T-59: a web view", world { $0.usesSafari = false }, true),
            ("switched off", world { $0.allowsPassiveAuthentication = false }, true),
            ("not per requestor: the login is shared", world { $0.authenticatesPerRequestor = nil }, true),
            ("PA5: no login of another requestor", world(), false),
        ])
    func isNotTried(row: String, world: SandboxWorld, hasOther: Bool) async throws {
        let fixture = try await FlowFixture(.classic, world: world)
        let viewer = ViewerWhoLogsIn()
        if hasOther { try await fixture.session().0.authenticate(using: viewer) }
        let (other, log) = try await fixture.session(requestor: "DEMO2", started: false)
        let shown = viewer.shown.count
        try await other.start(using: viewer)
        #expect(log.take().isEmpty && viewer.shown.count == shown, "\(row)")
    }

    @Test func isNotTried_afterTheChoiceWasTakenBack_orWithoutAPresenter() async throws {
        let fixture = try await FlowFixture(.classic, world: Self.world())
        try await fixture.session().0.authenticate(using: ViewerWhoLogsIn())
        let (other, log) = try await fixture.session(requestor: "DEMO2")
        #expect(log.take().isEmpty)
        try await other.selectProvider(nil)
        _ = log.take()
        try await other.start(using: ViewerWhoLogsIn())
        #expect(log.take().isEmpty)
    }

    @Test func isNotTried_afterTheViewerChoseAnotherProvider() async throws {
        let fixture = try await FlowFixture(.classic, world: Self.world())
        let viewer = ViewerWhoLogsIn()
        try await fixture.session().0.authenticate(using: viewer)
        let (other, log) = try await fixture.session(requestor: "DEMO2")
        try await other.selectProvider("demo-fiber")
        _ = log.take()
        let shown = viewer.shown
        try await other.start(using: viewer)
        #expect(log.take().isEmpty && viewer.shown == shown)
    }

    /// Such a screen has no browser with the cookies of the other requestor's login.
    @Test func isNotTried_whereViewersLogInOnAnotherScreen() async throws {
        let fixture = try await FlowFixture(.classic, world: Self.world())
        let viewer = ViewerWhoLogsIn()
        try await fixture.session().0.authenticate(using: viewer)
        let (other, log) = try await fixture.session(requestor: "DEMO2", started: false) {
            $0.loginStyle = .secondScreen
        }
        let shown = viewer.shown
        try await other.start(using: viewer)
        #expect(log.take().isEmpty && viewer.shown == shown && viewer.shownCodes.isEmpty)
    }

    @Test func isNotTried_whileTheViewerIsAtALogin() async throws {
        let fixture = try await FlowFixture(.classic, world: Self.world())
        try await fixture.session().0.authenticate(using: ViewerWhoLogsIn())
        let (other, log) = try await fixture.session(requestor: "DEMO2")
        let viewer = ViewerWhoWaits()
        let login = Task { try await other.authenticate(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        _ = log.take()
        try await other.start(using: ViewerWhoLogsIn())
        #expect(log.take().isEmpty)
        await login.cancelled()
    }

    /// Nobody has chosen the provider of such a login, and its redirect leads to nothing once the app was closed.
    @Test func choosesNoProvider_andKeepsNoPage() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.classic, world: Self.world())
        try await session.authenticate(using: ViewerWhoLogsIn())
        let (other, _) = try await fixture.session(requestor: "DEMO2", started: false)
        let viewer = ViewerWhoWaits()
        let start = Task { try await other.start(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        #expect(try await other.selectedProvider() == nil)
        let pages = fixture.storage.keys(under: StorageKey("requestor")).filter { $0.rawValue.hasSuffix("/pending") }
        #expect(pages.isEmpty)
        await start.cancelled()
    }

    /// An act of the viewer or the app that ends a silent login.
    enum Act: CaseIterable, Sendable {
        case login, choice, choiceTakenBack, logout, endOfSession

        func perform(in session: isolated EntitlementSession, using viewer: ViewerWhoLogsIn) async throws {
            switch self {
            case .login: _ = try await session.authenticate(using: viewer)
            case .choice: _ = try await session.selectProvider("demo-fiber")
            case .choiceTakenBack: _ = try await session.selectProvider(nil)
            case .logout: try await session.logout()
            case .endOfSession: await session.end()
            }
        }
    }

    /// The page of the silent login is open, or the service has not answered yet whether there is a login.
    ///
    /// Nobody has requested the silent login, so its end is not reported.
    @Test(.row("PA4"), arguments: [true, false], Act.allCases)
    func ends_whenTheViewerOrTheAppDoesSomethingElse(isAtPage: Bool, act: Act) async throws {
        let fixture = try await FlowFixture(.classic, world: Self.world())
        let viewer = ViewerWhoLogsIn()
        try await fixture.session().0.authenticate(using: viewer)
        let (other, log) = try await fixture.session(requestor: "DEMO2")
        let answer = Gate()
        let isFirst = Guarded(true)
        fixture.transport.setInterception { request, body in
            guard !isAtPage, fixture.isAt(.outcome, request), isFirst.taken() else { return nil }
            return await fixture.lateAnswer(to: request, body: body, after: answer)
        }
        let waiting = ViewerWhoWaits()
        let presenter: any AuthenticationPresenter = isAtPage ? waiting : viewer
        let start = Task { try await other.start(using: presenter) }
        if isAtPage {
            _ = await waiting.isAtPage.stream.first { _ in true }
        } else {
            await answer.arrival()
        }
        #expect(log.take() == ["N001"])
        let next = ViewerWhoLogsIn()
        let acting = await other.begun { session in try await act.perform(in: session, using: next) }
        answer.open()
        try await acting.value
        _ = await start.result
        #expect(next.shown == (act == .login ? ["picker: demo-cable demo-fiber", "login"] : []))
        #expect(log.count(of: "authn cached false") == (act == .login ? 1 : 0))
        #expect(log.count(of: "authn false") == ([.choiceTakenBack, .logout].contains(act) ? 1 : 0))
        #expect(await other.isLoggedIn == (act == .login))
    }

    /// The browser has been led elsewhere, so no login will follow.
    @Test func opensItsPageOnce_whenTheBrowserEndsAtAnotherURL() async throws {
        let fixture = try await FlowFixture(.classic, world: Self.world())
        try await fixture.session().0.authenticate(using: ViewerWhoLogsIn())
        let (other, log) = try await fixture.session(requestor: "DEMO2", started: false)
        let viewer = ViewerWhoIsLedElsewhere()
        try await other.start(using: viewer)
        #expect(viewer.pages.withLock(\.self) == 1 && log.take() == ["N001"])
    }

    @Test func goesOn_whenThePageNeverEnds() async throws {
        let fixture = try await FlowFixture(.classic, world: Self.world())
        try await fixture.session().0.authenticate(using: ViewerWhoLogsIn())
        let (other, _) = try await fixture.session(requestor: "DEMO2", started: false)
        let start = Task { try await other.start(using: ViewerWhoWaits()) }
        await fixture.clock.advanceOnceSomethingSleeps(by: 30)
        _ = try await start.value
        #expect(await other.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
    }
}

/// A viewer whose browser ends at a URL that is not the redirect, and who leaves the page when it opens again.
private struct ViewerWhoIsLedElsewhere: AuthenticationPresenter {
    let pages = Guarded(0)

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { nil }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        let isFirst = pages.withLock { count in
            count += 1
            return count == 1
        }
        return isFirst ? URL(string: "adobepass://elsewhere") : nil
    }

    func presentLogout(_ page: BrowserPage) async {}
}
