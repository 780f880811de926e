import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVESandboxConsole
import TVETestSupport
import TVETestTraits
import TVETokenCodec
import Testing

/// Tests of the events that a program with a sandbox receives.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct EventTests {
    @Test func tellsAWholeLogin_asOneFlow() async throws {
        var client = try await SandboxClient(isDirect: false)
        let events = client.sandbox.events
        try await client.register()
        _ = try await client.send(.get, "/adobe-services/config/DEMO")
        let code = try await client.registrationCode(deviceID: "device-1")
        _ = try await client.logIn(code: code)
        let token = try await client.authenticationToken(code, device: "device-1")
        let index = try #require(try TokenDecoder().authenticationToken(token).claims.samlSessionIndex)
        _ = try await client.send(.get, "/adobe-services/logout?\(SandboxClient.form([("session_index", index)]))")
        await client.sandbox.stop()
        var seen: [SandboxExchange] = []
        for await event in events { if case .exchange(let exchange) = event { seen.append(exchange) } }
        // An exchange ends when its answer was sent. The next one may end before it, over another connection.
        seen.sort { $0.id < $1.id }
        #expect(
            seen.map(\.facts.step) == [
                "register", "token", "config", "makeCode", "authenticateSAML", "providerPage", "providerLogin",
                "assertion", "sessionDevice", "logoutClassic",
            ])
        #expect(Set(seen.map(\.facts.flow)) == [1])
        #expect(seen.last?.facts.device == "device-1" && seen.last?.facts.requestor == "DEMO")
        #expect(seen.map(\.id) == Array(1...10) && seen.allSatisfy { $0.milliseconds > 0 })
        #expect(client.sandbox.exchanges.map(\.facts.step) == seen.map(\.facts.step))
    }

    /// The pages of this project describe requests that no real service has.
    @Test(
        arguments: [
            (.get, "/openapi.json", "sandbox"), (.post, "/conformance/plays/DEMO-1", "play"),
            (.get, "/conformance/plays/DEMO-1", "other"), (.post, "/conformance/pauses/DEMO-1", "other"),
        ] as [(HTTPRequest.Method, String, String)])
    func namesWhatOnlyTheSandboxHas(method: HTTPRequest.Method, path: String, step: String) async throws {
        let client = try await SandboxClient()
        _ = try await client.send(method, path)
        #expect(client.sandbox.exchanges.map(\.facts.step) == [step])
    }

    @Test func keepsTheLastFiveThousand_and64KilobytesOfABody() async throws {
        let routes = try SandboxRoutes(world: .demo.strict, key: try SandboxKey.ofThisProcess.get(), now: { Date() })
        let get = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/nope")
        for _ in 0..<5_003 { _ = await routes.answer(get, body: nil) }
        #expect(routes.exchanges.map(\.id) == Array(4...5_003))
        let post = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/o/client/register")
        _ = await routes.answer(post, body: Data(repeating: 0x61, count: 100_000))
        #expect(routes.exchanges.last?.request.body.count == 65_536)
        #expect(routes.exchanges.last?.request.length == 100_000)
        #expect(routes.exchanges.first?.id == 5)
        // These bodies together exceed the limit of all bodies.
        let large = HTTPRequest(
            method: .post, scheme: nil, authority: nil, path: "/nope",
            headerFields: [.contentType: "application/octet-stream"])
        for _ in 0..<1_100 { _ = await routes.answer(large, body: Data(repeating: 0x61, count: 65_536)) }
        let kept = routes.exchanges
        #expect(kept.reduce(0) { $0 + $1.request.body.count + $1.answer.body.count } <= 64 << 20)
        #expect(kept.last?.id == 6_104 && zip(kept, kept.dropFirst()).allSatisfy { $0.id + 1 == $1.id })
        // These heads do so too, although the requests have no bodies.
        let wide = HTTPRequest(
            method: .get, scheme: nil, authority: nil, path: "/nope",
            headerFields: [.cookie: String(repeating: "a", count: 60_000)])
        for _ in 0..<1_200 { _ = await routes.answer(wide, body: nil) }
        let heads = routes.exchanges
        #expect(heads.reduce(0) { $0 + ($1.request.header("Cookie")?.utf8.count ?? 0) } <= 64 << 20)
        #expect(heads.last?.id == 7_304)
    }

    /// An exchange causes two events: its arrival and the end of its answer.
    @Test func lastsUntilItsAnswerIsSent() async throws {
        var world = SandboxWorld.demo
        world.faults = [.init(.delay, amount: 300)]
        let client = try await SandboxClient(world: world, isDirect: false)
        var events = client.sandbox.events.makeAsyncIterator()
        async let answer = client.send(.get, "/adobe-services/config/DEMO")
        guard case .arrived(let arrived) = await events.next() else {
            Issue.record("It has not arrived.")
            return
        }
        #expect(arrived.facts.step == "config" && arrived.status == 0 && !arrived.isSent)
        guard case .exchange(let sent) = await events.next() else {
            Issue.record("It was not sent.")
            return
        }
        #expect(sent.id == arrived.id && sent.isSent && sent.milliseconds >= 300 && sent.status > 0)
        _ = try await answer
        #expect(client.sandbox.exchanges.map(\.isSent) == [true])
    }

    @Test func tellsThatAnotherWorldWasApplied_andNothingOfAWorldThatIsRefused() async throws {
        let sandbox = try await SandboxClient().sandbox
        var events = sandbox.events.makeAsyncIterator()
        var refused = SandboxWorld.demo
        refused.viewers[0].name = ""
        let world = refused
        #expect(throws: SandboxWorldError.self) { try sandbox.apply(world.strict) }
        try sandbox.apply(.demo.strict)
        guard case .change(let sentence) = await events.next() else {
            Issue.record("No change was told.")
            return
        }
        #expect(sentence == "Another world was applied.")
    }

    @Test func tellsThatAnAnswerIsHeld() async throws {
        let client = try await SandboxClient(pages: .console)
        #expect(try await client.change(.post, "/console/api/holds", body: "{\"step\":\"config\"}").status == 204)
        let events = client.sandbox.events
        async let answer = client.send(.get, "/adobe-services/config/DEMO")
        var sentences: [String] = []
        for await event in events {
            guard case .change(let sentence) = event else { continue }
            sentences.append(sentence)
            if sentence == "An answer is held." { break }
        }
        #expect(sentences.last == "An answer is held.")
        let holds = client.sandbox.routes.holds
        while holds.held.isEmpty, !Task.isCancelled { await Task.shortPause() }
        let held = try #require(holds.held.first)
        #expect(holds.release(held.id, .asItIs))
        _ = try await answer
    }

    @Test func printsNoSecret() async throws {
        let client = try await SandboxClient().registered()
        let exchanges = client.sandbox.exchanges
        #expect(exchanges.count == 2)
        for exchange in exchanges {
            var dumped = ""
            dump(exchange, to: &dumped)
            for text in ["\(exchange)", String(reflecting: exchange), dumped] {
                #expect(!text.contains("secret") && !text.contains(client.sandbox.softwareStatement))
            }
        }
    }

    @Test func endsTheStreams_withTheSandbox_andRefusesTheSixtyFifth() async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let streams = (0..<64).map { _ in sandbox.events }
        for await _ in sandbox.events { Issue.record("A stream too many.") }
        await sandbox.stop()
        for stream in streams { for await _ in stream {} }
    }
}
