import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import TVETracking
import Testing

/// The fields of what a session reports and shows: each of them, and not only the fact that it comes.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ReportedFieldTests {
    @Test(arguments: ServiceDialect.allCases)
    func theReportOfACall_hasItsDuration(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.authorization, request) { await answer.pass() }
            return nil
        }
        let play = Task { try await session.authorize("DEMO-1") }
        await answer.arrival()
        fixture.clock.advance(by: 20)
        answer.open()
        _ = try await play.value
        let report = try #require(log.calls.last)
        #expect(report.call == .authorize)
        // The session may have waited a moment to keep the pace of its requests.
        #expect(report.duration >= .seconds(20) && report.duration < .seconds(30))
    }

    @Test(arguments: ServiceDialect.allCases)
    func aTrackedEvent_hasItsTime(dialect: ServiceDialect) async throws {
        let times = Guarded<[Date]>([])
        let fixture = try await FlowFixture(dialect)
        let (session, _) = try await fixture.session {
            $0.trackingSinks = [Sink { time in times.withLock { $0.append(time) } }]
        }
        fixture.clock.advance(by: 100)
        let now = fixture.clock.now
        _ = await session.authenticationStatus()
        #expect(times.withLock(\.self) == [now])
    }

    @Test(
        arguments: ServiceDialect.both(
            [
                ("Z010", .demo { $0.degradation = .authorizeAll }, "demo-cable"),
                ("Z011", .withTempPass(), "TempPass"),
            ] as [(String, SandboxWorld, MVPDID)]))
    func aSpecialPermission_namesItsResource(
        dialect: ServiceDialect, code: String, world: SandboxWorld, provider: MVPDID
    ) async throws {
        let (_, session, _) = try await FlowFixture.started(dialect, world: world)
        try await session.authenticate(using: ViewerWhoLogsIn(choice: provider))
        let events = session.events
        _ = try await session.authorize("DEMO-1")
        await session.end()
        var statuses: [StatusEvent] = []
        for await event in events {
            if case .status(let status) = event { statuses.append(status) }
        }
        #expect(statuses.map(\.code.rawValue) == [code])
        #expect(statuses.first?.resource == "DEMO-1")
    }

    @Test(arguments: ServiceDialect.allCases)
    func aCode_namesItsProvider_andItsEnd(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let (session, _) = try await fixture.session { $0.loginStyle = .secondScreen }
        let viewer = ViewerOfCodes()
        let login = Task { try await session.authenticate(using: viewer) }
        let code = try #require(await viewer.codes.stream.first { _ in true })
        #expect(code.mvpdID == "demo-fiber")
        #expect((1_700...1_800).contains(code.expires.timeIntervalSince(fixture.clock.now)))
        await login.cancelled()
    }

    // The test is limited to REST API v2, because the classic configuration decides about the browser of each provider.
    @Test(arguments: [(LoginBrowser.system, true), (.webView, false)])
    func overRESTv2_aPage_needsTheBrowserThatTheAppHasChosen(browser: LoginBrowser, isSystems: Bool) async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session { $0.loginBrowser = browser }
        let viewer = ViewerWithPages()
        try await session.authenticate(using: viewer)
        try await session.logout(using: viewer)
        #expect(viewer.logins.map(\.needsSafari) == [isSystems])
        #expect(viewer.logins.map(\.mustBeSeen) == [true])
        #expect(viewer.logouts.map(\.needsSafari) == [isSystems])
        #expect(viewer.logouts.map(\.mustBeSeen) == [isSystems])
    }
}

/// A sink that passes on the time of each event.
private struct Sink: TrackingSink {
    let receive: @Sendable (Date) -> Void

    func record(_ event: TrackingEvent, client: TrackedClient, at time: Date) { receive(time) }
}

/// A viewer of a television that passes on its codes.
private struct ViewerOfCodes: SecondScreenPresenter {
    let codes = AsyncStream<RegistrationCode>.makeStream()

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-fiber" }
    func show(_ code: RegistrationCode) async { codes.continuation.yield(code) }
}
