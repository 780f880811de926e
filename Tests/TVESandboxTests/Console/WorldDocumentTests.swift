import Foundation
import TVESandbox
import Testing

/// World files and their errors.
struct WorldDocumentTests {
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
                "behavior.isThrotled is not known.", "behavior.restV2.x is not known.", "faults[0].who is not known.",
                "less is not known.", "providers[0].isUnreachabel is not known.", "requestors[0].extra is not known.",
                "Requestor R names the unknown provider \"q\".",
            ])
        ) { try SandboxWorld(json: Data(json.utf8)) }
    }

    @Test(arguments: [
        ("[", "it is not JSON."), ("[]", "it is no map."), ("{}", "requestors is missing."), ("", "it is not JSON."),
        (
            "{\"requestors\":[],\"providers\":[],\"faults\":[{\"kind\":\"nope\"}]}",
            "faults[0].kind has a value that is not known."
        ),
        (
            "{\"requestors\":[],\"providers\":[],\"faults\":[{\"kind\":\"delay\"}]}",
            "The value of faults[0].amount is out of range."
        ),
    ])
    func saysWhatIsWrong(json: String, problem: String) {
        #expect(throws: SandboxWorldDocumentError(problems: [problem])) { try SandboxWorld(json: Data(json.utf8)) }
    }
}
