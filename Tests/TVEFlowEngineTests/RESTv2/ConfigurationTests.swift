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

/// Tests of the times at which the configuration of REST API v2 is loaded, and of the calls that work without it.
@Suite(.fewAtATime)
struct ConfigurationTests {
    private static let isAway = ScriptedTransport.Answer.failure(.unreachable)

    /// Makes the calls of a viewer who is logged in.
    private static func use(_ session: EntitlementSession) async throws {
        #expect(await session.isLoggedIn)
        #expect(try await session.selectedProvider()?.displayName == "Demo Cable")
        #expect(try await session.preauthorize(["DEMO-1"]).map(\.isAuthorized) == [true])
        #expect(try await session.authorize("DEMO-1").claims.resource == "DEMO-1")
        #expect(try await session.metadata(.user("zip")) != nil)
        try await session.logout(using: ViewerWhoLogsIn())
        #expect(await !session.isLoggedIn)
    }

    @Test(.row("CL4")) func isAskedFor_onlyBeforeAViewerChoosesAProvider() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        #expect(fixture.count(of: .configuration) == 0)
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(fixture.count(of: .configuration) == 1)
        let (again, _) = try await fixture.session()
        try await Self.use(again)
        #expect(fixture.count(of: .configuration) == 1)
    }

    @Test(
        .row("CL4", "CL6"),
        arguments: [
            isAway, .failure(.timedOut), .response(status: 500, body: ""), .response(status: 429, body: ""),
            .response(status: 200, body: "{"), .response(status: 200, body: ""),
        ])
    func aViewerWhoIsLoggedIn_needsNone(answer: ScriptedTransport.Answer) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(.configuration, answer)
        let (session, _) = try await fixture.session()
        try await Self.use(session)
    }

    @Test(.row("CL4")) func aLogin_isConfirmed_withoutOne() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(.configuration, Self.isAway)
        fixture.clock.advance(by: 31 * 86_400)
        let (session, _) = try await fixture.session()
        #expect(await !session.isLoggedIn)
        // The page comes without a picker.
        try await session.authenticate(using: ViewerWhoLogsIn(choice: "nobody-may-be-asked"))
        #expect(try await session.selectedProvider()?.id == "demo-cable")
    }

    @Test(arguments: [false, true])
    func aStartWithALogin_waitsForNoRequest(hasPlatform: Bool) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        let asked = fixture.count(of: .configuration)
        fixture.transport.setScript { _, _ in Self.isAway }
        let (session, _) = try await fixture.session { if hasPlatform { $0.platform = ScriptedPlatform() } }
        #expect(await session.isLoggedIn)
        #expect(fixture.count(of: .configuration) == asked)
    }

    @Test(.timeLimit(.hanging)) func aViewerWhoIsLoggedIn_needsNone_whereThePlatformHasASignOn() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        await first.end()
        let (session, _) = try await fixture.session { $0.platform = ScriptedPlatform() }
        fixture.answer(.configuration, Self.isAway)
        let viewer = ViewerWhoLogsIn()
        #expect(try await session.authenticate(using: viewer).mvpdID == "demo-cable")
        #expect(viewer.shown.isEmpty)
    }

    /// The stored provider does not say whether the requestor works with the platform.
    @Test(.timeLimit(.hanging)) func aForcedLogin_needsOne_whereThePlatformHasASignOn() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2, world: .withPlatform())
        await first.end()
        let platform = ScriptedPlatform(.init(picker: .success("apple-cable")))
        let (session, _) = try await fixture.session { $0.platform = platform }
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer, isForced: true)
        #expect(viewer.shown.first == "platform dialog")
        // A second forced request would ask the viewer for the password again.
        #expect(platform.requests.filter(\.mayInterrupt).map(\.isForced) == [true, false])
        // The login before has ended at the service, which would otherwise return it.
        #expect(fixture.transport.requests.contains { $0.contains("/logout/demo-cable") })
        #expect(await session.profile?.kind == .apple)
    }

    /// The viewer's provider is known, and the service gives codes although it sends no configuration.
    @Test(.row("CL5"), .timeLimit(.hanging))
    func aLoginWithAKnownProvider_waitsFiveSeconds_forARecentOne() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session { $0.platform = ScriptedPlatform() }
        try await session.authenticate(using: ViewerWhoLogsIn())
        fixture.clock.advance(by: 31 * 86_400)
        let gate = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request) { await gate.pass() }
            return nil
        }
        let others = fixture.clock.sleepers
        let login = Task { try await session.shownByALogin() }
        await gate.arrival()
        while fixture.clock.sleepers == others, !Task.isCancelled { await Task.shortPause() }
        fixture.clock.advance(by: 4)
        #expect(fixture.clock.sleepers > others)
        fixture.clock.advance(by: 1)
        #expect(try await login.value == ["login"])
        gate.open()
    }

    /// The viewer logs in in another app of the device while the login waits for the configuration.
    @Test(.timeLimit(.hanging)) func aLoginThatWaitsForOne_isThatOfAnotherProcess() async throws {
        let fixture = try await FlowFixture(.restV2)
        // Nothing that the other process does advances this clock.
        let clock = ManualClock(fixture.clock.now, shortWait: .seconds(3))
        let (session, log) = try await fixture.session {
            $0.clock = clock.sessionClock
            $0.platform = ScriptedPlatform()
        }
        for clock in [clock, fixture.clock] { clock.advance(by: 200) }
        let (answer, isFirst) = (Gate(), Guarded(true))
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request), isFirst.taken() { await answer.pass() }
            return nil
        }
        let viewer = ViewerWhoLogsIn()
        let login = Task { try await session.authenticate(using: viewer).mvpdID }
        await answer.arrival()
        try await fixture.session().0.authenticate(using: ViewerWhoLogsIn())
        let codes = fixture.count(of: .code)
        _ = log.take()
        answer.open()
        #expect(try await login.value == "demo-cable")
        #expect(viewer.shown.isEmpty && fixture.count(of: .code) == codes)
        #expect(log.take() == ["authn cached true", "authenticated"])
    }

    /// The configuration is needed for the platform's sign-on alone, and the service knows the viewer.
    @Test(.timeLimit(.hanging)) func aStartWithThePlatform_findsTheServicesLogin_withoutOne() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        await first.end()
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        fixture.answer(.configuration, Self.isAway)
        let (session, _) = try await fixture.session { $0.platform = ScriptedPlatform() }
        #expect(await session.isLoggedIn)
    }

    /// The app starts its session again while the viewer is at the provider's page.
    @Test(.row("CL4"), .timeLimit(.hanging)) func aStartDuringALogout_needsNone() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        await first.end()
        let (session, _) = try await fixture.session()
        let viewer = ViewerWhoWaits()
        let logout = Task { try await session.logout(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        fixture.answer(.configuration, Self.isAway)
        try await session.start()
        #expect(await !session.isLoggedIn)
        await logout.cancelled()
    }

    /// The last request for the login failed, and a start during a logout sends none.
    @Test(.row("CL6"), .timeLimit(.hanging))
    func aStartDuringALogout_doesNotFail_becauseAnEarlierRequestDid() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.fail("/profiles")
        #expect(await fixture.isLoggedInAfterAll(session))
        fixture.transport.setScript { _, _ in nil }
        // The configuration is no longer recent, so that whoever needs one has to load it.
        fixture.clock.advance(by: 200)
        let viewer = ViewerWhoWaits()
        let logout = Task { try await session.logout(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        fixture.transport.setScript { _, _ in Self.isAway }
        try await session.start()
        #expect(await !session.isLoggedIn)
        await logout.cancelled()
    }

    @Test(.row("CL5")) func isKept_forThreeMinutes() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        for (seconds, count) in [(0.0, 1), (179, 1), (1, 2)] {
            fixture.clock.advance(by: seconds)
            _ = try await session.configuration()
            #expect(fixture.count(of: .configuration) == count)
        }
    }

    @Test(.row("CL5")) func theLastOne_showsThePicker_whenTheServiceIsAway() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        _ = try await session.configuration()
        fixture.clock.advance(by: 3_600)
        fixture.answer(.configuration, Self.isAway)
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(fixture.count(of: .configuration) == 2)
    }

    @Test(arguments: [
        (isAway, TVEError.Code.serviceUnreachable, "CFG404"),
        (.response(status: 500, body: ""), .serviceFailed, "CFG500"),
        (.response(status: 429, body: ""), .throttled, "CFG429"),
        (.failure(.notTrusted), .connectionNotTrusted, "SEC420"),
        (.response(status: 200, body: "[]"), .serviceFailed, "CFG500"),
    ])
    func withoutAny_thePickerFails_withTheDocumentedCode(
        answer: ScriptedTransport.Answer, code: TVEError.Code, status: String
    ) async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2)
        fixture.answer(.configuration, answer)
        await #expect(throws: TVEError(code)) { try await session.authenticate(using: ViewerWhoLogsIn()) }
        #expect(log.take() == [status, "authn false", "not: \(code.rawValue)"])
        fixture.transport.setScript { _, _ in nil }
        try await session.authenticate(using: ViewerWhoLogsIn())
    }

    @Test func aChoice_isKept_whileNothingIsKnownOfTheProvider() async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2)
        fixture.answer(.configuration, Self.isAway)
        #expect(try await session.selectProvider("demo-cable") == nil)
        #expect(log.take() == ["selected demo-cable"])
        try await session.authenticate(using: ViewerWhoLogsIn(choice: "nobody-may-be-asked"))
        #expect(await session.isLoggedIn)
    }

    @Test(.row("CL6")) func aCardThatCannotBeRead_isReplaced() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        let card = StorageKey("requestor", "DEMO", fixture.fingerprint, "card")
        #expect(fixture.storage.value(for: card) != nil)
        fixture.storage.apply([.put(card, Data("{}".utf8))])
        let (session, _) = try await fixture.session()
        _ = try await session.authorize("DEMO-1")
        #expect(try await session.selectedProvider()?.displayName == "Demo Cable")
        fixture.answer(.configuration, Self.isAway)
        let (again, _) = try await fixture.session()
        #expect(try await again.selectedProvider()?.displayName == "Demo Cable")
    }

    /// A classic session loads a configuration at every start, so it needs no description of the provider.
    @Test func overTheClassicServices_noProviderIsDescribed() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.classic)
        #expect(fixture.storage.value(for: StorageKey("requestor", "DEMO", fixture.fingerprint, "current")) != nil)
        #expect(fixture.storage.value(for: StorageKey("requestor", "DEMO", fixture.fingerprint, "card")) == nil)
    }

    /// The service may spell the requestor's id differently, or answer about another requestor of the same store.
    @Test func describesTheProvider_ofTheRequestorThatAskedForIt() async throws {
        let fixture = try await FlowFixture(.restV2)
        func key(_ name: String) -> StorageKey { StorageKey("requestor", "NEWS", fixture.fingerprint, name) }
        fixture.storage.apply([.put(key("current"), Data("demo-cable".utf8))])
        fixture.answer(.configuration, .rewritten { $0.replacing("\"id\":\"DEMO\"", with: "\"id\":\"NEWS\"") })
        let (session, _) = try await fixture.session()
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(fixture.storage.value(for: key("card")) == nil)
        fixture.answer(.configuration, Self.isAway)
        let (again, _) = try await fixture.session()
        #expect(try await again.selectedProvider()?.displayName == "Demo Cable")
    }

    // MARK: - Late profiles

    @Test(.row("CL7"), arguments: [1, 2, 7, 20])
    func aProfileThatIsLate_logsTheViewerIn(looks: Int) async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        let asked = Guarded<[Date]>([])
        fixture.transport.setScript { [clock = fixture.clock] request, _ in
            guard request.path?.contains("/profiles/code/") == true else { return nil }
            return asked.withLock { asked in
                asked.append(clock.now)
                return asked.count <= looks ? .response(status: 200, body: "{\"profiles\":{}}") : nil
            }
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let times = asked.withLock(\.self)
        #expect(times.count == looks + 1)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1.timeIntervalSince($0) >= 3 })
    }

    @Test(.row("CL9")) func aProfileThatNeverComes_isGivenUp_afterAMinute() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        fixture.answer("/profiles/code/", .response(status: 200, body: "{\"profiles\":{}}"))
        let began = fixture.clock.now
        await #expect(throws: TVEError(.authenticationFailed)) {
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        #expect((60...90).contains(fixture.clock.now.timeIntervalSince(began)))
    }

    /// Nothing is stored about the provider, because the configuration could not be loaded when it was chosen.
    @Test func aProvider_whoseDescriptionArrivesAfterALogout_isNoLongerChosen() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        fixture.answer(.configuration, Self.isAway)
        try await session.selectProvider("demo-cable")
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.configuration, request) { await answer.pass() }
            return nil
        }
        let selected = Task { try await session.selectedProvider() }
        await answer.arrival()
        try await session.logout()
        answer.open()
        #expect(try await selected.value == nil)
    }

    // MARK: - A login in place of the platform's

    @Test(.row("AS22", "CL30"), arguments: ["authenticate", "resume", "retry"])
    func goesOnWithTheLogin_thatTheServiceBeganInPlaceOfThePlatforms(action: String) async throws {
        // The service does not take part for this provider any more; the configuration says that it does.
        let fixture = try await FlowFixture(.restV2, world: .withPlatform { $0.boardingStatus = "PICKER" })
        let platform = ScriptedPlatform(.init(picker: .success("apple-cable")))
        fixture.transport.setScript { request, _ in
            switch request.path.map({ $0.contains("/configuration") ? "configuration" : $0 }) ?? "" {
            case "configuration":
                .rewritten { $0.replacing("\"boardingStatus\":\"PICKER\"", with: "\"boardingStatus\":\"SUPPORTED\"") }
            case let path where path.contains("/sessions/sso/"):
                .rewritten { $0.replacing("\"actionName\":\"authenticate\"", with: "\"actionName\":\"\(action)\"") }
            default: nil
            }
        }
        let (session, log) = try await fixture.session { $0.platform = platform }
        _ = log.take()
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(log.take().first == "VSA503")
        #expect(await session.isLoggedIn)
        // One code for one viewer.
        #expect(fixture.count(of: .code) == 0)
        #expect(fixture.transport.requests.contains { $0.contains("/sessions/sso/") })
    }

    /// The service begins an ordinary login if the redirect or the domain is missing, on a television too.
    @Test(
        .row("AS12", "REST API v2, 5.12"),
        arguments: [
            (LoginStyle.browser, nil, "adobepass://ios.app"), (.secondScreen, nil, "adobepass://ios.app"),
            (.secondScreen, "own.app://login", "own.app://login"),
        ])
    func logsInWithThePlatform_namingARedirect(style: LoginStyle, registered: String?, sent: String) async throws {
        var world = SandboxWorld.withPlatform()
        world.behavior.restV2.redirectURLs = registered.map { [$0] } ?? []
        let fixture = try await FlowFixture(.restV2, world: world)
        let platform = ScriptedPlatform(.init(picker: .success("apple-cable")))
        let forms = Guarded<[String]>([])
        fixture.transport.setInterception { request, body in
            if request.path?.contains("/sessions/sso/") == true {
                forms.withLock { $0.append(String(decoding: body ?? Data(), as: UTF8.self)) }
            }
            return nil
        }
        let (session, _) = try await fixture.session {
            $0.platform = platform
            $0.loginStyle = style
        }
        let viewer = ViewerWhoLogsIn()
        #expect(try await session.authenticate(using: viewer).mvpdID == "demo-cable")
        #expect(viewer.shown == ["platform dialog"])
        let form = try #require(forms.withLock(\.first))
        #expect(form.removingPercentEncoding == "domainName=localhost&redirectUrl=\(sent)")
    }
}
