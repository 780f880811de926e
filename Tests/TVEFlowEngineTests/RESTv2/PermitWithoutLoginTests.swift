import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// A provider that is degraded so that it permits everything needs no login: that is what the degradation is for.
@Suite(.row("AZ9"), .fewAtATime, .timeLimit(.hanging))
struct PermitWithoutLoginTests {
    private static let outage = SandboxWorld.demo { $0.degradation = .authorizeAll }

    enum Loss: CaseIterable, Sendable {
        /// The login has ended, on the device and at the service.
        case expired
        /// The device has lost its copy, and the service its profile.
        case vanished
    }

    private func lose(_ loss: Loss, _ fixture: FlowFixture) {
        fixture.clock.advance(by: 2_592_001)
        if loss == .vanished { fixture.storage.apply([.removeAll(under: fixture.login.appending("authn"))]) }
    }

    @Test(arguments: Loss.allCases)
    func aPlayGoesOn_withoutACopyOfTheLogin(loss: Loss) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2, world: Self.outage)
        lose(loss, fixture)
        _ = log.take()
        #expect(try await session.authorize("DEMO-PLUS").claims.resource == "DEMO-PLUS")
        #expect(log.take() == ["Z010", "authz cached false"])
        #expect(fixture.count(of: .authorization) == 1)
        #expect(try await session.preauthorize(["DEMO-1", "DEMO-PLUS"]).map(\.isAuthorized) == [true, true])
        // A program that is started now plays too.
        let (next, _) = try await fixture.session()
        _ = try await next.authorize("DEMO-1")
    }

    @Test(arguments: Loss.allCases)
    func withoutTheOutage_theServiceIsAskedOnce_andTheViewerLogsIn(loss: Loss) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        lose(loss, fixture)
        _ = log.take()
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(log.take() == ["authz notAuthenticated"])
        #expect(fixture.count(of: .authorization) == 1)
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.preauthorize(["DEMO-1"]) }
        let viewer = ViewerWhoLogsIn()
        _ = try await session.authorize("DEMO-1", using: viewer)
        #expect(viewer.shown == ["login"], "with the provider of the last login")
        #expect(fixture.count(of: .authorization) == 3)
    }

    /// Only the answer that there is no login leads to another one.
    @Test(arguments: Loss.allCases) func aFailureOfTheService_isNoReasonToLogIn(loss: Loss) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2, world: Self.outage)
        lose(loss, fixture)
        fixture.answer(.authorization, .response(status: 500, body: ""))
        let viewer = ViewerWhoLogsIn()
        await #expect(throws: TVEError(.serviceFailed)) { try await session.authorize("DEMO-1", using: viewer) }
        #expect(viewer.shown.isEmpty)
    }

    /// A login that was never finished is none.
    @Test(arguments: [true, false])
    func nobodyIsAskedAbout_whoNeverLoggedIn(hasChosen: Bool) async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2, world: Self.outage)
        if hasChosen { try await session.selectProvider("demo-cable") }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(fixture.count(of: .authorization) == 0)
    }

    @Test func aViewerWhoLoggedOut_isNotAskedAbout() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2, world: Self.outage)
        try await session.logout()
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(fixture.count(of: .authorization) == 0)
    }

    /// The service may still have the login that the viewer ended, and would give the permission to it.
    @Test func aViewerWhoLoggedOut_isNotAskedAbout_afterALoginThatADegradedProviderGave() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(
            .restV2, world: .demo { $0.degradation = .authenticateAll })
        fixture.fail("/logout/")
        try await session.logout()
        try await session.authenticate(using: ViewerWhoLogsIn())
        // Such a login lasts a minute.
        fixture.clock.advance(by: 61)
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(fixture.count(of: .authorization) == 0)
    }

    /// The profile has ended at the service, and a request in the background of the play discovers it first.
    @Test(arguments: [false, true])
    func aPermit_isDelivered_whenTheCopyVanishesMeanwhile(isLoggedOut: Bool) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2, world: Self.outage)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.authorization, request) { await answer.pass() }
            return request.path?.contains("/profiles/demo-cable") == true ? ServiceDialect.restV2.noLogin : nil
        }
        let play = Task { try await session.authorize("DEMO-PLUS") }
        await answer.arrival()
        if isLoggedOut {
            // The logout happens in another process, and this one is not notified.
            let (other, _) = try await fixture.session(started: false)
            try await other.start()
            try await other.logout()
        } else {
            #expect(await !fixture.isLoggedInAfterAll(session))
            #expect(!fixture.isLoginStored)
        }
        answer.open()
        if isLoggedOut {
            await #expect(throws: TVEError(.notAuthenticated)) { try await play.value }
        } else {
            #expect(try await play.value.claims.resource == "DEMO-PLUS")
        }
    }

    /// A provider may name the viewer only after an authorization, and a degraded one names nobody.
    @Test(arguments: [true, false])
    func aPermit_isDelivered_whenTheCopyGetsOrLosesTheViewersIDMeanwhile(isNamedFirst: Bool) async throws {
        let fixture = try await FlowFixture(.restV2)
        let (answer, isNamed) = (Gate(), Guarded(isNamedFirst))
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.authorization, request) { await answer.pass() }
            guard fixture.isAt(.outcome, request), !isNamed.withLock(\.self) else { return nil }
            return .rewritten { $0.replacing("\"userID\"", with: "\"otherID\"") }
        }
        let (session, _) = try await fixture.loggedIn()
        let copy = fixture.storage.value(for: fixture.login.appending("authn"))
        let play = Task { try await session.authorize("DEMO-1") }
        await answer.arrival()
        isNamed.withLock { $0.toggle() }
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(fixture.storage.value(for: fixture.login.appending("authn")) != copy)
        answer.open()
        #expect(try await play.value.claims.resource == "DEMO-1")
    }

    /// Two logins without a copy are told apart by their providers.
    @Test func aPlayWithAnotherProvider_isAskedForItself_thoughNeitherLoginHasACopy() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2, world: Self.outage)
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        lose(.vanished, fixture)
        let other = StorageKey("requestor", "DEMO", fixture.fingerprint, "mvpd", "demo-fiber", "authn")
        fixture.storage.apply([.removeAll(under: other)])
        let answer = Gate()
        let isFirst = Guarded(true)
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.authorization, request), isFirst.taken() else { return nil }
            await answer.pass()
            return nil
        }
        let fiber = Task { try await session.authorize("DEMO-PLUS") }
        await answer.arrival()
        try await session.selectProvider("demo-cable")
        let cable = Task { try await session.authorize("DEMO-PLUS") }
        #expect(await soon { fixture.count(of: .authorization) == 2 })
        answer.open()
        #expect(try await cable.value.claims.mvpdID == "demo-cable")
        _ = await fiber.result
    }
}
