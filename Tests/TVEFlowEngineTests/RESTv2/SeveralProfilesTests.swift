import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// Logins beside that of the viewer's choice.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct SeveralProfilesTests {
    private static let plus: Resource = "DEMO-PLUS"

    /// A session whose viewer is logged in with Demo Cable, where there is a TempPass as well.
    private func loggedIn(
        _ dialect: ServiceDialect = .restV2, _ access: SandboxWorld.Provider.TemporaryAccess = .init(seconds: 600)
    ) async throws -> (fixture: FlowFixture, session: EntitlementSession, log: EventLog) {
        let fixture = try await FlowFixture(dialect, world: .withTempPass(access))
        let (session, log) = try await fixture.loggedIn()
        return (fixture, session, log)
    }

    @Test(.row("CL12")) func listsTheProfileOfEachProvider_andChangesNothing() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withTempPass())
        let (session, _) = try await fixture.session()
        #expect(try await session.profiles() == [])
        for provider: MVPDID in ["demo-cable", "demo-fiber"] {
            try await session.selectProvider(provider)
            try await session.authenticate(using: ViewerWhoLogsIn())
            fixture.clock.advance(by: 60)
        }
        // The service's list has no TempPass; this one is stored.
        _ = try await session.authorize(Self.plus, as: "TempPass")
        let stored = fixture.storage.keys(under: StorageKey("requestor")).map { fixture.storage.value(for: $0) }
        let profiles = try await session.profiles()
        #expect(profiles.map(\.mvpdID) == ["demo-fiber", "demo-cable", "TempPass"])
        #expect(profiles.map(\.kind) == [.regular, .regular, .tempPass])
        #expect(try await session.profile(with: "demo-cable") == profiles[1])
        #expect(try await session.profile(with: "TempPass")?.kind == .tempPass)
        #expect(fixture.storage.keys(under: StorageKey("requestor")).map { fixture.storage.value(for: $0) } == stored)
        #expect(try await session.selectedProvider()?.id == "demo-fiber")
        // One request for all, and one for each question about one provider.
        #expect(fixture.transport.requests.suffix(3).allSatisfy { $0.contains("/profiles") })
    }

    /// One store serves both requestors, and a TempPass belongs to one of them.
    @Test func aTempPassOfAnotherRequestor_isNotListed() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withTempPass())
        let (session, _) = try await fixture.session()
        let (other, _) = try await fixture.session(requestor: "DEMO2")
        _ = try await other.authorize("DEMO-1", as: "TempPass")
        #expect(try await other.profiles().map(\.mvpdID) == ["TempPass"])
        #expect(try await session.profiles() == [])
    }

    @Test func aTempPassThatIsOver_isNotListed() async throws {
        let (fixture, session, _) = try await loggedIn()
        _ = try await session.authorize(Self.plus, as: "TempPass")
        #expect(try await session.profiles().map(\.mvpdID) == ["demo-cable", "TempPass"])
        fixture.clock.advance(by: 601)
        #expect(try await session.profiles().map(\.mvpdID) == ["demo-cable"])
    }

    /// The service has the login, and so has the store.
    @Test func aLoginOfThePlatform_isListedOnce() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let (session, _) = try await fixture.session {
            $0.platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        }
        #expect(try await session.profiles().map(\.kind) == [.apple])
    }

    @Test(.row("CL12")) func aLoginThatTheServiceHasEnded_isNotListed_evenIfItsCopyIsStillStored() async throws {
        let (fixture, session, _) = try await loggedIn()
        fixture.answer("/profiles", ServiceDialect.restV2.noLogin)
        #expect(try await session.profiles() == [])
        #expect(try await session.profile(with: "demo-cable") == nil)
        #expect(fixture.isLoginStored)
    }

    @Test(.row("CL12")) func aTempPassThatTheServiceHasEnded_isNoProfile_evenIfItsCopyIsStillStored() async throws {
        let (fixture, session, _) = try await loggedIn()
        _ = try await session.authorize(Self.plus, as: "TempPass")
        #expect(try await session.profile(with: "TempPass") != nil)
        fixture.answer("/profiles", ServiceDialect.restV2.noLogin)
        #expect(try await session.profile(with: "TempPass") == nil)
    }

    /// A TempPass has no viewer who could log in again, and no choice of one is needed.
    @Test(.row("CL12")) func aTempPassBesideALogin_isAskedForAgain_afterTheServiceEndedIt() async throws {
        let (fixture, session, _) = try await loggedIn()
        _ = try await session.authorize(Self.plus, as: "TempPass")
        fixture.answer("/decisions/authorize/TempPass", ServiceDialect.restV2.endedLogin)
        let other = Resource("DEMO-2")
        await #expect(throws: TVEError.self) { try await session.authorize(other, as: "TempPass") }
        fixture.transport.setScript { _, _ in nil }
        #expect(try await session.authorize(other, as: "TempPass").claims.mvpdID == "TempPass")
        #expect(try await session.selectedProvider()?.id == "demo-cable")
    }

    @Test(.row("CL12")) func aPreauthorization_isMadeWithAnotherLogin() async throws {
        let (fixture, session, _) = try await loggedIn()
        #expect(try await session.preauthorize([Self.plus]).map(\.isAuthorized) == [false])
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        let before = fixture.count(of: .preauthorization)
        #expect(try await session.preauthorize([Self.plus], as: "demo-cable").map(\.isAuthorized) == [false])
        #expect(fixture.transport.requests.last?.contains("/decisions/preauthorize/demo-cable") == true)
        #expect(fixture.count(of: .preauthorization) == before + 1)
        #expect(try await session.selectedProvider()?.id == "demo-fiber")
        await #expect(throws: TVEError(.notAuthenticated)) {
            try await session.logout(of: "demo-cable")
            return try await session.preauthorize([Self.plus], as: "demo-cable")
        }
        await #expect(throws: TVEError(.unknownProvider)) { try await session.preauthorize(["R"], as: "nobody") }
    }

    /// A logout of one provider ends only the login with this provider.
    @Test(.row("CL19"), arguments: ["demo-cable", "demo-fiber"] as [MVPDID], [true, false])
    func aLogoutOfOneProvider_endsNoOtherLogin(ended: MVPDID, isReceived: Bool) async throws {
        let (fixture, session, log) = try await loggedIn()
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        let other: MVPDID = ended == "demo-cable" ? "demo-fiber" : "demo-cable"
        if !isReceived { fixture.answer("/logout/", .failure(.unreachable)) }
        _ = log.take()
        let viewer = ViewerWhoLogsIn()
        try await session.logout(of: ended, using: viewer)
        // Only the viewer's own login is reported.
        #expect(log.take().contains("not: notAuthenticated") == (ended == "demo-fiber"))
        #expect(viewer.shown == (isReceived ? ["logout"] : []))
        #expect(await session.isLoggedIn == (ended == "demo-cable"))
        #expect(try await session.selectedProvider()?.id == "demo-fiber")
        _ = try await session.authorize("DEMO-1", as: other)
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1", as: ended) }
        fixture.transport.setScript { _, _ in nil }
        #expect(try await session.profiles().map(\.mvpdID) == [other])
        let (again, _) = try await fixture.session()
        #expect(try await again.profiles().map(\.mvpdID) == [other])
        #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty)
    }

    @Test(.row("CL19"), arguments: ["demo-cable", "demo-fiber"] as [MVPDID])
    func aLogoutOfOneProvider_endsTheRunningLoginWithIt_andNoOther(ended: MVPDID) async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        try await session.selectProvider("demo-cable")
        let viewer = ViewerWhoWaits()
        let login = Task { try await session.authenticate(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        try await session.logout(of: ended)
        #expect(await session.hasRunningLogin == (ended == "demo-fiber"))
        login.cancel()
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
        #expect(!fixture.isLoginStored)
    }

    /// The page of the viewer's own logout is still open when the other one begins.
    @Test(.row("CL19")) func aLogoutIsReported_whenThatOfASecondProviderTakesItsPlace() async throws {
        let (_, session, log) = try await loggedIn()
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = log.take()
        let viewer = ViewerWhoWaits()
        let first = Task { try await session.logout(of: "demo-fiber", using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        #expect(log.take() == [])
        try await session.logout(of: "demo-cable")
        try await first.value
        #expect(log.take() == ["authn false", "not: notAuthenticated"])
    }

    /// A viewer who is logged in with both providers, and chose Demo Fiber last.
    private func loggedInWithBoth() async throws -> (FlowFixture, EntitlementSession) {
        let (fixture, session, _) = try await loggedIn()
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        return (fixture, session)
    }

    /// The provider's cookie would otherwise log the same viewer in again.
    @Test(.row("CL19", "LO1")) func aLogoutOfAllProviders_opensThePageOfEach_thatOfTheChosenOneFirst() async throws {
        let (fixture, session) = try await loggedInWithBoth()
        let viewer = ViewerWithPages()
        try await session.logout(using: viewer)
        #expect(viewer.logouts.map(\.providerOfLogout) == ["demo-fiber", "demo-cable"])
        #expect(await !session.hasUnopenedLogoutPage)
        #expect(fixture.transport.requests.count { $0.contains("/logout/") } == 2)
    }

    /// Neither a TempPass nor a choice that was taken back has a page.
    @Test(.row("CL19", "LO1"), arguments: ["TempPass", nil] as [MVPDID?])
    func aLogoutOfAllProviders_opensThePageOfALogin_besideTheViewersChoice(choice: MVPDID?) async throws {
        let (_, session, log) = try await loggedIn()
        try await session.selectProvider(choice)
        _ = log.take()
        let viewer = ViewerWithPages()
        try await session.logout(using: viewer)
        #expect(viewer.logouts.map(\.providerOfLogout) == ["demo-cable"])
        #expect(log.take() == ["authn false", "not: notAuthenticated"])
    }

    /// Without an answer, the service names no page at the logout.
    @Test(.row("CL19", "LO10"), arguments: [true, false])
    func thePageOfALogout_thatIsReceivedLater_opensAtTheNextLoginOrLogout(isLogin: Bool) async throws {
        let (fixture, session, _) = try await loggedIn()
        fixture.fail("/logout/")
        try await session.logout(using: ViewerWhoLogsIn())
        fixture.transport.setScript { _, _ in nil }
        #expect(try await session.profiles().isEmpty)
        #expect(await !session.hasPendingLogout)
        let viewer = ViewerWhoLogsIn()
        if isLogin { try await session.authenticate(using: viewer) } else { try await session.logout(using: viewer) }
        #expect(viewer.shown.filter { !$0.hasPrefix("picker") } == (isLogin ? ["logout", "login"] : ["logout"]))
        #expect(await !session.hasUnopenedLogoutPage)
    }

    /// The first logout is at its page, and has not ended the login with the other provider.
    @Test(.row("CL19", "LO10")) func aLogoutOfAllProviders_isSent_whileThePageOfAnotherLogoutIsOpen() async throws {
        let (_, session) = try await loggedInWithBoth()
        let waiting = ViewerWhoWaits()
        let first = Task { try await session.logout(of: "demo-fiber", using: waiting) }
        _ = await waiting.isAtPage.stream.first { _ in true }
        let viewer = ViewerWithPages()
        try await session.logout(using: viewer)
        try await first.value
        #expect(viewer.logouts.map(\.providerOfLogout) == ["demo-cable"])
        #expect(await !session.hasPendingLogout)
    }

    @Test(.row("CL19", "LO1")) func aLogoutWithoutAPresenter_leavesNoPageForLater() async throws {
        let (fixture, session) = try await loggedInWithBoth()
        try await session.logout(using: nil)
        #expect(fixture.transport.requests.count { $0.contains("/logout/") } == 2)
        #expect(await !session.hasUnopenedLogoutPage)
    }

    /// The viewer takes more than a minute for both pages together.
    @Test(.row("CL19", "LO8")) func eachPageOfALogout_hasAMinuteOfItsOwn() async throws {
        let (fixture, session) = try await loggedInWithBoth()
        let viewer = ViewerAtEachLogoutPage()
        let logout = Task { try await session.logout(using: viewer) }
        await viewer.pages[0].arrival()
        fixture.clock.advance(by: 40)
        viewer.pages[0].open()
        await viewer.pages[1].arrival()
        fixture.clock.advance(by: 40)
        viewer.pages[1].open()
        try await logout.value
        #expect(viewer.finished.withLock(\.self) == 2)
    }

    /// A page of another login would open over the one at which the viewer is.
    @Test(.row("CL19", "LO9")) func aLogoutOfOneProvider_opensNoPageOfAnother_whileTheViewerLogsIn() async throws {
        let (_, session) = try await loggedInWithBoth()
        try await session.selectProvider("demo-cable")
        let viewer = ViewerAtLogoutPages()
        let login = Task { try await session.authenticate(using: viewer, isForced: true) }
        await viewer.page.arrival()
        let leaving = ViewerWithPages()
        try await session.logout(of: "demo-fiber", using: leaving)
        #expect(leaving.logouts.map(\.providerOfLogout) == ["demo-fiber"])
        viewer.page.open()
        _ = try? await login.value
    }

    /// The login with the other provider, whose page has not opened, opens it itself.
    @Test(.row("CL19", "LO9")) func aLogoutOpensNoSecondPage_onceALoginWaitsForTheFirst() async throws {
        let (fixture, _) = try await loggedInWithBoth()
        // No time passes by itself, so the login waits for the logout until the page ends.
        let clock = ManualClock(fixture.clock.now)
        let waits = Guarded(false)
        let (session, _) = try await fixture.session { environment in
            environment.clock = clock.sessionClock
            environment.clock.sleep = { [sleep = environment.clock.sleep] duration in
                // This is the time for which a login waits for the page of a logout that is open.
                if duration < .milliseconds(100) { waits.withLock { $0 = true } }
                try await sleep(duration)
            }
        }
        let (leaving, viewer) = (ViewerAtLogoutPages(), ViewerWhoLogsIn())
        let logout = Task { try await session.logout(using: leaving) }
        await leaving.page.arrival()
        let login = Task { try await session.authenticate(using: viewer) }
        #expect(await soon { waits.withLock(\.self) })
        leaving.page.open()
        try await logout.value
        // The requests of the login keep their pace, and the sandbox counts them by its own clock.
        let time = Task {
            while !Task.isCancelled {
                fixture.clock.advance(by: 0.1)
                clock.advance(by: 0.1)
                await Task.shortPause()
            }
        }
        defer { time.cancel() }
        #expect(try await login.value.mvpdID == "demo-cable")
        #expect(leaving.count.withLock(\.self) == 1)
        #expect(viewer.shown.suffix(2) == ["logout", "login"])
    }

    @Test func aPermission_endsWithTheLogoutOfItsProvider_andOthersGoOn() async throws {
        let (fixture, session, _) = try await loggedIn()
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.authorization, request) { await answer.pass() }
            return nil
        }
        let cable = Task { try await session.authorize("DEMO-1", as: "demo-cable") }
        await answer.arrival()
        let fiber = Task { try await session.authorize("DEMO-1") }
        await answer.arrival()
        try await session.logout(of: "demo-cable")
        await #expect(throws: TVEError(.notAuthenticated)) { try await cable.value }
        answer.open()
        #expect(try await fiber.value.claims.mvpdID == "demo-fiber")
    }

    /// The viewer has chosen another provider since the play began.
    @Test(arguments: ["demo-cable", "demo-fiber"] as [MVPDID])
    func aPermission_endsWithTheLogoutOfTheProviderThatItUses_alsoAfterAnotherChoice(ended: MVPDID) async throws {
        let (fixture, session, _) = try await loggedIn()
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        let (answer, isAnswered) = (Gate(), Guarded(false))
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.authorization, request) { await answer.pass() }
            return nil
        }
        let play = Task {
            defer { isAnswered.withLock { $0 = true } }
            return try await session.authorize("DEMO-1")
        }
        await answer.arrival()
        try await session.selectProvider("demo-cable")
        try await session.logout(of: ended)
        if ended == "demo-fiber" { #expect(await soon { isAnswered.withLock(\.self) }) }
        answer.open()
        let token = try? await play.value
        #expect((token?.claims.mvpdID == "demo-fiber") == (ended == "demo-cable"))
    }

    @Test(arguments: ["demo-cable", "demo-fiber"] as [MVPDID])
    func overTheClassicServices_theOneLoginEnds_ifItIsWithThisProvider(ended: MVPDID) async throws {
        let (_, session, _) = try await loggedIn(.classic)
        let viewer = ViewerWhoLogsIn()
        try await session.logout(of: ended, using: viewer)
        #expect(await session.isLoggedIn == (ended == "demo-fiber"))
        #expect(viewer.shown == (ended == "demo-cable" ? ["logout"] : []))
    }

    @Test func aProfile_saysWhoVouchesForIt() async throws {
        let (_, session, _) = try await loggedIn()
        #expect(await session.profile?.issuer == "demo-cable")
        #expect(try await session.profiles().map(\.issuer) == ["demo-cable"])
        #expect(try await session.profile(with: "TempPass")?.issuer == "Adobe")
        let (_, classic, _) = try await loggedIn(.classic)
        #expect(await classic.profile?.issuer == nil)
    }

    @Test(.row("CL12", "CL4")) func aTempPass_isUsedBesideALogin() async throws {
        let (fixture, session, log) = try await loggedIn()
        let login = fixture.storage.value(for: fixture.login.appending("authn"))
        #expect(try await session.preauthorize(["DEMO-1"]).map(\.isAuthorized) == [true])
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize(Self.plus) }
        _ = log.take()
        let asked = fixture.transport.requests.count
        let token = try await session.authorize(Self.plus, as: "TempPass")
        #expect(token.claims.mvpdID == "TempPass" && token.claims.resource == Self.plus)
        #expect(log.take() == ["Z011", "authz cached false"])
        #expect(
            fixture.transport.requests.dropFirst(asked).map { $0.prefix { $0 != "?" } } == [
                "GET /api/v2/DEMO/profiles/TempPass", "POST /api/v2/DEMO/decisions/authorize/TempPass",
            ], "no configuration, no second session")
        // The ordinary login is still the login.
        #expect(fixture.storage.value(for: fixture.login.appending("authn")) == login)
        #expect(try await session.selectedProvider()?.id == "demo-cable")
        #expect(await session.authenticationStatus().profile?.mvpdID == "demo-cable")
        #expect(try await session.authorize("DEMO-1").claims.mvpdID == "demo-cable")
        #expect(try await session.metadata(.authorizationExpiry(Self.plus)) == nil, "that is the TempPass's")
        // Its permit is still remembered, and the TempPass's copy is stored.
        let before = [fixture.count(of: .preauthorization), fixture.count(of: .outcome)]
        #expect(try await session.preauthorize(["DEMO-1"]).map(\.isAuthorized) == [true])
        _ = try await session.authorize(Self.plus, as: "TempPass")
        #expect([fixture.count(of: .preauthorization), fixture.count(of: .outcome)] == before)
        let (again, _) = try await fixture.session()
        #expect(try await again.selectedProvider()?.id == "demo-cable")
        _ = try await again.authorize(Self.plus, as: "TempPass")
        #expect(fixture.transport.requests.filter { $0.contains("/profiles/TempPass") }.count == 1)
    }

    @Test func aTempPassNeedsNoLogin_andIsNone() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withTempPass())
        let (session, log) = try await fixture.session()
        _ = try await session.authorize(Self.plus, as: "TempPass")
        #expect(await !session.isLoggedIn)
        #expect(!log.take().contains("authenticated"))
        #expect(try await session.selectedProvider() == nil)
    }

    @Test func aPromotionalTempPass_isAskedWithTheViewersID() async throws {
        let access = SandboxWorld.Provider.TemporaryAccess(seconds: 600, identityKey: "email", resourceLimit: 1)
        let (_, session, _) = try await loggedIn(.restV2, access)
        await #expect(throws: TVEError(.viewerIdentityMissing)) {
            try await session.authorize(Self.plus, as: "TempPass")
        }
        #expect(try await session.profile(with: "TempPass") == nil)
        let identity: [String: MetadataValue] = ["email": .string("0f0f")]
        #expect(try await session.authorize(Self.plus, as: "TempPass", data: identity).claims.mvpdID == "TempPass")
    }

    /// The service has no login of such a pass, and no copy of it is stored.
    @Test func aTempPassWithoutResources_isRefused_withTheServicesWords() async throws {
        let access = SandboxWorld.Provider.TemporaryAccess(seconds: 600, identityKey: "email", resourceLimit: 1)
        let (fixture, session, log) = try await loggedIn(.restV2, access)
        let identity: [String: MetadataValue] = ["email": .string("0f0f")]
        _ = try await session.authorize(Self.plus, as: "TempPass", data: identity)
        fixture.storage.apply(
            [.removeAll(under: StorageKey("requestor", "DEMO", fixture.fingerprint, "mvpd", "TempPass"))])
        _ = log.take()
        let error = await #expect(throws: TVEError(.temporaryAccessExpired)) {
            try await session.authorize("DEMO-1", as: "TempPass", data: identity)
        }
        #expect(error?.message == "The resources of the temporary pass are used up.")
        #expect(log.take() == ["N111", "authz temporaryAccessExpired"])
    }

    @Test func aTempPassThatIsOver_isSaid_andTheLoginStays() async throws {
        let (fixture, session, log) = try await loggedIn()
        _ = try await session.authorize(Self.plus, as: "TempPass")
        fixture.clock.advance(by: 601)
        _ = log.take()
        await #expect(throws: TVEError(.temporaryAccessExpired)) {
            try await session.authorize(Self.plus, as: "TempPass")
        }
        #expect(log.take() == ["N111", "authz temporaryAccessExpired"])
        await #expect(throws: TVEError(.temporaryAccessExpired)) { try await session.profile(with: "TempPass") }
        #expect(await session.isLoggedIn)
        _ = try await session.authorize("DEMO-1")
    }

    /// The service says so before the copy ends, and the viewer's own login has not changed.
    @Test func theEndOfATempPass_isNotTheEndOfTheLoginBesideIt() async throws {
        let (fixture, session, log) = try await loggedIn()
        _ = try await session.authorize(Self.plus, as: "TempPass")
        let code = "temporary_access_duration_limit_exceeded"
        fixture.answer(
            "/decisions/authorize/TempPass", ServiceDialect.refusal(code, status: 403, action: "authentication"))
        _ = log.take()
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize(Self.plus, as: "TempPass") }
        #expect(log.take() == ["Z100", "N111", "authz notAuthorized"])
        #expect(await session.isLoggedIn)
    }

    @Test func aLoginWithAnotherProvider_playsBesideTheChosenOne() async throws {
        let (fixture, session, log) = try await loggedIn()
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        // The copy is lost, and the service has the profile.
        fixture.storage.apply([.removeAll(under: fixture.login)])
        #expect(try await session.authorize("DEMO-1", as: "demo-cable").claims.mvpdID == "demo-cable")
        #expect(fixture.isLoginStored)
        // The service ends the login beside; the chosen one does not change.
        fixture.answer("/decisions/authorize/demo-cable", ServiceDialect.restV2.endedLogin)
        _ = log.take()
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1", as: "demo-cable") }
        #expect(log.take().filter { $0.hasPrefix("not") || $0.hasPrefix("authn") } == [])
        #expect(!fixture.isLoginStored)
        fixture.answer("/decisions/preauthorize/demo-cable", ServiceDialect.restV2.endedLogin)
        await #expect(throws: TVEError(.notAuthenticated)) {
            try await session.preauthorize(["DEMO-1"], as: "demo-cable")
        }
        #expect(log.take().filter { $0.hasPrefix("not") || $0.hasPrefix("authn") } == [])
        #expect(!fixture.isLoginStored)
        #expect(await session.authenticationStatus().profile?.mvpdID == "demo-fiber")
    }

    @Test func whereNobodyIsLoggedIn_thereIsNoPermission() async throws {
        let (fixture, session, _) = try await loggedIn()
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1", as: "demo-fiber") }
        #expect(try await session.profile(with: "demo-fiber") == nil)
        // After a pending logout, the login that the service still has is no longer valid.
        fixture.fail("/logout/")
        try await session.logout()
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1", as: "demo-cable") }
        #expect(try await session.profile(with: "demo-cable") == nil)
        #expect(try await session.profiles() == [])
        #expect(!fixture.isLoginStored)
    }

    @Test func theClassicDialect_hasOneLogin() async throws {
        let (fixture, session, _) = try await loggedIn(.classic)
        #expect(try await session.profiles().map(\.mvpdID) == ["demo-cable"])
        #expect(try await session.profile(with: "demo-cable")?.mvpdID == "demo-cable")
        #expect(try await session.profile(with: "TempPass") == nil)
        _ = try await session.authorize("DEMO-1", as: "demo-cable")
        let asked = fixture.transport.requests.count
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize(Self.plus, as: "TempPass") }
        // The viewer has left this login for another provider.
        try await session.selectProvider("demo-fiber")
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1", as: "demo-cable") }
        #expect(fixture.transport.requests.count == asked)
    }

    @Test(arguments: ServiceDialect.allCases)
    func aLoginThatEndsSoon_isReportedOnce(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let (session, log) = try await fixture.loggedIn()
        let profile = try #require(await session.authenticationStatus().profile)
        let notice = EntitlementSession.noticeOfLoginEnd / .seconds(1)
        fixture.clock.advance(by: profile.expires.timeIntervalSince(fixture.clock.now) - notice)
        #expect(await session.isLoggedIn)
        #expect(log.endingLogins.isEmpty, "not yet")
        fixture.clock.advance(by: 1)
        for _ in 0..<2 { #expect(await session.isLoggedIn) }
        _ = try? await session.authorize("DEMO-1")
        #expect(log.endingLogins == [profile])
        #expect(fixture.clock.sleepers == 0, "no timer runs for it")
        let (again, later) = try await fixture.session()
        #expect(await again.isLoggedIn)
        #expect(later.endingLogins == [profile], "each session says so")
    }
}

extension AuthenticationStatus {
    fileprivate var profile: Profile? { if case .authenticated(let profile) = self { profile } else { nil } }
}

extension BrowserPage {
    /// The provider of a logout page of the sandbox.
    fileprivate var providerOfLogout: String? {
        URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == "mso_id" }?.value
    }
}

/// A viewer whose logout pages end when the test says so.
private struct ViewerAtEachLogoutPage: AuthenticationPresenter {
    let pages = [Gate(), Gate()]
    /// The number of pages that the viewer has finished.
    let finished = Guarded(0)
    private let shown = Guarded(0)

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { nil }
    func presentLogin(_ page: BrowserPage) async -> URL? { nil }
    func presentLogout(_ page: BrowserPage) async {
        let number = shown.withLock { shown in
            defer { shown += 1 }
            return shown
        }
        await pages[number].pass()
        if !Task.isCancelled { finished.withLock { $0 += 1 } }
    }
}

private struct ViewerAtLogoutPages: AuthenticationPresenter {
    let page = Gate()
    /// The number of logout pages that were shown.
    let count = Guarded(0)

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { nil }
    func presentLogin(_ page: BrowserPage) async -> URL? { nil }
    func presentLogout(_ page: BrowserPage) async {
        count.withLock { $0 += 1 }
        await self.page.pass()
    }
}
