import TVEModels
import Testing

@testable import TVEFlowEngine

/// The machine of a call for permission without a service: events in, effects out.
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
        // A login that ended in the middle: whoever may ask for another one tries once more, only once.
        (true, [.called, .foundLogin(login), .refused(over)], ["find login"]),
        (false, [.called, .foundLogin(login), .refused(over)], ["notAuthenticated"]),
        (false, [.called, .foundLogin(login), .refused(overWithAnother)], ["find login"]),
        (
            true, [.called, .foundLogin(login), .refused(over), .foundLogin(login), .refused(over)],
            ["notAuthenticated"]
        ),
        // A logout here is the last word.
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

    @Test(arguments: [true, false])
    func hasOneAnswer_whateverHappens(mayShowLogin: Bool) {
        let events: [PermissionEvent] = [
            .foundLogin(Self.login), .foundNoLogin(TVEError(.notAuthenticated)), .refused(Self.over),
            .refused(Self.overWithAnother), .refused(Self.denied), .loggedOut, .left, .called,
        ]
        for first in events {
            for second in events {
                for third in events {
                    for fourth in events {
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
