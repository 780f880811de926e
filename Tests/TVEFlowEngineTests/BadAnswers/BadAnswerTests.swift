import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Answers of the right form with wrong content.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct BadAnswerTests {
    // A token of another kind than the requested one; REST API v2 has no signed tokens but the media token.
    @Test(arguments: [Endpoint.session, .authorization, .mediaToken])
    func aWrongToken_isRefused(endpoint: Endpoint) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.classic)
        let path = try #require(endpoint.path(.classic))
        let wrong = [
            ("<simpleAuthenticationToken>", "authn"), ("<simpleAuthorizationToken>", "authz"), ("<authToken>", "media"),
        ].map {
            "&lt;signatureInfo&gt;AAAA&lt;signatureInfo&gt;"
                + $0.0.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        }
        for text in wrong + ["", "garbage", "&lt;signatureInfo&gt;"] {
            fixture.answer(
                path,
                .response(
                    status: 200,
                    body: "<result><authnToken>\(text)</authnToken><authzToken>\(text)</authzToken></result>"))
            fixture.clock.advance(by: 20)
            if endpoint == .session {
                await #expect(throws: TVEError.self) {
                    try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
                }
            } else {
                await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") }
            }
            #expect(log.take().contains(endpoint.failure))
        }
        fixture.transport.setScript { _, _ in nil }
        _ = try await session.authorize("DEMO-1")
    }

    // The test is limited to the classic services, because REST API v2 does not send its time.
    @Test(arguments: [-86_400.0, 86_400])
    func aClockThatIsADayOff_isReported_andEverythingWorks(skew: Double) async throws {
        let fixture = try await FlowFixture(.classic)
        let device = ManualClock(fixture.clock.now.addingTimeInterval(skew), shortWait: .seconds(2))
        let (session, log) = try await fixture.session(started: false) { $0.clock = device.sessionClock }
        try await session.start()
        #expect(log.take() == ["CFG100"])
        try await session.authenticate(using: ViewerWhoLogsIn())
        // With a clock that is a day ahead, an AuthZ token of a day has expired when it comes.
        if skew < 0 {
            _ = try await session.authorize("DEMO-1")
        } else {
            await #expect(throws: TVEError(.authorizationFailed)) { try await session.authorize("DEMO-1") }
        }
        try await session.start()
        #expect(await session.isLoggedIn, "A wrong clock must not cost a login.")
    }
}
