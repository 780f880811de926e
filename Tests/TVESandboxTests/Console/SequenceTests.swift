import Foundation
import HTTPTypes
import TVESandbox
import TVESandboxConsole
import TVETestSupport
import TVETestTraits
import Testing

/// Tests of the diagram of a flow, and of the choice of the flow.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct SequenceTests {
    private static let nothing = "<p>No exchange of this flow is stored.</p>"

    @Test func theNewestFlowWithExchanges_isShown_unlessAnotherIsChosen() async throws {
        let client = try await SandboxClient(pages: .console)
        func page(_ query: String = "") async throws -> String {
            try await client.send(.get, "/console/sequence\(query)").text
        }
        #expect(try await page().contains("There is no flow yet."))
        let first = try await client.registered()
        _ = try await client.registered()
        #expect(try await first.change(.delete, "/console/api/exchanges").status == 204)
        let empty = try await page()
        #expect(empty.contains(Self.nothing) && empty.contains("<option value=\"2\" selected>"))
        _ = try await first.send(.get, "/adobe-services/config/DEMO")
        let shown = try await page()
        #expect(shown.contains("/adobe-services/config/DEMO") && shown.contains("<option value=\"1\" selected>"))
        let chosen = try await page("?flow=2")
        #expect(chosen.contains(Self.nothing) && chosen.contains("<option value=\"2\" selected>"))
    }

    @Test(arguments: ["/console/sequence", "/console/compare?of=flows&left=1&right=1"])
    func requestsAtTheSameTime_areInTheOrderOfTheirArrival(path: String) async throws {
        let client = try await SandboxClient(pages: .console).registered()
        let holds = client.sandbox.routes.holds
        #expect(try await client.change(.post, "/console/api/holds", body: "{\"step\":\"config\"}").status == 204)
        async let first = client.send(.get, "/adobe-services/config/DEMO")
        while holds.held.isEmpty, !Task.isCancelled { await Task.shortPause() }
        _ = try await client.send(.get, "/reggie/v1/DEMO/regcode/NOPE")
        let held = try #require(holds.held.first)
        #expect(holds.release(held.id, .asItIs))
        #expect(try await first.status == 200)
        let text = try await client.send(.get, path).text
        let shown = text.matches(of: /GET (\/adobe-services\/config|\/reggie\/v1)/).map { String($0.1) }
        #expect(shown.first == "/adobe-services/config" && shown.last == "/reggie/v1")
    }
}
