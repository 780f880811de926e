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

/// Answers of a service that log no viewer in, and logins that are none of the viewer's own.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct RefusedLoginTests {
    /// A wrong login that a service may send instead of the requested one.
    enum Answer: CaseIterable, Sendable {
        case ofAnotherProvider, thatHasEnded

        /// The beginning of the message of the error.
        var message: String {
            switch self {
            case .ofAnotherProvider: "The service sent a token for another login."
            case .thatHasEnded: "The login that the service sent has already ended. Compare the"
            }
        }

        /// The advice for the viewer.
        var advice: String {
            switch self {
            case .ofAnotherProvider: "Log in with your TV provider."
            case .thatHasEnded: "Check the date and time of this device and your network, then try again."
            }
        }

        func spoil(_ text: String) -> String {
            switch self {
            case .ofAnotherProvider:
                text.replacing("MsoID&gt;demo-cable&lt;", with: "MsoID&gt;demo-fiber&lt;")
                    .replacing("\"demo-cable\":", with: "\"demo-fiber\":")
            case .thatHasEnded:
                text.replacing(/TokenExpires&gt;[^&]+&lt;/, with: "TokenExpires&gt;2026/11/20 00:00:00 GMT +0000&lt;")
                    .replacing(/"notBefore"\s*:\s*\d+/, with: "\"notBefore\":1795129200000")
                    .replacing(/"notAfter"\s*:\s*\d+/, with: "\"notAfter\":1795132800000")
            }
        }
    }

    @Test(.row("HX3"), arguments: ServiceDialect.allCases, Answer.allCases)
    func aLogin_isNeitherStoredNorAnnounced(dialect: ServiceDialect, answer: Answer) async throws {
        let (fixture, session, log) = try await FlowFixture.started(dialect)
        let isSpoiled = Guarded(false)
        fixture.answer(
            .outcome,
            .rewritten { text in
                let spoiled = answer.spoil(text)
                if spoiled != text { isSpoiled.withLock { $0 = true } }
                return spoiled
            })
        let error = await #expect(throws: TVEError(.authenticationFailed)) {
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        #expect(error?.message?.hasPrefix(answer.message) == true, "\(error?.message ?? "")")
        #expect(error?.recoverySuggestion == answer.advice)
        #expect(isSpoiled.withLock(\.self) == true, "The service answered in words that this test does not know.")
        #expect(log.count(of: "authenticated") == 0 && log.take().last == "not: authenticationFailed")
        #expect(fixture.entitlements == 0)
    }

    /// The service is asked for a login of which the device has no copy.
    ///
    /// An answer about another provider alone is no evidence, so the call fails. A login that has ended is none.
    @Test(arguments: Answer.allCases)
    func aLogin_isNoneForAPlayEither(answer: Answer) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.storage.apply([.removeAll(under: fixture.login)])
        let isSpoiled = Guarded(false)
        fixture.answer(
            "/profiles/demo-cable",
            .rewritten { text in
                let spoiled = answer.spoil(text)
                if spoiled != text { isSpoiled.withLock { $0 = true } }
                return spoiled
            })
        let expected = TVEError(answer == .ofAnotherProvider ? .serviceFailed : .notAuthenticated)
        await #expect(throws: expected) { try await session.authorize("DEMO-1", as: "demo-cable") }
        switch answer {
        case .ofAnotherProvider:
            await #expect(throws: expected) { try await session.profile(with: "demo-cable") }
        case .thatHasEnded:
            #expect(try await session.profile(with: "demo-cable") == nil)
        }
        #expect(isSpoiled.withLock(\.self) == true, "The service answered in words that this test does not know.")
        let logins = fixture.storage.keys(under: StorageKey("requestor")).filter { $0.rawValue.hasSuffix("/authn") }
        #expect(logins.isEmpty)
    }

    /// A viewer who comes back from the page without a login waits only where the login may still come.
    @Test(.row("HX2")) func aClassicService_isAskedOnce_forALoginThatCannotCome() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.classic)
        let before = fixture.clock.now
        await #expect(throws: TVEError(.authenticationFailed)) {
            try await session.authenticate(using: ViewerWhoLogsIn(viewer: .cancels))
        }
        #expect(fixture.count(of: .outcome) == 1 && fixture.clock.now == before)
    }

    /// A viewer who has cancelled on the provider's page comes back as one who has logged in.
    @Test(.row("HX2")) func overRESTv2_aLogin_isRequestedEveryThreeSeconds_forAMinute() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        let times = Guarded<[Date]>([])
        fixture.transport.setScript { request, _ in
            if fixture.isAt(.outcome, request) { times.withLock { $0.append(fixture.clock.now) } }
            return nil
        }
        let viewer = ViewerWhoLogsIn(viewer: .cancels)
        await #expect(throws: TVEError(.authenticationFailed)) { try await session.authenticate(using: viewer) }
        let asked = times.withLock(\.self)
        let first = try #require(asked.first)
        #expect(asked == stride(from: 0, through: 60, by: 3).map { first.addingTimeInterval($0) })
    }

    /// The service does not change the form of its answers while a viewer waits.
    @Test(
        arguments: [
            #"{"profiles":{"demo-cable":{"type":"regular"}}}"#, #"{"profiles":{"demo-cable":{"notAfter":1795132800}}}"#,
            #"{"profiles":[]}"#, "{}",
        ])
    func aLoginEnds_atTheSecondAnswerThatCannotBeRead(body: String) async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2)
        fixture.answer("/profiles/code/", .response(status: 200, body: body))
        let before = fixture.clock.now
        await #expect(throws: TVEError(.serviceFailed)) {
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        #expect(fixture.transport.requests.count { $0.contains("/profiles/code/") } == 2)
        #expect(fixture.clock.now.timeIntervalSince(before) < 6 && log.take().contains("N500"))
    }

    /// The browser has already reached the redirect, so the code will not become valid, nor would another one help.
    @Test(arguments: ["invalid_authentication_session", "invalid_parameter_code"])
    func aLoginOnThisScreenEndsAtOnce_whereTheServiceDoesNotKnowItsCode(code: String) async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2)
        fixture.answer("/profiles/code/", ServiceDialect.refusal(code, status: 400, action: "none"))
        await #expect(throws: TVEError(.authenticationFailed)) {
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        #expect(fixture.transport.requests.count { $0.contains("/profiles/code/") } == 1)
        #expect(fixture.count(of: .code) == 1 && log.take().contains("N130"))
    }

    /// No later answer takes this one back.
    @Test(.row("CFG410")) func aLoginEndsAtOnce_whereTheServiceHasEnded() async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2)
        fixture.answer("/profiles/code/", .response(status: 410, body: ""))
        await #expect(throws: TVEError(.clientTooOld)) { try await session.authenticate(using: ViewerWhoLogsIn()) }
        #expect(fixture.transport.requests.count { $0.contains("/profiles/code/") } == 1)
        #expect(log.take().contains("CFG410"))
    }

    @Test func aLoginIsFound_afterAnswersThatCannotBeRead_withAnotherFailureBetween() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        let cut = ScriptedTransport.Answer.response(status: 200, body: "{\"profiles\":")
        let answers = Guarded<[ScriptedTransport.Answer]>([
            cut, .response(status: 500, body: ""), cut, .failure(.timedOut), cut,
        ])
        fixture.transport.setScript { request, _ in
            guard request.path?.contains("/profiles/code/") == true else { return nil }
            return answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(answers.withLock(\.isEmpty))
        #expect(await session.isLoggedIn)
    }

    /// A viewer waits for the answer, and the service asks for a backoff of an hour.
    @Test(.row("CL27", "HX2")) func aLoginOnThisScreen_waitsAMinute_forAServiceThatAsksForSilence() async throws {
        let fixture = try await FlowFixture(.restV2)
        let busy = BusyWithLogins(next: fixture.transport)
        let (session, _) = try await fixture.session { $0.transport = busy }
        let began = fixture.clock.now
        let login = Task { try await session.authenticate(using: ViewerWhoLogsIn()) }
        #expect(await soon { busy.asked.withLock(\.self) == 1 && fixture.clock.sleepers == 1 })
        fixture.clock.advance(by: 59)
        #expect(fixture.clock.sleepers == 1)
        fixture.clock.advance(by: 1)
        await #expect(throws: TVEError.self) { try await login.value }
        #expect(busy.asked.withLock(\.self) == 2 && fixture.clock.now.timeIntervalSince(began) < 70)
    }

    /// The service wants to show a page, which nobody has left.
    @Test(.row("SP9")) func aTempPassThatNeedsAPage_failed_andWasNotCancelled() async throws {
        let (fixture, session, log) = try await FlowFixture.started(.classic, world: .withTempPass())
        fixture.answer("/authenticate/saml", .response(status: 200, body: "<html></html>"))
        let error = await #expect(throws: TVEError(.authenticationFailed)) {
            try await session.selectProvider("TempPass")
        }
        #expect(error?.recovery == .fixConfiguration)
        #expect(log.take().last == "not: authenticationFailed")
    }

    /// Another login would fail in the same way.
    @Test func aLoginWithoutProviders_needsTheOperator() async throws {
        var world = SandboxWorld.demo
        for index in world.requestors.indices { world.requestors[index].providers = [] }
        let (_, session, _) = try await FlowFixture.started(.restV2, world: world)
        let viewer = ViewerWhoLogsIn()
        let error = await #expect(throws: TVEError(.authenticationFailed)) {
            try await session.authenticate(using: viewer)
        }
        #expect(error?.recovery == .fixConfiguration && viewer.shown.isEmpty)
    }

    /// The operator has integrated the providers since, and the app still runs.
    @Test(.row("CL5", "GA8")) func aLoginWithoutProviders_isPossible_asSoonAsThereAreSome() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        fixture.answer(
            .configuration, .response(status: 200, body: #"{"requestor":{"id":"DEMO","mvpds":[]}}"#))
        #expect(try await session.configuration().requestor.providers.isEmpty)
        let viewer = ViewerWhoLogsIn()
        await #expect(throws: TVEError(.authenticationFailed)) { try await session.authenticate(using: viewer) }
        fixture.transport.setScript { _, _ in nil }
        fixture.clock.advance(by: 180)
        try await session.authenticate(using: viewer)
        #expect(viewer.shown == ["picker: demo-cable demo-fiber", "login"])
    }

    /// The last configuration is old, so it does not prove that the operator has to act.
    @Test(.row("CL5", "GA8"), arguments: [false, true])
    func aLoginWithoutProviders_namesTheOutage_whenTheServiceIsAway(hasPlatform: Bool) async throws {
        let fixture = try await FlowFixture(.restV2)
        fixture.answer(
            .configuration, .response(status: 200, body: #"{"requestor":{"id":"DEMO","mvpds":[]}}"#))
        let (session, _) = try await fixture.session { if hasPlatform { $0.platform = ScriptedPlatform() } }
        #expect(try await session.configuration().requestor.providers.isEmpty)
        fixture.answer(.configuration, .failure(.unreachable))
        fixture.clock.advance(by: 180)
        await #expect(throws: TVEError(.serviceUnreachable)) {
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
    }

    /// It lasts a minute, and the service gives the next one to everybody.
    @Test(arguments: ServiceDialect.allCases)
    func aDegradedLogin_isNotReportedToEndSoon(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .demo { $0.degradation = .authenticateAll })
        let (session, log) = try await fixture.session()
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(await session.isLoggedIn)
        _ = try await session.authorize("DEMO-1")
        #expect(log.endingLogins.isEmpty)
    }

    @Test(.row("Q15"), arguments: ServiceDialect.allCases)
    func aClosedSession_showsNoLogin(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        await session.end()
        let asked = fixture.transport.requests
        let viewer = ViewerWhoLogsIn()
        await #expect(throws: TVEError(.requestorNotConfigured)) {
            try await session.authenticate(using: viewer, isForced: true)
        }
        await #expect(throws: TVEError(.requestorNotConfigured)) {
            try await session.authorize("DEMO-1", using: viewer)
        }
        #expect(viewer.shown.isEmpty && log.take().isEmpty && fixture.transport.requests == asked)
    }
}

/// A service that cannot say whether there is a login, and wants to be asked again in an hour.
private struct BusyWithLogins: HTTPTransport {
    let next: any HTTPTransport
    let asked = Guarded(0)

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        guard Moment.outcome.isAt(request.path ?? "", .restV2) else { return try await next.send(request, body: body) }
        asked.withLock { $0 += 1 }
        return (HTTPResponse(status: .serviceUnavailable, headerFields: [.retryAfter: "3600"]), Data())
    }
}
