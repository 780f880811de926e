import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Tests that all differences between the vendor's environments change together (REST API v2, 1.1).
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ServiceEnvironmentTests {
    @Test(
        .row("CL26"),
        arguments: [
            (.production, "https://sp.auth.adobe.com", "https://saml.sp.auth.adobe.com"),
            (.prequalification, "https://sp-prequal.auth.adobe.com", "https://saml.sp.auth.adobe.com"),
            (.staging, "https://sp.auth-staging.adobe.com", "https://saml.sp.auth-staging.adobe.com"),
        ] as [(ServiceEnvironment, String, String)])
    func hasAHostAndASAMLID(environment: ServiceEnvironment, root: String, samlID: String) {
        #expect(environment.serviceProvider.root.absoluteString == root)
        #expect(environment.samlID == samlID)
        #expect(ServiceEnvironment.samlID(of: environment.serviceProvider.root) == samlID)
    }

    @Test(
        .row("REST API v2, 1.1"),
        arguments: [
            ("sp.auth-staging.adobe.com/adobe-services", .staging), ("SP-PREQUAL.AUTH-STAGING.ADOBE.COM", .staging),
            ("api.auth-staging.adobe.com", .staging), ("sp.auth.adobe.com/adobe-services", .production),
            ("sp.auth-staging.adobe.com.example", .production), ("http://127.0.0.1:8080", .production),
        ] as [(String, ServiceEnvironment)])
    func theSAMLIDFollowsTheHost(endpoint: String, expected: ServiceEnvironment) throws {
        let provider = try ServiceProvider(endpoint)
        #expect(ServiceEnvironment.samlID(of: provider.root) == expected.samlID)
    }

    /// Sends requests for one of the vendor's hosts to a sandbox.
    private struct Detour: HTTPTransport {
        let next: any HTTPTransport
        let sandbox: URL

        func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
            var request = request
            request.scheme = sandbox.scheme
            request.authority = "127.0.0.1:\(sandbox.port ?? 0)"
            return try await next.send(request, body: body)
        }
    }

    @Test(.row("REST API v2, 1.1"), arguments: ServiceDialect.both(ServiceEnvironment.allCases.map { $0 }))
    func asksThePlatform_inTheNameOfItsEnvironment(
        dialect: ServiceDialect, environment: ServiceEnvironment
    ) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let (session, _) = try await fixture.session(
            through: environment.serviceProvider.root
        ) {
            $0.platform = platform
            $0.transport = Detour(next: fixture.transport, sandbox: fixture.sandbox.baseURL)
        }
        #expect(await session.isLoggedIn)
        let requests = platform.requests
        #expect(requests.contains { $0.samlRequest != nil } && requests.contains { $0.samlRequest == nil })
        #expect(requests.allSatisfy { $0.channelID == environment.samlID })
    }
}
