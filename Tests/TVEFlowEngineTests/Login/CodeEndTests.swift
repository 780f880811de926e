import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// The last moments of a code that a television shows.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct CodeEndTests {
    /// A television that shows a code, and sleeps until its first request for the login.
    private func showingCode(
        _ dialect: ServiceDialect, lasting lifetime: Int
    ) async throws -> (fixture: FlowFixture, viewer: ViewerWhoLogsIn, login: Task<Profile, any Error>) {
        var world = SandboxWorld.demo
        world.behavior.registrationCodeLifetime = lifetime
        let fixture = try await FlowFixture(dialect, world: world)
        let (session, _) = try await fixture.session { $0.loginStyle = .secondScreen }
        let viewer = ViewerWhoLogsIn()
        let login = Task { try await session.authenticate(using: viewer) }
        #expect(await soon { viewer.shownCodes.count == 1 && fixture.clock.sleepers > 0 })
        return (fixture, viewer, login)
    }

    /// The clocks of the service and the device may differ by a minute.
    ///
    /// Before that, a code does not end by itself.
    @Test(arguments: [5, 1_740] as [Double])
    func aCodeThatTheServiceRefuses_endsTheLogin_beforeItsLastMinute(seconds: Double) async throws {
        let (fixture, viewer, login) = try await showingCode(.restV2, lasting: 1_800)
        fixture.answer(
            .outcome, ServiceDialect.refusal("invalid_authentication_session", status: 400, action: "none"))
        fixture.clock.advance(by: seconds)
        await #expect(throws: TVEError(.authenticationFailed)) { try await login.value }
        #expect(viewer.shownCodes.count == 2 && viewer.shownCodes.last == "none" && fixture.count(of: .code) == 1)
    }

    @Test(arguments: [1_741, 1_799] as [Double])
    func aCodeThatTheServiceRefuses_isReplaced_inItsLastMinute(seconds: Double) async throws {
        let (fixture, viewer, login) = try await showingCode(.restV2, lasting: 1_800)
        fixture.answer(
            .outcome, ServiceDialect.refusal("invalid_authentication_session", status: 400, action: "none"))
        fixture.clock.advance(by: seconds)
        #expect(await soon { viewer.shownCodes.count == 3 })
        #expect(viewer.shownCodes[1] == "none" && fixture.count(of: .code) == 2)
        await login.cancelled()
    }

    /// The request before may have been sent immediately before the end of the code.
    @Test(arguments: ServiceDialect.both([(14.9, 1), (15, 0), (60, 0)] as [(Double, Int)]))
    func theLogin_isRequestedOnceMore_withinFiveSecondsOfTheEndOfItsCode(
        dialect: ServiceDialect, seconds: Double, requests: Int
    ) async throws {
        let (fixture, viewer, login) = try await showingCode(dialect, lasting: 10)
        fixture.clock.advance(by: seconds)
        #expect(await soon { viewer.shownCodes.count == 3 })
        #expect(fixture.count(of: .outcome) == requests && fixture.count(of: .code) == 2)
        await login.cancelled()
    }
}
