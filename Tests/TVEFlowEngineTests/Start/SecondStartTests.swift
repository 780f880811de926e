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
        let fixture = try await FlowFixture(
            .classic,
            world: .demo {
                $0.authenticatesPerRequestor = true
                $0.usesSafari = true
            })
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
}
