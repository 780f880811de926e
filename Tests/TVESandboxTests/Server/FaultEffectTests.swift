import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVESandboxConsole
import TVETestSupport
import TVETestTraits
import Testing

/// Tests that a fault is recorded with the exchanges that it has changed, and with no others.
@Suite(.fewAtATime)
struct FaultEffectTests {
    private typealias Fault = SandboxWorld.Fault

    /// Faults, the authorization to which they apply, and the kinds that change it.
    private struct Case: Sendable {
        let faults: [SandboxWorld.Fault]
        var resource = "DEMO-1"
        let kinds: [SandboxWorld.Fault.Kind]
    }

    private static func fault(
        _ kind: Fault.Kind, code: String? = nil, _ change: (inout Fault) -> Void = { _ in }
    ) -> Fault {
        var fault = Fault(kind, code: code)
        change(&fault)
        return fault
    }

    @Test(arguments: [204, 304])
    func anAnswerWithoutABody_leavesNothingForTheNextOne(status: Int) async throws {
        let client = try await SandboxClient(isDirect: false)
        let rewritten = Fault(.rewritten, amount: status, requests: 1)
        var world = SandboxWorld.demo
        world.faults = [rewritten]
        try client.sandbox.apply(world.strict)
        #expect(try await client.send(.get, "/adobe-services/config/DEMO").status == status)
        #expect(client.sandbox.exchanges.last?.answer.length == 0)
        #expect(try await client.send(.get, "/adobe-services/config/DEMO").status == 401)
    }

    private static let cases: [Case] = [
        // The viewer may watch DEMO-1 and DEMO-2, but not DEMO-PLUS.
        Case(faults: [fault(.denied)], kinds: [.denied]),
        Case(faults: [fault(.denied) { $0.resource = "demo-1" }], kinds: [.denied]),
        Case(faults: [fault(.denied) { $0.resource = "DEMO-2" }], kinds: []),
        Case(faults: [fault(.denied)], resource: "DEMO-PLUS", kinds: []),
        Case(faults: [fault(.unreachable)], kinds: [.unreachable]),
        Case(faults: [fault(.unreachable) { $0.provider = "demo-fiber" }], kinds: []),
        Case(faults: [fault(.degraded, code: "authorizeNone")], kinds: [.degraded]),
        Case(faults: [fault(.degraded, code: "authorizeNone") { $0.provider = "demo-fiber" }], kinds: []),
        // A degraded login changes no authorization.
        Case(faults: [fault(.degraded, code: "authenticateAll")], kinds: []),
        Case(faults: [fault(.degraded, code: "authorizeAll")], resource: "DEMO-PLUS", kinds: [.degraded]),
        Case(faults: [fault(.badSignature)], kinds: [.badSignature]),
        // A denial has no token.
        Case(faults: [fault(.badSignature)], resource: "DEMO-PLUS", kinds: []),
        Case(faults: [.init(.wrongClock, amount: 60)], kinds: [.wrongClock]),
        Case(faults: [.init(.wrongClock, amount: 60)], resource: "DEMO-PLUS", kinds: []),
        // The login ends after 30 days.
        Case(faults: [.init(.wrongClock, amount: 2_592_001)], resource: "DEMO-PLUS", kinds: [.wrongClock]),
        Case(faults: [.init(.delay, amount: 1)], kinds: [.delay]),
        Case(faults: [.init(.delay, amount: 1, step: "config")], kinds: []),
        Case(faults: [.init(.slowBody, amount: 1)], kinds: [.slowBody]),
        // The real answer has this status already.
        Case(faults: [.init(.rewritten, amount: 200)], kinds: []),
        Case(faults: [.init(.rewritten, amount: 201)], kinds: [.rewritten]),
        Case(faults: [.init(.rewritten, amount: 201)], resource: "DEMO-PLUS", kinds: [.rewritten]),
        // The first answer that replaces the real one leaves nothing to the other faults.
        Case(faults: [.init(.status, amount: 503), fault(.throttled), fault(.denied)], kinds: [.status]),
        Case(faults: [.init(.delay, amount: 1), fault(.throttled), fault(.throttled)], kinds: [.delay, .throttled]),
        // Nothing of the garbled body is left, and two faults restore it.
        Case(faults: [fault(.garbledBody), fault(.rewritten) { $0.body = "x" }], kinds: [.rewritten]),
        Case(faults: [fault(.garbledBody), fault(.garbledBody)], kinds: []),
        Case(
            faults: [
                fault(.denied),
                fault(.rewritten) {
                    $0.amount = 201
                    $0.body = "x"
                },
            ], kinds: [.rewritten]),
        // Faults of other steps, and of REST API v2.
        Case(faults: [fault(.error, code: "internal_server_error"), fault(.profileEnded)], kinds: []),
    ]

    @Test(arguments: cases.indices)
    func anAuthorization_hasTheFaultsThatChangedIt(index: Int) async throws {
        let row = Self.cases[index]
        let client = try await SandboxClient(pages: .console).registered()
        let token = try await client.loggedIn(device: "tv")
        var world = SandboxWorld.demo
        world.faults = row.faults
        try client.sandbox.apply(world.strict)
        _ = try await client.authorize(token, row.resource, device: "tv")
        let exchange = try #require(client.sandbox.exchanges.last)
        #expect(exchange.facts.step == "authorizeDevice" && exchange.faults == row.kinds)
        // Every view shows the same.
        let list = try await client.send(.get, "/").text
        #expect(list.matches(of: /<span class="fault"/).count == row.kinds.count)
        let lanes = try await client.send(.get, "/console/lanes").text
        #expect(lanes.matches(of: /<span class="fault"/).count == row.kinds.count)
        let found = try await client.send(.get, "/console/api/exchanges?status=fault").text
        #expect(found.contains("\"faults\":") == !row.kinds.isEmpty)
    }

    @Test func aFaultOfOneDevice_isNotShownOnTheOther() async throws {
        var world = SandboxWorld.demo
        world.faults = [Self.fault(.throttled) { $0.device = "tv" }, .init(.delay, amount: 1, requests: 2)]
        world.faults[1].step = "makeCode"
        let client = try await SandboxClient(world: world).registered()
        for device in ["tv", "phone", "phone"] {
            _ = try await client.post("/reggie/v1/DEMO/regcode", [("deviceId", device)])
        }
        // The second fault has ended after two requests.
        #expect(client.sandbox.exchanges.suffix(3).map(\.faults) == [[.throttled, .delay], [.delay], []])
    }

    @Test func aLoginOfRESTv2_hasFaultsOnlyWhereTheyHappen() async throws {
        var world = SandboxWorld.demo
        world.faults = [
            .init(.lateProfile, amount: 10), Self.fault(.secondProfile) { $0.provider = "demo-fiber" },
            .init(.profileEnded, step: "profiles"),
            .init(.error, code: "authorization_denied_by_mvpd", step: "authorize"),
        ]
        let app = try await RESTv2Client(world: world)
        _ = try await app.ask("profiles")
        let code = try await app.code()
        _ = try await app.ask("profileOfCode", code)
        try await app.finish(code)
        _ = try await app.ask("profileOfCode", code)
        _ = try await app.ask("authorize", "demo-cable", body: #"{"resources":["DEMO-1"]}"#)
        // The request is refused before the forced error.
        _ = try await app.client.send(
            .post, "/api/v2/DEMO/decisions/authorize/demo-cable", body: #"{"resources":["DEMO-1"]}"#,
            headers: ["Authorization": "Bearer nope"])
        for _ in 0..<2 { _ = try await app.ask("profiles") }
        app.clock.advance(by: 10)
        _ = try await app.ask("profileOfCode", code)
        let seen = app.client.sandbox.exchanges.filter { exchange in
            ["profiles", "profileOfCode", "authorize", "assertion"].contains(exchange.facts.step)
        }
        #expect(
            seen.map { "\($0.facts.step) \($0.faults.map(\.rawValue).joined(separator: " "))" } == [
                "profiles ", "profileOfCode ", "assertion secondProfile", "profileOfCode lateProfile",
                "authorize error", "authorize ", "profiles profileEnded", "profiles ", "profileOfCode ",
            ])
    }

    /// Faults, an error that the service itself is set to, and the kinds that change an authorization and a request for
    /// the profiles.
    private static let forced: [(faults: [Fault], setting: String?, authorize: [Fault.Kind], profiles: [Fault.Kind])] =
        [
            ([.init(.error, code: "internal_server_error")], nil, [.error], [.error]),
            ([.init(.error, code: "internal_server_error", step: "authorize")], nil, [.error], []),
            ([.init(.error, code: "internal_server_error", step: "profiles")], nil, [], [.error]),
            ([.init(.sessionOver)], nil, [.sessionOver], []),
            // The last fault replaces the code of the one before it.
            ([.init(.sessionOver), .init(.error, code: "internal_server_error")], nil, [.error], [.error]),
            ([.init(.error, code: "internal_server_error"), .init(.sessionOver)], nil, [.sessionOver], [.error]),
            // A setting is no fault, and a fault with the same code changes nothing.
            ([], "internal_server_error", [], []),
            ([.init(.error, code: "internal_server_error")], "internal_server_error", [], [.error]),
            ([.init(.error, code: "network_received_error")], "internal_server_error", [.error], [.error]),
        ]

    @Test(arguments: forced.indices)
    func aForcedError_isThatOfItsFault(index: Int) async throws {
        let row = Self.forced[index]
        let app = try await RESTv2Client()
        try await app.logIn()
        var world = app.client.sandbox.world
        world.faults = row.faults
        world.behavior.restV2.forcedErrors["authorize"] = row.setting
        try app.client.sandbox.apply(world.strict)
        _ = try await app.client.send(
            .post, "/api/v2/DEMO/decisions/authorize/demo-cable", body: #"{"resources":["DEMO-1"]}"#)
        #expect(app.client.sandbox.exchanges.last?.faults == row.authorize)
        _ = try await app.client.send(.get, "/api/v2/DEMO/profiles")
        #expect(app.client.sandbox.exchanges.last?.faults == row.profiles)
    }

    @Test(arguments: [SandboxWorld.Fault.Kind.cutBody, .slowBody, .garbledBody])
    func anAnswerWithoutABody_isNeitherCutNorSlowNorGarbled(kind: SandboxWorld.Fault.Kind) async throws {
        var world = SandboxWorld.demo
        world.faults = [.init(kind, amount: kind == .slowBody ? 600_000 : nil)]
        let client = try await SandboxClient(world: world, isDirect: false)
        let answer = try await client.send(.options, "/adobe-services/config/DEMO")
        #expect(answer.status == 204 && client.sandbox.exchanges.map(\.faults) == [[]])
    }

    /// The last of the faults that end or slow down a connection replaces the others.
    @Test func aConnectionEndsOnce() async throws {
        var world = SandboxWorld.demo
        world.faults = [.init(.slowBody, amount: 600_000), Self.fault(.dropped)]
        let client = try await SandboxClient(world: world, isDirect: false)
        await #expect(throws: TransportError.self) { try await client.send(.get, "/adobe-services/config/DEMO") }
        #expect(client.sandbox.exchanges.last?.faults == [.dropped])
    }

    /// A request that the sandbox sends again has no client, and so no connection.
    @Test func aReplay_hasNoFaultOfAConnection_andUsesNoneUp() async throws {
        var world = SandboxWorld.demo
        world.faults = [.init(.delay, amount: 1, requests: 2), Self.fault(.garbledBody)]
        let client = try await SandboxClient(world: world, pages: .console)
        _ = try await client.send(.get, "/adobe-services/config/DEMO")
        #expect(try await client.change(.post, "/console/api/exchanges/1/replay").status == 201)
        #expect(client.sandbox.exchanges.map(\.faults) == [[.delay, .garbledBody], [.garbledBody]])
        #expect(client.sandbox.world.faults.first?.requests == 1)
    }

    /// The client has the same answer, only later.
    @Test func aLateAnswer_keepsItsOutcome() async throws {
        var world = SandboxWorld.demo
        world.faults = [.init(.delay, amount: 1, step: "authorizeDevice")]
        let client = try await SandboxClient(world: world, pages: .console).registered()
        let token = try await client.loggedIn(device: "tv")
        _ = try await client.authorize(token, "DEMO-1", device: "tv")
        for path in ["/", "/console/lanes", "/console/api/har"] {
            let text = try await client.send(.get, path).text
            #expect(text.contains("Granted: DEMO-1") && text.contains("Late answers"), "\(path)")
        }
        let flow = try #require(client.sandbox.exchanges.last?.facts.flow)
        let compared = try await client.send(.get, "/console/compare?of=flows&left=\(flow)&right=\(flow)").text
        #expect(compared.contains("Granted: DEMO-1 – Late answers"))
    }
}
