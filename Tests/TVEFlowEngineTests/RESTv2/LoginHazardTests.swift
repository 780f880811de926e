import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import Testing

@testable import TVEFlowEngine

/// Logins that must not be lost, and those that must not come back, where the service keeps them too.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct LoginHazardTests {
    private func isLoggedIn(_ session: EntitlementSession) async -> Bool {
        if case .authenticated = await session.authenticationStatus() { return true }
        return false
    }

    /// Asks who is logged in, waits until the service has been asked as well, and asks again.
    private func isLoggedInAfterAll(_ session: EntitlementSession, _ fixture: FlowFixture) async -> Bool {
        // A question that still runs would be dated by the clock below.
        await session.keptLoginsTask?.value
        let before = await session.keptLoginsMachine.lastAsked
        fixture.clock.advance(by: 60)
        _ = await session.authenticationStatus()
        while await session.keptLoginsMachine.lastAsked == before, !Task.isCancelled { await Task.yield() }
        await session.keptLoginsTask?.value
        return await isLoggedIn(session)
    }

    private func fail(_ path: String, _ fixture: FlowFixture) {
        fixture.answer(path, .failure(.unreachable))
    }

    // MARK: - That must stay

    @Test func aLoginOfThePlatform_stays_afterTheOneBeforeItWasEnded() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let (session, _) = try await fixture.session { $0.platform = platform }
        #expect(await isLoggedIn(session))
        platform.change { $0.picker = .success("apple-cable") }
        fixture.transport.setScript { request, _ in
            fixture.isAt(.authorization, request) && fixture.count(of: .authorization) == 1
                ? ServiceDialect.restV2.endedLogin : nil
        }
        _ = try await session.authorize("DEMO-1", using: ViewerAtHome())
        #expect(await isLoggedInAfterAll(session, fixture))
    }

    @Test func aNewLogin_stays_whenTheOldOneIsFoundMissingMeanwhile() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.outcome, request) else { return nil }
            fixture.transport.setInterception { _, _ in nil }
            // The forced login has ended the old one at the service; the copy does not know.
            fixture.answer(.authorization, ServiceDialect.restV2.endedLogin)
            _ = try? await session.authorize("DEMO-1")
            fixture.transport.setInterception { _, _ in nil }
            return nil
        }
        try await session.authenticate(using: ViewerAtHome(), isForced: true)
        #expect(await isLoggedInAfterAll(session, fixture))
    }

    @Test func aGoodLogin_stays_whenItsProviderIsDegradedMeanwhile() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        let kept = fixture.storage.value(for: fixture.login.appending("authn"))
        let now = Int(fixture.clock.now.timeIntervalSince1970) * 1_000
        fixture.answer(
            .outcome,
            .response(
                status: 200,
                body:
                    "{\"profiles\":{\"demo-cable\":{\"notBefore\":\(now),\"notAfter\":\(now + 120_000),\"issuer\":\"Adobe\","
                    + "\"type\":\"degraded\",\"attributes\":{}}}}"))
        #expect(await isLoggedInAfterAll(session, fixture))
        #expect(fixture.storage.value(for: fixture.login.appending("authn")) == kept)
    }

    @Test func aSharedLogin_stays_whenTheAppHasNotSaidYetWhoTheViewerIs() async throws {
        let fixture = try await FlowFixture(.restV2)
        let claims = Data("{\"sub\":\"viewer-7\"}".utf8).base64EncodedString().replacing("=", with: "")
        let options = ClientOptions(serviceToken: "e30.\(claims).c2ln")
        let (session, _) = try await fixture.session { $0.options = { options } }
        try await session.authenticate(using: ViewerAtHome())
        let (other, _) = try await fixture.session(device: "device-2") { $0.options = { options } }
        #expect(await isLoggedIn(other))
        let (late, _) = try await fixture.session(device: "device-2")
        #expect(await isLoggedInAfterAll(late, fixture))
    }

    @Test func classicTokens_stay_whateverTheClockSays() async throws {
        let fixture = try await FlowFixture(.restV2)
        try await fixture.session(.classic).0.authenticate(using: ViewerAtHome())
        let ahead = ManualClock(fixture.clock.now.addingTimeInterval(10 * 365 * 86_400), shortWait: .seconds(3))
        _ = try await fixture.session { $0.clock = ahead.sessionClock }
        #expect(fixture.isLoginStored)
    }

    @Test(arguments: [-7_200.0, 1_860, 86_400])
    func logsInAndPlays_withAWrongClock(skew: Double) async throws {
        let fixture = try await FlowFixture(.restV2)
        let device = ManualClock(fixture.clock.now.addingTimeInterval(skew), shortWait: .seconds(3))
        let (session, _) = try await fixture.session { $0.clock = device.sessionClock }
        try await session.authenticate(using: ViewerAtHome())
        _ = try await session.authorize("DEMO-1")
        let (degraded, _) = try await FlowFixture(.restV2, world: .demo { $0.degradation = .authenticateAll })
            .session { $0.clock = device.sessionClock }
        try await degraded.authenticate(using: ViewerAtHome())
        _ = try await degraded.authorize("DEMO-1")
    }

    @Test func aLoginThatIsFinishedLate_isFound() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session()
        let first = Guarded(true)
        fixture.transport.setScript { request, _ in
            guard fixture.isAt(.outcome, request),
                first.withLock({ was in
                    defer { was = false }; return was
                })
            else {
                return nil
            }
            return ServiceDialect.restV2.noLogin
        }
        // The browser is back before the profile is there.
        try await session.authenticate(using: ViewerAtHome())
        #expect(await isLoggedIn(session))
    }

    // MARK: - That must not come back

    @Test func aLoginThatTheServiceWasNotToldAbout_opensNoDoor_whenTheViewerChoosesAgain() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        fail("/logout/", fixture)
        try await session.logout(using: ViewerAtHome())
        let viewer = ViewerAtHome()
        await #expect(throws: TVEError.self) { try await session.authenticate(using: viewer) }
        #expect(!fixture.isLoginStored)
        fixture.transport.setScript { _, _ in nil }
        try await session.authenticate(using: viewer)
        #expect(viewer.shown.last == "login")
        #expect(await isLoggedInAfterAll(session, fixture))
    }

    @Test(arguments: ["invalid_header_device_info", "invalid_integration", "internal_server_error"])
    func aRefusedLogout_isTriedAgain(code: String) async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        fixture.answer("/logout/", ServiceDialect.refusal(code, status: 400, action: "none"))
        try await session.logout(using: ViewerAtHome())
        let (again, _) = try await fixture.session()
        #expect(await !isLoggedIn(again))
        fixture.transport.setScript { _, _ in nil }
        #expect(await !isLoggedInAfterAll(again, fixture))
        #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty)
    }

    @Test func aLoginThatTheDeviceDidNotKnow_goesToo_onceTheServiceCanBeTold() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session()
        for provider in ["demo-cable", "demo-fiber"] {
            try await session.selectProvider(provider)
            try await session.authenticate(using: ViewerAtHome())
        }
        // The copy of the first is lost.
        fixture.storage.apply([.removeAll(under: fixture.login)])
        fail("/api/v2/", fixture)
        try await session.logout(using: ViewerAtHome())
        fixture.transport.setScript { _, _ in nil }
        let (again, _) = try await fixture.session()
        #expect(await !isLoggedIn(again))
        #expect(await !isLoggedInAfterAll(again, fixture))
    }

    @Test func aLogoutOverTheClassicDialect_holdsOverThisOne() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        let (classic, _) = try await fixture.session(.classic, requestor: "DEMO2")
        try await classic.logout()
        #expect(await !isLoggedIn(session))
        #expect(await !isLoggedInAfterAll(session, fixture))
    }

    @Test func anEndedLogin_doesNotBringAnotherProvidersLogin() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session()
        for provider in ["demo-fiber", "demo-cable"] {
            try await session.selectProvider(provider)
            try await session.authenticate(using: ViewerAtHome())
        }
        fixture.answer(.authorization, ServiceDialect.restV2.endedLogin)
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        fixture.transport.setScript { _, _ in nil }
        #expect(await !isLoggedInAfterAll(session, fixture))
        // Nobody asked for a logout.
        #expect(!fixture.transport.requests.contains { $0.contains("/logout/") })
        let viewer = ViewerAtHome()
        try await session.authenticate(using: viewer)
        #expect(viewer.shown == ["login"], "with the same provider, and anew")
    }

    @Test func aChoiceThatIsTakenBack_counts_whileTheServiceIsAsked() async throws {
        let fixture = try await FlowFixture(.restV2)
        _ = try await fixture.loggedIn()
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        let (session, _) = try await fixture.session(started: false)
        fixture.transport.setInterception { request, _ in
            if request.path?.hasSuffix("/profiles") == true { try? await session.selectProvider(nil) }
            return nil
        }
        try await session.start()
        #expect(await !isLoggedIn(session))
    }

    @Test func aClassicLogin_doesNotSettle_whatTheServiceWasNotTold() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        let (classic, _) = try await fixture.session(.classic)
        try await classic.logout()
        try await classic.authenticate(using: ViewerAtHome())
        try await classic.logout()
        #expect(await !isLoggedInAfterAll(session, fixture))
    }

    /// A login that only the service knows, ended here while the service could not be told.
    private func withUnknownLogin() async throws -> FlowFixture {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        fixture.transport.setScript { request, _ in
            let path = request.path ?? ""
            return path.contains("/logout/") || path.contains("/profiles") ? .failure(.unreachable) : nil
        }
        try await session.logout()
        return fixture
    }

    @Test func aPageOfAnotherProvider_thatWasAbandoned_bringsNoLoginBack() async throws {
        let fixture = try await withUnknownLogin()
        let (session, _) = try await fixture.session()
        try await session.selectProvider("demo-fiber")
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authenticate(using: ViewerAtHome(viewer: nil))
        }
        // Profiles can be had again, and the service can still not be told.
        fixture.answer("/logout/", .failure(.unreachable))
        let (again, _) = try await fixture.session()
        #expect(await !isLoggedIn(again))
    }

    @Test func aLoginWithAnotherProvider_staysAndEndsNoNote() async throws {
        let fixture = try await withUnknownLogin()
        fixture.answer("/logout/", .failure(.unreachable))
        let (session, _) = try await fixture.session()
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerAtHome())
        #expect(await isLoggedIn(session))
        // Once the service can be told, the old login goes and the new one stays.
        fixture.transport.setScript { _, _ in nil }
        let (again, _) = try await fixture.session()
        #expect(await isLoggedInAfterAll(again, fixture))
        #expect(try await again.selectedProvider()?.id == "demo-fiber")
        #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty)
        try await again.selectProvider(nil)
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        let (last, _) = try await fixture.session()
        #expect(try await last.selectedProvider()?.id == "demo-fiber", "The service keeps no other.")
    }

    // What another process on the same store did while the service was asked.
    @Test func anAnswerAboutTheTimeBefore_doesNotCount() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        let (other, _) = try await fixture.session()
        // It asks for itself when it starts.
        while await other.keptLoginsMachine.lastAsked == nil, !Task.isCancelled { await Task.yield() }
        await other.keptLoginsTask?.value
        fixture.transport.setInterception { request, _ in
            guard request.path?.hasSuffix("/profiles/demo-cable") == true else { return nil }
            fixture.transport.setInterception { _, _ in nil }
            fixture.clock.advance(by: 1)
            _ = try? await other.authenticate(using: ViewerAtHome(), isForced: true)
            return ServiceDialect.restV2.noLogin
        }
        #expect(await isLoggedInAfterAll(session, fixture), "the login of the other process stays")
        fixture.transport.setInterception { request, _ in
            guard request.path?.hasSuffix("/profiles/demo-cable") == true else { return nil }
            fixture.transport.setInterception { _, _ in nil }
            try? await other.logout()
            let now = Int(fixture.clock.now.timeIntervalSince1970) * 1_000
            return .response(
                status: 200,
                body:
                    "{\"profiles\":{\"demo-cable\":{\"notBefore\":\(now),\"notAfter\":\(now + 9_000_000),\"issuer\":\"m\","
                    + "\"type\":\"regular\",\"attributes\":{}}}}")
        }
        #expect(await !isLoggedInAfterAll(session, fixture), "and so does its logout")
    }

    @Test func aLoginThatIsFinishedAfterARelaunch_isNotTakenForTheOldOne() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        fail("/logout/", fixture)
        try await session.logout(using: ViewerAtHome())
        fixture.transport.setScript { _, _ in nil }
        let pages = AsyncStream<BrowserPage>.makeStream()
        let login = Task { try await session.authenticate(using: ViewerWhoLeaves(pages: pages.continuation)) }
        let page = try #require(await pages.stream.first { _ in true })
        var browser = HeadlessBrowser()
        _ = await browser.open(page.url, endingAt: page.redirectURL, as: .logsIn(name: "viewer", password: "secret"))
        // The process ends here, and the next one finds the login.
        login.cancel()
        _ = try? await login.value
        let (next, _) = try await fixture.session()
        #expect(await isLoggedInAfterAll(next, fixture))
    }

    // MARK: - In the right order

    @Test func goesOnAfterFiveSeconds_whenTheServiceIsNotToldInTime() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        let viewer = ViewerAtHome()
        fixture.transport.setInterception { request, _ in
            guard request.path?.contains("/logout/") == true, !viewer.shown.contains("picker: demo-cable demo-fiber")
            else {
                return nil
            }
            let (never, _) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            return .failure(.cancelled)
        }
        let logout = Task { try await session.logout(using: viewer) }
        while fixture.transport.requests.last?.contains("/logout/") != true, !Task.isCancelled { await Task.yield() }
        let login = Task { try await session.authenticate(using: viewer) }
        while fixture.clock.sleepers < 2, !Task.isCancelled { await Task.yield() }
        fixture.clock.advance(by: 5)
        _ = try await login.value
        _ = try? await logout.value
        #expect(viewer.shown == ["picker: demo-cable demo-fiber", "login"])
    }

    @Test func answersAllQuestionsAboutTheViewer_anew_afterAnAuthorization() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        _ = try await session.authorize("DEMO-1")
        fixture.answer(.outcome, .rewritten { $0.replacing("\"12345\"", with: "\"54321\"") })
        let answers = await withTaskGroup(of: MetadataValue?.self) { group in
            for _ in 0..<3 { group.addTask { try? await session.metadata(.user("zip"))?.value } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: .array([.string("54321")]), count: 3))
    }

    @Test func asksNoOftenerThanEveryHalfMinute_whatTheServiceDoesNotAnswer() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        _ = try await session.authorize("DEMO-1")
        fail("/profiles", fixture)
        for _ in 0..<5 { #expect(try await session.metadata(.user("zip"))?.value == .array([.string("12345")])) }
        #expect(fixture.count(of: .outcome) <= 1 + 2)
    }

    @Test func opensTheLogoutPage_evenWhenALoginFollowsAtOnce() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.loggedIn()
        let viewer = ViewerAtHome()
        let arrived = AsyncStream<Void>.makeStream()
        let gate = AsyncStream<Void>.makeStream()
        fixture.transport.setInterception { request, _ in
            guard request.path?.contains("/logout/") == true else { return nil }
            arrived.continuation.yield()
            for await _ in gate.stream { break }
            return nil
        }
        let logout = Task { try await session.logout(using: viewer) }
        _ = await arrived.stream.first { _ in true }
        let login = Task { try await session.authenticate(using: viewer) }
        while fixture.clock.sleepers < 2, !Task.isCancelled { await Task.yield() }
        gate.continuation.finish()
        _ = try? await logout.value
        _ = try await login.value
        #expect(viewer.shown == ["logout", "picker: demo-cable demo-fiber", "login"])
    }

    @Test func saysThatItIsLoggedOut_beforeTheServiceHasAnswered() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, log) = try await fixture.loggedIn()
        let gate = AsyncStream<Void>.makeStream()
        fixture.transport.setInterception { request, _ in
            if request.path?.contains("/logout/") == true { for await _ in gate.stream { break } }
            return nil
        }
        let logout = Task { try await session.logout() }
        while log.count(of: "not: notAuthenticated") == 0, !Task.isCancelled { await Task.yield() }
        gate.continuation.finish()
        try await logout.value
        #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty)
    }

    @Test(arguments: [
        ServiceDialect.refusal("internal_server_error", status: 500, action: "none"),
        ServiceDialect.refusal("network_received_error", status: 403, action: "retry"),
    ])
    func aTelevision_goesOn_whenTheServiceFailsOnce(answer: ScriptedTransport.Answer) async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session { $0.loginStyle = .secondScreen }
        let viewer = ViewerAtHome()
        let login = Task { try await session.authenticate(using: viewer) }
        while viewer.shownCodes.isEmpty, !Task.isCancelled { await Task.yield() }
        fixture.answer(.outcome, answer)
        for _ in 0..<3 {
            let asked = fixture.count(of: .outcome)
            while fixture.clock.sleepers == 0, !Task.isCancelled { await Task.yield() }
            fixture.clock.advance(by: 5)
            while fixture.count(of: .outcome) == asked, !Task.isCancelled { await Task.yield() }
        }
        #expect(viewer.shownCodes.count == 1, "the code is still on the screen")
        login.cancel()
        _ = try? await login.value
    }
}

/// A viewer who is taken away while the page is open.
private struct ViewerWhoLeaves: AuthenticationPresenter {
    let pages: AsyncStream<BrowserPage>.Continuation

    func chooseProvider(among providers: [TVProvider]) async -> String? { "demo-cable" }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        pages.yield(page)
        let (never, _) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        return nil
    }

    func presentLogout(_ page: BrowserPage) async {}
}
