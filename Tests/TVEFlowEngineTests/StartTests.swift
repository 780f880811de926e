import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport
import Testing

@Suite(.serialized)
struct StartTests {
    @Test func loadsTheConfiguration_afterRegisteringOnce() async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.session(started: false)
        #expect(try await session.start().requestor.providers.map(\.id) == ["demo-cable", "demo-fiber"])
        _ = try await fixture.session()
        #expect(
            fixture.transport.requests == [
                "POST /o/client/register", "POST /o/client/token", "GET /adobe-services/config/DEMO",
                "GET /adobe-services/config/DEMO",
            ])
        #expect(log.take().isEmpty)
    }

    // Rows Q7 to Q12 of the API reference and what the issue asks for garbage.
    @Test(arguments: [
        (
            "Q7", "/config/", ScriptedTransport.Answer.response(status: 400, body: ""), TVEError.Code.unknownRequestor,
            "CFG400"
        ),
        ("Q8", "/config/", .failure(.unreachable), .serviceUnreachable, "CFG404"),
        ("Q8", "/config/", .failure(.timedOut), .serviceUnreachable, "CFG404"),
        ("Q8", "/config/", .response(status: 404, body: ""), .serviceUnreachable, "CFG404"),
        ("Q9", "/config/", .response(status: 500, body: ""), .serviceFailed, "CFG500"),
        ("Q9", "/config/", .response(status: 503, body: "<html>"), .serviceFailed, "CFG503"),
        ("Q10", "/config/", .response(status: 429, body: "<html>"), .throttled, "CFG429"),
        ("CFG410", "/config/", .response(status: 410, body: ""), .clientTooOld, "CFG410"),
        (
            "Q11", "/o/client/register", .response(status: 400, body: "{\"error\":\"invalid_software_statement\"}"),
            .applicationNotRegistered, "R400"
        ),
        (
            "Q11", "/o/client/token", .response(status: 400, body: "{\"error\":\"invalid_request\"}"),
            .accessTokenUnavailable, "R401"
        ),
        ("Q8", "/o/client/register", .failure(.unreachable), .serviceUnreachable, "CFG404"),
        ("Q12", "/config/", .failure(.notTrusted), .connectionNotTrusted, "SEC420"),
        ("garbage", "/config/", .response(status: 200, body: "<config><mvpds>"), .serviceFailed, "CFG500"),
        ("garbage", "/config/", .response(status: 200, body: "<!DOCTYPE html><html></html>"), .serviceFailed, "CFG500"),
        ("garbage", "/config/", .response(status: 200, body: ""), .serviceFailed, "CFG500"),
        ("garbage", "/o/client/token", .response(status: 201, body: "<html>"), .serviceFailed, "CFG500"),
    ])
    func reportsTheDocumentedCode(
        row: String, path: String, answer: ScriptedTransport.Answer, code: TVEError.Code, status: String
    ) async throws {
        let fixture = try await FlowFixture()
        fixture.answer(path, answer)
        let (session, log) = try await fixture.session(started: false)
        let error = await #expect(throws: TVEError.self, "\(row)") { try await session.start() }
        #expect(error?.code == code && error?.status?.rawValue == status, "\(row)")
        #expect(log.take() == [status])
    }

    @Test func Q7_refusesAnEmptyRequestor_withoutAskingTheService() async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.session(requestor: "", started: false)
        await #expect(throws: TVEError(.unknownRequestor)) { try await session.start() }
        #expect(log.take() == ["CFG400"])
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test func Q7_reportsARequestorTheServiceDoesNotKnow() async throws {
        let (session, log) = try await FlowFixture().session(requestor: "NOPE", started: false)
        await #expect(throws: TVEError(.unknownRequestor)) { try await session.start() }
        #expect(log.take() == ["CFG400"])
    }

    @Test func Q11_reportsAStatementTheServiceRefuses() async throws {
        let (session, log) = try await FlowFixture().session(statement: "made up", started: false)
        await #expect(throws: TVEError(.applicationNotRegistered)) { try await session.start() }
        #expect(log.take() == ["R400"])
    }

    @Test func Q13_warnsOfAWrongClock_andGoesOn() async throws {
        let fixture = try await FlowFixture()
        fixture.answer("/config/", .rewritten { $0.replacing(/<time>\d+</, with: "<time>1000000000000<") })
        let (session, log) = try await fixture.session(started: false)
        try await session.start()
        #expect(log.take() == ["CFG100"])
    }

    @Test func Q14_keepsTheOldConfiguration_whenStartingAgainFails() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        fixture.answer("/config/", .failure(.unreachable))
        await #expect(throws: TVEError(.serviceUnreachable)) { try await session.start() }
        guard case .authenticated = await session.authenticationStatus() else {
            Issue.record("Offline must not mean logged out.")
            return
        }
    }

    @Test func failsEveryCall_beforeTheStart() async throws {
        let (session, _) = try await FlowFixture().session(started: false)
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.requestorNotConfigured)))
        await #expect(throws: TVEError(.requestorNotConfigured)) {
            try await session.authenticate(using: ViewerAtHome())
        }
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await session.authorize("DEMO-1") }
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await session.selectProvider("demo-cable") }
    }

    @Test func replacesARefusedAccessToken_once() async throws {
        let fixture = try await FlowFixture()
        _ = try await fixture.session()
        // The service forgets its tokens; the kept credentials get a new one.
        fixture.clock.advance(by: 10)
        let (session, _) = try await fixture.session(started: false)
        fixture.transport.setScript { [transport = fixture.transport] request, _ in
            let isFirst = transport.requests.filter { $0.contains("/config/") }.count == 2
            return isFirst && request.path?.contains("/config/") == true
                ? .response(status: 401, body: "{\"error\":\"access_denied\"}") : nil
        }
        try await session.start()
        #expect(
            fixture.transport.requests.suffix(3) == [
                "GET /adobe-services/config/DEMO", "POST /o/client/token", "GET /adobe-services/config/DEMO",
            ])
    }
}
