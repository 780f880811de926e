import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import TVETokenVerification
import Testing

@Suite(.fewAtATime)
struct AuthorizationTests {
    @Test(.row("AZ3", "AZ2"), arguments: ServiceDialect.allCases)
    func asksTheProviderOnce_andFetchesAMediaTokenEveryTime(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        let token = try await session.authorize("DEMO-1")
        #expect(token.claims.resource == "DEMO-1" && token.claims.mvpdID == "demo-cable")
        #expect(log.take() == ["authz cached false"])
        _ = try await session.authorize("DEMO-1")
        #expect(log.take() == ["authz cached \(dialect == .classic)"])
        // REST API v2 decides every playback, and returns the token with the decision.
        #expect(fixture.count(of: .authorization) == (dialect == .classic ? 1 : 2))
        #expect(fixture.count(of: .mediaToken) == 2)
    }

    @Test(.row("AZ16"), arguments: ServiceDialect.allCases)
    func givesEveryCallAMediaTokenOfItsOwn(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        async let first = session.authorize("DEMO-1")
        async let second = session.authorize("DEMO-1")
        _ = try await (first, second)
        #expect(fixture.count(of: .mediaToken) == 2)
        #expect(fixture.count(of: .authorization) == (dialect == .classic ? 1 : 2))
    }

    @Test(arguments: ServiceDialect.allCases)
    func givesATokenThatTheBackEndAccepts(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        let token = try await session.authorize(Resource.mrss(channel: "DEMO-2", item: .init(title: "A & B")))
        // A sandbox without a server has a shorter key.
        let key = try TokenVerificationKey(
            pemRepresentation: fixture.sandbox.key.publicKeyPEM, allows1024Bits: !LongTests.areOn)
        let verifier = try MediaTokenVerifier(keys: [key], requestorID: "DEMO")
        let resource = Resource.mrss(channel: "DEMO-2", item: .init(title: "A & B"))
        let verdict = verifier.verify(token.text.rawValue, resource: resource, at: fixture.clock.now).verdict
        #expect(verdict == .validToken)
    }

    // The test is limited to the classic services, because REST API v2 decides every playback.
    @Test func aPermissionThatIsOverByTheServicesClock_isAskedForAnew_andTheLoginStays() async throws {
        let fixture = try await FlowFixture(.classic)
        let clock = fixture.clock
        // The device's clock is half a minute slow.
        let slow = SessionClock(
            now: { clock.now.addingTimeInterval(-30) }, uptime: clock.sessionClock.uptime,
            sleep: clock.sessionClock.sleep)
        let (session, log) = try await fixture.session { $0.clock = slow }
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = try await session.authorize("DEMO-1")
        clock.advance(by: TimeInterval(SandboxWorld.demo.behavior.authorizationLifetime) + 10)
        _ = log.take()
        let token = try await session.authorize("DEMO-1")
        #expect(token.claims.resource == "DEMO-1")
        #expect(log.take() == ["authz cached false"], "The stored one was refused.")
        #expect(fixture.isLoginStored && fixture.count(of: .authorization) == 2)
        // The new permission is stored now.
        _ = try await session.authorize("DEMO-1")
        #expect(fixture.count(of: .authorization) == 2)
    }

    // The test is limited to the classic services, because REST API v2 decides every playback.
    @Test func aPermissionThatWasRefused_isStoredOnceMore_whenTheServiceGrantsTheSameAgain() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.classic)
        let granted = Guarded("")
        fixture.answer(
            .authorization,
            .rewritten { text in
                granted.withLock { $0 = text }
                return text
            })
        _ = try await session.authorize("DEMO-1")
        let isRefused = Guarded(true)
        fixture.transport.setScript { request, _ in
            if fixture.isAt(.authorization, request) { return .response(status: 200, body: granted.withLock(\.self)) }
            return fixture.isAt(.mediaToken, request) && isRefused.taken() ? ServiceDialect.classic.endedLogin : nil
        }
        for _ in 0..<2 { _ = try await session.authorize("DEMO-1") }
        #expect(fixture.count(of: .authorization) == 2)
    }

    // The test is limited to the classic services, because REST API v2 decides every playback.
    @Test(.row("AZ18")) func aPermissionStays_whenItsMediaTokenCannotBeFetched() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.classic)
        _ = try await session.authorize("DEMO-1")
        fixture.answer(.mediaToken, .response(status: 500, body: ""))
        await #expect(throws: TVEError(.serviceFailed)) { try await session.authorize("DEMO-1") }
        fixture.transport.setScript { _, _ in nil }
        _ = try await session.authorize("DEMO-1")
        #expect(fixture.count(of: .authorization) == 1)
    }

    /// Somebody has copied the store of another device, whose ids are in its tokens.
    @Test func tokensOfAnotherDevice_areNotUsed() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.classic)
        _ = try await session.authorize("DEMO-1")
        func replaceDevice(in name: String) throws {
            let key = try #require(fixture.storage.keys(under: fixture.login.appending(name)).first)
            let own = String(decoding: try #require(fixture.storage.value(for: key)), as: UTF8.self)
            let foreign = own.replacing(fixture.fingerprint, with: String(repeating: "0", count: 40))
            #expect(foreign != own)
            fixture.storage.apply([.put(key, Data(foreign.utf8))])
        }
        try replaceDevice(in: "authz")
        _ = try await session.authorize("DEMO-1")
        #expect(fixture.count(of: .authorization) == 2)
        try replaceDevice(in: "authn")
        #expect(await !session.isLoggedIn)
    }

    @Test(.row("AZ1", "D-14"), arguments: ServiceDialect.allCases)
    func fails_withoutStartingALogin(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).session()
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(log.take() == ["authz notAuthenticated"])
    }

    @Test(.row("AZ13", "D-15"), arguments: ServiceDialect.allCases)
    func logsInFirst_whenAllowedTo(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).session()
        _ = try await session.authorize("DEMO-1", using: ViewerWhoLogsIn())
        #expect(log.take() == ["selected demo-cable", "authn cached false", "authenticated", "authz cached false"])
    }

    @Test(.row("AZ14", "SP14"), arguments: ServiceDialect.allCases)
    func fails_whenTheViewerLeavesTheLogin(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).session()
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authorize("DEMO-1", using: ViewerWhoLogsIn(choice: nil))
        }
        #expect(log.take() == ["N005", "authn false", "not: providerNotSelected", "authz providerNotSelected"])
    }

    @Test(.row("AZ4", "CL18", "CL20", "Z100", "wire protocol, 4.5"), arguments: ServiceDialect.both([200, 400, 403]))
    func reportsADenial_withTheProvidersText(dialect: ServiceDialect, status: Int) async throws {
        var world = SandboxWorld.demo
        world.behavior.denialStatus = status
        let (session, log) = try await FlowFixture(dialect, world: world).loggedIn()
        let error = await #expect(throws: TVEError.self) { try await session.authorize("DEMO-PLUS") }
        #expect(error?.code == .notAuthorized && error?.status == .denied)
        #expect(error?.providerMessage == "Demo Plus is not part of your plan. Add it for 5 a month.")
        #expect(error?.localizedDescription == error?.providerMessage && error?.message != error?.providerMessage)
        // The trace, which an app quotes to the service's support, exists only in REST API v2.
        #expect((error?.trace?.isEmpty == false) == (dialect == .restV2))
        #expect(log.take() == ["Z100", "authz notAuthorized"])
    }

    @Test(.row("AZ7"), arguments: ServiceDialect.allCases)
    func refusesAnEmptyResource_withoutAsking(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        let asked = fixture.transport.requests.count
        await #expect(throws: TVEError(.invalidResource)) { try await session.authorize("") }
        #expect(log.take() == ["Z130", "authz invalidResource"])
        #expect(fixture.transport.requests.count == asked)
    }

    @Test(
        .row("AZ11", "AZ12", "AZ18", "Z500"),
        arguments: ServiceDialect.both([
            (
                "AZ11", Moment.authorization, ScriptedTransport.Answer.response(status: 500, body: ""),
                TVEError.Code.serviceFailed, "Z500"
            ),
            ("AZ11", .authorization, .response(status: 200, body: "garbage"), .serviceFailed, "Z500"),
            ("AZ11", .authorization, .failure(.unreachable), .serviceUnreachable, "Z500"),
            ("AZ12", .authorization, .response(status: 429, body: "<html>"), .throttled, "Z100"),
            ("AZ18", .mediaToken, .response(status: 200, body: ""), .serviceFailed, "Z500"),
            ("AZ18", .mediaToken, .response(status: 502, body: ""), .serviceFailed, "Z500"),
        ]))
    func keepsTheLogin_whenTheServiceFails(
        dialect: ServiceDialect, row: String, moment: Moment, answer: ScriptedTransport.Answer,
        code: TVEError.Code, status: String
    ) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        fixture.answer(moment, answer)
        let error = await #expect(throws: TVEError.self, "\(row)") { try await session.authorize("DEMO-1") }
        #expect(error?.code == code && error?.status?.rawValue == status, "\(row)")
        #expect(log.take() == [status, "authz \(code.rawValue)"])
        #expect(await session.isLoggedIn, "\(row): the login is gone.")
    }

    // Only a classic token contains what it was made for.
    @Test(arguments: [
        (Moment.mediaToken, ">DEMO-1<", ">DEMO-2<", TVEError.Code.authorizationFailed, "Z500"),
        (.mediaToken, ">DEMO<", ">DEMO2<", .authorizationFailed, "Z500"),
        (.authorization, ";DEMO&", ";DEMO2&", .authorizationFailed, "Z500"),
        (.authorization, ";demo-cable&", ";demo-fiber&", .authorizationFailed, "Z500"),
        (.authorization, ";DEMO-1&", ";DEMO-2&", .authorizationFailed, "Z500"),
        (.authorization, "<<fingerprint>>", String(repeating: "0", count: 40), .deviceMismatch, "SEC412"),
    ])
    func aTokenForSomethingElse_isRefused(
        moment: Moment, part: String, replacement: String, code: TVEError.Code, status: String
    ) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.classic)
        let own = DeviceIdentity(seed: "device-1", app: nil).fingerprint.hexadecimal
        let part = part.replacing("<<fingerprint>>", with: own)
        fixture.answer(moment, .rewritten { $0.replacing(part, with: replacement) })
        await #expect(throws: TVEError(code)) { try await session.authorize("DEMO-1") }
        #expect(log.take() == [status, "authz \(code.rawValue)"])
        // No media token is requested with a permission that is refused.
        #expect(fixture.count(of: .mediaToken) == (moment == .mediaToken ? 1 : 0))
    }

    @Test(
        .row("AZ19", "SEC412", "T-12"),
        arguments: [
            (ServiceDialect.classic, "34764", "SEC412", "deviceMismatch"), (.classic, "1", "N000", "notAuthenticated"),
            (.restV2, "", "N000", "notAuthenticated"),
        ])
    func wipesTheLogin_whenTheServiceEndsIt(
        dialect: ServiceDialect, reason: String, status: String, code: String
    ) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        let signal = "<pendingLogout reason=\"\(reason)\">true</pendingLogout>"
        fixture.answer(.authorization, dialect == .classic ? .response(status: 200, body: signal) : dialect.endedLogin)
        await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") }
        #expect(log.take() == [status, "authn false", "not: \(code)", "authz \(code)"])
        #expect(!fixture.isLoginStored)
        // In the classic dialect everything is removed. With REST API v2 the chosen provider remains.
        #expect((fixture.entitlements == 0) == (dialect == .classic))
    }

    @Test(.row("AZ19"), arguments: ServiceDialect.allCases)
    func logsInOnceMore_whenTheServiceEndedTheLogin(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        fixture.transport.setScript { request, _ in
            fixture.isAt(.authorization, request) && fixture.count(of: .authorization) == 1 ? dialect.endedLogin : nil
        }
        let viewer = ViewerWhoLogsIn()
        _ = try await session.authorize("DEMO-1", using: viewer)
        // A service that keeps the logins knows best whether the viewer has to see its page.
        #expect(viewer.shown == (dialect == .classic ? ["picker: demo-cable demo-fiber", "login"] : []))
    }

    @Test(arguments: ServiceDialect.allCases)
    func stopsTrying_whenTheServiceKeepsEndingTheLogin(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        fixture.answer(.authorization, dialect.endedLogin)
        let viewer = ViewerWhoLogsIn()
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1", using: viewer) }
        #expect(viewer.shown.filter { $0 == "login" }.count == (dialect == .classic ? 1 : 0))
        // Whatever the service answers, it receives no logout.
        #expect(!fixture.transport.requests.contains { $0.contains("/logout/") })
    }

    @Test(arguments: ServiceDialect.allCases)
    func asksAgain_whenTheKeptPermissionRanOut(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        _ = try await session.authorize("DEMO-1")
        fixture.clock.advance(by: 86_400)
        _ = try await session.authorize("DEMO-1")
        #expect(fixture.count(of: .authorization) == 2)
    }

    @Test(arguments: ServiceDialect.allCases)
    func asksForOneLogin_whenTheViewerCancelsOnThePage(dialect: ServiceDialect) async throws {
        let (session, log) = try await FlowFixture(dialect).session()
        let viewer = ViewerWhoLogsIn(viewer: .cancels)
        await #expect(throws: TVEError(.authenticationFailed)) { try await session.authorize("DEMO-1", using: viewer) }
        #expect(viewer.shown == ["picker: demo-cable demo-fiber", "login"])
        #expect(log.take().last == "authz authenticationFailed")
    }

    @Test(arguments: ServiceDialect.allCases)
    func keepsANewLogin_whenALateAnswerIsAboutTheOldOne(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        // While the service ends the old login, the viewer logs in again.
        fixture.transport.setInterception { [storage = fixture.storage] request, _ in
            guard fixture.isAt(.authorization, request) else { return nil }
            fixture.transport.setInterception { _, _ in nil }
            fixture.clock.advance(by: 1)
            _ = try? await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
            #expect(storage.keys(under: StorageKey("requestor")).count >= 4)
            return dialect.endedLogin
        }
        // The call continues with the new login, and needs no presenter for that.
        #expect(try await session.authorize("DEMO-1").claims.resource == "DEMO-1")
        #expect(!log.take().contains { $0.hasPrefix("not") }, "The viewer is logged in all the time.")
    }

    @Test(arguments: ServiceDialect.allCases)
    func storesNothing_whenTheViewerLogsOutMeanwhile(dialect: ServiceDialect) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(dialect)
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.authorization, request) else { return nil }
            try? await session.logout()
            return nil
        }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(log.count(of: "authz notAuthenticated") == 1)
        #expect(fixture.entitlements == 0)
    }

    @Test(arguments: ServiceDialect.allCases)
    func authorizes_evenWhenTheStoredMetadataCannotBeRead(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        let key = fixture.login.appending("metadata")
        fixture.storage.apply([.put(key, Data("garbage".utf8))])
        _ = try await session.authorize("DEMO-1")
    }

    @Test(arguments: ServiceDialect.allCases)
    func ignoresMetadataThatMakesNoSense(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.started(dialect)
        fixture.transport.setScript { request, _ in
            request.path?.contains("Device") == true
                ? .rewritten { $0.replacing(/updated&quot;:[0-9.]+/, with: "updated&quot;:1e300") } : nil
        }
        _ = try await session.authorize("DEMO-1", using: ViewerWhoLogsIn())
    }
}
