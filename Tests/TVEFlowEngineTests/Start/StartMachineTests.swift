import Foundation
import TVEModels
import Testing

@testable import TVEFlowEngine

/// The start machine without services: events in, effects out.
struct StartMachineTests {
    private static func call(_ number: Int) -> CallID { CallID(number: number) }

    private static func words(_ effects: [StartEffect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .run(let stage, let start): "\(stage) #\(start.number)"
            case .stop(let number): "stop #\(number)"
            case .tidyUp: "tidy up"
            case .report(let error): "report \(error.code.rawValue)"
            case .answer(let calls, .success): "started \(calls.map(\.number))"
            case .answer(let calls, .failure(let error)): "\(error.code.rawValue) \(calls.map(\.number))"
            }
        }
    }

    private static let failed = StartEvent.failed(TVEError(.unknownRequestor))
    private static let ways: [(stage: String, events: [StartEvent])] = [
        ("idle", []),
        ("asking", [.called(call(1), nil)]),
        ("asking for two", [.called(call(1), nil), .called(call(2), nil)]),
        ("closed", [.closed]),
    ]

    private static func machine(_ stage: String) throws -> StartMachine {
        let way = try #require(ways.first { $0.stage == stage })
        return way.events.reduce(into: StartMachine()) { machine, event in _ = machine.handle(event) }
    }

    private static let everyEvent: [StartEvent] = [
        .called(call(3), nil), .called(call(4), Viewer()), failed, .ended, .left(call(1)), .closed,
    ]

    @Test func theStatesListEveryChange_andNoOther() {
        let ways: [[StartEvent]] = [
            [], [.called(Self.call(1), Viewer())], [.called(Self.call(1), Viewer()), .asked([])],
            [.called(Self.call(1), Viewer()), .asked([]), .ended],
            [.called(Self.call(1), nil), .asked([]), .ended],
            [.called(Self.call(1), Viewer()), .asked([]), .ended, .ended], [.closed],
        ]
        let events = Self.everyEvent + [.asked([])]
        #expect(Transition.made(by: StartMachine(), ways: ways, events: events) == Transition.listed)
    }

    @Test func asksOnlyWhatIsNeeded_oneAfterTheOther() {
        var machine = StartMachine()
        _ = machine.handle(.called(Self.call(1), Viewer()))
        #expect(Self.words(machine.handle(.asked([]))) == ["tidy up", "signingOn #1"])
        #expect(Self.words(machine.handle(.ended)) == ["takingOver #1"])
        #expect(Self.words(machine.handle(.ended)) == ["loggingInPassively #1"])
        #expect(Self.words(machine.handle(.ended)) == ["started [1]"])
        #expect(machine.hasStarted)
    }

    @Test(arguments: [
        ("idle", StartEvent.called(call(1), nil), ["asking #1"]),
        ("asking", .called(call(2), nil), []),
        ("asking", failed, ["report unknownRequestor", "unknownRequestor [1]"]),
        ("asking for two", failed, ["report unknownRequestor", "unknownRequestor [1, 2]"]),
        ("asking for two", .left(call(1)), ["serviceUnreachable [1]"]),
        ("asking", .left(call(1)), ["stop #1", "serviceUnreachable [1]"]),
        ("asking", .ended, []),
        ("asking", .closed, ["stop #1", "requestorNotConfigured [1]"]),
        ("closed", .called(call(3), nil), ["requestorNotConfigured [3]"]),
        ("idle", .ended, []),
    ])
    func takesTheWay(stage: String, event: StartEvent, effects: [String]) throws {
        var machine = try Self.machine(stage)
        #expect(Self.words(machine.handle(event)) == effects)
    }
}

private struct Viewer: AuthenticationPresenter {
    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { nil }
    func presentLogin(_ page: BrowserPage) async -> URL? { nil }
    func presentLogout(_ page: BrowserPage) async {}
}
