import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// Tests of the scripted viewer, which an app's tests of its login screen use.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ScriptedViewerTests {
    /// The session keeps to the throttle of the service, ten requests at once and then one a second; the test need not
    /// wait.
    private let clock = ManualClock(shortWait: .seconds(3))

    private func session(
        _ viewer: ScriptedViewer, _ style: LoginStyle, platform: (any PlatformSignOn)? = nil
    ) async throws -> (EntitlementSession, ScriptedTransport) {
        let transport = ScriptedTransport(viewer: viewer, clock: clock)
        var environment = SessionEnvironment(
            storage: MemoryStorage(), transport: transport, clock: clock.sessionClock,
            app: AppIdentity(bundleID: "com.example.tv", teamID: "TEAM"),
            redirectURL: try #require(URL(string: "adobepass://ios.app")))
        environment.loginStyle = style
        environment.platform = platform
        let session = try await EntitlementSession(
            requestorID: "ANY", softwareStatement: "a.b.c",
            serviceProviders: [try ServiceProvider("sp.example.com")], environment: environment)
        return (session, transport)
    }

    @Test func aPickerShowsAProviderOnce_whenTheServiceNamesItTwice() async throws {
        let providers = [("b", "First"), ("a", "A"), ("b", "Second")].map { id, name in
            TVProvider(id: MVPDID(id), displayName: name, logoURL: "")
        }
        let (session, _) = try await session(ScriptedViewer(providers: providers), .browser)
        try await session.start()
        #expect(try await session.configuration().requestor.providers.map(\.displayName) == ["First", "A"])
    }

    @Test func aPickerReceives_whatTheProvidersOfTheViewerHave() async throws {
        var providers = ["caf\u{E9}", "b", "c"].map { id in
            TVProvider(id: MVPDID(id), displayName: "The provider \(id)", logoURL: "")
        }
        providers[0].logoURL = "https://example.com/logo.png"
        providers[1].isTempPass = true
        providers[2].isProxy = true
        providers[2].authenticatesPerBrowserSession = true
        let (session, _) = try await session(ScriptedViewer(providers: providers), .browser)
        try await session.start()
        let screen = Screen()
        _ = try await session.authenticate(using: screen)
        for index in providers.indices {
            // This applies to every provider of REST API v2.
            providers[index].authenticatesPerRequestor = true
            providers[index].allowsPassiveAuthentication = false
            providers[index].serviceProvider = "https://sp.example.com"
        }
        #expect(screen.offered.withLock(\.self) == [providers])
    }

    /// The service does not take part in the platform's sign-on.
    @Test func aProviderAtWhichThePlatformIsSignedIn_logsInOnItsPage() async throws {
        var provider = TVProvider(id: "cable", displayName: "Cable", logoURL: "")
        provider.allowsPlatformSignOn = true
        provider.boardingStatus = "SUPPORTED"
        provider.isShownInPlatformPicker = true
        provider.platformMappingID = "apple-cable"
        let (session, transport) = try await session(
            ScriptedViewer(providers: [provider]), .browser,
            platform: ScriptedPlatform(.init(signedIn: "apple-cable")))
        try await session.start()
        #expect(await !session.isLoggedIn)
        let screen = Screen()
        #expect(try await session.authenticate(using: screen).mvpdID == "cable")
        #expect(screen.offered.withLock(\.count) == 1)
        #expect(!transport.requests.contains { $0.contains("/sso/") })
    }

    @Test func aTempPass_logsInWithoutAPage() async throws {
        var trial = TVProvider(id: "trial", displayName: "A day for free", logoURL: "")
        trial.isTempPass = true
        let (session, transport) = try await session(ScriptedViewer(providers: [trial]), .browser)
        try await session.start()
        let profile = try await session.authenticate(using: Screen())
        #expect(profile.mvpdID == "trial" && profile.kind == .tempPass)
        _ = try await session.authorize("NEWS")
        #expect(!transport.requests.contains { $0.contains("/profiles/code/") })
    }

    @Test func aTempPass_lastsADay_whateverTheViewerDoes() async throws {
        var trial = TVProvider(id: "trial", displayName: "A day for free", logoURL: "")
        trial.isTempPass = true
        let transport = ScriptedTransport(viewer: ScriptedViewer(providers: [trial]), clock: clock)
        let form = "mvpd=trial"
        let play = "{\"resources\":[\"NEWS\"]}"
        #expect(try await ask("profiles/trial", of: transport) == "200 {\"profiles\":{}}")
        #expect(try await ask("sessions", sending: form, of: transport).contains("\"temporary\""))
        clock.advance(by: 86_399)
        #expect(try await ask("logout/trial", of: transport).contains("\"complete\""))
        #expect(try await ask("sessions", sending: form, of: transport).contains("\"temporary\""))
        #expect(try await ask("profiles/trial", of: transport).contains("\"temporary\""))
        #expect(try await ask("profiles", of: transport) == "200 {\"profiles\":{}}")
        #expect(try await ask("decisions/authorize/trial", sending: play, of: transport).contains("serializedToken"))
        clock.advance(by: 1)
        #expect(try await ask("sessions", sending: form, of: transport).contains("\"temporary\""))
        let profile = try await ask("profiles/trial", of: transport)
        let decision = try await ask("decisions/authorize/trial", sending: play, of: transport)
        #expect(profile.hasPrefix("403 ") && decision.hasPrefix("200 "))
        for answer in [profile, decision] {
            #expect(answer.contains("\"code\":\"temporary_access_duration_limit_exceeded\""))
            #expect(answer.contains("\"action\":\"authentication\""))
        }
    }

    /// The first id has a letter that paths escape.
    @Test func aLoginWithOneProvider_isNoneWithAnother() async throws {
        let providers = ["caf\u{E9}", "other"].map { TVProvider(id: MVPDID($0), displayName: $0, logoURL: "") }
        let transport = ScriptedTransport(viewer: ScriptedViewer(providers: providers), clock: clock)
        _ = try await ask("sessions", sending: "mvpd=caf%C3%A9", of: transport)
        #expect(try await ask("profiles/code/TEST123", of: transport).contains("\"caf\u{E9}\":{"))
        #expect(try await ask("profiles/other", of: transport) == "200 {\"profiles\":{}}")
        #expect(try await ask("logout/other", of: transport).contains("\"other\":{"))
        #expect(try await ask("profiles/caf%C3%A9", of: transport).contains("\"caf\u{E9}\":{"))
        #expect(try await ask("logout/caf%C3%A9", of: transport).contains("\"caf\u{E9}\":{"))
        #expect(try await ask("profiles", of: transport) == "200 {\"profiles\":{}}")
    }

    @Test func logsIn_plays_isDenied_andLogsOut() async throws {
        let (session, transport) = try await session(
            ScriptedViewer(denials: ["MOVIES": "Add the film pack."]), .browser)
        try await session.start()
        #expect(await !session.isLoggedIn)
        let profile = try await session.authenticate(using: Screen())
        #expect(profile.mvpdID == "example-cable")
        let token = try await session.authorize("NEWS")
        #expect(Data(base64Encoded: token.base64) == Data("a media token for NEWS".utf8))
        let error = await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("MOVIES") }
        #expect(error?.localizedDescription == "Add the film pack.")
        #expect(try await session.preauthorize(["NEWS", "MOVIES"]).map(\.isAuthorized) == [true, false])
        try await session.logout(using: Screen())
        #expect(await !session.isLoggedIn)
        #expect(transport.requests.contains("GET /api/v2/ANY/logout/example-cable"))
    }

    /// Sixteen seconds of a television, of which none passes.
    @Test func typesACode_afterAWhile() async throws {
        let (session, transport) = try await session(ScriptedViewer(looksBeforeLogin: 2), .secondScreen)
        try await session.start()
        let screen = Screen()
        let isDone = Guarded(false)
        let login = Task {
            defer { isDone.withLock { $0 = true } }
            return try await session.authenticate(using: screen)
        }
        func looks() -> Int { transport.requests.count { $0.hasSuffix("/profiles/code/TEST123") } }
        // After the last look no more time passes, so the login waits until the screen has hidden the code.
        while looks() < 3, !isDone.withLock(\.self), !Task.isCancelled {
            if clock.sleepers > 0 { clock.advance(by: 1) }
            await Task.shortPause()
        }
        #expect(try await login.value.mvpdID == "example-cable")
        #expect(screen.codes.withLock(\.self) == ["TEST123", "hidden"])
        #expect(looks() == 3)
    }

    @Test func aCodeAndALogin_endAtTheTimesThatTheyName() async throws {
        let transport = ScriptedTransport(viewer: ScriptedViewer(), clock: clock)
        func ask(_ path: String, sending body: String? = nil) async throws -> String {
            try await self.ask(path, sending: body, of: transport)
        }
        func decides() async throws -> String {
            try await ask("decisions/authorize/example-cable", sending: "{\"resources\":[\"NEWS\"]}")
        }
        #expect(try await decides().contains("authenticated_profile_missing"))
        let form = "mvpd=example-cable"
        #expect(try await ask("sessions", sending: form).contains("\"authenticate\""))
        clock.advance(by: 1_800)
        for late in [try await ask("profiles/code/TEST123"), try await ask("sessions/TEST123", sending: form)] {
            #expect(late.hasPrefix("400 ") && late.contains("invalid_authentication_session"), "\(late)")
        }
        _ = try await ask("sessions", sending: form)
        #expect(try await ask("profiles/code/TEST123").contains("\"example-cable\""))
        let end = Int64(clock.now.timeIntervalSince1970 + 86_400) * 1_000
        clock.advance(by: 86_399)
        #expect(try await ask("profiles").contains("\"notAfter\":\(end)"))
        #expect(try await ask("sessions", sending: form).contains("\"authorize\""))
        #expect(try await decides().contains("serializedToken"))
        clock.advance(by: 1)
        #expect(try await ask("profiles") == "200 {\"profiles\":{}}")
        #expect(try await decides().contains("authenticated_profile_missing"))
        #expect(try await ask("sessions", sending: form).contains("\"authenticate\""))
    }

    /// Sends a request to the service itself.
    ///
    /// - Returns: the status and the body of the answer.
    private func ask(
        _ path: String, sending body: String? = nil, of transport: ScriptedTransport
    ) async throws -> String {
        let request = HTTPRequest(
            method: body == nil ? .get : .post, scheme: "https", authority: "sp.example.com",
            path: "/api/v2/ANY/\(path)")
        let (response, bytes) = try await transport.send(request, body: body.map { Data($0.utf8) })
        return "\(response.status.code) \(String(decoding: bytes, as: UTF8.self))"
    }

    private final class Screen: AuthenticationPresenter {
        let codes = Guarded<[String]>([])
        let offered = Guarded<[[TVProvider]]>([])

        func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
            offered.withLock { $0.append(providers) }
            return providers.first?.id
        }
        func presentLogin(_ page: BrowserPage) async -> URL? { page.redirectURL }
        func presentLogout(_ page: BrowserPage) async {}
        func show(_ code: RegistrationCode) async { codes.withLock { $0.append(code.code) } }
        func hideCode() async { codes.withLock { $0.append("hidden") } }
    }
}
