import Foundation
import TVEModels
import Testing

@testable import TVEFlowEngine

/// The logout machine without service or presenter: events in, effects out.
struct LogoutMachineTests {
    private static let token = AuthenticationToken(
        text: TokenText("t"),
        claims: AuthenticationToken.Claims(
            authenticationGUID: "g", requestorID: "r", expires: TokenDate(secondsSince1970: 2_000), mvpdID: "a",
            fingerprint: "f"))

    private static let page = BrowserPage(url: URL(fileURLWithPath: "/out"), redirectURL: URL(fileURLWithPath: "/end"))
    private static func call(_ number: Int) -> CallID { CallID(number: number) }

    private static func words(_ effects: [LogoutEffect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .run(.tell, let logout): "tell #\(logout.number)"
            case .run(.show, let logout): "show #\(logout.number)"
            case .wait(let patience, let logout): "wait \(patience) #\(logout.number)"
            case .stop(let number): "stop #\(number)"
            case .announce(let call): "logged out [\(call.number)]"
            case .answer(let calls): "answer \(calls.map(\.number))"
            case .proceed(let logins): "proceed \(logins.map(\.number))"
            }
        }
    }

    private static let ways: [(stage: String, events: [LogoutEvent])] = [
        ("idle", []),
        ("telling", [.called(call(1), login: token, isSeen: true)]),
        ("telling quietly", [.called(call(1), login: token, isSeen: false)]),
        ("nobody was there", [.called(call(1), login: nil, isSeen: true)]),
        ("showing", [.called(call(1), login: token, isSeen: true), .told(page)]),
        ("telling, a login waits", [.called(call(1), login: token, isSeen: true), .loginWaits(call(9))]),
        ("showing, a login waits", [.called(call(1), login: token, isSeen: true), .told(page), .loginWaits(call(9))]),
        ("closed", [.closed]),
    ]

    private static func machine(_ stage: String) throws -> LogoutMachine {
        let way = try #require(ways.first { $0.stage == stage })
        return way.events.reduce(into: LogoutMachine()) { machine, event in _ = machine.handle(event) }
    }

    private static let everyEvent: [LogoutEvent] =
        [
            .called(call(2), login: token, isSeen: true), .called(call(3), login: nil, isSeen: true),
            .loginWaits(call(4)), .loginLeft(call(4)), .loginLeft(call(9)), .told(page), .told(nil), .pageEnded,
            .left(call(1)), .closed, .redirectWasTaken,
        ] + LogoutTimeout.allCases.map { .waited($0) }

    @Test func theStatesListEveryChange_andNoOther() {
        #expect(
            Transition.made(by: LogoutMachine(), ways: Self.ways.map(\.events), events: Self.everyEvent)
                == Transition.listed)
    }

    @Test(arguments: [
        ("idle", LogoutEvent.called(call(1), login: token, isSeen: true), ["tell #1", "wait whole #1"]),
        ("idle", .called(call(1), login: token, isSeen: false), ["logged out [1]", "tell #1", "wait whole #1"]),
        ("idle", .called(call(1), login: nil, isSeen: true), ["logged out [1]", "tell #1", "wait whole #1"]),
        ("idle", .loginWaits(call(9)), ["proceed [9]"]),
        ("telling", .told(page), ["show #1"]),
        ("telling", .told(nil), ["stop #1", "logged out [1]", "answer [1]"]),
        ("telling quietly", .told(nil), ["stop #1", "answer [1]"]),
        ("telling quietly", .told(page), ["stop #1", "answer [1]"]),
        // The second logout has its own answer and does not affect the page of the first.
        ("showing", .called(call(2), login: nil, isSeen: true), ["logged out [2]", "answer [2]"]),
        // A newer login gets its own page.
        (
            "showing", .called(call(2), login: token, isSeen: true),
            ["stop #1", "answer [1]", "tell #2", "wait whole #2"]
        ),
        ("showing", .pageEnded, ["stop #1", "logged out [1]", "answer [1]"]),
        // The viewer never finished the page: the call returns, and nothing is reported during the next call.
        ("showing", .waited(.whole), ["stop #1", "answer [1]"]),
        ("showing", .waited(.withThePageOpen), []),
        ("showing", .loginWaits(call(9)), ["wait withThePageOpen #1"]),
        ("telling", .loginWaits(call(9)), ["wait untilThePageIsOpen #1"]),
        ("telling quietly", .loginWaits(call(9)), ["stop #1", "answer [1]", "proceed [9]"]),
        ("telling, a login waits", .told(page), ["show #1", "wait withThePageOpen #1"]),
        ("telling, a login waits", .waited(.untilThePageIsOpen), ["stop #1", "answer [1]", "proceed [9]"]),
        ("showing, a login waits", .waited(.withThePageOpen), ["stop #1", "answer [1]", "proceed [9]"]),
        ("showing, a login waits", .pageEnded, ["stop #1", "logged out [1]", "answer [1]", "proceed [9]"]),
        ("showing, a login waits", .loginLeft(call(9)), ["proceed [9]"]),
        ("showing", .left(call(1)), ["stop #1", "logged out [1]", "answer [1]"]),
        ("showing", .left(call(2)), []),
        ("closed", .called(call(2), login: token, isSeen: true), ["answer [2]"]),
    ])
    func takesTheWay(stage: String, event: LogoutEvent, effects: [String]) throws {
        var machine = try Self.machine(stage)
        #expect(Self.words(machine.handle(event)) == effects)
    }

    @Test func remembersThePageThatWasLeftOpen_untilTheNextLoginOrItsRedirect() throws {
        var machine = try Self.machine("showing, a login waits")
        _ = machine.handle(.waited(.withThePageOpen))
        #expect(machine.hasLeftPage)
        _ = machine.handle(.redirectWasTaken)
        #expect(!machine.hasLeftPage)
        machine = try Self.machine("showing, a login waits")
        _ = machine.handle(.waited(.withThePageOpen))
        _ = machine.handle(.loginWaits(Self.call(10)))
        #expect(!machine.hasLeftPage, "The login after the next waits for its own redirect.")
    }

    @Test func keepsThePage_whenTheLoginThatWaitedIsGone() throws {
        var machine = try Self.machine("showing, a login waits")
        _ = machine.handle(.loginLeft(Self.call(9)))
        #expect(machine.handle(.waited(.withThePageOpen)).isEmpty && machine.logout != nil)
    }

    /// Every three events in every stage, and then the end: each call and each waiting login continues exactly once.
    @Test(arguments: ways.map(\.stage))
    func letsEverybodyGoOnce_whateverHappens(stage: String) throws {
        let way = try #require(Self.ways.first { $0.stage == stage }).events
        LogoutMachine().letsEverybodyGoOnce(after: way, of: Self.everyEvent, until: .closed) { event in
            switch event {
            case .called(let call, _, _), .loginWaits(let call): call
            default: nil
            }
        } going: { effect in
            switch effect {
            case .answer(let calls), .proceed(let calls): calls
            default: []
            }
        }
    }
}
