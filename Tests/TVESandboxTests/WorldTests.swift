import Foundation
import TVEModels
import TVETestTraits
import Testing

@testable import TVESandbox

/// Tests of worlds, of their JSON form and of the errors in it.
@Suite(.timeLimit(.hanging))
struct WorldTests {
    @Test func comesBackAsItWasWritten() throws {
        var world = SandboxWorld.demo
        world.viewers[0].upsell = ["a.b[0]": "x"]
        world.viewers[0].encrypted = ["name": "cipher"]
        world.behavior.restV2.forcedErrors = ["authorize": "network_received_error"]
        world.behavior.households.tries = 0
        world.behavior.households.renewalLifetime = 0
        world.behavior.households.codeLifetime = 0
        world.faults = [.init(.delay, amount: 5, step: "config", requests: 2)]
        #expect(try SandboxWorld(json: Data(world.json.utf8)) == world)
    }

    /// Earlier versions did not check the numbers of households.
    @Test func aSavedWorld_isRestoredWithItsNumbersInTheirRanges() throws {
        let routes = try SandboxRoutes(world: .demo.strict, key: SandboxKey.ofThisProcess.get(), now: { Date() })
        let now = routes.snapshot()
        var world = now.world
        world.behavior.households.tokenLifetime = 0
        world.behavior.households.renewalLifetime = -1
        world.behavior.households.codeLifetime = .max
        world.behavior.households.tries = -5
        #expect(throws: SandboxWorldError.self) { try routes.current.apply(world) }
        try routes.restore(
            SandboxSnapshot(
                saved: now.saved, world: world, clockOffset: now.clockOffset, tables: now.tables, log: now.log,
                notes: now.notes))
        let households = routes.current.world.behavior.households
        #expect(households.tokenLifetime == 1 && households.renewalLifetime == 0)
        #expect(households.codeLifetime == 315_360_000 && households.tries == 0)
    }

    /// Two testers restore snapshots at the same time.
    @Test func aSandbox_hasNoPartsOfTwoSnapshots() async throws {
        let routes = try SandboxRoutes(world: .demo.strict, key: SandboxKey.ofThisProcess.get(), now: { Date() })
        let now = routes.snapshot()
        let snapshots = (0..<2).map { number in
            var world = now.world
            world.behavior.authenticationLifetime = 100 + number
            return SandboxSnapshot(
                saved: now.saved, world: world, clockOffset: TimeInterval(100 + number), tables: now.tables,
                log: now.log, notes: now.notes)
        }
        for _ in 0..<200 {
            await withTaskGroup(of: Void.self) { group in
                for snapshot in snapshots { group.addTask { _ = try? routes.restore(snapshot) } }
            }
            let restored = routes.snapshot()
            #expect(restored.clockOffset == TimeInterval(restored.world.behavior.authenticationLifetime))
        }
    }

    @Test func namesEverythingThatIsWrong() {
        let json = """
            {"requestors":[{"id":"R","name":"R","channels":[],"providers":["p","q"],"extra":1}],"more":null,"less":2,
            "providers":[{"id":"p","displayName":"P","login":"form","isUnreachabel":true}],
            "behavior":{"isThrotled":true,"restV2":{"x":1}},"faults":[{"kind":"throttled","who":"me"}]}
            """
        #expect(
            throws: SandboxWorldDocumentError(problems: [
                "behavior.isThrotled is not a known field. Did you mean \"isThrottled\"?",
                "behavior.restV2.x is not a known field. Remove it.", "faults[0].who is not a known field. Remove it.",
                "less is not a known field. Remove it.", "more is not a known field. Remove it.",
                "providers[0].isUnreachabel is not a known field. Did you mean \"isUnreachable\"?",
                "requestors[0].extra is not a known field. Remove it.",
                "requestors[0].providers[1]: Requestor R names the unknown provider \"q\"."
                    + " Add the provider, or remove its id there.",
            ])
        ) { try SandboxWorld(json: Data(json.utf8)) }
    }

    /// A wrong value hides no other mistake, and causes none.
    private static let mistakes: [(json: String, problems: [String])] = [
        (
            #"{"requestors":[{"id":7,"name":"R","channels":"x","providers":["p","q"]}],"providers":"none"}"#,
            [
                "providers has the wrong type. Use a list.", "requestors[0].channels has the wrong type. Use a list.",
                "requestors[0].id has the wrong type. Use a text.",
            ]
        ),
        (
            #"{"requestors":[{"id":"R","name":"R","channels":[],"providers":["p","q"]},{"id":"R","name":1}],"#
                + #""providers":[{"id":"p","displayName":"P","login":"from"},"#
                + #"{"id":"p","displayname":"Q","login":"form"}],"#
                + #""behavior":{"denialStatus":500,"mediaLifetime":"7","isStrict":1}}"#,
            [
                "behavior.isStrict has the wrong type. Use true or false.",
                "behavior.mediaLifetime has the wrong type. Use a whole number.",
                "providers[0].login has an unknown value. Use form, redirect or none.",
                "providers[1].displayname is not a known field. Did you mean \"displayName\"?",
                "requestors[1].name has the wrong type. Use a text.",
                "requestors[1].channels is missing. Add it, with a list as its value.",
                "requestors[1].providers is missing. Add it, with a list as its value.",
                "requestors[1].id: The id \"R\" is empty, begins or ends with a blank, or occurs twice. "
                    + "Give each one an id of its own, without blanks at its ends.",
                "providers[1].id: The id \"p\" is empty, begins or ends with a blank, or occurs twice. "
                    + "Give each one an id of its own, without blanks at its ends.",
                "requestors[0].providers[1]: Requestor R names the unknown provider \"q\"."
                    + " Add the provider, or remove its id there.",
                "The value of behavior.denialStatus is not allowed. Use 200, 400 or 403.",
            ]
        ),
        (
            #"{"requestors":[],"providers":[],"behavior":{"households":{"tokenLifetime":0,"renewalLifetime":-1,"#
                + #""codeLifetime":-9,"tries":-1}}}"#,
            [
                "The value of behavior.households.tokenLifetime is not allowed. Use \(seconds).",
                "The value of behavior.households.renewalLifetime is not allowed. Use 0, or \(seconds).",
                "The value of behavior.households.codeLifetime is not allowed. Use 0, or \(seconds).",
                "The value of behavior.households.tries is not allowed. Use a number from 0.",
            ]
        ),
        // A fault without a readable kind has no amount that could be wrong, but its device can be.
        (
            #"{"requestors":[],"providers":[],"faults":[{"kind":"dely","amount":0,"device":"","requests":1.5},"#
                + #"{"kind":"delay","step":"nope","after":-1}],"expectations":[{"name":"","step":"x","pause":0}]}"#,
            [
                "faults[0].kind has an unknown value. Did you mean \"delay\"?",
                "faults[0].requests has an unknown value. Use a whole number.",
                unfit("faults[0].device"), unfit("faults[1].amount"), unfit("faults[1].step"), unfit("faults[1].after"),
                unfit("expectations[0].name"), unfit("expectations[0].step"), unfit("expectations[0].pause"),
            ]
        ),
        // The provider whose id cannot be read may be the one that is named.
        (
            #"{"requestors":[{"id":"R","name":"R","channels":[null],"providers":["q"]}],"#
                + #""providers":[{"id":null,"displayName":"P","login":"form"}]}"#,
            [
                "providers[0].id has the wrong type. Use a text.",
                "requestors[0].channels[0] has the wrong type. Use a text.",
            ]
        ),
        (
            "{}",
            [
                "providers is missing. Add it, with a list as its value.",
                "requestors is missing. Add it, with a list as its value.",
            ]
        ),
    ]

    private static let seconds = "seconds from 1 to 315360000, which are ten years"

    private static func unfit(_ place: String) -> String {
        "The value of \(place) is not allowed. Documentation/Sandbox.md describes the fields of a world."
    }

    @Test(arguments: mistakes.indices)
    func namesEveryMistake_withItsPlaceAndWhatToDo(index: Int) {
        let row = Self.mistakes[index]
        #expect(throws: SandboxWorldDocumentError(problems: row.problems)) {
            try SandboxWorld(json: Data(row.json.utf8))
        }
    }

    @Test func listsAHundredMistakes_andTheNumberOfTheOthers() {
        let viewers = Array(repeating: "1", count: 250).joined(separator: ",")
        let json = #"{"requestors":[],"providers":[],"viewers":[\#(viewers)]}"#
        var problems: [String] = []
        do throws(SandboxWorldDocumentError) {
            _ = try SandboxWorld(json: Data(json.utf8))
        } catch {
            problems = error.problems
        }
        #expect(problems.count == 101 && problems.first == "viewers[0] has the wrong type. Use an object.")
        #expect(problems.last == "There are 150 more mistakes. Correct these first.")
    }

    /// A field that the reading does not know would be refused in every world.
    @Test func theReadingKnowsEveryField() throws {
        func missing(_ value: Any, _ path: String) -> [String] {
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .optional {
                return mirror.children.first.map { missing($0.value, path) } ?? [path]
            }
            if mirror.displayStyle == .collection || mirror.displayStyle == .dictionary {
                return mirror.children.first.map { missing($0.value, path) } ?? [path]
            }
            return mirror.children.flatMap { missing($0.value, "\(path).\($0.label ?? "")") }
        }
        #expect(missing(WorldShape.world, "world").isEmpty)
        #expect(
            WorldShape.shape.required == [
                "requestors", "requestors[].id", "requestors[].name", "requestors[].channels", "requestors[].providers",
                "providers", "providers[].id", "providers[].displayName", "providers[].login",
                "providers[].temporaryAccess.seconds", "viewers[].name", "viewers[].password", "viewers[].resources",
                "faults[].kind", "expectations[].name", "expectations[].step",
            ])
        for world in ReadyWorld.all { #expect(try SandboxWorld(json: Data(world.world.json.utf8)) == world.world) }
    }

    @Test(arguments: [
        ("[]", "The document is not a JSON object."), ("{\"providers\":[]}", "requestors is missing."),
        (
            "{\"requestors\":[],\"providers\":[],\"faults\":[{\"kind\":\"nope\"}]}",
            "faults[0].kind has an unknown value."
        ),
        (
            "{\"requestors\":[],\"providers\":[],\"faults\":[{\"kind\":\"delay\"}]}",
            "The value of faults[0].amount is not allowed. Documentation/Sandbox.md describes the fields of a world."
        ),
        (
            "{\"requestors\":[],\"providers\":[],\"faults\":["
                + "{\"kind\":\"status\",\"amount\":200},{\"kind\":\"status\",\"amount\":199}]}",
            "The value of faults[1].amount is not allowed. Documentation/Sandbox.md describes the fields of a world."
        ),
    ])
    func saysWhatIsWrong(json: String, problem: String) {
        #expect(throws: SandboxWorldDocumentError(problems: [problem])) { try SandboxWorld(json: Data(json.utf8)) }
    }

    /// People write worlds by hand, in editors that show lines and columns.
    @Test(arguments: [
        ("{\"requestors\":[],\r\n \"providers\":[\"é\",],\r\n}", "stops being JSON at line 2, column 19."),
        ("\u{FEFF}{\"providers\":[] \"viewers\":[]}", "stops being JSON at line 1, column 17."),
        ("{\n  // A remark.\n}", "stops being JSON at line 2, column 3."),
        ("{}\n}", "stops being JSON at line 2, column 1."),
        ("{\"name\":\"two\nlines\"}", "stops being JSON at line 1, column 9."),
        ("[", "ends before its JSON is complete."), ("{\"a\":1\n", "ends before its JSON is complete."),
        ("", "is empty."), ("\u{FEFF} \n", "is empty."),
    ])
    func saysWhereADocumentIsNotJSON(json: String, end: String) {
        let problem = "The document \(end)"
        #expect(throws: SandboxWorldDocumentError(problems: [problem])) { try SandboxWorld(json: Data(json.utf8)) }
    }

    @Test func saysThatADocumentIsNotUTF8() {
        let problem = "The document is not UTF-8 text."
        #expect(throws: SandboxWorldDocumentError(problems: [problem])) {
            try SandboxWorld(json: Data("{}".utf16.flatMap { [UInt8($0), 0] } + [0xFF]))
        }
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
        BadWorld(error: .outOfRange("platformID")) { world in
            for index in [0, 1] { world.providers[index].platformID = "apple-cable" }
        },
        BadWorld(error: .outOfRange("identityKey")) { world in
            world.providers[0].temporaryAccess = .init(seconds: 600, identityKey: "")
        },
        BadWorld(error: .outOfRange("mediaLifetime")) { $0.behavior.mediaLifetime = 0 },
        BadWorld(error: .badID("")) { $0.viewers[0].name = "" },
        BadWorld(error: .badID(" DEMO")) { $0.requestors[0].id = " DEMO" },
        BadWorld(error: .badID("demo\n")) { $0.providers[0].id = "demo\n" },
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
