import Foundation
import HTTPTypes
import TVEConformance
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVESandboxConsole

/// The library's own client, in front of the same judge as all other clients.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct OwnClientTests {
    @Test(arguments: [false, true])
    func keepsEveryRow_overARestart(onSecondScreen: Bool) async throws {
        let desk = try await Desk(onSecondScreen: onSecondScreen)
        var session = try await desk.start()
        try await desk.logIn(session)
        _ = try await session.preauthorize(["DEMO-1", "DEMO-2", "DEMO-PLUS"])
        for _ in 1...2 {
            _ = try await session.authorize("DEMO-1")
            await desk.reportPlay("DEMO-1")
            desk.clock.advance(by: 60)
        }
        await #expect(throws: TVEError.self) { try await session.authorize("DEMO-PLUS") }
        desk.clock.advance(by: 60)
        _ = try await session.preauthorize(["DEMO-1", "DEMO-PLUS"])
        // The same app again, an hour later.
        desk.clock.advance(by: 3_600)
        session = try await desk.start()
        _ = try await session.preauthorize(["DEMO-1"])
        _ = try await session.authorize("DEMO-2")
        await desk.reportPlay("DEMO-2")
        // Its access token expires on the next day.
        desk.clock.advance(by: 90_000)
        _ = try await session.authorize("DEMO-2")
        desk.clock.advance(by: 60)
        // Another viewer of the household logs in in place of the first one.
        try await desk.logIn(session, isForced: true)
        _ = try await session.authorize("DEMO-2")
        await desk.reportPlay("DEMO-2")
        desk.clock.advance(by: 60)
        try await session.logout(using: desk.viewer)
        desk.clock.advance(by: 600)
        try await desk.logIn(session)
        _ = try await session.authorize("DEMO-1")

        let report = ConformanceReport(judging: desk.sandbox.exchanges.map { Exchange($0) })
        #expect(report.brokenRows == [], "\(report.findings(.fail).flatMap(\.problems))")
        var unseen = Row.unseen.union(["CL11", "CL12", "CL25", "CL28", "CL29", "CL30", "HH1", "HH2"])
        unseen.formUnion(onSecondScreen ? ["CL7", "CL19"] : ["CL8"])
        #expect(Set(report.findings(.notSeen).map(\.row.id)) == unseen)
        // The console's export leads to the same result. A masked export has no codes and no tokens, and therefore
        // shows less.
        for shows in [true, false] {
            let pieces = HARFile.document(desk.sandbox.exchanges, host: "127.0.0.1", Masking(shows: shows))
            let archive = pieces.reduce(into: Data()) { $0.append($1) }
            let exported = ConformanceReport(judging: try HTTPArchive(archive).exchanges)
            #expect(exported.brokenRows == [], "\(shows): \(exported.findings(.fail).flatMap(\.problems))")
            #expect(
                Set(exported.findings(.notSeen).map(\.row.id)) == unseen.union(shows ? [] : ["CL23"]),
                "\(shows): \(exported.findings(.notSeen).map(\.row.id))")
        }
    }
}

/// A sandbox, a store and a viewer for the library's sessions, on one clock.
private struct Desk {
    let clock = ManualClock(shortWait: .seconds(3))
    let storage = MemoryStorage()
    let sandbox: Sandbox
    let viewer: Viewer
    private let onSecondScreen: Bool

    init(onSecondScreen: Bool) async throws {
        sandbox = try await Sandbox(world: .demo.strict, isDirect: true, now: { [clock] in clock.now })
        viewer = Viewer(wire: Wire(sandbox: sandbox))
        self.onSecondScreen = onSecondScreen
    }

    func start() async throws -> EntitlementSession {
        var environment = SessionEnvironment(
            storage: storage, transport: Wire(sandbox: sandbox), clock: clock.sessionClock,
            app: AppIdentity(bundleID: "com.example.app", teamID: "T"),
            device: DeviceIdentity(seed: "device-1", app: nil),
            redirectURL: try #require(URL(string: "adobepass://ios.app")))
        if onSecondScreen {
            environment.loginStyle = .secondScreen
            environment.deviceInformation.hardwareType = .setTopBox
        }
        let session = try await EntitlementSession(
            requestorID: "DEMO", softwareStatement: sandbox.softwareStatement,
            serviceProviders: [try ServiceProvider(sandbox.baseURL.absoluteString)], service: .restV2,
            environment: environment)
        try await session.start()
        return session
    }

    func logIn(_ session: EntitlementSession, isForced: Bool = false) async throws {
        guard onSecondScreen else {
            try await session.authenticate(using: viewer, isForced: isForced)
            return
        }
        let login = Task { try await session.authenticate(using: viewer, isForced: isForced) }
        for question in 1...3 {
            while clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
            // The viewer enters the code between two polling requests.
            if question == 3 { try await viewer.typeCode() }
            clock.advance(by: 5)
            while question < 3, clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
        }
        _ = try await login.value
    }

    /// Reports a playback, as the app would that uses the session.
    func reportPlay(_ resource: String) async {
        let device = sandbox.exchanges.last { $0.request.header("AP-Device-Identifier") != nil }
        var request = HTTPRequest(
            method: .post, scheme: "http", authority: "127.0.0.1", path: "/conformance/plays/\(resource)")
        if let name = HTTPField.Name("AP-Device-Identifier") {
            request.headerFields[name] = device?.request.header("AP-Device-Identifier")
        }
        _ = await sandbox.routes.answer(request, body: nil)
    }
}

/// The requests of an app and of a browser, without sockets.
private struct Wire: HTTPTransport {
    let sandbox: Sandbox

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        await sandbox.routes.answer(request, body: body)
    }
}

private final class Viewer: AuthenticationPresenter {
    private let wire: Wire
    private let code = Guarded<String?>(nil)

    init(wire: Wire) {
        self.wire = wire
    }

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        guard case .redirect(let end) = await open(page.url, page.redirectURL) else { return nil }
        return end
    }

    func presentLogout(_ page: BrowserPage) async { _ = await open(page.url, page.redirectURL) }

    func show(_ code: RegistrationCode) async { self.code.withLock { $0 = code.code } }

    func typeCode() async throws {
        let base = wire.sandbox.baseURL
        let code = URLQueryItem(name: "code", value: code.withLock(\.self))
        _ = await open(
            base.appending(path: "activate").appending(queryItems: [code]), base.appending(path: "activate/done"))
    }

    private func open(_ page: URL, _ end: URL) async -> HeadlessBrowser.Destination {
        var browser = HeadlessBrowser(transport: wire)
        return await browser.open(page, endingAt: end, as: .logsIn(name: "viewer", password: "secret"))
    }
}
