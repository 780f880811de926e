import TVEModels
import Testing

@testable import TVEFlowEngine

/// The machine of an authorization without a service: events in, effects out.
struct PermissionMachineTests {
    private static let login = AuthenticationToken(
        text: TokenText("t"),
        claims: AuthenticationToken.Claims(
            authenticationGUID: "g", requestorID: "r", expires: TokenDate(secondsSince1970: 2_000), mvpdID: "a",
            fingerprint: "f"))

    private static func words(_ effects: [PermissionEffect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .findLogin: "find login"
            case .ask: "ask"
            case .stop: "stop"
            case .trackFailure(let error): "track \(error.code.rawValue)"
            case .answer(.success): "permitted"
            case .answer(.failure(let error)): error.code.rawValue
            }
        }
    }

    private static let over = PermissionRefusal(error: TVEError(.notAuthenticated), isLoginOver: true)
    private static let overWithAnother = PermissionRefusal(
        error: TVEError(.notAuthenticated), isLoginOver: true, hasOtherLogin: true)
    private static let denied = PermissionRefusal(error: TVEError(.notAuthorized))

    @Test(arguments: [
        (true, [PermissionEvent.called], ["find login"]),
        (true, [.called, .foundLogin(login)], ["ask"]),
        (true, [.called, .foundNoLogin(TVEError(.notAuthenticated))], ["notAuthenticated"]),
        (true, [.called, .foundLogin(login), .refused(denied)], ["notAuthorized"]),
        // A login that ended during the question: a call that may show another one tries a second time, and no more.
        (true, [.called, .foundLogin(login), .refused(over)], ["find login"]),
        (false, [.called, .foundLogin(login), .refused(over)], ["notAuthenticated"]),
        (false, [.called, .foundLogin(login), .refused(overWithAnother)], ["find login"]),
        (
            true, [.called, .foundLogin(login), .refused(over), .foundLogin(login), .refused(over)],
            ["notAuthenticated"]
        ),
        // A logout on this device is final.
        (true, [.called, .loggedOut], ["stop", "track notAuthenticated", "notAuthenticated"]),
        (true, [.called, .foundLogin(login), .loggedOut], ["stop", "track notAuthenticated", "notAuthenticated"]),
        (true, [.called, .foundLogin(login), .loggedOut, .refused(over)], []),
        (true, [.called, .foundLogin(login), .left], ["stop", "authorizationFailed"]),
        (true, [.called, .left, .foundLogin(login)], []),
    ])
    func takesTheWay(mayShowLogin: Bool, events: [PermissionEvent], effects: [String]) {
        var machine = PermissionMachine(mayShowLogin: mayShowLogin)
        var last: [PermissionEffect] = []
        for event in events { last = machine.handle(event) }
        #expect(Self.words(last) == effects)
    }

    private static let everyEvent: [PermissionEvent] = [
        .foundLogin(login), .foundNoLogin(TVEError(.notAuthenticated)), .refused(over), .refused(overWithAnother),
        .refused(denied), .loggedOut, .left, .called,
    ]

    /// Every change of state that an event makes.
    static var transitions: Set<Transition> {
        let ways: [[PermissionEvent]] = [[], [.called], [.called, .foundLogin(login)], [.called, .left]]
        return Transition.all(of: PermissionMachine(mayShowLogin: true), ways: ways, events: everyEvent) {
            word($0.state)
        }
    }

    private static func word(_ state: PermissionMachine.State) -> String {
        switch state {
        case .new: "new"
        case .findingLogin: "findingLogin"
        case .asking: "asking"
        case .over: "over"
        }
    }

    @Test(arguments: [true, false])
    func hasOneAnswer_whateverHappens(mayShowLogin: Bool) {
        for first in Self.everyEvent {
            for second in Self.everyEvent {
                for third in Self.everyEvent {
                    for fourth in Self.everyEvent {
                        var machine = PermissionMachine(mayShowLogin: mayShowLogin)
                        let story = [.called, first, second, third, fourth, .left]
                        let answers = story.flatMap { machine.handle($0) }
                            .count { if case .answer = $0 { true } else { false } }
                        #expect(answers == 1, "\(story)")
                    }
                }
            }
        }
    }
}
