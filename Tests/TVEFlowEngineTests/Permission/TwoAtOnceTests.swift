import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// Tests of requests that look alike but differ, and of the remains of a request that has ended.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct TwoAtOnceTests {
    /// A denial belongs to the login that was asked about.
    @Test(.row("CL12")) func aPlay_isNotRefused_becauseThatOfAnotherLoginWas() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        for provider: MVPDID in ["demo-cable", "demo-fiber"] {
            try await session.selectProvider(provider)
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        fixture.transport.setInterception { [transport = fixture.transport] request, _ in
            guard request.path?.contains("/decisions/authorize/demo-cable") == true else { return nil }
            _ = await soon { transport.requests.contains { $0.contains("/decisions/authorize/demo-fiber") } }
            return ServiceDialect.restV2.decisions([("DEMO-1", false, "authorization_denied_by_mvpd")])
        }
        let denied = Task { try await session.authorize("DEMO-1", as: "demo-cable") }
        #expect(await soon { fixture.count(of: .authorization) == 1 })
        #expect(try await session.authorize("DEMO-1", as: "demo-fiber").claims.mvpdID == "demo-fiber")
        await #expect(throws: TVEError(.notAuthorized)) { try await denied.value }
    }

    /// The app's data may decide about the play: a parental rating, or another member of the household.
    @Test(.row("AZ16", "AZ20"), arguments: ServiceDialect.allCases)
    func twoPlaysWithDifferentData_areTwoQuestions(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        let isFirst = Guarded(true)
        let areTogether = Guarded(false)
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.authorization, request), isFirst.taken() else { return nil }
            let both = await soon { fixture.count(of: .authorization) == 2 }
            areTogether.withLock { $0 = both }
            return nil
        }
        async let one = session.authorize("DEMO-1", data: ["member": "A"])
        async let other = session.authorize("DEMO-1", data: ["member": "B"])
        _ = try await (one, other)
        #expect(areTogether.withLock(\.self) == true)
    }

    /// The answer about the viewer before says nothing about the one who has logged in meanwhile.
    @Test(.row("PR6"), arguments: ServiceDialect.allCases)
    func aPreauthorization_isAskedAnew_afterAnotherLogin(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        fixture.clock.advance(by: 60)
        let answer = Gate()
        let isFirst = Guarded(true)
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.preauthorization, request), isFirst.taken() else { return nil }
            await answer.pass()
            return fixture.dialect.decisions([("DEMO-1", false, nil)])
        }
        let before = Task { try await session.preauthorize(["DEMO-1"]) }
        await answer.arrival()
        try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        let after = Task { try await session.preauthorize(["DEMO-1"]) }
        #expect(await soon { fixture.count(of: .preauthorization) == 2 })
        answer.open()
        #expect(try await after.value.map(\.isAuthorized) == [true])
        _ = await before.result
    }

    /// The answer says that the login before has ended, in whose place the viewer has another one.
    @Test(arguments: ServiceDialect.allCases)
    func theLateEndOfALogin_isNotReported_afterAnotherLogin(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        fixture.clock.advance(by: 60)
        let (answer, isFirst) = (Gate(), Guarded(true))
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.preauthorization, request), isFirst.taken() else { return nil }
            await answer.pass()
            return dialect.endedLogin
        }
        let before = Task { try await session.preauthorize(["DEMO-1"]) }
        await answer.arrival()
        try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        _ = log.take()
        answer.open()
        await #expect(throws: TVEError.self) { try await before.value }
        #expect(!log.take().contains { $0.hasPrefix("not") })
        #expect(await session.isLoggedIn)
    }

    /// The service has permitted the resource before it denies the play, and its first answer arrives last.
    @Test func aPermit_isNotRemembered_afterALaterDenial() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let answer = Gate()
        fixture.transport.setInterception { request, body in
            if fixture.isAt(.authorization, request) {
                return fixture.dialect.decisions([("DEMO-1", false, "authorization_denied_by_mvpd")])
            }
            guard fixture.isAt(.preauthorization, request) else { return nil }
            return await fixture.lateAnswer(to: request, body: body, after: answer)
        }
        let marks = Task { try await session.preauthorize(["DEMO-1"]) }
        await answer.arrival()
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-1") }
        answer.open()
        #expect(try await marks.value.map(\.isAuthorized) == [true])
        _ = try await session.preauthorize(["DEMO-1"])
        #expect(fixture.count(of: .preauthorization) == 2)
    }

    /// The service names the login before, in whose place the viewer has another one by then.
    @Test func anOlderAnswer_replacesNoLogin() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.storage.apply([.removeAll(under: fixture.login)])
        let (answer, isFirst) = (Gate(), Guarded(true))
        fixture.transport.setInterception { request, body in
            guard request.path?.contains("/profiles/demo-cable") == true, isFirst.taken() else { return nil }
            return await fixture.lateAnswer(to: request, body: body, after: answer)
        }
        let call = Task { try await session.preauthorize(["DEMO-1"], as: "demo-cable") }
        await answer.arrival()
        fixture.clock.advance(by: 60)
        try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        let login = fixture.storage.value(for: fixture.login.appending("authn"))
        answer.open()
        _ = try await call.value
        #expect(login != nil && fixture.storage.value(for: fixture.login.appending("authn")) == login)
    }

    /// Another process of the device logs in with another provider, and this one reads the same store.
    @Test(.row("PR6", "CL15")) func permits_endWithTheLogin_alsoIfAnotherProcessHasReplacedIt() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        #expect(try await session.preauthorize(["DEMO-1"]).map(\.isAuthorized) == [true])
        _ = try await session.preauthorize(["DEMO-1"])
        #expect(fixture.count(of: .preauthorization) == 1)
        let (other, _) = try await fixture.session()
        try await other.selectProvider("demo-fiber")
        try await other.authenticate(using: ViewerWhoLogsIn())
        #expect(await session.profile?.mvpdID == "demo-fiber")
        _ = try await session.preauthorize(["DEMO-1"])
        #expect(fixture.count(of: .preauthorization) == 2)
    }

    // Only the classic dialect uses a stored permission instead of a request, until it expires or the service revokes
    // it.
    @Test(
        .row("AZ4", "MD2"),
        arguments: [
            (ServiceDialect.restV2.decisions([("DEMO-1", false, "authorization_denied_by_mvpd")]), .denied),
            // The service could not reach the provider, which has denied nothing.
            (ServiceDialect.restV2.decisions([("DEMO-1", false, "network_received_error")]), .providerUnreachable),
            (.response(status: 500, body: ""), .authorizationFailed),
        ] as [(ScriptedTransport.Answer, StatusCode)])
    func aPermission_isForgotten_withADenialAlone(answer: ScriptedTransport.Answer, status: StatusCode) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        #expect(try await session.metadata(.authorizationExpiry("DEMO-1")) != nil)
        fixture.answer(.authorization, answer)
        let error = await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") }
        #expect(error?.status == status)
        #expect((try await session.metadata(.authorizationExpiry("DEMO-1")) == nil) == (status == .denied))
    }

    /// One of two equal calls is cancelled, and the request of the other one is still there to be joined.
    @Test(.row("PR6"), arguments: ServiceDialect.allCases)
    func anEqualQuestion_joinsTheRequest_thatACancelledOneHasLeft(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.preauthorization, request) { await answer.pass() }
            return nil
        }
        let first = Task { try await session.preauthorize(["DEMO-1"]) }
        await answer.arrival()
        let second = await session.begun { try await $0.preauthorize(["DEMO-1"]) }
        await first.cancelled()
        let third = await session.begun { try await $0.preauthorize(["DEMO-1"]) }
        #expect(fixture.count(of: .preauthorization) == 1)
        answer.open()
        _ = try await (second.value, third.value)
    }

    /// The request for the login goes on after the call was cancelled, and fails.
    @Test func aPlay_thatWasCancelled_reportsNothingAfterItsAnswer() async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            guard request.path?.contains("/profiles/demo-fiber") == true else { return nil }
            await Task { await answer.pass() }.value
            return ServiceDialect.refusal("invalid_integration", status: 400, action: "none")
        }
        let play = Task { try await session.authorize("DEMO-1", as: "demo-fiber") }
        await answer.arrival()
        await play.cancelled()
        #expect(log.take().isEmpty)
        answer.open()
        // The work that nobody waits for needs only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(log.take().isEmpty)
    }

    /// The trial is over, and the play waits for what the service says about it before it shows a login.
    @Test func aPlay_thatWasCancelled_beginsNoLogin() async throws {
        let (fixture, session, log) = try await FlowFixture.started(
            .restV2, world: .withTempPass(.init(seconds: 600)))
        try await session.selectProvider("TempPass")
        _ = try await session.authorize("DEMO-1")
        fixture.clock.advance(by: 601)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.outcome, request) { await Task { await answer.pass() }.value }
            return nil
        }
        let viewer = ViewerWhoLogsIn()
        let play = Task { try await session.authorize("DEMO-1", using: viewer) }
        await answer.arrival()
        _ = log.take()
        await play.cancelled()
        // The work that nobody waits for needs only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(viewer.shown.isEmpty && log.take().isEmpty)
        answer.open()
    }

    /// The answer that arrives after the cancellation names a login.
    @Test func aPreauthorization_thatWasCancelled_failsAsTheServiceThatDidNotAnswer() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.storage.apply([.removeAll(under: fixture.login)])
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            guard request.path?.contains("/profiles/demo-cable") == true else { return nil }
            await Task { await answer.pass() }.value
            return fixture.profile()
        }
        let call = Task { try await session.preauthorize(["DEMO-1"], as: "demo-cable") }
        await answer.arrival()
        call.cancel()
        answer.open()
        await #expect(throws: TVEError(.serviceUnreachable)) { try await call.value }
        #expect(!fixture.isLoginStored)
    }

    @Test(arguments: ServiceDialect.allCases)
    func aPlay_ends_whenItsSessionIsClosed(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        let answer = Gate()
        fixture.transport.setInterception { request, body in
            guard fixture.isAt(.authorization, request) else { return nil }
            return await fixture.lateAnswer(to: request, body: body, after: answer)
        }
        let isAnswered = Guarded(false)
        let play = Task {
            defer { isAnswered.withLock { $0 = true } }
            return try await session.authorize("DEMO-1")
        }
        await answer.arrival()
        session.close()
        #expect(await soon { isAnswered.withLock(\.self) })
        answer.open()
        await #expect(throws: TVEError(.authorizationFailed)) { try await play.value }
        // The work that nobody waits for needs only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(log.take().isEmpty)
    }
}
