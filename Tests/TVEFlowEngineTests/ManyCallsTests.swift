import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Hundreds of calls at the same time.
///
/// They take long under the thread sanitizer, so `.ci/run` leaves this suite out there.
@Suite(.fewAtATime)
struct ManyCallsTests {
    // The test is limited to the classic services, because REST API v2 decides every playback, and allows one request a
    // second.
    @Test(.row("AZ16")) func asksOnceAResource_forManyCallsAtTheSameTime() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.classic)
        // A media token can be used once, so each call would request its own. These requests fail at once, because they
        // would only cost time here.
        fixture.answer(.mediaToken, .response(status: 500, body: ""))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let resource = Resource.mrss(channel: "DEMO-1", item: .init(guid: "\(number % 20)"))
                    await #expect(throws: TVEError(.serviceFailed)) { try await session.authorize(resource) }
                }
            }
        }
        let asked = fixture.transport.requests
        #expect(asked.filter { $0.hasSuffix("/authorizeDevice") }.count == 20)
        #expect(asked.filter { $0.hasSuffix("/deviceShortAuthorize") }.count == 200)
    }
}
