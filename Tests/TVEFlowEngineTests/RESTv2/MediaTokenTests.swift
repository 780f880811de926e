import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// The media token of REST API v2, whose content is a matter between the service and the back end.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct MediaTokenTests {
    /// An answer with another text in its media token.
    private static func replacing(_ part: String, with replacement: String, in answer: String) -> String {
        guard let range = answer.firstMatch(of: /"serializedToken" ?: ?"([^"]*)"/)?.output.1,
            let token = Data(base64Encoded: String(range).replacing("\\/", with: "/"))
        else { return answer }
        let changed = String(decoding: token, as: UTF8.self).replacing(part, with: replacement)
        return answer.replacing(range, with: Data(changed.utf8).base64EncodedString())
    }

    // The decision says for whom and what the token is.
    @Test(
        .row("CL16", "REST API v2, 5.10"),
        arguments: [(">DEMO<", ">Demo Channel<"), (">DEMO-1<", ">urn:demo:1<"), ("<", "&lt;")])
    func isPassedOn_whateverItSaysAboutItself(part: String, replacement: String) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(
            .authorization, .rewritten { Self.replacing(part, with: replacement, in: $0) })
        let token = try await session.authorize("DEMO-1")
        let serialized = try #require(Data(base64Encoded: token.base64))
        #expect(String(decoding: serialized, as: UTF8.self).contains(replacement), "the answer was changed")
        #expect(token.claims.requestorID == "DEMO" && token.claims.resource == "DEMO-1")
        #expect(log.take() == ["authz cached false"])
    }
}
