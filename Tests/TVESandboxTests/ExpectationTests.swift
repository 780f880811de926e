import Foundation
import HTTPTypes
import TVESandbox
import TVESandboxConsole
import TVETestSupport
import TVETestTraits
import Testing

/// The expectations of a tester, which each flow of a client meets or breaks.
@Suite(.fewAtATime)
struct ExpectationTests {
    typealias Expectation = SandboxWorld.Expectation

    @Test func judgesCountOrderAndPause() async throws {
        let clock = ManualClock()
        var client = try await SandboxClient(pages: .console, clock: clock)
        var world = client.sandbox.world
        world.expectations = [
            Expectation("once", step: "config", atMost: 1), Expectation("twice", step: "config", atLeast: 2, atMost: 2),
            Expectation("three times", step: "config", atLeast: 3),
            Expectation("after a code", step: "config", follows: "makeCode"),
            Expectation("after a token", step: "config", follows: "token"),
            Expectation("waits 600 s", step: "config", status: 429, pause: 600),
            Expectation("waits 1200 s", step: "config", status: 429, pause: 1_200),
            Expectation("waits after a 503", step: "config", status: 503, pause: 3_600),
            Expectation("logs out", step: "logout", atLeast: 1),
        ]
        world.faults = [SandboxWorld.Fault(.throttled, step: "config", requests: 1)]
        try client.sandbox.apply(world.strict)
        #expect(client.sandbox.expectationOutcomes.allSatisfy { $0.result == .notSeen })
        try await client.register()
        #expect(try await client.send(.get, "/adobe-services/config/DEMO").status == 429)
        // The time that the answer itself takes, by a clock that does not stand still, is not a part of the pause.
        clock.advance(by: 900)
        #expect(try await client.send(.get, "/adobe-services/config/DEMO").status == 200)
        let outcomes = client.sandbox.expectationOutcomes
        #expect(
            outcomes.map { "\($0.expectation.name): \($0.result.rawValue)" } == [
                "once: broken", "twice: kept", "three times: broken", "after a code: broken", "after a token: kept",
                "waits 600 s: kept", "waits 1200 s: broken", "waits after a 503: kept", "logs out: notSeen",
            ])
        #expect(
            outcomes[0].exchanges == [3, 4] && outcomes[0].problems == ["The step was taken 2 times, not at most 1."])
        #expect(outcomes[6].exchanges == [3, 4] && outcomes[6].problems.first?.contains("not 1200 s") == true)
        #expect(outcomes[2].problems == ["The step was taken 2 of at least 3 times."])
        // At the end of a test, the step that is missing can no longer come.
        let end = client.sandbox.routes.expectationOutcomes(in: client.sandbox.exchanges, isEnd: true)
        #expect(end.dropLast().map(\.result) == outcomes.dropLast().map(\.result))
        #expect(end[8].result == .broken && end[8].problems == ["The step was taken 0 of at least 1 time."])
        // An exchange that is no longer stored may have been the step.
        let rest = Array(client.sandbox.exchanges.dropFirst())
        #expect(client.sandbox.routes.expectationOutcomes(in: rest, isEnd: true)[8].result == .notSeen)
        #expect(client.sandbox.routes.expectationOutcomes(in: [], isEnd: true)[8].result == .notSeen)
        let page = try await client.send(.get, "/console/conformance").text
        #expect(page.contains("<details class=\"row fail\" id=\"own-once\"") && page.contains("own-twice"))
    }

    /// The newest request leaves no gap in the numbers of the exchanges.
    @Test(.timeLimit(.hanging)) func aStepIsNotMissing_whileTheNewestRequestHasNoAnswer() async throws {
        let client = try await SandboxClient(pages: .console).registered()
        var world = client.sandbox.world
        world.expectations = [Expectation("opens the picker", step: "config", atLeast: 1)]
        try client.sandbox.apply(world.strict)
        let routes = client.sandbox.routes
        #expect(routes.expectationOutcomes(in: client.sandbox.exchanges, isEnd: true).map(\.result) == [.broken])
        #expect(try await client.change(.post, "/console/api/holds", body: "{\"step\":\"config\"}").status == 204)
        async let answer = client.send(.get, "/adobe-services/config/DEMO")
        while routes.holds.held.isEmpty, !Task.isCancelled { await Task.shortPause() }
        let held = try #require(routes.holds.held.first)
        #expect(routes.expectationOutcomes(in: client.sandbox.exchanges, isEnd: true).map(\.result) == [.notSeen])
        #expect(routes.holds.release(held.id, .asItIs))
        #expect(!routes.holds.release(held.id, .edited(status: 500, body: nil)), "The answer is gone.")
        #expect(try await answer.status == 200)
    }

    @Test func measuresAPause_byTheMachinesClock() async throws {
        let client = try await SandboxClient(pages: .console).registered()
        var world = client.sandbox.world
        world.expectations = [Expectation("waits", step: "config", pause: 600)]
        try client.sandbox.apply(world.strict)
        _ = try await client.send(.get, "/adobe-services/config/DEMO")
        let move = try await client.change(.post, "/console/api/clock", body: "{\"by\":3600}")
        #expect(move.status == 200)
        _ = try await client.send(.get, "/adobe-services/config/DEMO")
        #expect(client.sandbox.expectationOutcomes.map(\.result) == [.broken])
    }

    /// A client cannot wait after an answer that it does not have yet.
    @Test(.timeLimit(.hanging)) func requestsAtTheSameTime_needNoPause() async throws {
        let clock = ManualClock()
        let client = try await SandboxClient(pages: .console, clock: clock).registered()
        var world = client.sandbox.world
        world.expectations = [Expectation("waits", step: "config", pause: 600)]
        try client.sandbox.apply(world.strict)
        let holds = client.sandbox.routes.holds
        #expect(try await client.change(.post, "/console/api/holds", body: "{\"step\":\"config\"}").status == 204)
        async let first = client.send(.get, "/adobe-services/config/DEMO")
        while holds.held.isEmpty, !Task.isCancelled { await Task.shortPause() }
        let held = try #require(holds.held.first)
        _ = try await client.send(.get, "/adobe-services/config/DEMO")
        #expect(holds.release(held.id, .asItIs))
        #expect(try await first.status == 200)
        while !client.sandbox.exchanges.allSatisfy(\.isSent), !Task.isCancelled { await Task.shortPause() }
        #expect(client.sandbox.expectationOutcomes.map(\.result) == [.kept])
        // The third request comes too soon after both.
        clock.advance(by: 60)
        _ = try await client.send(.get, "/adobe-services/config/DEMO")
        let outcome = try #require(client.sandbox.expectationOutcomes.first)
        let numbers = [held.id, held.id + 2, held.id + 1, held.id + 2]
        #expect(outcome.result == .broken && outcome.exchanges == numbers)
    }

    /// A client that has not received an answer may repeat its request at once.
    @Test(arguments: [nil, 200]) func aLostAnswer_needsNoPause(status: Int?) async throws {
        let client = try await SandboxClient().registered()
        var world = client.sandbox.world
        world.expectations = [Expectation("waits", step: "config", status: status, pause: 600)]
        world.faults = [SandboxWorld.Fault(.dropped, step: "config", requests: 1)]
        try client.sandbox.apply(world.strict)
        var request = HTTPRequest(
            method: .get, scheme: "http", authority: "127.0.0.1", path: "/adobe-services/config/DEMO")
        request.headerFields[.authorization] = client.headers["Authorization"]
        // Without a connection, no transport repeats the request by itself.
        for _ in 1...2 { #expect(await client.sandbox.routes.answer(request, body: nil).0.status.code == 200) }
        #expect(client.sandbox.exchanges.suffix(2).map(\.isAnswerLost) == [true, false])
        #expect(client.sandbox.expectationOutcomes.map(\.result) == [.kept])
        _ = await client.sandbox.routes.answer(request, body: nil)
        #expect(client.sandbox.expectationOutcomes.map(\.result) == [.broken])
    }

    /// An app has opened the picker once, and this was its third request.
    @Test(
        arguments: [
            (Expectation("a", step: "config", atLeast: 1), []),
            (Expectation("a", step: "config", atLeast: 2), ["The step was taken 1 of at least 2 times."]),
            (Expectation("a", step: "config", atMost: 1), []),
            (Expectation("a", step: "config", atMost: 0), ["The step was taken 1 time, not at most 0."]),
            (Expectation("a", step: "config", follows: "register"), []),
            (Expectation("a", step: "config", follows: "makeCode"), ["Exchange 3 came before any makeCode."]),
        ] as [(Expectation, [String])])
    func countsEachRequest_upToTheBound(expectation: Expectation, problems: [String]) async throws {
        let client = try await SandboxClient().registered()
        var world = client.sandbox.world
        world.expectations = [expectation]
        try client.sandbox.apply(world.strict)
        _ = try await client.send(.get, "/adobe-services/config/DEMO")
        let outcome = try #require(client.sandbox.expectationOutcomes.first)
        #expect(outcome.problems == problems && outcome.exchanges == [3])
        #expect(outcome.result == (problems.isEmpty ? .kept : .broken))
    }

    @Test func judgesEachFlowAlone() async throws {
        var first = try await SandboxClient(pages: .console)
        var world = first.sandbox.world
        world.expectations = [Expectation("once", step: "config", atMost: 1)]
        try first.sandbox.apply(world.strict)
        try await first.register()
        var second = first
        try await second.register()
        for client in [first, second] { _ = try await client.send(.get, "/adobe-services/config/DEMO") }
        #expect(first.sandbox.expectationOutcomes.map(\.result) == [.kept])
    }

    @Test func namesTenProblems_whenAFlowHasMore() async throws {
        var client = try await SandboxClient(pages: .console)
        var world = client.sandbox.world
        world.expectations = [Expectation("waits", step: "config", pause: 600)]
        try client.sandbox.apply(world.strict)
        try await client.register()
        for _ in 0..<12 { _ = try await client.send(.get, "/adobe-services/config/DEMO") }
        let outcome = try #require(client.sandbox.expectationOutcomes.first)
        #expect(outcome.result == .broken && outcome.problems.count == 10 && outcome.exchanges.count == 20)
    }

    @Test(arguments: [
        "{\"name\":\"\",\"step\":\"config\",\"atMost\":1}", "{\"name\":\"a\",\"step\":\"nothing\",\"atMost\":1}",
        "{\"name\":\"a\",\"step\":\"config\"}", "{\"name\":\"a\",\"step\":\"config\",\"status\":429}",
        "{\"name\":\"a\",\"step\":\"config\",\"atLeast\":2,\"atMost\":1}", "{\"step\":\"config\",\"atMost\":1}",
        "{\"name\":\"a\",\"step\":\"config\",\"follows\":\"config\"}",
        "{\"name\":\"a\",\"step\":\"config\",\"pause\":0}",
    ])
    func refusesAnExpectation_thatCannotBeJudged(body: String) async throws {
        let client = try await SandboxClient(pages: .console)
        #expect(try await client.change(.post, "/console/api/expectations", body: body).status == 400)
        #expect(client.sandbox.world.expectations.isEmpty)
    }

    @Test func isAPartOfTheWorld() async throws {
        let client = try await SandboxClient(pages: .console)
        let body = "{\"name\":\"waits / after\",\"step\":\"config\",\"status\":429,\"pause\":5}"
        #expect(try await client.change(.post, "/console/api/expectations", body: body).status == 204)
        #expect(try await client.change(.post, "/console/api/expectations", body: body).status == 400, "The same name")
        let saved = try SandboxWorld(json: Data(try await client.send(.get, "/console/api/world").text.utf8))
        #expect(saved.expectations == [Expectation("waits / after", step: "config", status: 429, pause: 5)])
        let path = "/console/api/expectations/waits%20%2F%20after"
        #expect(try await client.change(.delete, path).status == 204)
        #expect(try await client.change(.delete, path).status == 404)
    }
}
