import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import TVETokenCodec
import TVETokenVerification

/// Tests of the effect of each fault, and of the requests to which it applies.
@Suite(.fewAtATime)
struct FaultTests {
    private static func world(_ faults: SandboxWorld.Fault...) -> SandboxWorld { world(faults) }

    private static func world(_ faults: [SandboxWorld.Fault]) -> SandboxWorld {
        var world = SandboxWorld.demo
        world.faults = faults
        return world
    }

    @Test func happensAsOftenAsSaid_andThenNoMore() async throws {
        let client = try await SandboxClient(world: Self.world(.init(.status, amount: 503, requests: 2)))
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await client.send(.get, "/adobe-services/config/DEMO").status) }
        #expect(statuses == [503, 503, 401])
        #expect(client.sandbox.world.faults.isEmpty)
        #expect(client.sandbox.exchanges.map(\.faults) == [[.status], [.status], []])
    }

    /// Faults, the resources that an app then asks for, and what is left of each fault after each of them.
    private static let counted: [([SandboxWorld.Fault], [(String, [Int?])])] = [
        // The viewer may watch DEMO-1 and DEMO-2, but not DEMO-PLUS.
        ([denial(of: nil, requests: 2)], [("DEMO-PLUS", [2]), ("DEMO-1", [1]), ("DEMO-PLUS", [1]), ("DEMO-2", [])]),
        (
            [denial(of: "DEMO-1", requests: 1), denial(of: "demo-2", requests: 1)],
            [("DEMO-2", [1]), ("DEMO-2", [1]), ("DEMO-1", [])]
        ),
        // The answer has this status already.
        ([.init(.rewritten, amount: 200, requests: 1), .init(.delay, amount: 1)], [("DEMO-1", [1, nil])]),
        // Of two faults that replace the answer, the first one does.
        (
            [.init(.throttled, requests: 1), .init(.status, amount: 503, requests: 1)],
            [("DEMO-1", [1]), ("DEMO-1", [])]
        ),
        // Of two faults that differ in their numbers alone, only the one with a number is counted down.
        (
            [.init(.delay, amount: 1), .init(.delay, amount: 1, requests: 2)],
            [("DEMO-1", [nil, 1]), ("DEMO-1", [nil]), ("DEMO-1", [nil])]
        ),
        // A denial has no token whose signature could be wrong.
        ([.init(.badSignature, requests: 1)], [("DEMO-PLUS", [1]), ("DEMO-1", [])]),
    ]

    private static func denial(of resource: String?, requests: Int) -> SandboxWorld.Fault {
        var fault = SandboxWorld.Fault(.denied, requests: requests)
        fault.resource = resource
        return fault
    }

    @Test(arguments: counted.indices)
    func countsOnlyTheRequestsThatItChanges(index: Int) async throws {
        let (faults, requests) = Self.counted[index]
        let client = try await SandboxClient().registered()
        let token = try await client.loggedIn(device: "tv")
        let world = Self.world(faults)
        try client.sandbox.apply(world.strict)
        for (resource, left) in requests {
            _ = try await client.authorize(token, resource, device: "tv")
            #expect(client.sandbox.world.faults.map(\.requests) == left, "\(resource)")
        }
    }

    @Test func happensAtOneStep_toOneDevice() async throws {
        var fault = SandboxWorld.Fault(.throttled, step: "makeCode")
        fault.device = "tv"
        let client = try await SandboxClient(world: Self.world(fault)).registered()
        for (device, status) in [("tv", 429), ("phone", 201), ("tv", 429)] {
            let answer = try await client.post("/reggie/v1/DEMO/regcode", [("deviceId", device)])
            #expect(answer.status == status, "\(device)")
            // The client has exceeded no limit.
            #expect(answer.header("X-Sandbox-Objection") == nil, "\(device)")
        }
    }

    @Test func endsConnections_cutsAndGarblesBodies() async throws {
        let client = try await SandboxClient(
            world: Self.world(
                .init(.dropped, step: "config"), .init(.cutBody, step: "configuration"),
                .init(.garbledBody, step: "token"), .init(.captivePortal, step: "register"),
                .init(.slowBody, amount: 40, step: "makeCode")), isDirect: false)
        await #expect(throws: TransportError.self) { try await client.send(.get, "/adobe-services/config/DEMO") }
        await #expect(throws: TransportError.self) { try await client.send(.get, "/api/v2/DEMO/configuration") }
        let token = try await client.post("/o/client/token", [])
        #expect(token.status == 400 && !token.text.contains("error") && !token.text.isEmpty)
        let portal = try await client.send(.post, "/o/client/register", body: "{}")
        #expect(portal.status == 200 && portal.text.contains("Welcome to our network"))
        let slow = try await client.post("/reggie/v1/DEMO/regcode", [])
        #expect(slow.status == 401 && slow.text == "{\"error\":\"access_denied\"}")
    }

    @Test func spoilsSignatures_andSetsTheClock() async throws {
        let clock = ManualClock()
        var client = try await SandboxClient(
            world: Self.world(
                .init(.badSignature, step: "sessionDevice"), .init(.wrongClock, amount: 3_600, step: "config")),
            clock: clock)
        try await client.register()
        let token = try await client.loggedIn(device: "d")
        let key = try TokenVerificationKey(pemRepresentation: client.sandbox.key.publicKeyPEM)
        #expect(!key.verifies(try TokenEnvelope(parsing: token)))
        let time = try #require(
            SandboxClient.element("time", in: try await client.send(.get, "/adobe-services/config/DEMO").text))
        #expect(Int64(time) == Int64(clock.now.timeIntervalSince1970 * 1000) + 3_600_000)
    }

    private static let nonsense: [(SandboxWorld.Fault, String)] = [
        (.init(.delay), "faults[0].amount"), (.init(.delay, amount: 0), "faults[0].amount"),
        (.init(.status, amount: 99), "faults[0].amount"), (.init(.throttled, amount: 1), "faults[0].amount"),
        (.init(.error), "faults[0].code"), (.init(.error, code: "nope"), "faults[0].code"),
        (.init(.error, code: "internal_server_error", step: "config"), "faults[0].step"),
        (.init(.degraded, code: "nope"), "faults[0].code"), (.init(.throttled, step: "nope"), "faults[0].step"),
        (.init(.throttled, requests: 0), "faults[0].requests"), (.init(.lateProfile), "faults[0].amount"),
        (.init(.rewritten), "faults[0].body"), (.init(.rewritten, amount: 600), "faults[0].amount"),
        (.init(.secondProfile), "faults[0].provider"), (.init(.codeReplaced, step: "authorize"), "faults[0].step"),
        (provided(.denied), "faults[0].provider"), (provided(.delay, amount: 1), "faults[0].provider"),
        (provided(.unreachable, by: "nobody"), "faults[0].provider"),
    ]

    private static func provided(
        _ kind: SandboxWorld.Fault.Kind, amount: Int? = nil, by provider: MVPDID = "demo-fiber"
    ) -> SandboxWorld.Fault {
        var fault = SandboxWorld.Fault(kind, amount: amount)
        fault.provider = provider
        return fault
    }

    @Test(arguments: nonsense)
    func refusesAFaultThatMakesNoSense(fault: SandboxWorld.Fault, field: String) async throws {
        #expect(throws: SandboxWorldError.outOfRange(field)) { try Self.world(fault).validate() }
    }
}
