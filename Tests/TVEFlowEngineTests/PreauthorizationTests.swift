import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

@Suite(.fewAtATime, .timeLimit(.hanging))
struct PreauthorizationTests {
    private static func asked(_ fixture: FlowFixture) -> Int {
        fixture.count(of: .preauthorization)
    }

    @Test(.row("PR3", "PR16"), arguments: ServiceDialect.allCases)
    func asksTheService_andAnswersInTheOrderOfTheQuestion(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).loggedIn()
        let decisions = try await session.preauthorize(["DEMO-PLUS", "DEMO-2", "DEMO-1"])
        #expect(decisions.map(\.resource) == ["DEMO-PLUS", "DEMO-2", "DEMO-1"])
        #expect(decisions.map(\.isAuthorized) == [false, true, true])
        #expect(log.take().isEmpty)
    }

    @Test(arguments: ServiceDialect.allCases)
    func asksNothing_onceTheSessionIsClosed(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        await session.end()
        await #expect(throws: TVEError(.requestorNotConfigured)) {
            try await session.preauthorize(["DEMO-1"], caches: .service)
        }
        #expect(Self.asked(fixture) == 0)
        #expect(log.take().isEmpty)
    }

    // The test is limited to the classic services, because a profile of REST API v2 contains no line-up.
    @Test(.row("PR1")) func answersFromTheLineUpInTheToken_withoutCase_andWithoutTheService() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(
            .classic, world: .demo { $0.putsLineUpIntoToken = true })
        let decisions = try await session.preauthorize(["demo-1", "DEMO-PLUS"])
        #expect(decisions.map(\.isAuthorized) == [true, false])
        #expect(Self.asked(fixture) == 0)
        _ = try await session.preauthorize(["demo-1"], caches: .service)
        #expect(Self.asked(fixture) == 1)
    }

    /// The acceptance list of REST API v2, CL15.
    @Test(.row("CL15")) func overRESTv2_remembersPermits_andAsksAgainAboutAllElse() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        #expect(try await session.preauthorize(["DEMO-1", "DEMO-PLUS"]).map(\.isAuthorized) == [true, false])
        _ = try await session.preauthorize(["DEMO-1"])
        #expect(Self.asked(fixture) == 1, "a permit is known")
        let page = try await session.preauthorize(["DEMO-PLUS", "DEMO-1", "DEMO-2"])
        #expect(page.map(\.isAuthorized) == [false, true, true])
        let last = fixture.sandbox.exchanges.last { $0.path.contains("/decisions/preauthorize/") }
        let body = String(decoding: last?.request.body ?? Data(), as: UTF8.self)
        #expect(body.contains("DEMO-PLUS") && body.contains("DEMO-2") && !body.contains("DEMO-1"))
        _ = try await session.preauthorize(["DEMO-PLUS"])
        #expect(Self.asked(fixture) == 3, "a denial is asked again")
        let keys = fixture.storage.keys(under: StorageKey("requestor"))
        #expect(!keys.isEmpty && keys.allSatisfy { !$0.rawValue.contains("preauthorization") })
        let (next, _) = try await fixture.session()
        _ = try await next.preauthorize(["DEMO-1"])
        #expect(Self.asked(fixture) == 4, "permits are in memory alone")
    }

    /// An app that asks about each program names new resources as long as the login lasts.
    @Test func overRESTv2_forgetsTheEarlierPermits_beforeTheyBecomeTooMany() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.preauthorize(["DEMO-1"])
        try await session.rememberPermits(of: (1..<5_000).map { Resource("SHOW-\($0)") })
        _ = try await session.preauthorize(["DEMO-1"])
        #expect(Self.asked(fixture) == 1)
        try await session.rememberPermits(of: ["SHOW-5000"])
        _ = try await session.preauthorize(["SHOW-5000"])
        #expect(Self.asked(fixture) == 1)
        _ = try await session.preauthorize(["DEMO-1"])
        #expect(Self.asked(fixture) == 2)
    }

    /// The service may give a login another copy at any time, so the permits of earlier copies would become many.
    @Test func overRESTv2_forgetsThePermitsOfALogin_withThoseOfAnother() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        for (provider, count) in [("demo-cable", 1), ("demo-cable", 1), ("demo-fiber", 2), ("demo-cable", 3)] {
            _ = try await session.preauthorize(["DEMO-1"], as: MVPDID(provider))
            #expect(Self.asked(fixture) == count)
        }
    }

    @Test(.row("PR2", "PR3"))
    func answersFromTheCache_forTheSameSetOnly() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.classic)
        _ = try await session.preauthorize(["DEMO-1", "DEMO-PLUS"])
        #expect(try await session.preauthorize(["DEMO-PLUS", "DEMO-1"]).map(\.isAuthorized) == [false, true])
        #expect(Self.asked(fixture) == 1)
        _ = try await session.preauthorize(["DEMO-1"])
        #expect(Self.asked(fixture) == 2)
        // The answer about one resource has replaced the whole cache.
        _ = try await session.preauthorize(["DEMO-1", "DEMO-PLUS"])
        #expect(Self.asked(fixture) == 3)
    }

    @Test(.row("PR4"), arguments: ServiceDialect.allCases)
    func asksTheService_whenTheLocalCacheIsOff(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        for _ in 0..<2 { _ = try await session.preauthorize(["DEMO-1"], caches: .service) }
        #expect(Self.asked(fixture) == 2)
    }

    // The test is limited to the classic services, because REST API v2 has no such parameter.
    @Test(.row("PR5")) func tellsTheService_whenItsCacheIsOff() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.classic)
        let bodies = Guarded<[String]>([])
        fixture.transport.setScript { request, body in
            if fixture.isAt(.preauthorization, request) {
                bodies.withLock { $0.append(String(decoding: body ?? .init(), as: UTF8.self)) }
            }
            return nil
        }
        _ = try await session.preauthorize(["DEMO-1"], caches: .local)
        _ = try await session.preauthorize(["DEMO-2"], caches: .all)
        #expect(bodies.withLock { $0.map { $0.contains("cache=false") } } == [true, false])
    }

    @Test(.row("PR6"), arguments: ServiceDialect.allCases)
    func emptiesTheCache_withTheLogin(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        _ = try await session.preauthorize(["DEMO-1"])
        try await session.logout()
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = try await session.preauthorize(["DEMO-1"])
        #expect(Self.asked(fixture) == 2)
    }

    @Test(.row("PR7", "PR8"), arguments: ServiceDialect.allCases)
    func fails_whenNobodyIsLoggedIn_andSaysWhy(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect)
        let missing = await #expect(throws: TVEError.self) { try await session.preauthorize(["DEMO-1"]) }
        #expect(missing?.code == .notAuthenticated && missing?.underlying as? LoginProblem == .missing)
        #expect(missing?.message == "Nobody is logged in.")
        #expect(log.take() == ["N000"])
        try await session.authenticate(using: ViewerWhoLogsIn())
        fixture.clock.advance(by: 31 * 86_400)
        let expired = await #expect(throws: TVEError.self) { try await session.preauthorize(["DEMO-1"]) }
        #expect(expired?.code == .notAuthenticated && expired?.underlying as? LoginProblem == .expired)
        #expect(expired?.message == "The login has expired.")
        // Only a service that keeps the logins may know better, or need none.
        #expect(Self.asked(fixture) == (dialect == .restV2 ? 1 : 0))
    }

    @Test(.row("PR9", "D-35", "P100"), arguments: ServiceDialect.allCases)
    func fails_forMoreResourcesThanTheProviderAnswers(dialect: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.behavior.preauthorizationLimit = 3
        let (session, log) = try await FlowFixture(dialect, world: world).loggedIn()
        let many = (0..<4).map { Resource("DEMO-\($0)") }
        await #expect(throws: TVEError(.tooManyResources)) { try await session.preauthorize(many) }
        #expect(log.take() == ["P100"])
        #expect(try await session.preauthorize([]).isEmpty)
    }

    @Test(
        .row("PR10", "PR14"),
        arguments: ServiceDialect.both([
            ("PR10", ScriptedTransport.Answer.response(status: 429, body: "<html>"), TVEError.Code.throttled, "P100"),
            ("PR14", .response(status: 500, body: "<html>"), .serviceFailed, "P100"),
            ("PR14", .response(status: 200, body: "<html>"), .serviceFailed, "P100"),
            (
                "PR14", .response(status: 200, body: "<resources><resource><id>A</id></resource></resources>"),
                .serviceFailed, "P100"
            ),
            ("PR14", .response(status: 200, body: ""), .serviceFailed, "P100"),
            // The number of resources is not to blame.
            (
                "PR14", .response(status: 200, body: #"{"decisions":[{"resource":"DEMO-1","authorized":null}]}"#),
                .serviceFailed, "P100"
            ),
            ("network", .failure(.unreachable), .serviceUnreachable, "P100"),
        ])
            + ServiceDialect.allCases.map { ($0, "PR14", $0.denial, .preauthorizationFailed, "P100") })
    func reportsP100_andKeepsTheLogin_whenTheServiceFails(
        dialect: ServiceDialect, row: String, answer: ScriptedTransport.Answer, code: TVEError.Code, status: String
    ) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        fixture.answer(.preauthorization, answer)
        let error = await #expect(throws: TVEError.self, "\(row)") { try await session.preauthorize(["DEMO-1"]) }
        #expect(error?.code == code, "\(row)")
        #expect(log.take() == [status], "\(row)")
        #expect(await session.isLoggedIn, "\(row): logged out")
    }

    @Test(.row("PR11"), arguments: ServiceDialect.allCases)
    func countsWhatTheProviderDoesNotMention_asNotAuthorized(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        fixture.answer(.preauthorization, dialect.decisions([("demo-1", true, nil)]))
        let decisions = try await session.preauthorize(["DEMO-1", "UNKNOWN"])
        #expect(decisions.map(\.isAuthorized) == [true, false])
        #expect(decisions.map(\.isDecided) == [true, false], "which is no denial")
        // What was left out is asked again.
        fixture.answer(.preauthorization, dialect.decisions([("demo-1", true, nil), ("UNKNOWN", true, nil)]))
        #expect(try await session.preauthorize(["DEMO-1", "UNKNOWN"]).map(\.isAuthorized) == [true, true])
    }

    @Test(arguments: ServiceDialect.allCases)
    func givesEachSpellingItsOwnDecision(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        fixture.answer(.preauthorization, dialect.decisions([("DEMO-1", true, nil), ("demo-1", false, nil)]))
        for _ in 0..<2 {
            #expect(try await session.preauthorize(["demo-1", "DEMO-1"]).map(\.isAuthorized) == [false, true])
        }
    }

    @Test(.row("PR13"), arguments: ServiceDialect.allCases)
    func givesTheServicesReason(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        fixture.answer(.preauthorization, dialect.decisions([("DEMO-1", false, "authorization_denied_by_mvpd")]))
        let error = try #require(try await session.preauthorize(["DEMO-1"]).first?.error)
        #expect(error.status == 403 && error.code == "authorization_denied_by_mvpd" && error.message == "No")
    }

    /// The service knows what is left of a TempPass, by the viewer's id where it is for a person.
    @Test(.row("PR12", "TP7"), arguments: [nil, "email"])
    func overRESTv2_saysWhatIsLeftOfATempPass(identityKey: String?) async throws {
        let world = SandboxWorld.withTempPass(.init(seconds: 600, identityKey: identityKey, resourceLimit: 1))
        let (_, session, _) = try await FlowFixture.started(.restV2, world: world)
        let data: [String: MetadataValue] = identityKey.map { [$0: "0f3c"] } ?? [:]
        try await session.selectProvider("TempPass")
        try await session.authenticate(using: ViewerWhoLogsIn(), data: data)
        #expect(try await session.preauthorize(["DEMO-1", "DEMO-2"]).map(\.isAuthorized) == [true, true])
        _ = try await session.authorize("DEMO-1", data: data)
        #expect(try await session.preauthorize(["DEMO-1", "DEMO-2"]).map(\.isAuthorized) == [true, false])
    }

    @Test(.row("PR12", "TP7"), arguments: [ServiceDialect.classic])
    func allowsEverything_withATempPass_withoutTheService(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect, world: .withTempPass())
        try await session.selectProvider("TempPass")
        let many = (0..<20).map { Resource("R\($0)") }
        #expect(try await session.preauthorize(many).allSatisfy(\.isAuthorized))
        #expect(Self.asked(fixture) == 0)
        // A call that excludes the local answer gets the service's own.
        _ = try? await session.preauthorize(["DEMO-1"], caches: .service)
        #expect(Self.asked(fixture) == 1)
    }

    @Test(arguments: ServiceDialect.allCases)
    func wipesTheLogin_whenTheServiceEndsIt(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        let signal = "<pendingLogout reason=\"34764\">true</pendingLogout>"
        fixture.answer(
            .preauthorization, dialect == .classic ? .response(status: 200, body: signal) : dialect.endedLogin)
        let code: TVEError.Code = dialect == .classic ? .deviceMismatch : .notAuthenticated
        await #expect(throws: TVEError(code)) { try await session.preauthorize(["DEMO-1"]) }
        #expect(log.take() == ["authn false", "not: \(code)", dialect == .classic ? "SEC412" : "N000"])
        #expect(!fixture.isLoginStored)
        #expect((fixture.entitlements == 0) == (dialect == .classic))
    }

    /// A permit says nothing once the login may be over.
    @Test(.row("PR7", "CL15")) func overRESTv2_forgetsPermits_whenTheLoginHasExpired() async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        #expect(try await session.preauthorize(["DEMO-1"]).map(\.isAuthorized) == [true])
        fixture.clock.advance(by: 31 * 86_400)
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.preauthorize(["DEMO-1"]) }
        #expect(log.take() == ["N000"])
    }

    /// The service knows better than a permit that it has given earlier, unless it could not reach the provider.
    @Test(
        .row("CL15"),
        arguments: [("authorization_denied_by_mvpd", "none", true), ("network_received_error", "retry", false)])
    func overRESTv2_forgetsAPermit_whenTheServiceDeniesThePlay(
        code: String, action: String, isForgotten: Bool
    ) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        #expect(try await session.preauthorize(["DEMO-1", "DEMO-2"]).map(\.isAuthorized) == [true, true])
        fixture.answer(.authorization, ServiceDialect.refusal(code, status: 403, action: action))
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-1") }
        _ = try await session.preauthorize(["DEMO-2"])
        #expect(Self.asked(fixture) == 1, "the other permit is known")
        _ = try await session.preauthorize(["DEMO-1"])
        #expect(Self.asked(fixture) == (isForgotten ? 2 : 1))
    }

    /// The second request of the call fails, so nothing is known about its resource.
    @Test func overRESTv2_aPermit_decidesAboutNoSimilarResource_thatIsRequestedToo() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let resources: [Resource] = ["A1", "A2", "A3", "A4", "NEWS", "news"]
        let permits = ServiceDialect.restV2.decisions(resources.dropLast().map { ($0.text, true, nil) })
        fixture.transport.setScript { request, body in
            guard fixture.isAt(.preauthorization, request) else { return nil }
            let isSecond = String(decoding: body ?? Data(), as: UTF8.self).contains("news")
            return isSecond ? .response(status: 503, body: "") : permits
        }
        let decisions = try await session.preauthorize(resources)
        #expect(decisions.map(\.isAuthorized) == [true, true, true, true, true, false])
        #expect(decisions.last?.isDecided == false)
        // What was left out is requested again.
        fixture.answer(.preauthorization, ServiceDialect.restV2.decisions([("news", false, nil)]))
        let last = try await session.preauthorize(resources).last
        #expect(last?.isAuthorized == false && last?.isDecided == true)
    }

    /// The service compares the ids without case, and names one of two spellings alone.
    @Test(.row("PR16")) func overRESTv2_answersAlike_whenTheServiceNamesOneSpelling() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(.preauthorization, ServiceDialect.restV2.decisions([("NEWS", true, nil)]))
        for _ in 0..<3 {
            let decisions = try await session.preauthorize(["NEWS", "news"])
            #expect(decisions.map(\.isAuthorized) == [true, true])
        }
    }

    /// The service permits one channel with the login that the error of the other one seems to end.
    @Test(.row("CL15", "CL18"), arguments: [true, false])
    func overRESTv2_anErrorOfOneChannel_endsNoLogin_thatStillPermitsARememberedOne(isPermitted: Bool) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.preauthorize(["DEMO-1"])
        fixture.transport.setScript { request, body in
            guard fixture.isAt(.preauthorization, request) else { return nil }
            let asksAboutBoth = String(decoding: body ?? Data(), as: UTF8.self).contains("DEMO-1")
            let code = "authorization_denied_by_hba_policies"
            let rows: [(String, Bool, String?)] = [
                ("DEMO-2", false, code), ("DEMO-1", isPermitted, isPermitted ? nil : code),
            ]
            return ServiceDialect.restV2.decisions(Array(rows.prefix(asksAboutBoth ? 2 : 1)))
        }
        if isPermitted {
            #expect(try await session.preauthorize(["DEMO-1", "DEMO-2"]).map(\.isAuthorized) == [true, false])
        } else {
            await #expect(throws: TVEError(.notAuthenticated)) { try await session.preauthorize(["DEMO-1", "DEMO-2"]) }
        }
        #expect(await session.isLoggedIn == isPermitted)
        #expect(Self.asked(fixture) == 3)
    }

    /// Five resources are sent at once, and the service answers the second request with an error in place of decisions.
    @Test(.row("CL18"), arguments: ["authorization_denied_by_hba_policies", "brand_new"])
    func overRESTv2_anErrorOfOneRequest_endsNoLogin_thatPermitsInAnother(code: String) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let isFirst = Guarded(true)
        fixture.transport.setScript { request, _ in
            guard fixture.isAt(.preauthorization, request), !isFirst.taken() else { return nil }
            return .response(
                status: 403, body: #"{"status":403,"code":"\#(code)","message":"m","action":"authentication"}"#)
        }
        let resources: [Resource] = ["DEMO-1", "DEMO-2", "R3", "R4", "R5", "R6"]
        let decisions = try await session.preauthorize(resources)
        #expect(decisions.first?.isAuthorized == true && decisions.last?.isAuthorized == false)
        #expect(decisions.last?.denial?.code == .notAuthenticated)
        #expect(await session.isLoggedIn)
        #expect(fixture.isLoginStored && Self.asked(fixture) == 2)
    }

    /// The earlier permits are sent again beside the resource that the service refuses, five at once.
    @Test(.row("CL15", "CL18")) func overRESTv2_earlierPermits_stay_ifARequestPermitsOneAgain() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let permitted = (1...5).map { Resource("R\($0)") }
        fixture.transport.setScript { request, body in
            guard fixture.isAt(.preauthorization, request) else { return nil }
            let text = String(decoding: body ?? Data(), as: UTF8.self)
            guard !text.contains("R6") else {
                return .response(
                    status: 403, body: #"{"status":403,"code":"brand_new","message":"m","action":"authentication"}"#)
            }
            return ServiceDialect.restV2.decisions(
                permitted.map(\.text).filter(text.contains).map { ($0, true, nil) })
        }
        #expect(try await session.preauthorize(permitted).allSatisfy(\.isAuthorized))
        let decisions = try await session.preauthorize(permitted + ["R6"])
        #expect(decisions.map(\.isAuthorized) == [true, true, true, true, true, false])
        #expect(await session.isLoggedIn)
        #expect(Self.asked(fixture) == 4)
    }

    /// A failure of the service is no decision that stays for as long as the login.
    @Test(.row("PR6"), arguments: ["", "<authorized>false</authorized>"], ["retry", "none"])
    func overTheClassicServices_aFailureOfOneResource_isAskedAgain(decision: String, action: String) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.classic)
        let code = action == "retry" ? "network_received_error" : "internal_server_error"
        fixture.answer(
            .preauthorization,
            .response(
                status: 200,
                body: """
                    <resources><resource><id>DEMO-1</id>\(decision)<error><status>403</status><code>\(code)</code>\
                    <action>\(action)</action></error></resource></resources>
                    """))
        for _ in 0..<2 {
            #expect(try await session.preauthorize(["DEMO-1"]).map(\.isAuthorized) == [false])
        }
        #expect(Self.asked(fixture) == 2)
    }

    /// The session's transport repeats such a request, and the service's client does not repeat it again.
    @Test(.row("PR10", "CL27")) func overRESTv2_aServiceThatIsTooBusy_isAskedTwice() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(
            .preauthorization,
            .response(status: 429, body: #"{"status":429,"code":"try_later","message":"m","action":"retry"}"#))
        await #expect(throws: TVEError.self) { try await session.preauthorize(["DEMO-1"]) }
        #expect(Self.asked(fixture) == 2)
    }

    /// The provider permits everything during an outage, and not afterwards.
    @Test(.row("CL15"), arguments: [true, false])
    func overRESTv2_forgetsPermitsOfAnOutage_withTheOutage(hasExpired: Bool) async throws {
        var world = SandboxWorld.demo
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2, world: world)
        if hasExpired { fixture.clock.advance(by: 31 * 86_400) }
        world.providers[0].degradation = .authorizeAll
        try fixture.sandbox.apply(world.strict)
        #expect(try await session.preauthorize(["DEMO-PLUS"]).map(\.isAuthorized) == [true])
        world.providers[0].degradation = nil
        try fixture.sandbox.apply(world.strict)
        if hasExpired {
            await #expect(throws: TVEError(.notAuthenticated)) { try await session.preauthorize(["DEMO-PLUS"]) }
        } else {
            #expect(try await session.preauthorize(["DEMO-PLUS"]).map(\.isAuthorized) == [false])
            #expect(Self.asked(fixture) == 2)
        }
    }

    @Test(.row("AZ7"), arguments: ServiceDialect.allCases)
    func deniesAnEmptyResource_withoutAsking(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        for caches in [PreauthorizationCaches.all, .service] {
            let decisions = try await session.preauthorize(["", ""], caches: caches)
            #expect(decisions.map(\.isAuthorized) == [false, false])
            #expect(decisions.map(\.denial?.code) == [.invalidResource, .invalidResource])
        }
        #expect(log.take().isEmpty)
        #expect(Self.asked(fixture) == 0)
    }

    /// The service refuses a whole request for one resource that it cannot read.
    @Test(.row("REST API v2, 5.10"))
    func overRESTv2_decidesAboutTheOthers_whenOneResourceIsMalformed() async throws {
        let (_, session, log) = try await FlowFixture.loggedIn(.restV2)
        let malformed: Resource = "<rss"
        let decisions = try await session.preauthorize(["DEMO-1", malformed, "DEMO-PLUS", "DEMO-2"])
        #expect(decisions.map(\.isAuthorized) == [true, false, false, true])
        #expect(decisions[1].denial?.code == .invalidResource)
        #expect(log.take().isEmpty)
        // Without another resource there is nothing to decide.
        await #expect(throws: TVEError.self) { try await session.preauthorize([malformed]) }
    }

    @Test(arguments: ServiceDialect.allCases)
    func asksOnce_forCallsAtTheSameTime(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        let gate = AsyncStream<Void>.makeStream()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.preauthorization, request) { for await _ in gate.stream { break } }
            return nil
        }
        var calls: [Task<[PreauthorizationDecision], any Error>] = []
        for _ in 0..<21 { calls.append(await session.begun { try await $0.preauthorize(["DEMO-1"]) }) }
        gate.continuation.yield()
        gate.continuation.finish()
        for call in calls { #expect(try await call.value.map(\.isAuthorized) == [true]) }
        #expect(Self.asked(fixture) == 1)
    }
}

extension EntitlementSession {
    /// Remembers permits as a preauthorization does.
    fileprivate func rememberPermits(of resources: [Resource]) throws {
        guard let login = logins.readable else { return }
        let answer = resources.map { PreauthorizationDecision(resource: $0, isAuthorized: true) }
        try logins.keep(answer, with: login, since: logins.logouts, logins.denials)
    }
}
