import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Logins after a forced one that has failed, when the service may no longer have the stored login.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct FailedForcedLoginTests {
    private static let wrong = HeadlessBrowser.Viewer.logsIn(name: "viewer", password: "wrong")

    /// A fixture and a session, whose viewer has left the page of a forced login.
    private func refused() async throws -> (FlowFixture, EntitlementSession) {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let viewer = ViewerWhoLogsIn(viewer: Self.wrong)
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authenticate(using: viewer, isForced: true)
        }
        #expect(viewer.shown == ["logout", "login"])
        return (fixture, session)
    }

    @Test(arguments: [false, true])
    func showsThePage_becauseTheServiceHasNoLogin(isOfNextProcess: Bool) async throws {
        let (fixture, first) = try await refused()
        #expect(fixture.isLoginStored)
        let session = try await isOfNextProcess ? fixture.session().0 : first
        #expect(try await session.shownByALogin().last == "login")
        #expect(try await session.authorize("DEMO-1").claims.resource == "DEMO-1")
        #expect(try await session.shownByALogin().isEmpty)
    }

    /// The classic services have no login that this one could have replaced.
    @Test func overTheClassicServices_usesTheStoredLogin() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.classic)
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authenticate(using: ViewerWhoLogsIn(viewer: nil), isForced: true)
        }
        #expect(try await session.shownByALogin().isEmpty)
        #expect(fixture.isLoginStored)
    }

    /// The old login was ended for the one of the platform, which the service then does not give.
    @Test func doubtsTheStoredLogin_alsoAfterAForcedLoginOfThePlatform() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2, world: .withPlatform())
        await first.end()
        let (session, _) = try await fixture.session {
            $0.platform = ScriptedPlatform(.init(picker: .success("apple-cable")))
        }
        fixture.fail("/sessions/sso/")
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authenticate(using: ViewerWhoLogsIn(choice: nil), isForced: true)
        }
        #expect(fixture.transport.requests.contains { $0.contains("/logout/demo-cable") })
        fixture.transport.setScript { _, _ in nil }
        #expect(try await session.authenticate(using: ViewerWhoLogsIn(choice: nil)).kind == .apple)
    }

    @Test func removesTheStoredLogin_ifTheViewerLeavesAgain() async throws {
        let (fixture, session) = try await refused()
        let viewer = ViewerWhoLogsIn(viewer: Self.wrong)
        await #expect(throws: TVEError(.providerNotSelected)) { try await session.authenticate(using: viewer) }
        #expect(viewer.shown.last == "login")
        #expect(await !session.isLoggedIn && !fixture.isLoginStored)
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
    }

    /// An outage says nothing about the viewer.
    @Test func usesTheStoredLogin_whileTheServiceDoesNotAnswer() async throws {
        let (fixture, session) = try await refused()
        fixture.fail("/profiles/demo-cable")
        #expect(try await session.shownByALogin().isEmpty)
        #expect(fixture.isLoginStored)
    }

    /// The viewer has finished the login on another device, with another account.
    @Test func takesTheLogin_thatTheViewerHasFinishedElsewhere() async throws {
        let (fixture, session) = try await refused()
        let copy = fixture.storage.value(for: fixture.login.appending("authn"))
        let attributes = #""userID":{"value":"another","state":"plain"}"#
        fixture.answer(.outcome, fixture.profile(attributes: attributes))
        #expect(try await session.shownByALogin().isEmpty)
        let taken = fixture.storage.value(for: fixture.login.appending("authn"))
        #expect(taken != nil && taken != copy)
    }

    /// Such a login lasts a minute or two, and has no account.
    @Test func keepsTheStoredLogin_whileTheProviderIsDegraded() async throws {
        let (fixture, session) = try await refused()
        let copy = fixture.storage.value(for: fixture.login.appending("authn"))
        fixture.answer(.outcome, fixture.profile("degraded", lasting: 120))
        #expect(try await session.shownByALogin().isEmpty)
        #expect(copy != nil && fixture.storage.value(for: fixture.login.appending("authn")) == copy)
    }

    /// The service has answered before it received the logout.
    @Test func storesNoConfirmedLogin_ifAnotherProcessLogsOutMeanwhile() async throws {
        let (fixture, session) = try await refused()
        let (answer, isFirst) = (Gate(), Guarded(true))
        let begun = fixture.profile()
        fixture.transport.setInterception { request, _ in
            guard request.path?.contains("/profiles/demo-cable") == true, isFirst.taken() else { return nil }
            await answer.pass()
            return begun
        }
        let login = Task { try await session.shownByALogin() }
        await answer.arrival()
        try await fixture.session().0.logout()
        answer.open()
        let shown = try await login.value
        #expect(shown.first == "picker: demo-cable demo-fiber" && shown.last == "login")
    }

    /// The forced login has failed before it could end the old one.
    @Test func usesTheStoredLogin_thatTheServiceStillHas() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(.code, .response(status: 500, body: ""))
        await #expect(throws: TVEError.self) {
            try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        }
        fixture.transport.setScript { _, _ in nil }
        let before = fixture.count(of: .outcome)
        #expect(try await session.shownByALogin().isEmpty)
        let asked = fixture.count(of: .outcome)
        #expect(asked > before)
        // The doubt is over.
        #expect(try await session.shownByALogin().isEmpty)
        #expect(fixture.count(of: .outcome) == asked)
    }

    /// Neither login needs to know whether the service still has the stored one.
    @Test(arguments: [false, true])
    func asksForNoLogin_beforeATempPassOrAForcedLogin(isForced: Bool) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2, world: .withTempPass())
        fixture.answer(.code, .response(status: 500, body: ""))
        await #expect(throws: TVEError.self) {
            try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        }
        fixture.transport.setScript { _, _ in nil }
        let before = fixture.transport.requests.count
        if isForced {
            try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        } else {
            try await session.selectProvider("TempPass")
        }
        let asked = fixture.transport.requests.dropFirst(before)
        #expect(asked.contains { $0.hasSuffix("/sessions") })
        #expect(!asked.prefix { !$0.hasSuffix("/sessions") }.contains { $0.contains("/profiles") })
    }

    /// The service names the page that ends the old login at the provider only once.
    @Test(arguments: [false, true])
    func leavesItsLogoutPage_toTheNextLogoutOrLogin(isLogout: Bool) async throws {
        let (_, session, _) = try await FlowFixture.loggedIn(.restV2)
        let waiting = ViewerWhoWaits()
        let login = Task { try await session.authenticate(using: waiting, isForced: true) }
        _ = await waiting.isAtPage.stream.first { _ in true }
        await login.cancelled()
        #expect(await session.hasUnopenedLogoutPage)
        let viewer = ViewerWhoLogsIn()
        if isLogout { try await session.logout(using: viewer) } else { try await session.authenticate(using: viewer) }
        #expect(viewer.shown.filter { !$0.hasPrefix("picker") } == (isLogout ? ["logout"] : ["logout", "login"]))
        #expect(await !session.hasUnopenedLogoutPage)
    }

    /// The viewer has finished the login in the browser, after the app had left it.
    @Test(arguments: [false, true])
    func forgetsItsLogoutPage_whenTheServiceHasANewLogin(isAsked: Bool) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let viewer = ViewerWhoWaits()
        let login = Task { try await session.authenticate(using: viewer, isForced: true) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        await login.cancelled()
        #expect(await session.hasUnopenedLogoutPage)
        fixture.storage.apply([.remove(fixture.login.appending("authn"))])
        fixture.answer(.outcome, fixture.profile())
        if isAsked {
            _ = try? await session.authorize("DEMO-1", as: "demo-cable")
        } else {
            #expect(await fixture.isLoggedInAfterAll(session) && fixture.isLoginStored)
        }
        #expect(await !session.hasUnopenedLogoutPage)
    }

    /// The app was ended at the page, so that no login has failed.
    @Test func showsThePage_afterTheProcessOfTheForcedLoginHasEnded() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        let viewer = ViewerAtThePage()
        let login = Task { try await first.authenticate(using: viewer, isForced: true) }
        await viewer.page.arrival()
        let (next, _) = try await fixture.session()
        #expect(try await next.shownByALogin().last == "login")
        #expect(await next.isLoggedIn)
        await login.cancelled()
    }
}

/// A viewer who stays at the login page.
private struct ViewerAtThePage: AuthenticationPresenter {
    let page = Gate()

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }
    func presentLogin(_ page: BrowserPage) async -> URL? {
        await self.page.pass()
        return nil
    }
    func presentLogout(_ page: BrowserPage) async {}
}
