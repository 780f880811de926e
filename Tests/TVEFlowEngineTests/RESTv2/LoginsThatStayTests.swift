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

/// Logins that must not be lost, where the service keeps them too.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct LoginsThatStayTests {
    @Test func aLoginOfThePlatform_stays_afterTheOneBeforeItWasEnded() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let (session, _) = try await fixture.session { $0.platform = platform }
        #expect(await session.isLoggedIn)
        platform.change { $0.picker = .success("apple-cable") }
        fixture.transport.setScript { request, _ in
            fixture.isAt(.authorization, request) && fixture.count(of: .authorization) == 1
                ? ServiceDialect.restV2.endedLogin : nil
        }
        _ = try await session.authorize("DEMO-1", using: ViewerWhoLogsIn())
        #expect(await fixture.isLoggedInAfterAll(session))
    }

    @Test func aNewLogin_stays_whenTheOldOneIsFoundMissingMeanwhile() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.outcome, request) else { return nil }
            fixture.transport.setInterception { _, _ in nil }
            // The forced login has ended the old one at the service; the copy does not know.
            fixture.answer(.authorization, ServiceDialect.restV2.endedLogin)
            _ = try? await session.authorize("DEMO-1")
            fixture.transport.setInterception { _, _ in nil }
            return nil
        }
        try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        #expect(await fixture.isLoggedInAfterAll(session))
    }

    @Test func aGoodLogin_stays_whenItsProviderIsDegradedMeanwhile() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let kept = fixture.storage.value(for: fixture.login.appending("authn"))
        fixture.answer(.outcome, fixture.profile("degraded", lasting: 120))
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(fixture.storage.value(for: fixture.login.appending("authn")) == kept)
    }

    /// The request is about the provider that the viewer has chosen.
    ///
    /// Another login, even a longer one, decides nothing.
    @Test(.row("CL12"), arguments: ["demo-cable", "DEMO-CABLE"], [true, false])
    func aLoginAndItsProvider_stay_whenTheServiceNamesMore(id: String, hasAnother: Bool) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        let now = Int(fixture.clock.now.timeIntervalSince1970) * 1_000
        func profile(_ id: String, _ lifetime: Int) -> String {
            "\"\(id)\":{\"notBefore\":\(now),\"notAfter\":\(now + lifetime),\"issuer\":\"m\",\"type\":\"regular\"}"
        }
        let profiles = [profile(id, 9_000_000)] + (hasAnother ? [profile("demo-fiber", 900_000_000)] : [])
        fixture.answer(
            "/profiles/demo-cable",
            .response(status: 200, body: "{\"profiles\":{\(profiles.joined(separator: ","))}}"))
        _ = log.take()
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(try await session.selectedProvider()?.id == "demo-cable")
        let login = await session.profile
        #expect(login?.mvpdID == "demo-cable" && login?.issuer == "m")
        #expect(log.take().filter { $0.hasPrefix("not") } == [])
    }

    /// The configuration says nothing about the login, and the service says that there is none.
    @Test func aLogin_goes_whenTheServiceHasItNoMore_andAConfigurationLeavesItsProviderOut() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(.configuration, ServiceDialect.restV2.renaming("demo-cable", to: "other"))
        let (session, _) = try await fixture.session()
        _ = try await session.configuration()
        #expect(fixture.isLoginStored)
        fixture.answer(.outcome, ServiceDialect.restV2.noLogin)
        #expect(await !fixture.isLoggedInAfterAll(session))
        #expect(!fixture.isLoginStored)
    }

    /// The integration was switched off for a while, and the service has the login all the time.
    @Test func aLogin_stays_whenAConfigurationLeavesItsProviderOut() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(.configuration, ServiceDialect.restV2.renaming("demo-cable", to: "other"))
        let (session, _) = try await fixture.session()
        _ = try await session.configuration()
        #expect(await !fixture.isLoggedInAfterAll(session))
        #expect(fixture.isLoginStored)
        fixture.clock.advance(by: 181)
        #expect(await fixture.isLoggedInAfterAll(session))
    }

    /// Such a provider gives no permission either, although the login stays stored.
    @Test func aLogin_playsNothing_whileAConfigurationLeavesItsProviderOut() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(.configuration, ServiceDialect.restV2.renaming("demo-cable", to: "other"))
        let (session, _) = try await fixture.session()
        _ = try await session.configuration()
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.preauthorize(["DEMO-1"]) }
        #expect(fixture.count(of: .authorization) == 0 && fixture.count(of: .preauthorization) == 0)
        #expect(fixture.isLoginStored)
    }

    /// A start that finds a login at the service leaves it as complete as the login did.
    @Test func aLoginThatAStartTookOver_isRemembered_whenItHasEnded() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        await first.end()
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        let (session, _) = try await fixture.session()
        #expect(await session.isLoggedIn)
        fixture.clock.advance(by: 31 * 86_400)
        #expect(try await session.shownByALogin() == ["login"], "with the provider of the last login")
    }

    /// The service logs every viewer in, for a minute at a time.
    @Test(.row("GA3")) func aDegradedLogin_isFollowedByTheNext_whenItsMinuteIsOver() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(
            .restV2, world: .demo { $0.degradation = .authenticateAll })
        #expect(await fixture.isLoggedInAfterAll(session))
    }

    /// The viewer has made another decision since the request was sent, so the answer is outdated.
    @Test func aLogin_stays_whenTheViewerChoosesWhileTheServiceIsAsked() async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        fixture.clock.advance(by: 60)
        let (answer, isFirst) = (Gate(), Guarded(true))
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.outcome, request), isFirst.taken() else { return nil }
            await answer.pass()
            return .response(status: 200, body: "{\"profiles\":{}}")
        }
        let before = fixture.count(of: .outcome)
        _ = await session.authenticationStatus()
        await answer.arrival()
        try await session.selectProvider("demo-cable")
        _ = log.take()
        answer.open()
        // The next request begins when the first one has ended.
        fixture.clock.advance(by: 60)
        #expect(
            await soon {
                _ = await session.authenticationStatus()
                return fixture.count(of: .outcome) > before + 1
            })
        #expect(log.count(of: "not: notAuthenticated") == 0)
        #expect(await session.isLoggedIn)
    }

    /// The choice still waits for the configuration, and is newer than the request about the login.
    @Test func aLogin_stays_whenTheViewersChoiceIsPendingWhileTheServiceIsAsked() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        await first.end()
        let (session, _) = try await fixture.session()
        await session.refreshTask?.value
        let (profile, configuration) = (Gate(), Gate())
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request) { await configuration.pass() }
            guard fixture.isAt(.outcome, request) else { return nil }
            await profile.pass()
            return ServiceDialect.restV2.noLogin
        }
        fixture.clock.advance(by: 60)
        _ = await session.authenticationStatus()
        await profile.arrival()
        let choice = Task { try await session.selectProvider("demo-fiber") }
        await configuration.arrival()
        profile.open()
        await session.refreshTask?.value
        #expect(fixture.isLoginStored)
        configuration.open()
        _ = try await choice.value
    }

    @Test func aSharedLogin_stays_whenTheAppHasNotSaidYetWhoTheViewerIs() async throws {
        let fixture = try await FlowFixture(.restV2)
        let claims = Data("{\"sub\":\"viewer-7\"}".utf8).base64EncodedString().replacing("=", with: "")
        let options = ClientOptions(serviceToken: "e30.\(claims).c2ln")
        let (session, _) = try await fixture.session { $0.options = { options } }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let (other, _) = try await fixture.session(device: "device-2") { $0.options = { options } }
        #expect(await other.isLoggedIn)
        let (late, _) = try await fixture.session(device: "device-2")
        #expect(await fixture.isLoggedInAfterAll(late))
    }

    @Test func classicTokens_stay_whateverTheClockSays() async throws {
        let fixture = try await FlowFixture(.restV2)
        try await fixture.session(.classic).0.authenticate(using: ViewerWhoLogsIn())
        let ahead = ManualClock(fixture.clock.now.addingTimeInterval(10 * 365 * 86_400), shortWait: .seconds(3))
        _ = try await fixture.session { $0.clock = ahead.sessionClock }
        #expect(fixture.isLoginStored)
    }

    @Test(arguments: [-7_200.0, 1_860, 86_400])
    func logsInAndPlays_withAWrongClock(skew: Double) async throws {
        let fixture = try await FlowFixture(.restV2)
        let device = ManualClock(fixture.clock.now.addingTimeInterval(skew), shortWait: .seconds(3))
        let (session, _) = try await fixture.session { $0.clock = device.sessionClock }
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = try await session.authorize("DEMO-1")
        let (degraded, _) = try await FlowFixture(.restV2, world: .demo { $0.degradation = .authenticateAll })
            .session { $0.clock = device.sessionClock }
        try await degraded.authenticate(using: ViewerWhoLogsIn())
        _ = try await degraded.authorize("DEMO-1")
    }

    @Test(.row("REST API v2, 9.2")) func aLoginThatIsFinishedLate_isFound() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        let first = Guarded(true)
        fixture.transport.setScript { request, _ in
            guard fixture.isAt(.outcome, request), first.taken() else { return nil }
            return ServiceDialect.restV2.noLogin
        }
        // The browser is back before the profile is there.
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(await session.isLoggedIn)
    }
}
