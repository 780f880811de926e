import HTTPTypes
import TVESandbox
import TVESandboxConsole
import TVETestTraits
import Testing

/// Tests of the acceptance list in the console.
///
/// TVEConformanceTests test its findings.
@Suite(.fewAtATime)
struct ConformanceViewTests {
    @Test func showsEachRow_byWhatWasSeenSoFar() async throws {
        let client = try await SandboxClient(world: .demo, pages: .console)
        let empty = try await client.send(.get, "/console/conformance")
        #expect(empty.text.contains("Nothing was observed yet."))
        #expect(empty.text.split(separator: "<details class=\"row notSeen\"").count == 33)
        // These requests lack the headers that every request must have.
        _ = try await client.send(.get, "/api/v2/DEMO/profiles/code/CODE77")
        let number = try #require(client.sandbox.exchanges.last?.id)
        let page = try await client.send(.get, "/console/conformance")
        #expect(page.text.contains("<details class=\"row fail\" id=\"CL21\""))
        #expect(page.text.contains("href=\"/console/exchanges/\(number)\"") && !page.text.contains("CODE77"))
        #expect(page.text.contains("A mandatory row fails."))
        for choice in ["flow=99", "device=nobody"] {
            let other = try await client.send(.get, "/console/conformance?\(choice)")
            #expect(other.text.contains("Nothing was observed yet."), "\(choice)")
        }
    }
}
