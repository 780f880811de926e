import TVEFlowEngine
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits

/// Single sign-on between apps that share a store (API reference, C1 and C3).
@Suite(.fewAtATime)
struct SharingTests {
    private func fixture(_ dialect: ServiceDialect = .classic, perRequestor: Bool = false) async throws -> FlowFixture {
        var world = SandboxWorld.demo
        for index in world.providers.indices { world.providers[index].authenticatesPerRequestor = perRequestor }
        return try await FlowFixture(dialect, world: world)
    }

    /// The sessions of two apps, in the first of which the viewer has logged in.
    private func two(
        _ dialect: ServiceDialect = .classic, perRequestor: Bool = false
    ) async throws -> (fixture: FlowFixture, first: EntitlementSession, second: EntitlementSession) {
        let fixture = try await fixture(dialect, perRequestor: perRequestor)
        return (fixture, try await fixture.loggedIn().0, try await fixture.session(requestor: "DEMO2").0)
    }

    @Test(.row("T-29")) func asksNobodyTwice_onOneDevice() async throws {
        let (_, first, second) = try await two()
        #expect(await second.isLoggedIn)
        #expect(await first.isLoggedIn)
        // The shared login is valid for a stream of the other requestor.
        let media = try await second.authorize("DEMO-1")
        #expect(media.claims.requestorID == "DEMO2")
    }

    @Test(.row("T-30", "T-31", "T-48"), arguments: ServiceDialect.allCases)
    func usesNoLogin_ofAnotherDevice(dialect: ServiceDialect) async throws {
        let fixture = try await fixture(dialect)
        let (first, _) = try await fixture.loggedIn()
        let (other, _) = try await fixture.session(device: "device-2")
        #expect(await !other.isLoggedIn)
        try await other.authenticate(using: ViewerWhoLogsIn())
        #expect(await other.isLoggedIn)
        #expect(await first.isLoggedIn)
    }

    @Test(.row("T-17", "T-18", "T-59"), arguments: ServiceDialect.allCases)
    func sharesNoLogin_withAProviderThatAuthenticatesPerRequestor(dialect: ServiceDialect) async throws {
        let (_, first, second) = try await two(dialect, perRequestor: true)
        #expect(await !second.isLoggedIn)
        #expect(await first.isLoggedIn)
    }

    @Test(.row("T-16")) func loggingOutOfOne_logsOutOfAll() async throws {
        let (_, first, second) = try await two()
        try await first.logout(using: ViewerWhoLogsIn())
        #expect(await !second.isLoggedIn)
    }

    /// The token belongs to the other requestor, and would be shared again.
    @Test func loggingOutOfTheProvider_endsTheSharedLogin() async throws {
        let (_, first, second) = try await two()
        try await second.logout(of: "demo-cable")
        #expect(await !second.isLoggedIn)
        #expect(await !first.isLoggedIn)
    }

    @Test(.row("T-14")) func takingTheChoiceBack_endsTheSharing_ofThisRequestorOnly() async throws {
        let (_, first, second) = try await two()
        try await second.selectProvider(nil)
        #expect(await !second.isLoggedIn)
        #expect(await first.isLoggedIn)
        try await second.selectProvider("demo-cable")
        #expect(await second.isLoggedIn)
    }

    @Test(arguments: ServiceDialect.allCases)
    func sharesNoLogin_withAnotherProviderThanTheChosen(dialect: ServiceDialect) async throws {
        let fixture = try await fixture(dialect)
        _ = try await fixture.loggedIn()
        let (second, _) = try await fixture.session(requestor: "DEMO2")
        try await second.selectProvider("demo-fiber")
        #expect(await !second.isLoggedIn)
    }

    @Test func aSharedLoginThatTheServiceEnded_isGoneForAll() async throws {
        let (fixture, first, second) = try await two()
        fixture.answer(
            "authorizeDevice",
            .response(status: 200, body: "<result><pendingLogout reason=\"1\">true</pendingLogout></result>"))
        await #expect(throws: TVEError.self) { try await second.authorize("DEMO-1") }
        #expect(await !second.isLoggedIn)
        #expect(await !first.isLoggedIn)
    }

    @Test(arguments: ServiceDialect.allCases)
    func aWrongClock_costsNobodyALogin(dialect: ServiceDialect) async throws {
        let fixture = try await fixture(dialect)
        _ = try await fixture.loggedIn()
        let kept = fixture.storage.value(for: fixture.login.appending("authn"))
        #expect(kept != nil)
        fixture.storage.apply([.put(fixture.login.appending("authn"), try #require(kept))])
        let ahead = ManualClock(fixture.clock.now.addingTimeInterval(10 * 365 * 86_400))
        _ = try await fixture.session { $0.clock = ahead.sessionClock }
        // REST API v2 does not send its time: the copy is removed, and comes back from the service.
        if dialect == .classic {
            #expect(fixture.storage.value(for: fixture.login.appending("authn")) == kept)
        }
        let (again, _) = try await fixture.session()
        #expect(await again.isLoggedIn)
    }
}
