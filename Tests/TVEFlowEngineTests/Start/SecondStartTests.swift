import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// Tests of starts that complete what an earlier start could not do, and of simultaneous starts.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct SecondStartTests {
    /// The store is locked when the device has just been started, and the app comes to the foreground later.
    @Test(.row("T-66"), arguments: ServiceDialect.allCases)
    func aStoreThatCouldNotBeRead_isCheckedAtTheNextStart_andThenNoMore(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let storage = FailingStorage()
        storage.fail(.reading)
        let (session, log) = try await fixture.session(started: false) {
            $0.storage = storage
            $0.housekeeping.integrityCheck = .all
        }
        _ = try? await session.start()
        #expect(log.checks == ["unavailable"])
        storage.fail(nil)
        for _ in 0..<2 { try await session.start() }
        #expect(log.checks == ["unavailable", "untouched"])
    }

    /// The check runs before there is a session to report it.
    @Test(arguments: ServiceDialect.allCases)
    func aCheckOfTheStore_isReportedOnce(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).session(started: false) {
            $0.housekeeping.integrityCheck = .all
        }
        #expect(log.checks.isEmpty)
        for _ in 0..<2 { try await session.start() }
        #expect(log.checks == ["untouched"])
    }

    /// The check that an app wants for what it finds at its start must not remove what the viewer does afterwards.
    @Test(.row("T-66", "Q14"), arguments: ServiceDialect.allCases, [IntegrityMode.all, .clear])
    func aLateCheck_removesNoLoginOfTheSession(dialect: ServiceDialect, mode: IntegrityMode) async throws {
        let fixture = try await FlowFixture(dialect)
        _ = try await fixture.session()
        let storage = FailingStorage(fixture.storage)
        storage.fail(.writing)
        let (session, log) = try await fixture.session(started: false) {
            $0.storage = storage
            $0.housekeeping.integrityCheck = mode
        }
        try await session.start()
        #expect(log.checks == ["unavailable"])
        storage.fail(nil)
        try await session.authenticate(using: ViewerWhoLogsIn())
        fixture.storage.apply([.put(StorageKey("device", "other"), Data([0xFF]))])
        try await session.start()
        #expect(await session.isLoggedIn)
    }

    /// The request of the first start goes on after its call was cancelled, and its answer is older.
    @Test func overTheClassicServices_aStartThatWasCancelled_replacesNoConfiguration() async throws {
        let fixture = try await FlowFixture(.classic)
        let configuration = Guarded("")
        fixture.answer(
            .configuration,
            .rewritten { text in
                configuration.withLock { $0 = text }
                return text
            })
        let (session, _) = try await fixture.session()
        let (answer, isFirst) = (Gate(), Guarded(true))
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.configuration, request), isFirst.taken() else { return nil }
            await Task { await answer.pass() }.value
            let older = configuration.withLock(\.self).replacing("demo-fiber", with: "demo-other")
            return .response(status: 200, body: older)
        }
        let first = Task { try await session.start() }
        await answer.arrival()
        await first.cancelled()
        try await session.start()
        answer.open()
        // The work that nobody waits for needs only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(try await session.configuration().requestor.provider("demo-fiber") != nil)
    }

    /// The clock was right when the configuration was loaded, and then it was set to the next year.
    @Test(.row("Q13")) func overRESTv2_aClockThatBecameWrong_removesNoLogin() async throws {
        let fixture = try await FlowFixture(.restV2)
        let clock = ManualClock(fixture.clock.now, shortWait: .seconds(3))
        let (session, _) = try await fixture.session { $0.clock = clock.sessionClock }
        let time = Int64(bounded: clock.now.timeIntervalSince1970 * 1_000)
        fixture.answer(.configuration, .rewritten { "{\"time\":\(time),\($0.dropFirst())" })
        try await session.authenticate(using: ViewerWhoLogsIn())
        clock.advance(by: 366 * 86_400)
        try await session.start()
        #expect(fixture.isLoginStored)
        clock.advance(by: -366 * 86_400)
        #expect(await session.isLoggedIn)
    }

    /// The app starts its session without a screen, and again with one while the first start still waits.
    @Test(.row("PA4")) func aStartThatJoins_bringsItsScreenForASilentLogin() async throws {
        let fixture = try await FlowFixture(.classic, world: Self.worldOfSilentLogins)
        let viewer = ViewerWhoLogsIn()
        try await fixture.session().0.authenticate(using: viewer)
        let (other, log) = try await fixture.session(requestor: "DEMO2", started: false)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request) { await answer.pass() }
            return nil
        }
        let start = Task { try await other.start() }
        await answer.arrival()
        await other.begin { _ = try? await $0.start(using: viewer) }
        answer.open()
        try await start.value
        #expect(viewer.shown.last == "silent login")
        #expect(log.count(of: "authenticated") == 1)
    }

    /// The call that has brought the screen is cancelled, and the start goes on for the other one.
    @Test func aStartThatGoesOn_usesTheScreenOfACallThatWasCancelled() async throws {
        let fixture = try await FlowFixture(.classic, world: Self.worldOfSilentLogins)
        let viewer = ViewerWhoLogsIn()
        try await fixture.session().0.authenticate(using: viewer)
        let (other, _) = try await fixture.session(requestor: "DEMO2", started: false)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request) { await answer.pass() }
            return nil
        }
        let first = Task { try await other.start(using: viewer) }
        await answer.arrival()
        let second = await other.begun { session in try await session.start() }
        await first.cancelled()
        answer.open()
        try await second.value
        #expect(viewer.shown.last == "silent login")
        #expect(await other.isLoggedIn)
    }

    /// A screen may own the session, which would then never be released.
    @Test(arguments: ServiceDialect.allCases)
    func aStart_keepsNoScreen(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect).session(started: false)
        weak var gone: ViewerWhoLogsIn?
        do {
            let viewer = ViewerWhoLogsIn()
            gone = viewer
            try await session.start(using: viewer)
        }
        #expect(await soon { gone == nil })
    }

    /// The app leaves its first start, wherever it waits, and what it waits for fails afterwards.
    @Test(
        arguments: [
            (.classic, "configuration", .configuration), (.restV2, "configuration", .configuration),
            (.classic, "platform", nil), (.restV2, "platform", nil), (.restV2, "logins", .start),
            (.classic, "page", nil),
        ] as [(ServiceDialect, String, Moment?)])
    func aFirstStartThatWasCancelled_startsAndReportsNothing(
        dialect: ServiceDialect, place: String, held: Moment?
    ) async throws {
        let isAtPage = place == "page"
        let fixture = try await FlowFixture(dialect, world: isAtPage ? Self.worldOfSilentLogins : .withPlatform())
        if isAtPage { try await fixture.session().0.authenticate(using: ViewerWhoLogsIn()) }
        let (answer, viewer) = (Gate(), ViewerWhoWaits())
        fixture.transport.setInterception { request, _ in
            guard let held, fixture.isAt(held, request) else { return nil }
            await answer.pass()
            return .failure(.unreachable)
        }
        let (session, log) = try await fixture.session(requestor: "DEMO2", started: false) {
            if ["configuration", "platform"].contains(place) { $0.platform = PlatformAtAGate(gate: answer) }
        }
        let start = Task { try await session.start(using: isAtPage ? viewer : nil) }
        if isAtPage { _ = await viewer.isAtPage.stream.first { _ in true } } else { await answer.arrival() }
        let work = try #require(await session.startTask)
        _ = log.take()
        await start.cancelled()
        await #expect(throws: TVEError(.serviceUnreachable)) { try await start.value }
        answer.open()
        await work.value
        #expect(log.take().isEmpty)
        #expect(await session.authenticationStatus() == .unknown(TVEError(.requestorNotConfigured)))
    }

    /// A world with a provider that logs in silently with the session of another requestor.
    private static let worldOfSilentLogins = SandboxWorld.demo {
        $0.authenticatesPerRequestor = true
        $0.usesSafari = true
    }
}

/// A platform without an account, which says whether the app may ask for one when a gate opens.
private struct PlatformAtAGate: PlatformSignOn {
    let gate: Gate

    func access(mayAsk: Bool) async -> PlatformAccess {
        await gate.pass()
        return .granted
    }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount { throw .notSignedIn }
}
