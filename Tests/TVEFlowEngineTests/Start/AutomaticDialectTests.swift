import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// Tests that a session without a given dialect uses the one for which its application is registered.
@Suite(.fewAtATime)
struct AutomaticDialectTests {
    private let storage = MemoryStorage()
    private let transport = ScriptedTransport(next: URLSessionTransport(timeout: .hanging))

    private func session(_ sandbox: Sandbox, statement: String? = nil) async throws -> EntitlementSession {
        let environment = SessionEnvironment(
            storage: storage, transport: transport, app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
            device: DeviceIdentity(seed: "device-1", app: nil), redirectURL: try #require(FlowFixture.redirect))
        return try await EntitlementSession(
            requestorID: "DEMO", softwareStatement: statement ?? sandbox.softwareStatement,
            serviceProviders: [try ServiceProvider(sandbox.baseURL.absoluteString)], environment: environment)
    }

    private func count(_ sandbox: Sandbox, _ path: String) -> Int {
        sandbox.exchanges.count { $0.path.hasPrefix(path) }
    }

    @Test(arguments: [true, false])
    func speaksWhatTheRegistrationAllows_alsoAfterARestart(isForRESTv2: Bool) async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        let statement = isForRESTv2 ? sandbox.softwareStatement : sandbox.classicSoftwareStatement
        for _ in 0..<2 {
            let session = try await session(sandbox, statement: statement)
            try await session.start()
            if await !session.isLoggedIn { try await session.authenticate(using: ViewerWhoLogsIn()) }
            _ = try await session.authorize("DEMO-1")
        }
        #expect(count(sandbox, "/o/client/register") == 1)
        #expect((count(sandbox, "/api/v2/") > 0) == isForRESTv2)
        #expect((count(sandbox, "/adobe-services/config") > 0) == !isForRESTv2)
    }

    /// The redirect for the system's browser: the application's own scheme before the web, and never `http`.
    @Test(
        .row("CL28"),
        arguments: [
            ([], nil), (["http://a/"], nil), (["https://tv.example.com/end"], "https://tv.example.com/end"),
            (["HTTP://a/", "HTTPS://b/end", "adbe.AbC://end"], "adbe.AbC://end"),
            (["not a URL", "https://b/"], "https://b/"),
        ] as [([String], String?)])
    func takesARegisteredRedirect(registered: [String], expected: String?) async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        _ = try await session(sandbox)
        let key = try #require(storage.keys(under: StorageKey("registration")).first)
        var application = try JSONDecoder().decode(
            RegisteredApplication.self, from: try #require(storage.value(for: key)))
        application.redirectURLs = registered
        storage.apply([.put(key, try JSONEncoder().encode(application))])
        #expect(try await session(sandbox).parts.redirects?.ofSystemBrowser?.absoluteString == expected)
    }

    /// A page that cannot come back to the app is no login; one typed error says so before any page is opened.
    @Test(.row("CL28"), arguments: [(["other.app://end"], false), (["adobepass://other"], true), ([], true)])
    func says_thatNoLoginCanComeBack_whenItsRedirectIsNotRegistered(registered: [String], isUsable: Bool) async throws {
        var world = SandboxWorld.demo.strict
        world.behavior.restV2.redirectURLs = registered
        let fixture = try await FlowFixture(.restV2, world: world)
        let (session, _) = try await fixture.session(started: false) { $0.loginBrowser = .webView }
        if isUsable {
            try await session.start()
        } else {
            await #expect(throws: TVEError(.redirectNotRegistered)) { try await session.start() }
        }
        #expect(fixture.count(of: .code) == 0)
    }

    /// The classic services return to a redirect of their own.
    @Test func aClassicLogin_needsNoRegisteredRedirect() async throws {
        var world = SandboxWorld.demo.strict
        world.behavior.restV2.redirectURLs = ["other.app://end"]
        let fixture = try await FlowFixture(.classic, world: world)
        let (session, _) = try await fixture.session { $0.loginBrowser = .webView }
        #expect(try await session.authenticate(using: ViewerWhoLogsIn()).mvpdID == "demo-cable")
    }

    /// A viewer who is logged in plays on, whatever is registered now.
    @Test func aLoginPlaysOn_whenTheRedirectIsRegisteredNoMore() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        let key = try #require(fixture.storage.keys(under: StorageKey("registration")).first)
        var application = try JSONDecoder().decode(
            RegisteredApplication.self, from: try #require(fixture.storage.value(for: key)))
        application.redirectURLs = ["other.app://end"]
        fixture.storage.apply([.put(key, try JSONEncoder().encode(application))])
        let (session, _) = try await fixture.session { $0.loginBrowser = .webView }
        _ = try await session.authorize("DEMO-1")
        await #expect(throws: TVEError(.redirectNotRegistered)) {
            try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        }
    }

    @Test func aRegistrationOfAnEarlierVersion_staysWithTheClassicServices() async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        try await session(sandbox).start()
        let store = InstallationStore(backend: storage)
        let key = try #require(storage.keys(under: StorageKey("registration")).first)
        let name = try #require(key.components.last)
        let kept = try #require(try store.registration(of: String(name)))
        var application = try UntrustedJSON.read(RegisteredApplication.self, from: kept)
        #expect(application.dialect == .restV2 && application.scopes?.isEmpty == false)
        application.scopes = nil
        try store.setRegistration(JSONEncoder().encode(application), of: String(name))
        try await session(sandbox).start()
        #expect(count(sandbox, "/o/client/register") == 1 && count(sandbox, "/adobe-services/config") == 1)
    }

    @Test func saysWhyThereIsNoSession_andTheNextTrySucceeds() async throws {
        let sandbox = try await Sandbox(world: .demo.strict)
        transport.setScript { request, _ in
            request.path == "/o/client/register" ? .failure(.unreachable) : nil
        }
        let error = await #expect(throws: TVEError.self) { try await session(sandbox) }
        #expect(error?.code == .serviceUnreachable && error?.status == .serviceNotFound)
        transport.setScript { _, _ in nil }
        try await session(sandbox).start()
    }

    @Test func saysThatTheClassicServicesHaveEnded() async throws {
        var world = SandboxWorld.demo
        let sandbox = try await Sandbox(world: world.strict)
        let session = try await session(sandbox, statement: sandbox.classicSoftwareStatement)
        try await session.start()
        try await session.authenticate(using: ViewerWhoLogsIn())
        world.behavior.isClassicRetired = true
        try sandbox.apply(world.strict)
        for call in ["start", "authorize", "preauthorize"] {
            let error = await #expect(throws: TVEError.self, "\(call)") {
                switch call {
                case "start": _ = try await session.start()
                case "authorize": _ = try await session.authorize("DEMO-1")
                default: _ = try await session.preauthorize(["DEMO-2"])
                }
            }
            #expect(error?.code == .clientTooOld && error?.status == .clientTooOld, "\(call)")
        }
        // The other dialect has not ended.
        let other = AutomaticDialectTests()
        let next = try await other.session(sandbox)
        try await next.start()
        try await next.authenticate(using: ViewerWhoLogsIn())
    }
}
