import Testing

@testable import TVEFlowEngine

/// The machine of the copies without a service: events in, effects out.
struct ProfileCopiesMachineTests {
    private static func call(_ number: Int) -> CallID { CallID(number: number) }

    private static func words(_ effects: [ProfileCopiesEffect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .ask(let number): "ask #\(number)"
            case .stop(let number): "stop #\(number)"
            case .limit(let call): "limit \(call.number)"
            case .proceed(let calls): calls.isEmpty ? nil : "proceed \(calls.map(\.number))"
            }
        }
    }

    private static let wanted = ProfileCopiesEvent.wanted(call(1), isAnnounced: false, uptime: .seconds(100))
    private static let ways: [(stage: String, events: [ProfileCopiesEvent])] = [
        ("idle", []),
        ("asked just now", [.wantedInBackground(isForced: false, uptime: .seconds(90)), ended(1)]),
        ("asking", [wanted]),
        ("asking, void", [wanted, .decided]),
        ("ending", [wanted, .loginWaits(call(9))]),
        ("permission given", [.permissionGiven]),
        (
            "permission given, in vain",
            [.permissionGiven, .metadataWanted(call(5), uptime: .seconds(90)), ended(1, false)]
        ),
        ("asking, permission given", [wanted, .permissionGiven, .metadataWanted(call(5), uptime: .seconds(100))]),
        ("closed", [.closed]),
    ]

    private static func ended(_ number: Int, _ isTaken: Bool = true) -> ProfileCopiesEvent {
        .ended(question: number, isTaken: isTaken, uptime: .seconds(101))
    }

    private static func machine(_ stage: String) throws -> ProfileCopiesMachine {
        let way = try #require(ways.first { $0.stage == stage })
        return way.events.reduce(into: ProfileCopiesMachine()) { machine, event in _ = machine.handle(event) }
    }

    private static let everyEvent: [ProfileCopiesEvent] = [
        .wanted(call(2), isAnnounced: true, uptime: .seconds(200)),
        .wantedInBackground(isForced: true, uptime: .seconds(200)), .metadataWanted(call(3), uptime: .seconds(200)),
        .permissionGiven, .decided, .loginWaits(call(4)), ended(1), ended(1, false), ended(2), .closed,
    ]

    @Test func theStatesListEveryChange_andNoOther() {
        #expect(
            Transition.made(by: ProfileCopiesMachine(), ways: Self.ways.map(\.events), events: Self.everyEvent)
                == Transition.listed)
    }

    @Test(arguments: [
        ("idle", wanted, ["ask #1"]),
        ("idle", .wantedInBackground(isForced: false, uptime: .seconds(100)), ["ask #1"]),
        // Not repeated soon; half a minute later once more.
        ("asked just now", .wantedInBackground(isForced: false, uptime: .seconds(119)), []),
        ("asked just now", .wantedInBackground(isForced: false, uptime: .seconds(120)), ["ask #2"]),
        ("asked just now", .wantedInBackground(isForced: true, uptime: .seconds(100)), ["ask #2"]),
        ("idle", .metadataWanted(call(5), uptime: .seconds(100)), ["proceed [5]"]),
        ("permission given", .metadataWanted(call(5), uptime: .seconds(100)), ["ask #1", "limit 5"]),
        ("permission given, in vain", .metadataWanted(call(6), uptime: .seconds(102)), ["proceed [6]"]),
        ("permission given, in vain", .metadataWanted(call(6), uptime: .seconds(140)), ["ask #2", "limit 6"]),
        // The running question had begun before the permission was given.
        ("asking, permission given", ended(1), ["proceed [1]", "ask #2"]),
        ("asking", .wanted(call(2), isAnnounced: true, uptime: .seconds(100)), []),
        ("asking", ended(1), ["proceed [1]"]),
        ("asking", ended(7), []),
        ("asking", .loginWaits(call(9)), ["stop #1"]),
        ("ending", ended(1), ["proceed [1]", "proceed [9]"]),
        ("ending", .wanted(call(2), isAnnounced: true, uptime: .seconds(100)), ["proceed [2]"]),
        ("idle", .loginWaits(call(9)), ["proceed [9]"]),
        ("closed", wanted, ["proceed [1]"]),
        ("closed", .loginWaits(call(9)), ["proceed [9]"]),
        ("asking", .closed, ["stop #1", "proceed [1]"]),
    ])
    func takesTheWay(stage: String, event: ProfileCopiesEvent, effects: [String]) throws {
        var machine = try Self.machine(stage)
        #expect(Self.words(machine.handle(event)) == effects)
    }

    @Test func anAnswerCounts_untilSomebodyDecidesHere() throws {
        #expect(try Self.machine("asking").counts(1))
        #expect(try !Self.machine("asking, void").counts(1))
        #expect(try !Self.machine("ending").counts(1))
        #expect(try !Self.machine("closed").counts(1))
    }

    @Test func whoeverJoins_canHaveTheAnswerReported() throws {
        var machine = try Self.machine("asking")
        #expect(!machine.isAnnounced(1))
        _ = machine.handle(.wanted(Self.call(2), isAnnounced: true, uptime: .seconds(100)))
        #expect(machine.isAnnounced(1))
    }

    /// Every three events in every stage, and then the end: each call continues exactly once.
    @Test(arguments: ways.map(\.stage))
    func letsEverybodyGoOnce_whateverHappens(stage: String) throws {
        let way = try #require(Self.ways.first { $0.stage == stage }).events
        ProfileCopiesMachine().letsEverybodyGoOnce(after: way, of: Self.everyEvent, until: .closed) { event in
            switch event {
            case .wanted(let call, _, _), .metadataWanted(let call, _), .loginWaits(let call): call
            default: nil
            }
        } going: { effect in
            if case .proceed(let calls) = effect { calls } else { [] }
        }
    }
}
