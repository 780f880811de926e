import Foundation
import HTTPTypes
import TVEConformance
import TVEModels
import TVESandbox
import TVESandboxConsole
import TVETestSupport
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

    /// A client that has received no credentials asks for them again.
    @Test(
        .timeLimit(.hanging),
        arguments: [SandboxWorld.Fault.Kind.dropped, .cutBody, .captivePortal, .garbledBody], ["register", "token"])
    func anAnswerThatAFaultHasSpoiled_isNotHeldAgainstTheClient(
        kind: SandboxWorld.Fault.Kind, step: String
    ) async throws {
        var world = SandboxWorld.demo
        world.faults = [SandboxWorld.Fault(kind, step: step, requests: 1)]
        var client = try await SandboxClient(world: world, pages: .console, isDirect: false)
        client.headers["X-Device-Info"] = SandboxClient.deviceInfo
        let bare = client
        func ask(_ path: String, _ body: String) async throws -> [String: MetadataValue] {
            let first = try? await bare.send(.post, path, body: body).json([String: MetadataValue].self)
            if let first { return first }
            return try await bare.send(.post, path, body: body).json([String: MetadataValue].self)
        }
        let statement = "{\"software_statement\":\"\(client.sandbox.softwareStatement)\"}"
        let credentials = try await ask("/o/client/register", statement)
        let form = SandboxClient.form([
            ("grant_type", "client_credentials"),
            ("client_id", try #require(credentials["client_id"]?.stringValue)),
            ("client_secret", try #require(credentials["client_secret"]?.stringValue)),
        ])
        let grant = try await ask("/o/client/token", form)
        client.headers["Authorization"] = "Bearer \(try #require(grant["access_token"]?.stringValue))"
        client.headers["AP-Device-Identifier"] = "fingerprint \(Data("tv".utf8).base64EncodedString())"
        _ = try await client.send(.get, "/api/v2/DEMO/profiles")
        let archive = try HTTPArchive(Data(try await client.send(.get, "/console/api/har?secrets=1").text.utf8))
        for exchanges in [client.sandbox.exchanges.map { Exchange($0) }, archive.exchanges] {
            let findings = ConformanceReport(judging: exchanges).findings
            #expect(findings.first { $0.row.id == "CL1" }?.outcome == .pass)
            #expect(findings.first { $0.row.id == "CL2" }?.outcome != .fail)
        }
    }

    /// A client that has stopped waiting has no credentials, although the service has made some.
    @Test(.timeLimit(.hanging)) func anAnswerForWhichTheClientHasNotWaited_isNotHeldAgainstIt() async throws {
        let client = try await SandboxClient(pages: .console)
        let holds = client.sandbox.routes.holds
        let statement = "{\"software_statement\":\"\(client.sandbox.softwareStatement)\"}"
        let request =
            "POST /o/client/register HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "X-Device-Info: \(SandboxClient.deviceInfo)\r\nContent-Length: \(statement.utf8.count)\r\n\r\n"
            + statement
        #expect(try await client.change(.post, "/console/api/holds", body: "{\"step\":\"register\"}").status == 204)
        let first = try await RawConnection(to: client.sandbox)
        try await first.write(request)
        while holds.held.isEmpty, !Task.isCancelled { await Task.shortPause() }
        try first.hangUp()
        let held = try #require(holds.held.first)
        #expect(holds.release(held.id, .asItIs))
        func waitForAnswers(_ count: Int) async {
            while client.sandbox.exchanges.count(where: \.isSent) < count, !Task.isCancelled { await Task.shortPause() }
        }
        await waitForAnswers(1)
        let second = try await RawConnection(to: client.sandbox)
        try await second.write(request)
        await waitForAnswers(2)
        let exchanges = client.sandbox.exchanges
        #expect(exchanges.map(\.status) == [201, 201] && exchanges.map(\.isAnswerLost) == [true, false])
        let sentence = "The client closed its side of the connection, or the sandbox stopped, before the answer"
        #expect(exchanges[0].outcome.text == sentence)
        let archive = try HTTPArchive(Data(try await client.send(.get, "/console/api/har?secrets=1").text.utf8))
        for judged in [exchanges.map { Exchange($0) }, archive.exchanges] {
            let finding = try #require(ConformanceReport(judging: judged).findings.first { $0.row.id == "CL1" })
            #expect(finding.outcome == .pass && finding.evidence == [2], "\(finding.problems)")
        }
    }

    @Test(.timeLimit(.hanging), arguments: [3_600, -3_600])
    func measuresByTheMachinesClock_whenTheServicesIsMoved(seconds: Int) async throws {
        let restV2 = try await RESTv2Client(pages: .console)
        let client = restV2.client
        let (method, path) = RESTv2Client.place("profileOfCode", try await restV2.code())
        _ = try await client.send(method, path)
        let move = try await client.change(.post, "/console/api/clock", body: "{\"by\":\(seconds)}")
        #expect(move.status == 200)
        let answer = try await client.send(method, path)
        let date = try #require(answer.header("Date").flatMap(Date.init(httpText:)))
        #expect(abs(date.timeIntervalSince(restV2.clock.now) - TimeInterval(seconds)) <= 1)
        let page = try await client.send(.get, "/console/conformance")
        #expect(page.text.contains("id=\"CL9\"") && !page.text.contains("class=\"row fail\" id=\"CL9\""))
        let archive = try HTTPArchive(Data(try await client.send(.get, "/console/api/har").text.utf8))
        for exchanges in [client.sandbox.exchanges.map { Exchange($0) }, archive.exchanges] {
            let pauses = zip(exchanges, exchanges.dropFirst()).map { $1.began.timeIntervalSince($0.began) }
            #expect(pauses.count > 2 && pauses.allSatisfy { (0..<60).contains($0) }, "\(pauses)")
        }
    }
}
