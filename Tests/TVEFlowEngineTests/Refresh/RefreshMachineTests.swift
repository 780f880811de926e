import Testing

@testable import TVEFlowEngine

/// The machine of the copies without a service: events in, effects out.
struct RefreshMachineTests {
    private static func call(_ number: Int) -> CallID { CallID(number: number) }

    private static func words(_ effects: [RefreshEffect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .ask(let isBehindStart): isBehindStart ? "ask behind the play" : "ask"
            case .stop: "stop"
            case .limit(let call): "limit \(call.number)"
            case .proceed(let calls): calls.isEmpty ? nil : "proceed \(calls.map(\.number))"
            }
        }
    }

    private static let wanted = RefreshEvent.wanted(call(1), uptime: .seconds(100))
    private static let ways: [(stage: String, events: [RefreshEvent])] = [
        ("idle", []),
        ("asked just now", [.wantedInBackground(uptime: .seconds(90)), ended()]),
        ("asking", [wanted]),
        ("ending", [wanted, .loginBegins]),
        ("permission given", [.permissionGiven]),
        (
            "permission given, in vain",
            [.permissionGiven, .metadataWanted(call(5), uptime: .seconds(90)), ended(false)]
        ),
        ("asking, permission given", [wanted, .permissionGiven, .metadataWanted(call(5), uptime: .seconds(100))]),
        (
            "behind a start, permission given",
            [
                .wantedInBackground(isBehindStart: true, uptime: .seconds(90)), .permissionGiven, .questionBegins,
                .metadataWanted(call(5), uptime: .seconds(91)),
            ]
        ),
    ]

    private static func ended(_ isTaken: Bool = true) -> RefreshEvent {
        .ended(isTaken: isTaken, uptime: .seconds(101))
    }

    private static func machine(_ stage: String) throws -> RefreshMachine {
        let way = try #require(ways.first { $0.stage == stage })
        return way.events.reduce(into: RefreshMachine()) { machine, event in _ = machine.handle(event) }
    }

    private static let everyEvent: [RefreshEvent] = [
        .wanted(call(2), uptime: .seconds(200)),
        .wantedInBackground(uptime: .seconds(200)),
        .wantedInBackground(isBehindStart: true, uptime: .seconds(200)), .questionBegins,
        .metadataWanted(call(3), uptime: .seconds(200)),
        .permissionGiven, .loginBegins, ended(), ended(false), .closed,
    ]

    @Test func theStatesListEveryChange_andNoOther() {
        #expect(
            Transition.made(by: RefreshMachine(), ways: Self.ways.map(\.events), events: Self.everyEvent)
                == Transition.listed)
    }

    @Test(arguments: [
        ("idle", wanted, ["ask"]),
        ("idle", .wantedInBackground(uptime: .seconds(100)), ["ask"]),
        // Not repeated soon; half a minute later once more.
        ("asked just now", .wantedInBackground(uptime: .seconds(119)), []),
        ("asked just now", .wantedInBackground(uptime: .seconds(120)), ["ask"]),
        // A start asks in any case, behind the first play.
        ("asked just now", .wantedInBackground(isBehindStart: true, uptime: .seconds(100)), ["ask behind the play"]),
        ("asking", .wantedInBackground(isBehindStart: true, uptime: .seconds(100)), []),
        // The answer reflects a permission that was granted while the request waited, so no second request is sent.
        ("behind a start, permission given", ended(), ["proceed [5]"]),
        ("idle", .metadataWanted(call(5), uptime: .seconds(100)), ["proceed [5]"]),
        ("permission given", .metadataWanted(call(5), uptime: .seconds(100)), ["ask", "limit 5"]),
        ("permission given, in vain", .metadataWanted(call(6), uptime: .seconds(102)), ["proceed [6]"]),
        ("permission given, in vain", .metadataWanted(call(6), uptime: .seconds(130)), ["proceed [6]"]),
        ("permission given, in vain", .metadataWanted(call(6), uptime: .seconds(131)), ["ask", "limit 6"]),
        ("permission given, in vain", .metadataWanted(call(6), uptime: .seconds(140)), ["ask", "limit 6"]),
        // The running request had begun before the permission was granted.
        ("asking, permission given", ended(), ["proceed [1]", "ask"]),
        ("asking", .wanted(call(2), uptime: .seconds(100)), []),
        ("asking", ended(), ["proceed [1]"]),
        ("asking", .loginBegins, ["stop"]),
        ("ending", ended(), ["proceed [1]"]),
        ("ending", .wanted(call(2), uptime: .seconds(100)), ["proceed [2]"]),
        ("idle", .loginBegins, []),
        ("asking", .closed, ["stop", "proceed [1]"]),
    ])
    func takesTheWay(stage: String, event: RefreshEvent, effects: [String]) throws {
        var machine = try Self.machine(stage)
        #expect(Self.words(machine.handle(event)) == effects)
    }

    @Test(arguments: [("asking", false), ("asked just now", true)])
    func reportsTheAnswer_onlyIfNoCallBeganTheRequest(stage: String, isAnnounced: Bool) throws {
        var machine = try Self.machine(stage)
        _ = machine.handle(.wantedInBackground(uptime: .seconds(200)))
        #expect(machine.isAnnounced == isAnnounced)
        _ = machine.handle(.wanted(Self.call(2), uptime: .seconds(200)))
        #expect(machine.isAnnounced == isAnnounced)
    }

    @Test(arguments: [[], [.loginBegins]] as [[RefreshEvent]])
    func aCallThatLeaves_takesTheAnswerFromNoOther(next: [RefreshEvent]) throws {
        var machine = try Self.machine("asking")
        _ = machine.handle(.wanted(Self.call(2), uptime: .seconds(100)))
        for event in next { _ = machine.handle(event) }
        #expect(Self.words(machine.handle(.left(Self.call(1)))) == ["proceed [1]"])
        #expect(Self.words(machine.handle(Self.ended())) == ["proceed [2]"])
    }

    /// Every three events in every stage, and then the end: each call continues exactly once.
    @Test(arguments: ways.map(\.stage))
    func letsEverybodyGoOnce_whateverHappens(stage: String) throws {
        let way = try #require(Self.ways.first { $0.stage == stage }).events
        RefreshMachine().letsEverybodyGoOnce(after: way, of: Self.everyEvent, until: .closed) { event in
            switch event {
            case .wanted(let call, _), .metadataWanted(let call, _): call
            default: nil
            }
        } going: { effect in
            if case .proceed(let calls) = effect { calls } else { [] }
        }
    }
}
