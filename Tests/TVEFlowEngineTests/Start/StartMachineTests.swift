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

    @Test(arguments: [
        ("idle", StartEvent.called(call(1), nil), ["asking #1"]),
        ("asking", .called(call(2), nil), []),
        ("asking", failed, ["report unknownRequestor", "unknownRequestor [1]"]),
        ("asking for two", failed, ["report unknownRequestor", "unknownRequestor [1, 2]"]),
        ("asking for two", .left(call(1)), ["serviceUnreachable [1]"]),
        ("asking", .left(call(1)), ["stop #1", "serviceUnreachable [1]"]),
        ("asking", .viewerDecided, []),
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
