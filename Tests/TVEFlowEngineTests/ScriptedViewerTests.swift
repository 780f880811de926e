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
        _ viewer: ScriptedViewer, _ style: LoginStyle
    ) async throws -> (EntitlementSession, ScriptedTransport) {
        let transport = ScriptedTransport(viewer: viewer, clock: clock)
        var environment = SessionEnvironment(
            storage: MemoryStorage(), transport: transport, clock: clock.sessionClock,
            app: AppIdentity(bundleID: "com.example.tv", teamID: "TEAM"),
            redirectURL: try #require(URL(string: "adobepass://ios.app")))
        environment.loginStyle = style
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
        while !isDone.withLock(\.self), !Task.isCancelled {
            if clock.sleepers > 0 { clock.advance(by: 1) }
            await Task.shortPause()
        }
        #expect(try await login.value.mvpdID == "example-cable")
        #expect(screen.codes.withLock(\.self) == ["TEST123", "hidden"])
        #expect(transport.requests.count { $0.hasSuffix("/profiles/code/TEST123") } == 3)
    }

    @Test func aCodeAndALogin_endAtTheTimesThatTheyName() async throws {
        let transport = ScriptedTransport(viewer: ScriptedViewer(), clock: clock)
        func ask(_ path: String, sending body: String? = nil) async throws -> String {
            let request = HTTPRequest(
                method: body == nil ? .get : .post, scheme: "https", authority: "sp.example.com",
                path: "/api/v2/ANY/\(path)")
            let (response, bytes) = try await transport.send(request, body: body.map { Data($0.utf8) })
            return "\(response.status.code) \(String(decoding: bytes, as: UTF8.self))"
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

    private final class Screen: AuthenticationPresenter {
        let codes = Guarded<[String]>([])

        func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { providers.first?.id }
        func presentLogin(_ page: BrowserPage) async -> URL? { page.redirectURL }
        func presentLogout(_ page: BrowserPage) async {}
        func show(_ code: RegistrationCode) async { codes.withLock { $0.append(code.code) } }
        func hideCode() async { codes.withLock { $0.append("hidden") } }
    }
}
