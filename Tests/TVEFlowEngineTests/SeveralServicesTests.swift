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
struct SeveralServicesTests {
    /// Two services; the first knows Cable and Fiber, the second Fiber and Satellite.
    private struct Two {
        let first: FlowFixture
        let second: FlowFixture
        let transport: ScriptedTransport

        init(_ dialect: ServiceDialect) async throws {
            first = try await FlowFixture(dialect)
            var world = SandboxWorld.demo
            world.providers = [
                .init(id: "demo-fiber", displayName: "Demo Fiber", login: .form),
                .init(id: "demo-satellite", displayName: "Demo Satellite", login: .form),
            ]
            for index in world.requestors.indices {
                world.requestors[index].providers = ["demo-fiber", "demo-satellite"]
            }
            second = try await FlowFixture(dialect, world: world)
            transport = ScriptedTransport(next: BrowserTransport())
        }

        /// A session at both services, which accept one statement because they share a key.
        ///
        /// - Parameters:
        ///   - third: a service between them.
        ///   - clock: the clock of the session, or nil for that of the first service.
        func session(
            and third: FlowFixture? = nil, on clock: ManualClock? = nil
        ) async throws -> (EntitlementSession, EventLog) {
            let log = EventLog()
            let endpoints = [first, third, second].compactMap(\.self).map(\.sandbox.baseURL.absoluteString)
            let session = try await EntitlementSession(
                requestorID: "DEMO", softwareStatement: first.sandbox.softwareStatement,
                serviceProviders: endpoints.compactMap(ServiceProvider.init),
                service: first.dialect,
                environment: SessionEnvironment(
                    storage: first.storage, transport: transport, clock: (clock ?? first.clock).sessionClock,
                    app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
                    device: DeviceIdentity(seed: "device-1", app: nil),
                    redirectURL: try #require(FlowFixture.redirect)),
                observer: { log.append($0) })
            return (session, log)
        }

        /// Delays the answer of one service until the session has the other one's, which is when it begins to wait by
        /// its clock.
        func holdBack(_ slow: FlowFixture) {
            let port = slow.sandbox.baseURL.port.map { ":\($0)" } ?? ""
            let clock = first.clock
            transport.setInterception { request, _ in
                guard first.isAt(.configuration, request), request.authority?.hasSuffix(port) == true else {
                    return nil
                }
                while clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
                return nil
            }
        }
    }

    /// The service of the viewer's provider does not answer when the app comes back, or when it is started again.
    @Test(.row("Q14", "Q16"), arguments: ServiceDialect.allCases, [true, false])
    func aServiceThatDoesNotAnswer_logsNobodyOut(dialect: ServiceDialect, isSameProcess: Bool) async throws {
        let two = try await Two(dialect)
        let (session, log) = try await two.session()
        try await session.start()
        try await session.authenticate(using: ViewerWhoLogsIn(choice: "demo-satellite"))
        let port = two.second.sandbox.baseURL.port.map { ":\($0)" } ?? ""
        two.transport.setScript { request, _ in
            request.authority?.hasSuffix(port) == true ? .failure(.unreachable) : nil
        }
        _ = log.take()
        let again = if isSameProcess { session } else { try await two.session().0 }
        two.first.clock.advance(by: 200)
        try await again.start()
        #expect(await again.profile?.mvpdID == "demo-satellite")
        #expect(!log.take().contains("not: notAuthenticated"))
        // The earlier answer of the silent service stays in use. Without an earlier answer its providers cannot be
        // offered.
        let offered = try await again.configuration().requestor.providers.map(\.id)
        #expect(
            offered == (isSameProcess ? ["demo-cable", "demo-fiber", "demo-satellite"] : ["demo-cable", "demo-fiber"]))
        if !isSameProcess {
            await #expect(throws: TVEError(.unknownProvider)) { try await again.selectProvider("demo-other") }
        }
        // The request for a play goes to the service that has the login, and fails there.
        await #expect(throws: TVEError(.serviceUnreachable)) { try await again.authorize("DEMO-1") }
        two.transport.setScript { _, _ in nil }
        two.first.clock.advance(by: 200)
        try await again.start()
        _ = try await again.authorize("DEMO-1")
    }

    /// The earlier answer of a service stays in use, and its clock is that of the earlier answer.
    @Test(.row("Q8")) func anEarlierAnswer_saysNothingAboutTheClockOfNow() async throws {
        let two = try await Two(.classic)
        let (session, log) = try await two.session()
        try await session.start()
        let port = two.first.sandbox.baseURL.port.map { ":\($0)" } ?? ""
        two.transport.setScript { request, _ in
            request.authority?.hasSuffix(port) == true ? .failure(.unreachable) : nil
        }
        two.first.clock.advance(by: 3_600)
        two.second.clock.advance(by: 3_600)
        _ = log.take()
        try await session.start()
        #expect(log.count(of: "CFG100") == 0)
    }

    /// Two of three services do not tell their configurations, and one of them has never heard of the viewer.
    @Test(.row("Q14", "Q16")) func aServiceThatDoesNotKnowTheProvider_isNotAskedForItsLogin() async throws {
        let two = try await Two(.restV2)
        let third = try await FlowFixture(.restV2)
        let (session, _) = try await two.session(and: third)
        try await session.start()
        try await session.authenticate(using: ViewerWhoLogsIn(choice: "demo-satellite"))
        let ports = [third, two.second].compactMap(\.sandbox.baseURL.port).map { ":\($0)" }
        two.transport.setScript { [first = two.first] request, _ in
            first.isAt(.configuration, request) && ports.contains { request.authority?.hasSuffix($0) == true }
                ? .failure(.unreachable) : nil
        }
        let again = try await two.session(and: third).0
        try await again.start()
        _ = try await again.configuration()
        #expect(try await again.selectedProvider()?.displayName == "Demo Satellite")
        two.first.clock.advance(by: 200)
        #expect(await again.isLoggedIn)
        _ = try await again.authorize("DEMO-1")
        #expect(await again.profile?.mvpdID == "demo-satellite")
    }

    /// The integration at the second service is switched off for a while, and the service has the login all the time.
    @Test func aProviderThatTheConfigurationLeavesOut_staysAtItsService() async throws {
        let two = try await Two(.restV2)
        let (session, _) = try await two.session()
        try await session.start()
        try await session.authenticate(using: ViewerWhoLogsIn(choice: "demo-satellite"))
        let port = try #require(two.second.sandbox.baseURL.port)
        let asked = Guarded<[String]>([])
        two.transport.setScript { request, _ in
            if request.path?.contains("demo-satellite") == true {
                asked.withLock { $0.append(request.authority ?? "") }
            }
            return two.second.isAt(.configuration, request) && request.authority?.hasSuffix(":\(port)") == true
                ? ServiceDialect.restV2.renaming("demo-satellite", to: "demo-other") : nil
        }
        two.first.clock.advance(by: 181)
        let offered = try await session.configuration().requestor.providers.map(\.id)
        #expect(offered == ["demo-cable", "demo-fiber", "demo-other"])
        // From now on, only an old configuration leaves out the provider.
        two.first.clock.advance(by: 181)
        _ = try await session.authorize("DEMO-1")
        #expect(await two.first.isLoggedInAfterAll(session))
        try await session.logout()
        #expect(asked.withLock(\.self).allSatisfy { $0.hasSuffix(":\(port)") })
        #expect(await !session.hasPendingLogout)
    }

    /// The logout removes the stored provider, which names the service, and the service receives the logout after that.
    @Test func aLogoutWithoutAConfiguration_isSentToTheServiceOfTheLogin() async throws {
        let two = try await Two(.restV2)
        let (session, _) = try await two.session()
        try await session.start()
        try await session.authenticate(using: ViewerWhoLogsIn(choice: "demo-satellite"))
        // The request behind the start waits, so nothing has read the stored provider before the logout.
        let again = try await two.session(on: ManualClock(two.first.clock.now)).0
        try await again.start()
        let port = try #require(two.second.sandbox.baseURL.port)
        let told = Guarded<[String]>([])
        two.transport.setScript { request, _ in
            if request.path?.contains("/logout/") == true { told.withLock { $0.append(request.authority ?? "") } }
            return nil
        }
        try await again.logout()
        #expect(told.withLock(\.self).map { $0.hasSuffix(":\(port)") } == [true])
        #expect(await !again.hasPendingLogout)
    }

    @Test(.row("Q16", "T-75", "M7"), arguments: ServiceDialect.allCases)
    func joinsTheLists_andAsksTheFastestThatKnowsAProvider(dialect: ServiceDialect) async throws {
        let two = try await Two(dialect)
        two.holdBack(two.second)
        let (session, _) = try await two.session()
        try await session.start()
        let providers = try await session.configuration().requestor.providers
        #expect(providers.map(\.id) == ["demo-cable", "demo-fiber", "demo-satellite"])
        let (first, second) = (two.first.sandbox.baseURL.absoluteString, two.second.sandbox.baseURL.absoluteString)
        #expect(providers.map(\.serviceProvider) == [first, first, second])
        try await session.authenticate(using: ViewerWhoLogsIn(choice: "demo-satellite"))
        _ = try await session.authorize("DEMO-1")
    }

    @Test(.row("T-75"), arguments: ServiceDialect.allCases)
    func bindsAProviderToTheOtherService_whenThatIsFaster(dialect: ServiceDialect) async throws {
        let two = try await Two(dialect)
        two.holdBack(two.first)
        let (session, _) = try await two.session()
        try await session.start()
        let providers = try await session.configuration().requestor.providers
        #expect(
            providers.map(\.id) == ["demo-cable", "demo-fiber", "demo-satellite"], "the list does not change its order")
        #expect(providers[1].serviceProvider == two.second.sandbox.baseURL.absoluteString)
        try await session.authenticate(using: ViewerWhoLogsIn(choice: "demo-fiber"))
    }

    @Test(
        .row("T-76"),
        arguments: ServiceDialect.allCases,
        [
            ScriptedTransport.Answer.failure(.unreachable), .response(status: 500, body: ""),
        ])
    func startsWithTheServiceThatAnswers(dialect: ServiceDialect, answer: ScriptedTransport.Answer) async throws {
        let two = try await Two(dialect)
        let port = try #require(two.first.sandbox.baseURL.port)
        two.transport.setScript { request, _ in
            request.authority?.hasSuffix(":\(port)") == true && two.first.isAt(.configuration, request)
                ? answer : nil
        }
        let (session, log) = try await two.session()
        try await session.start()
        #expect(try await session.configuration().requestor.providers.map(\.id) == ["demo-fiber", "demo-satellite"])
        #expect(log.take().isEmpty)
    }

    @Test(arguments: ServiceDialect.allCases)
    func reportsWhatTheFirstServiceSaid_whenNoneAnswers(dialect: ServiceDialect) async throws {
        let two = try await Two(dialect)
        let port = try #require(two.first.sandbox.baseURL.port)
        two.transport.setScript { request, _ in
            guard two.first.isAt(.configuration, request) else { return nil }
            return request.authority?.hasSuffix(":\(port)") == true
                ? .response(status: 400, body: "") : .failure(.unreachable)
        }
        let (session, log) = try await two.session()
        await #expect(throws: TVEError(.unknownRequestor)) { try await session.start() }
        #expect(log.take() == ["CFG400"])
    }

    @Test(.row("Q16"), arguments: ServiceDialect.allCases)
    func waitsFiveSecondsForTheOthers_onceOneHasAnswered(dialect: ServiceDialect) async throws {
        let two = try await Two(dialect)
        let port = try #require(two.second.sandbox.baseURL.port)
        two.transport.setInterception { request, _ in
            guard request.authority?.hasSuffix(":\(port)") == true else { return nil }
            let (never, _) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            return .failure(.cancelled)
        }
        let (session, _) = try await two.session()
        let start = Task { try await session.start() }
        await two.first.clock.advanceOnceSomethingSleeps(by: 4)
        #expect(two.first.clock.sleepers == 1)
        two.first.clock.advance(by: 1)
        try await start.value
        #expect(try await session.configuration().requestor.providers.map(\.id) == ["demo-cable", "demo-fiber"])
    }
}
