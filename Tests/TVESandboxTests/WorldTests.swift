import Foundation
import TVEModels
import TVESandbox
import Testing

/// Tests of worlds, of their JSON form and of the errors in it.
struct WorldTests {
    @Test func comesBackAsItWasWritten() throws {
        var world = SandboxWorld.demo
        world.viewers[0].upsell = ["a.b[0]": "x"]
        world.viewers[0].encrypted = ["name": "cipher"]
        world.behavior.restV2.forcedErrors = ["authorize": "network_received_error"]
        world.faults = [.init(.delay, amount: 5, step: "config", requests: 2)]
        #expect(try SandboxWorld(json: Data(world.json.utf8)) == world)
    }

    @Test func namesEverythingThatIsWrong() {
        let json = """
            {"requestors":[{"id":"R","name":"R","channels":[],"providers":["p","q"],"extra":1}],"more":null,"less":2,
            "providers":[{"id":"p","displayName":"P","login":"form","isUnreachabel":true}],
            "behavior":{"isThrotled":true,"restV2":{"x":1}},"faults":[{"kind":"throttled","who":"me"}]}
            """
        #expect(
            throws: SandboxWorldDocumentError(problems: [
                "behavior.isThrotled is not a known field.", "behavior.restV2.x is not a known field.",
                "faults[0].who is not a known field.",
                "less is not a known field.", "providers[0].isUnreachabel is not a known field.",
                "requestors[0].extra is not a known field.",
                "Requestor R names the unknown provider \"q\". Add the provider, or remove its id there.",
            ])
        ) { try SandboxWorld(json: Data(json.utf8)) }
    }

    @Test(arguments: [
        ("[", "The document is not JSON."), ("[]", "The document is not a JSON object."),
        ("{}", "requestors is missing."), ("", "The document is not JSON."),
        (
            "{\"requestors\":[],\"providers\":[],\"faults\":[{\"kind\":\"nope\"}]}",
            "faults[0].kind has an unknown value."
        ),
        (
            "{\"requestors\":[],\"providers\":[],\"faults\":[{\"kind\":\"delay\"}]}",
            "The value of faults[0].amount is not allowed. Documentation/Sandbox.md describes the fields of a world."
        ),
    ])
    func saysWhatIsWrong(json: String, problem: String) {
        #expect(throws: SandboxWorldDocumentError(problems: [problem])) { try SandboxWorld(json: Data(json.utf8)) }
    }

    @Test func readsAWorld_withDefaultsForWhatIsLeftOut() throws {
        let json = """
            {"requestors":[{"id":"R","name":"R","channels":[],"providers":["p"]}],
            "providers":[{"id":"p","displayName":"P","login":"redirect"}],"behavior":{"denialStatus":403}}
            """
        let world = try JSONDecoder().decode(SandboxWorld.self, from: Data(json.utf8))
        #expect(world.behavior.denialStatus == 403 && world.behavior.mediaLifetime == 420 && world.viewers.isEmpty)
        let again = try JSONDecoder().decode(SandboxWorld.self, from: JSONEncoder().encode(SandboxWorld.demo))
        #expect(again == .demo)
    }

    private struct BadWorld: Sendable {
        let error: SandboxWorldError
        let change: @Sendable (inout SandboxWorld) -> Void
    }

    private static let badWorlds = [
        BadWorld(error: .badID("demo-cable")) { $0.providers.append($0.providers[0]) },
        BadWorld(error: .unknownProvider("x", requestor: "DEMO")) { $0.requestors[0].providers = ["x"] },
        BadWorld(error: .outOfRange("denialStatus")) { $0.behavior.denialStatus = 500 },
        BadWorld(error: .outOfRange("mediaLifetime")) { $0.behavior.mediaLifetime = 0 },
        BadWorld(error: .badID("")) { $0.viewers[0].name = "" },
    ]

    @Test(arguments: badWorlds.indices)
    func refusesAWorldThatMakesNoSense(index: Int) async {
        var world = SandboxWorld.demo
        Self.badWorlds[index].change(&world)
        let broken = world
        await #expect(throws: Self.badWorlds[index].error) {
            try await Sandbox(world: broken.strict)
        }
    }
}
