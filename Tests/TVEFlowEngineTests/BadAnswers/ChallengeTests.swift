import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

/// A server in front of the service of REST API v2 that asks for a login of its own.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ChallengeTests {
    /// Neither the configuration nor a household fails as if the application were not registered.
    @Test(.row("SEC403"), arguments: [false, true])
    func overRESTv2_saysNothingAboutTheApplication(isAboutHousehold: Bool) async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session { $0.transport = ChallengingTransport(next: fixture.transport) }
        fixture.answer(
            isAboutHousehold ? "/serviceToken" : "/configuration", .response(status: 401, body: ""))
        let error = await #expect(throws: TVEError.self) {
            if isAboutHousehold {
                try await session.household?.join(account: "viewer@example.com")
            } else {
                _ = try await session.configuration()
            }
        }
        #expect(error?.code == .serviceFailed && error?.recovery == .retry)
    }
}

/// A transport behind a server that sends a challenge of its own with every HTTP status 401.
struct ChallengingTransport: HTTPTransport {
    let next: any HTTPTransport

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let (response, answer) = try await next.send(request, body: body)
        var challenging = response
        if response.status == .unauthorized { challenging.headerFields[.wwwAuthenticate] = "Basic realm=\"x\"" }
        return (challenging, answer)
    }
}
