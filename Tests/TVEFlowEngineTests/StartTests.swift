import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime)
struct StartTests {
    @Test(.row("CL1"), arguments: ServiceDialect.allCases)
    func asksForWhatItNeeds_afterRegisteringOnce(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let (session, log) = try await fixture.session(started: false)
        try await session.start()
        _ = try await fixture.session()
        let exchanges =
            switch dialect {
            case .classic: ["GET /adobe-services/config/DEMO"]
            // Without a copy of a login, the service is asked whether it knows one.
            case .restV2: ["GET /api/v2/DEMO/profiles"]
            }
        #expect(
            fixture.transport.requests
                == ["POST /o/client/register", "POST /o/client/token"] + exchanges + exchanges)
        #expect(log.take().isEmpty && log.checks.isEmpty)
        #expect(try await session.configuration().requestor.providers.map(\.id) == ["demo-cable", "demo-fiber"])
    }

    // Rows Q7 to Q12 of the API reference and invalid answers.
    private typealias Row = (String, Moment, ScriptedTransport.Answer, TVEError.Code, String)

    private static let rows: [Row] = [
        (
            "Q7", .start, .response(status: 400, body: ""),
            .unknownRequestor,
            "CFG400"
        ),
        ("Q8", .start, .failure(.unreachable), .serviceUnreachable, "CFG404"),
        ("Q8", .start, .failure(.timedOut), .serviceUnreachable, "CFG404"),
        ("Q8", .start, .response(status: 404, body: ""), .serviceUnreachable, "CFG404"),
        ("Q9", .start, .response(status: 500, body: ""), .serviceFailed, "CFG500"),
        ("Q9", .start, .response(status: 503, body: "<html>"), .serviceFailed, "CFG503"),
        ("Q10", .start, .response(status: 429, body: "<html>"), .throttled, "CFG429"),
        ("CFG410", .start, .response(status: 410, body: ""), .clientTooOld, "CFG410"),
        (
            "Q11", .registration, .response(status: 400, body: "{\"error\":\"invalid_software_statement\"}"),
            .applicationNotRegistered, "R400"
        ),
        (
            "Q11", .accessToken, .response(status: 400, body: "{\"error\":\"invalid_request\"}"),
            .accessTokenUnavailable, "R401"
        ),
        ("Q11", .registration, .response(status: 400, body: ""), .applicationNotRegistered, "R400"),
        (
            "Q11", .accessToken, .response(status: 400, body: "{\"status\":400,\"code\":\"no_grant\"}"),
            .accessTokenUnavailable, "R401"
        ),
        ("Q8", .registration, .failure(.unreachable), .serviceUnreachable, "CFG404"),
        ("Q12", .start, .failure(.notTrusted), .connectionNotTrusted, "SEC420"),
        ("garbage", .start, .response(status: 200, body: "<config><mvpds>"), .serviceFailed, "CFG500"),
        (
            "garbage", .start, .response(status: 200, body: "<!DOCTYPE html><html></html>"), .serviceFailed,
            "CFG500"
        ),
        ("garbage", .start, .response(status: 200, body: ""), .serviceFailed, "CFG500"),
        ("garbage", .accessToken, .response(status: 201, body: "<html>"), .serviceFailed, "CFG500"),
    ]

    @Test(
        .row(
            "CFG400", "CFG404", "CFG429", "CFG5xx", "D-30", "M6", "Q7", "Q8", "Q9", "Q10", "Q11", "Q12", "R400", "R401",
            "SEC420"), arguments: ServiceDialect.both(rows))
    func reportsTheDocumentedCode(
        dialect: ServiceDialect, row: String, moment: Moment, answer: ScriptedTransport.Answer, code: TVEError.Code,
        status: String
    ) async throws {
        let fixture = try await FlowFixture(dialect)
        fixture.answer(moment, answer)
        let (session, log) = try await fixture.session(started: false)
        let error = await #expect(throws: TVEError.self, "\(row)") { try await session.start() }
        #expect(error?.code == code && error?.status?.rawValue == status, "\(row)")
        #expect(log.take() == [status])
    }

    /// Hotels, offices and filters answer for the service.
    @Test(
        .row("Q9"),
        arguments: ServiceDialect.both([
            (200, "<html><body>Welcome. Please accept the terms.</body></html>", "(HTTP 200, text/html)"),
            (201, "\u{FEFF}\r\n <!doctype HTML><title>Log in</title>", "(HTTP 201, text/html)"),
            (302, "", "HTTP 302, a redirect"), (407, "", "a proxy requires a login"),
            (511, "", "the network requires a login"),
        ]))
    func saysThatSomethingElseHasAnswered(
        dialect: ServiceDialect, status: Int, body: String, words: String
    ) async throws {
        for moment in [Moment.start, .registration, .accessToken] {
            let fixture = try await FlowFixture(dialect)
            fixture.answer(moment, .response(status: status, body: body))
            let (session, _) = try await fixture.session(started: false)
            let error = await #expect(throws: TVEError.self) { try await session.start() }
            // The classic services have no other status of success for a configuration than 200.
            if status == 201, moment == .start, dialect == .classic { continue }
            #expect(error?.message?.contains(words) == true, "\(moment): \(error?.message ?? "")")
            #expect(error?.message?.contains("login") == true && error?.recovery == .retry)
            #expect(error?.viewerSentence.key == "serviceUnreachable")
            #expect(error?.recoverySuggestion == Self.connectionAdvice)
        }
    }

    private static let connectionAdvice = "Check the date and time of this device and your network, then try again."

    @Test(arguments: [ScriptedTransport.Answer.failure(.notTrusted), .response(status: 511, body: "")])
    func aCallAfterAFailedStart_hasTheAdviceOfTheStart(answer: ScriptedTransport.Answer) async throws {
        let fixture = try await FlowFixture(.classic)
        fixture.answer(.start, answer)
        let (session, _) = try await fixture.session(started: false)
        try? await session.start()
        guard case .unknown(let error) = await session.authenticationStatus() else {
            Issue.record("Nobody can tell.")
            return
        }
        #expect(error.viewerSentence.key == "requestorNotConfigured")
        #expect(error.recoverySuggestion == Self.connectionAdvice)
    }

    @Test(.row("Q7"), arguments: ServiceDialect.allCases)
    func refusesAnEmptyRequestor_withoutAskingTheService(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let (session, log) = try await fixture.session(requestor: "", started: false)
        await #expect(throws: TVEError(.unknownRequestor)) { try await session.start() }
        #expect(log.take() == ["CFG400"])
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test(.row("Q7"), arguments: ServiceDialect.allCases)
    func reportsARequestorTheServiceDoesNotKnow(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).session(requestor: "NOPE", started: false)
        await #expect(throws: TVEError(.unknownRequestor)) { try await session.start() }
        #expect(log.take() == ["CFG400"])
    }

    @Test(.row("Q11", "M2"), arguments: ServiceDialect.allCases)
    func reportsAStatementTheServiceRefuses(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).session(statement: "made.up.one", started: false)
        await #expect(throws: TVEError(.applicationNotRegistered)) { try await session.start() }
        #expect(log.take() == ["R400"])
    }

    // The test is limited to the classic services, because REST API v2 does not send its time.
    /// The seconds by which the service's clock is ahead, in steps of half a second, and whether that is too much.
    @Test(
        .row("Q13", "CFG100"),
        arguments: [(0.0, false), (59, false), (-59, false), (59.5, true), (-59.5, true), (86_000, true)])
    func warnsOfAWrongClock_andGoesOn(difference: TimeInterval, isTooMuch: Bool) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.classic)
        // The login has expired by the device's clock, which may be wrong.
        fixture.clock.advance(by: 400 * 86_400)
        let milliseconds = Int64(bounded: (fixture.clock.now.timeIntervalSince1970 + difference) * 1_000)
        fixture.answer(.configuration, .rewritten { $0.replacing(/<time>\d+</, with: "<time>\(milliseconds)<") })
        let (session, log) = try await fixture.session(started: false)
        try await session.start()
        #expect(log.take() == (isTooMuch ? ["CFG100"] : []))
        #expect(fixture.isLoginStored == isTooMuch)
    }

    // The test is limited to the classic services, because the service of REST API v2 stores the login.
    /// Without the service's time, nobody knows whether the device's clock is wrong.
    @Test func keepsALoginThatHasExpired_whereTheServiceDoesNotSendItsTime() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.classic)
        fixture.clock.advance(by: 400 * 86_400)
        fixture.answer(.configuration, .rewritten { $0.replacing(/<time>\d+<\/time>/, with: "") })
        let (session, log) = try await fixture.session(started: false)
        try await session.start()
        #expect(log.take().isEmpty)
        #expect(fixture.isLoginStored)
    }

    // The test is limited to the classic services, because the service of REST API v2 stores the login.
    @Test(.row("T-51", "T-81"), arguments: [false, true])
    func takesOverALoginOfAnEarlierVersion_whereTheAppNamesItsPlace(isNamed: Bool) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.classic)
        let (older, slot) = (MemoryStorage(), StorageKey("slot"))
        let token = try #require(fixture.storage.value(for: fixture.login.appending("authn")))
        older.apply([.put(slot, token)])
        fixture.storage.apply([.removeAll(under: .everything)])
        let (session, _) = try await fixture.session {
            if isNamed { $0.housekeeping.legacyStores = [LegacyStore(backend: older, layout: .singleSlot(slot))] }
        }
        #expect(await session.isLoggedIn == isNamed && fixture.isLoginStored == isNamed)
    }

    @Test(.row("Q14", "D-19"), arguments: ServiceDialect.allCases)
    func keepsTheOldConfiguration_whenStartingAgainFails(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        fixture.transport.setScript { _, _ in .failure(.unreachable) }
        // Over REST API v2 a viewer who is logged in waits for nobody.
        var failure: TVEError?
        do throws(TVEError) { try await session.start() } catch { failure = error }
        #expect(failure == (dialect == .classic ? TVEError(.serviceUnreachable) : nil))
        #expect(await session.isLoggedIn, "Offline must not mean logged out.")
    }

    /// A login is stored, and the service cannot be reached: analytics must not hear "not logged in".
    @Test func cannotTellWhoIsLoggedIn_whenTheFirstStartFails() async throws {
        let fixture = try await FlowFixture(.classic)
        _ = try await fixture.loggedIn()
        fixture.transport.setScript { _, _ in .failure(.unreachable) }
        let (session, log) = try await fixture.session(started: false)
        try? await session.start()
        _ = log.take()
        guard case .unknown(let error) = await session.authenticationStatus() else {
            Issue.record("Nobody can tell.")
            return
        }
        #expect(error.code == .requestorNotConfigured && error.recovery == .retry)
        #expect(log.take() == ["unknown: requestorNotConfigured"])
        fixture.transport.setScript { _, _ in nil }
        try await session.start()
        #expect(await session.isLoggedIn)
    }

    @Test(arguments: ServiceDialect.allCases)
    func failsEveryCall_beforeTheStart(dialect: ServiceDialect) async throws {
        let (session, _) = try await FlowFixture(dialect).session(started: false)
        #expect(await session.authenticationStatus() == .unknown(TVEError(.requestorNotConfigured)))
        await #expect(throws: TVEError(.requestorNotConfigured)) {
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await session.authorize("DEMO-1") }
        await #expect(throws: TVEError(.requestorNotConfigured)) {
            try await session.authorize("DEMO-1", as: "demo-cable")
        }
        await #expect(throws: TVEError(.requestorNotConfigured)) {
            try await session.preauthorize(["DEMO-1"], as: "demo-cable")
        }
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await session.selectProvider("demo-cable") }
    }

    @Test(arguments: ServiceDialect.allCases)
    func replacesARefusedAccessToken_once(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        _ = try await fixture.session()
        // The service forgets its tokens; the stored credentials get a new one.
        fixture.clock.advance(by: 10)
        let (session, _) = try await fixture.session(started: false)
        fixture.transport.setScript { request, _ in
            let isFirst = fixture.count(of: .start) == 2
            return isFirst && fixture.isAt(.start, request)
                ? .response(status: 401, body: "{\"error\":\"access_denied\"}") : nil
        }
        try await session.start()
        #expect(fixture.count(of: .start) == 3 && fixture.count(of: .accessToken) == 2)
        #expect(fixture.count(of: .registration) == 1, "credentials are kept for ever")
    }
}
