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

/// The copy of a login answers at once, and the service decides.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ProfileCopyTests {
    /// Waits for an event that comes by itself.
    private func wait(for word: String, _ log: EventLog) async {
        while log.count(of: word) == 0, !Task.isCancelled { await Task.shortPause() }
    }

    /// Ends the profiles of device-1 at the service, as another program on the device would.
    private func endProfiles(_ fixture: FlowFixture) async throws {
        fixture.clock.advance(by: 60)
        // The other session needs the same credentials, because profiles belong to them.
        let other = MemoryStorage()
        for key in fixture.storage.keys(under: StorageKey("registration")) {
            other.apply([.put(key, try #require(fixture.storage.value(for: key)))])
        }
        try await fixture.session { $0.storage = other }.0.logout()
    }

    @Test func answersAtOnce_andTakesItBack_whenTheServiceKnowsBetter() async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        try await endProfiles(fixture)
        #expect(await session.isLoggedIn, "the copy answers")
        await wait(for: "not: notAuthenticated", log)
        #expect(log.take() == ["authn cached true", "authenticated", "N000", "authn false", "not: notAuthenticated"])
        // After one login the next needs no picker.
        #expect(try await session.shownByALogin() == ["login"])
    }

    /// The answer that there is no login is the newest one, whatever a permission may have changed before.
    @Test(.row("CL10")) func metadata_needsNoOtherQuestion_onceTheServiceHasEndedTheLogin() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        try await endProfiles(fixture)
        #expect(await !fixture.isLoggedInAfterAll(session))
        let asked = fixture.transport.requests.count
        #expect(try await session.metadata(.user("zip")) == nil)
        await session.refreshTask?.value
        #expect(fixture.transport.requests.count == asked)
    }

    @Test(.row("B8.1")) func findsALogin_thatTheDeviceHasNoCopyOf() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        let (session, log) = try await fixture.session()
        #expect(log.take().isEmpty, "nobody asked")
        #expect(await session.isLoggedIn)
        #expect(try await session.metadata(.user("zip"))?.value == .array([.string("12345")]))
        _ = try await session.authorize("DEMO-1")
    }

    @Test(.row("CL12")) func picksTheLoginThatLastsLongest_whenThereAreSeveral() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        for provider: MVPDID in ["demo-cable", "demo-fiber"] {
            try await session.selectProvider(provider)
            try await session.authenticate(using: ViewerWhoLogsIn())
            fixture.clock.advance(by: 60)
        }
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        for _ in 0..<3 {
            let (again, _) = try await fixture.session()
            #expect(try await again.selectedProvider()?.id == "demo-fiber")
            fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        }
        // A provider that the viewer chose comes first, even if another login lasts longer.
        let (chosen, _) = try await fixture.session(started: false)
        fixture.transport.setScript { request, _ in
            request.path?.hasSuffix("/profiles") == true ? .failure(.unreachable) : nil
        }
        try await chosen.start()
        try await chosen.selectProvider("demo-cable")
        let (next, _) = try await fixture.session()
        #expect(try await next.selectedProvider()?.id == "demo-cable")
        #expect(await next.isLoggedIn)
    }

    @Test(arguments: [
        ScriptedTransport.Answer.failure(.unreachable), .response(status: 500, body: "<html>"),
        .response(status: 429, body: "<html>"), .response(status: 200, body: "garbage"),
        .response(status: 200, body: "{\"profiles\":{\"demo-cable\":{\"type\":\"regular\"}}}"),
        .response(status: 200, body: "{\"profiles\":[]}"),
        .response(status: 200, body: "{\"profiles\":{\"demo-fiber\":{\"notAfter\":1897832900000}}}"),
        // Only a TempPass has such a limit.
        ServiceDialect.refusal("temporary_access_duration_limit_exceeded", status: 403, action: "authentication"),
        .response(status: 200, body: "{\"profiles\":{\"demo-cable\":{\"notAfter\":0}}}"),
        .response(status: 200, body: "{\"profiles\":{\"demo-cable\":{\"notAfter\":1797832900}}}"),
    ])
    func staysLoggedIn_whenTheServiceDoesNotSayOtherwise(answer: ScriptedTransport.Answer) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer("/profiles", answer)
        fixture.clock.advance(by: 60)
        let asked = fixture.count(of: .outcome)
        #expect(await session.isLoggedIn)
        while fixture.count(of: .outcome) == asked, !Task.isCancelled { await Task.shortPause() }
        await session.refreshTask?.value
        let (again, _) = try await fixture.session()
        #expect(await again.isLoggedIn)
        #expect(try await again.selectedProvider()?.id == "demo-cable")
        #expect(log.take().filter { $0.hasPrefix("not") }.isEmpty)
    }

    /// The service says so with an error in place of profiles.
    @Test(
        .row("B8.1"),
        arguments: [
            "authenticated_profile_missing", "authenticated_profile_expired", "authenticated_profile_invalidated",
        ])
    func endsTheLogin_whenAnErrorSaysThatThereIsNone(code: String) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer("/profiles", ServiceDialect.refusal(code, status: 403, action: "authentication"))
        #expect(await !fixture.isLoggedInAfterAll(session))
        #expect(!fixture.isLoginStored)
        #expect(log.take().contains("not: notAuthenticated"))
        #expect(!fixture.transport.requests.contains { $0.contains("/logout/") })
    }

    @Test(.row("CL10")) func asksTheServiceNoOftenerThanEveryHalfMinute() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.clock.advance(by: 60)
        let asked = fixture.count(of: .outcome)
        _ = await session.authenticationStatus()
        while fixture.count(of: .outcome) == asked, !Task.isCancelled { await Task.shortPause() }
        for _ in 0..<50 { _ = await session.authenticationStatus() }
        // A second request would be on its way.
        await session.refreshTask?.value
        #expect(fixture.count(of: .outcome) == asked + 1)
    }

    // MARK: - Logout

    @Test func staysLoggedOut_whenTheServiceCouldNotBeTold() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.fail("/logout/")
        try await session.logout(using: ViewerWhoLogsIn())
        #expect(await !session.isLoggedIn)
        // The service still knows the login; a new start must not restore it.
        let (again, _) = try await fixture.session()
        #expect(await !again.isLoggedIn)
        // When the service can be told, this happens before the next login, which shows a page.
        fixture.transport.setScript { _, _ in nil }
        #expect(try await again.shownByALogin() == ["picker: demo-cable demo-fiber", "logout", "login"])
        // The next request also shows that the service keeps no other login, and nothing remains to be done.
        let (last, _) = try await fixture.session()
        while await last.lastRefresh == nil, !Task.isCancelled { await Task.shortPause() }
        await last.refreshTask?.value
        #expect(await last.isLoggedIn)
        #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty)
    }

    @Test func endsEveryLoginTheServiceKeeps() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        for provider: MVPDID in ["demo-cable", "demo-fiber"] {
            try await session.selectProvider(provider)
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        try await session.logout()
        let (again, _) = try await fixture.session()
        #expect(await !again.isLoggedIn)
        #expect(fixture.transport.requests.filter { $0.contains("/logout/") }.count == 2)
    }

    @Test func tellsTheServiceAboutOtherRequestors_whenTheyStart() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        let (second, _) = try await fixture.session(requestor: "DEMO2")
        try await second.authenticate(using: ViewerWhoLogsIn())
        try await first.logout()
        #expect(await !second.isLoggedIn)
        let (again, _) = try await fixture.session(requestor: "DEMO2")
        #expect(await !again.isLoggedIn)
        #expect(fixture.transport.requests.contains("GET /api/v2/DEMO2/logout/demo-cable"))
    }

    @Test(
        .row("LO7"),
        arguments: [
            """
            {"logouts":{"demo-cable":{"actionName":"complete",\
            "actionType":"none","mvpd":"demo-cable"}}}
            """,
            """
            {"logouts":{"demo-cable":{"actionName":"invalid",\
            "actionType":"none","mvpd":"demo-cable"}}}
            """,
            "{\"logouts\":{\"demo-cable\":{\"actionName\":\"later\",\"actionType\":\"x\",\"url\":\"/page\"}}}",
            "{\"logouts\":{}}",
            "{\"logouts\":{\"demo-cable\":{\"actionName\":\"logout\",\"url\":\"javascript:alert(1)\"}}}",
        ])
    func opensNoPage_whereThereIsNothingToOpen(body: String) async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer("/logout/", .response(status: 200, body: body))
        let viewer = ViewerWhoLogsIn()
        try await session.logout(using: viewer)
        #expect(viewer.shown.isEmpty)
        #expect(log.take() == ["authn false", "not: notAuthenticated"])
    }

    @Test func opensThePage_ofAnActionThatItDoesNotKnow_ifTheViewerMustAct() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let entry = "{\"actionName\":\"later\",\"actionType\":\"interactive\",\"url\":\"/page\"}"
        fixture.answer("/logout/", .response(status: 200, body: "{\"logouts\":{\"demo-cable\":\(entry)}}"))
        let viewer = ViewerWhoLogsIn()
        try await session.logout(using: viewer)
        #expect(viewer.shown == ["logout"])
    }

    /// The service has ended a login with another provider as well.
    @Test func opensThePages_thatOneAnswerNamesForSeveralProviders() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let entries = [("demo-cable", "/page"), ("demo-fiber", "/fiber")].map { id, page in
            #""\#(id)":{"actionName":"logout","actionType":"interactive","mvpd":"\#(id)","url":"\#(page)"}"#
        }
        fixture.answer(
            "/logout/", .response(status: 200, body: "{\"logouts\":{\(entries.joined(separator: ","))}}"))
        let viewer = ViewerWithPages()
        try await session.logout(using: viewer)
        #expect(viewer.logouts.map { $0.url.path() } == ["/page", "/fiber"])
    }

    // MARK: - From the classic dialect

    @Test(.row("T-62")) func readsAClassicStore_andAsksForOneTap() async throws {
        let fixture = try await FlowFixture(.restV2)
        try await fixture.session(.classic).0.authenticate(using: ViewerWhoLogsIn())
        let kept = try #require(fixture.storage.value(for: fixture.login.appending("authn")))
        let (session, _) = try await fixture.session()
        #expect(await !session.isLoggedIn, "a classic token is worth nothing here")
        #expect(try await session.selectedProvider()?.id == "demo-cable")
        #expect(fixture.storage.value(for: fixture.login.appending("authn")) == kept, "and stays readable")
        #expect(try await session.shownByALogin() == ["login"], "no picker")
        // The classic session then finds no usable login, but the same provider.
        let (back, _) = try await fixture.session(.classic)
        #expect(await !back.isLoggedIn)
        #expect(try await back.selectedProvider()?.id == "demo-cable")
    }

    /// Another app that uses the store may still need the token of its classic login.
    @Test(.row("T-62"), arguments: [false, true])
    func takesOverTheServicesLogin_onceAClassicTokenHasExpired(hasExpired: Bool) async throws {
        let fixture = try await FlowFixture(.restV2)
        try await fixture.session(.classic).0.authenticate(using: ViewerWhoLogsIn())
        let kept = try #require(fixture.storage.value(for: fixture.login.appending("authn")))
        if hasExpired { fixture.clock.advance(by: 2_592_000) }
        fixture.answer("/profiles", fixture.profile())
        let (session, _) = try await fixture.session()
        #expect(await fixture.isLoggedInAfterAll(session) == hasExpired)
        #expect((fixture.storage.value(for: fixture.login.appending("authn")) == kept) != hasExpired)
    }

    /// The classic services know nothing of the login that REST API v2 keeps.
    @Test(.row("LO10")) func aClassicLogout_leavesThePendingOneToTell() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.fail("/logout/")
        try await first.logout(of: "demo-cable")
        fixture.transport.setScript { _, _ in nil }
        let (classic, _) = try await fixture.session(.classic)
        let viewer = ViewerWhoLogsIn()
        try await classic.authenticate(using: viewer)
        try await classic.logout(of: "demo-cable", using: viewer)
        #expect(viewer.shown.last == "logout")
        #expect(try await !fixture.session().0.isLoggedIn)
        #expect(fixture.transport.requests.count { $0 == "GET /api/v2/DEMO/logout/demo-cable" } == 2)
    }

    @Test func checksAndRepairsAStore_ofBothDialects() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        fixture.fail("/logout/")
        let (other, _) = try await fixture.session(requestor: "DEMO2")
        try await other.authenticate(using: ViewerWhoLogsIn())
        let store = EntitlementStore(backend: fixture.storage, reader: .codec, fingerprint: "")
        #expect(store.check(.report).problems.isEmpty)
        try await other.logout()
        #expect(!fixture.storage.keys(under: StorageKey("logout")).isEmpty)
        #expect(store.check(.report).problems.isEmpty)
    }

    // MARK: - Logins without a viewer

    @Test func goesOn_whileAProviderIsDegraded_andItsMinuteIsOver() async throws {
        let (fixture, session, _) = try await FlowFixture.started(
            .restV2, world: .demo { $0.degradation = .authenticateAll })
        try await session.authenticate(using: ViewerWhoLogsIn())
        fixture.clock.advance(by: 300)
        // The copy has expired, and the service logs every viewer in again.
        _ = try await session.authorize("DEMO-1")
    }

    @Test func remembersWhoUsesAPromotionalPass() async throws {
        let world = SandboxWorld.withTempPass(.init(seconds: 600, identityKey: "email", resourceLimit: 2))
        let (session, _) = try await FlowFixture(.restV2, world: world).session()
        try await session.selectProvider("TempPass")
        try await session.authenticate(using: ViewerWhoLogsIn(), data: ["email": .string("0f0f")])
        #expect(try await session.metadata(.user("remaining_resources"))?.value == .number(2))
        // It is not reported again.
        _ = try await session.authorize("DEMO-1")
        #expect(try await session.metadata(.user("remaining_resources"))?.value == .number(1))
    }

    // MARK: - Devices that share a viewer

    @Test func logsInOnASecondDevice_withTheServiceTokenOfTheProgrammer() async throws {
        let fixture = try await FlowFixture(.restV2)
        let claims = Data("{\"sub\":\"viewer-7\"}".utf8).base64EncodedString().replacing("=", with: "")
        let options = ClientOptions(serviceToken: "e30.\(claims).c2ln")
        let (session, _) = try await fixture.session { $0.options = { options } }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let (other, _) = try await fixture.session(device: "device-2") { $0.options = { options } }
        #expect(await other.isLoggedIn)
        _ = try await other.authorize("DEMO-1")
        let (stranger, _) = try await fixture.session(device: "device-3")
        #expect(await !stranger.isLoggedIn)
        #expect(!"\(options)".contains(claims) && !String(reflecting: options).contains(claims))
    }
    // What is stored is compared as bytes, so a text must never be written anew when it is read.
    @Test func aStoredCopy_isReadWithItsText_inWhateverFormItWasWritten() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        let reader = StoredTokenReader.codec
        for (name, read) in [
            ("authn", { try reader.authentication($0).text }), ("authz", { try reader.authorization($0).text }),
        ] as [(String, (String) throws -> TokenText)] {
            let key = try #require(fixture.storage.keys(under: fixture.login.appending(name)).first)
            let text = String(decoding: try #require(fixture.storage.value(for: key)), as: UTF8.self)
            let other = text.replacing("{", with: "{ ").replacing(",", with: " ,\n")
            #expect(try read(text).rawValue == text)
            #expect(other != text)
            #expect(try read(other).rawValue == other)
        }
    }
}
