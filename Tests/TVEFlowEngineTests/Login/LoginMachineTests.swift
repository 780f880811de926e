import Foundation
import TVEModels
import TVENetworking
import Testing

@testable import TVEFlowEngine

/// The login machine without service, store or presenter: events in, effects out.
struct LoginMachineTests {
    private static let open = LoginPage.Step.open(
        URL(fileURLWithPath: "/login"), redirect: URL(fileURLWithPath: "/end"))

    private static func page(_ code: String = "code", mvpdID: MVPDID = "a", step: LoginPage.Step = open) -> LoginPage {
        LoginPage(
            step: step, requestorID: "r", mvpdID: mvpdID, registrationCode: code,
            expires: Date(timeIntervalSince1970: 2_000))
    }

    private static func token() -> AuthenticationToken {
        AuthenticationToken(
            text: TokenText("t"),
            claims: AuthenticationToken.Claims(
                authenticationGUID: "g", requestorID: "r", expires: TokenDate(secondsSince1970: 2_000), mvpdID: "a",
                fingerprint: "f"))
    }

    private static func facts(_ change: (inout AuthenticationLadder) -> Void = { _ in }) -> AuthenticationLadder {
        var ladder = AuthenticationLadder(providers: ["a", "b"])
        change(&ladder)
        return ladder
    }

    private static let parameters = LoginParameters(presenter: Viewer())
    private static func call(_ number: Int) -> CallID { CallID(number: number) }
    private static func login(_ mvpdID: MVPDID = "a") -> NewLogin {
        NewLogin(answer: AuthenticationAnswer(token: token()), mvpdID: mvpdID)
    }

    /// Effects as words, for tables.
    private static func words(_ effects: [LoginEffect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .run(let stage, _): "run \(word(stage))"
            case .stop: "stop"
            case .showAgain: "show again"
            case .showCode(let code, _): "code \(code.code)"
            case .announceSelection(let mvpdID): "selected \(mvpdID)"
            case .announceCode(let code): "announce \(code.code)"
            case .announceLogin(_, let isNew): isNew ? "logged in" : "still logged in"
            case .announceFailure(let error): "failed \(error.code.rawValue)"
            case .forgetAutomaticLogin(let mvpdID): "forget \(mvpdID)"
            case .keepPage(let page): "keep page \(page.registrationCode)"
            case .forgetPage(let page): "forget page \(page.registrationCode)"
            case .answer(let calls, let answer, let calling):
                "answer \(calls.map(\.number)) \(word(answer))\(calling == .nobody ? " in silence" : "")"
            }
        }
    }

    private static func word(_ stage: LoginMachine.Stage) -> String {
        switch stage {
        case .clearing: "clear"
        case .atPlatform: "platform"
        case .askingPlatform: "platform silently"
        case .choosing: "choose"
        case .opening(let mvpdID): "begin \(mvpdID)"
        case .atPage(let page): "show \(page.registrationCode)"
        case .polling(let poll):
            "poll \(poll.page.registrationCode) after \(poll.pauseBeforePoll.components.seconds)"
        }
    }

    private static func word(_ answer: LoginAnswer) -> String {
        switch answer {
        case .success?: "logged in"
        case .failure(let error)?: error.code.rawValue
        case nil: "nothing"
        }
    }

    /// Events that lead into each stage.
    private static let ways: [(stage: String, events: [LoginEvent])] = [
        ("idle", []),
        ("clearing", [.called(call(1), parameters)]),
        ("atPlatform", [.called(call(1), parameters), .ended(.cleared(facts { $0.hasPlatformSignOn = true }))]),
        ("choosing", [.called(call(1), parameters), .ended(.cleared(facts()))]),
        ("opening", [.called(call(1), parameters), .ended(.cleared(facts())), .ended(.picked("a"))]),
        (
            "atPage",
            [.called(call(1), parameters), .ended(.cleared(facts())), .ended(.picked("a")), .ended(opened(page()))]
        ),
        (
            "fetching",
            [
                .called(call(1), parameters), .ended(.cleared(facts())), .ended(.picked("a")), .ended(opened(page())),
                .ended(.pageEnded(.redirect)),
            ]
        ),
        (
            "showingCode",
            [
                .called(call(1), parameters), .ended(.cleared(facts())), .ended(.picked("a")),
                .ended(opened(page(step: .typeCode))),
            ]
        ),
        (
            "fetching perhaps",
            [
                .called(call(1), parameters), .ended(.cleared(facts())), .ended(.picked("a")), .ended(opened(page())),
                .ended(.pageEnded(.otherRedirect)),
            ]
        ),
        ("askingPlatform", [.startedSilently(call(9), .platform, parameters: LoginParameters())]),
        ("passive", [.startedSilently(call(9), .passive(token()), parameters: parameters)]),
        (
            "passive atPage",
            [.startedSilently(call(9), .passive(token()), parameters: parameters), .ended(opened(page()))]
        ),
        (
            "passive fetching",
            [
                .startedSilently(call(9), .passive(token()), parameters: parameters), .ended(opened(page())),
                .ended(.pageEnded(.redirect)),
            ]
        ),
        ("tempPass", [.choseTempPass(call(1), "a"), .ended(.cleared(facts()))]),
        ("tempPass awaited", [.choseTempPass(call(8), "a"), .called(call(1), parameters)]),
        (
            "tempPass fetching, awaited",
            [
                .choseTempPass(call(8), "a"), .called(call(1), parameters), .ended(.cleared(facts())),
                .ended(opened(page(step: .nothing))),
            ]
        ),
        ("redirect", [.redirected(call(1), page())]),
    ]

    private static func begun(_ page: LoginPage) -> PlatformAnswer {
        PlatformAnswer(outcome: .begun(page, codeEnds: .seconds(1_900)))
    }

    private static func opened(_ page: LoginPage) -> LoginOutcome { .opened(page, codeEnds: .seconds(1_900)) }

    private static func notFound(_ missing: MissingLogin, at seconds: Int) -> LoginEvent {
        .ended(.notFound(missing, uptime: .seconds(seconds)))
    }

    private static let pending = ServiceError.notLoggedIn

    private static func machine(_ stage: String) throws -> LoginMachine {
        let way = try #require(ways.first { $0.stage == stage })
        return way.events.reduce(into: LoginMachine()) { machine, event in _ = machine.handle(event) }
    }

    // MARK: - Properties of every stage

    private static let everyEvent: [LoginEvent] = [
        .called(call(2), parameters), .redirected(call(3), page("other")), .redirected(call(3), page()),
        .choseTempPass(call(4), "b"), .choseKeptTempPass, .chose("b"), .left(call(1)), .allLoginsEnd,
        .ended(.cleared(facts())), .ended(.cleared(facts { $0.hasPlatformSignOn = true })),
        .ended(.platform(PlatformAnswer())), .ended(.platform(PlatformAnswer(outcome: .chosen("b")))),
        .ended(.platform(PlatformAnswer(outcome: .found(login())))),
        .ended(.platform(begun(page()))), .ended(.platform(begun(page(step: .typeCode)))),
        .ended(.picked("a")), .ended(.picked(nil)), .ended(.picked("unknown")), .ended(opened(page())),
        .ended(opened(page(step: .typeCode))), .ended(.pageEnded(.redirect)),
        .ended(.pageEnded(.abandoned)), .ended(.pageEnded(.ranOut)), .ended(.pageEnded(.otherRedirect)),
        notFound(.notYet(pending, mayCome: true), at: 200), notFound(.notYet(pending, mayCome: true), at: 5_000),
        notFound(.notYet(pending, mayCome: false), at: 200), .ended(.found(login())), .viewerActed,
        .startedSilently(call(5), .platform, parameters: LoginParameters()),
        .startedSilently(call(6), .passive(token()), parameters: parameters),
        .ended(.failed(TVEError(.serviceUnreachable))),
    ]

    /// Every two consecutive events in every stage, and then the end of the session: each call has one answer, a step
    /// runs exactly as long as its attempt, and announcements come when their attempt has ended.
    @Test(arguments: ways.map(\.stage))
    func answersEachCallOnce_whateverHappens(stage: String) throws {
        let way = try #require(Self.ways.first { $0.stage == stage }).events
        // A description takes much longer than the machine.
        let events = Self.everyEvent.map { (event: $0, name: "\($0)") }
        for (first, firstName) in events {
            for (second, secondName) in events {
                var machine = LoginMachine()
                var answers: [Int: Int] = [:]
                var isRunning = false
                let story = way + [first, second, .allLoginsEnd]
                for event in story {
                    let before = machine.attempt
                    let effects = machine.handle(event)
                    // Another attempt has other calls, unless the story uses an id twice.
                    let isOver =
                        machine.attempt == nil || machine.attempt?.calls.first != before?.calls.first
                        || firstName == secondName
                    for effect in effects {
                        switch effect {
                        case .answer(let calls, _, _): for call in calls { answers[call.number, default: 0] += 1 }
                        case .run: isRunning = true
                        case .stop: isRunning = false
                        case .announceLogin, .announceFailure:
                            // The machine has its new state before its effects are performed.
                            #expect(before != nil && isOver, "Still running: \(story)")
                        default: break
                        }
                    }
                }
                #expect(!isRunning, "A step runs on: \(story)")
                var asked: Set<Int> = []
                for event in story {
                    switch event {
                    case .called(let call, _), .redirected(let call, _), .choseTempPass(let call, _),
                        .startedSilently(let call, _, _):
                        asked.insert(call.number)
                    default: break
                    }
                }
                // Only this test makes two calls under one id.
                let isTwice: (Int) -> Bool = { number in
                    story.count { event in
                        switch event {
                        case .called(let call, _), .redirected(let call, _), .choseTempPass(let call, _),
                            .startedSilently(let call, _, _):
                            call.number == number
                        default: false
                        }
                    } > 1
                }
                for number in asked where !isTwice(number) {
                    #expect(answers[number] == 1, "Call \(number) has \(answers[number] ?? 0) answers: \(story)")
                }
            }
        }
    }

    @Test func theStatesListEveryChange_andNoOther() {
        #expect(Transition.made(ways: Self.ways.map(\.events), events: Self.everyEvent) == Transition.listed)
    }

    // MARK: - Single transitions

    @Test(arguments: [
        ("choosing", LoginEvent.called(call(2), parameters), ["show again"]),
        ("atPage", .called(call(2), parameters), ["show again"]),
        ("showingCode", .called(call(2), parameters), ["show again", "announce code"]),
        ("tempPass", .called(call(2), parameters), []),
        ("redirect", .redirected(call(2), page()), ["answer [2] nothing"]),
        (
            "redirect", .redirected(call(2), page("other")),
            [
                "stop", "forget a", "failed providerNotSelected", "answer [1] providerNotSelected",
                "run poll other after 0",
            ]
        ),
        ("choosing", .chose("b"), ["stop", "selected b", "run begin b"]),
        ("redirect", .chose("a"), ["selected a"]),
        ("redirect", .chose("b"), ["stop", "selected b", "run begin b"]),
        (
            "atPlatform", .ended(.failed(.loginAbandoned)),
            ["stop", "failed providerNotSelected", "answer [1] providerNotSelected"]
        ),
        (
            "atPlatform", .allLoginsEnd,
            ["stop", "failed providerNotSelected", "answer [1] providerNotSelected"]
        ),
        ("atPlatform", .chose("b"), ["stop", "selected b", "run begin b"]),
        ("atPage", .chose("b"), ["stop", "forget page code", "selected b", "run begin b"]),
        ("showingCode", .chose("b"), ["stop", "selected b", "run begin b"]),
        ("askingPlatform", .chose("b"), ["stop", "answer [9] nothing", "selected b"]),
        (
            "passive atPage", .called(call(2), parameters),
            ["stop", "forget page code", "answer [9] nothing", "run clear"]
        ),
        ("passive atPage", .allLoginsEnd, ["stop", "forget page code", "answer [9] nothing"]),
        ("passive fetching", .viewerActed, ["stop", "answer [9] nothing"]),
        ("passive fetching", .ended(.found(login())), ["stop", "logged in", "answer [9] logged in in silence"]),
        (
            "passive fetching", notFound(.notYet(pending, mayCome: false), at: 0),
            ["stop", "answer [9] nothing in silence"]
        ),
        ("choosing", .startedSilently(call(2), .platform, parameters: LoginParameters()), ["answer [2] nothing"]),
        (
            "choosing", .left(call(1)),
            ["stop", "failed providerNotSelected", "answer [1] providerNotSelected in silence"]
        ),
        ("tempPass awaited", .left(call(1)), ["answer [1] providerNotSelected in silence"]),
        ("idle", .chose("b"), ["selected b"]),
        ("tempPass", .chose("b"), ["stop", "answer [1] nothing", "selected b"]),
        ("tempPass", .choseTempPass(call(2), "b"), ["stop", "answer [1] nothing", "run clear"]),
        (
            "choosing", .allLoginsEnd,
            ["stop", "failed providerNotSelected", "answer [1] providerNotSelected"]
        ),
        (
            "showingCode", .allLoginsEnd,
            [
                "stop", "forget a", "failed providerNotSelected",
                "answer [1] providerNotSelected",
            ]
        ),
        ("idle", .allLoginsEnd, []),
        ("atPage", .ended(.pageEnded(.redirect)), ["forget page code", "run poll code after 0"]),
        (
            "atPage", .ended(.pageEnded(.abandoned)),
            [
                "stop", "forget page code", "forget a", "failed providerNotSelected",
                "answer [1] providerNotSelected",
            ]
        ),
        (
            "atPage", .ended(.pageEnded(.ranOut)),
            [
                "stop", "forget page code", "forget a", "failed providerNotSelected",
                "answer [1] providerNotSelected in silence",
            ]
        ),
        ("atPage", .ended(.pageEnded(.otherRedirect)), ["forget page code", "run poll code after 0"]),
        ("fetching", .ended(.found(login())), ["stop", "logged in", "answer [1] logged in"]),
        ("fetching", notFound(.notYet(pending, mayCome: true), at: 0), ["run poll code after 3"]),
        (
            "fetching", notFound(.notYet(pending, mayCome: false), at: 0),
            ["stop", "forget a", "failed authenticationFailed", "answer [1] authenticationFailed"]
        ),
        ("choosing", .ended(.picked("b")), ["selected b", "run begin b"]),
        (
            "choosing", .ended(.failed(.unknownProvider)),
            ["stop", "failed unknownProvider", "answer [1] unknownProvider"]
        ),
        ("atPlatform", .ended(.platform(PlatformAnswer(outcome: .notPossible))), ["run choose"]),
        ("atPlatform", .ended(.platform(begun(page()))), ["selected a", "keep page code", "run show code"]),
        ("showingCode", notFound(.notYet(pending, mayCome: true), at: 1_899), ["run poll code after 5"]),
        (
            "showingCode", notFound(.notYet(pending, mayCome: true), at: 1_900),
            ["stop", "run begin a"]
        ),
        (
            "showingCode", notFound(.codeExpired(pending), at: 1_850),
            ["stop", "run begin a"]
        ),
        (
            "showingCode", notFound(.codeExpired(pending), at: 200),
            [
                "stop", "forget a", "failed authenticationFailed",
                "answer [1] authenticationFailed",
            ]
        ),
    ])
    func takesTheWay(stage: String, event: LoginEvent, effects: [String]) throws {
        var machine = try Self.machine(stage)
        #expect(Self.words(machine.handle(event)) == effects)
    }

    /// After its own redirect a login is polled for a minute, and after a redirect of unknown origin twice.
    @Test(arguments: [
        (PageEnd.redirect, [0, 3, 57, 60], ["poll", "poll", "poll", "stop"]),
        (.otherRedirect, [0, 3], ["poll", "keep"]),
    ])
    func pollsAgain_untilItsTimeIsOver(end: PageEnd, polls: [Int], first: [String]) throws {
        var machine = try Self.machine("atPage")
        _ = machine.handle(.ended(.pageEnded(end)))
        let words = polls.map { seconds in
            let effects = Self.words(machine.handle(Self.notFound(.notYet(Self.pending, mayCome: true), at: seconds)))
            return effects[0].replacing("run ", with: "").prefix { $0 != " " }
        }
        #expect(words.map(String.init) == first)
    }

    @Test func givesUp_whenNobodyTypedFourCodes() throws {
        var machine = try Self.machine("showingCode")
        for _ in 0..<3 {
            _ = machine.handle(Self.notFound(.notYet(Self.pending, mayCome: true), at: 9_000))
            _ = machine.handle(.ended(Self.opened(Self.page(step: .typeCode))))
        }
        let end = Self.words(machine.handle(Self.notFound(.notYet(Self.pending, mayCome: true), at: 9_000)))
        #expect(end.last == "answer [1] authenticationFailed" && machine.attempt == nil)
    }

    @Test func aLoginBeginsAfterTheTempPass_thatWasJustChosen() throws {
        var machine = try Self.machine("tempPass awaited")
        #expect(
            Self.words(machine.handle(.ended(.failed(TVEError(.viewerIdentityMissing))))) == [
                "stop", "answer [8] nothing", "run clear",
            ])
        // The login uses the choice.
        #expect(Self.words(machine.handle(.ended(.cleared(Self.facts())))) == ["run begin a"])
    }

    @Test func dataThatComeLate_beginTheLoginOnceMore() throws {
        var machine = try Self.machine("fetching")
        _ = machine.handle(.called(Self.call(2), LoginParameters(data: ["email": "0f3c"], presenter: Viewer())))
        let missing = LoginEvent.ended(.failed(TVEError(.viewerIdentityMissing)))
        #expect(Self.words(machine.handle(missing)) == ["run begin a"])
        _ = machine.handle(.ended(Self.opened(Self.page(step: .nothing))))
        #expect(Self.words(machine.handle(missing)).last == "answer [1, 2] viewerIdentityMissing")
    }

    @Test func aPreselection_isUsedUp_byTheLoginWithIt() throws {
        var machine = LoginMachine()
        _ = machine.handle(.chose("b"))
        _ = machine.handle(.called(Self.call(1), Self.parameters))
        #expect(Self.words(machine.handle(.ended(.cleared(Self.facts())))) == ["run begin b"])
        _ = machine.handle(.ended(.failed(TVEError(.serviceUnreachable))))
        #expect(machine.preselected == nil)
    }
}

private struct Viewer: AuthenticationPresenter {
    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { nil }
    func presentLogin(_ page: BrowserPage) async -> URL? { nil }
    func presentLogout(_ page: BrowserPage) async {}
}
