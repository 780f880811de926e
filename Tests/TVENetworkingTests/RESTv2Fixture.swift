import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// A device that uses REST API v2 with a sandbox, or with a script in front of the sandbox.
struct RESTv2Fixture {
    /// The description of the device in a registration.
    static let registrationInfo = Data(#"{"model":"AppleTV","osName":"tvOS"}"#.utf8).base64EncodedString()

    let clock = ManualClock(shortWait: .seconds(3))
    let sandbox: Sandbox
    let transport: ScriptedTransport
    let service: RESTv2Service
    let kept = Guarded<RegisteredApplication?>(nil)
    /// The connection of the device to the network.
    let connection = Guarded<DeviceInformation.Connection?>(nil)
    let requests = Guarded<[(request: HTTPRequest, body: String)]>([])

    /// - Parameters:
    ///   - other: a fixture whose sandbox and clock this one shares.
    ///   - detour: returns the transport that requests pass through before the script.
    init(
        world: SandboxWorld = .demo, device: String = "device-1", options: ClientOptions = ClientOptions(),
        proofs: LoginProofs = LoginProofs(), beside other: RESTv2Fixture? = nil,
        detour: (any HTTPTransport) -> any HTTPTransport = { $0 }
    ) async throws {
        let clock = other?.clock ?? self.clock
        let sandbox: Sandbox
        if let other {
            sandbox = other.sandbox
        } else {
            sandbox = try await Sandbox(world: world.strict, isDirect: !LongTests.areOn, now: { clock.now })
        }
        self.sandbox = sandbox
        transport = ScriptedTransport(
            next: DirectTransport(to: sandbox.baseURL, isDirect: !LongTests.areOn) {
                await sandbox.routes.answer($0, body: $1)
            })
        let provider = try ServiceProvider(sandbox.baseURL.absoluteString)
        let client = ClientDescription(
            deviceID: device, deviceInfo: DeviceInformation(model: "AppleTV", version: "14,1", osName: .tvOS),
            connection: { [connection] in connection.withLock(\.self) }, clientType: "tvOS", clientVersion: "1",
            redirectURL: try #require(URL(string: "adobepass://ios.app")))
        let paced = PacedTransport(next: detour(transport), now: { clock.now }, sleep: clock.sessionClock.sleep)
        let registration = ApplicationRegistration(
            softwareStatement: sandbox.softwareStatement, provider: provider, transport: paced,
            keeper: RegistrationKeeper(
                load: { [kept] in kept.withLock(\.self) }, save: { [kept] new in kept.withLock { $0 = new } }),
            deviceInfo: Self.registrationInfo, now: { clock.now })
        service = RESTv2Service(
            provider: provider, client: client, fingerprint: "fp", registration: registration,
            transport: paced, options: { options }, proofs: proofs, now: { clock.now },
            sleep: clock.sessionClock.sleep)
        script { _ in nil }
    }

    /// Sets a script that answers requests, and records every request.
    func script(_ answer: @escaping @Sendable (String) -> ScriptedTransport.Answer?) {
        transport.setScript { [requests] request, body in
            requests.withLock { $0.append((request, String(decoding: body ?? Data(), as: UTF8.self))) }
            return answer(request.path ?? "")
        }
    }

    /// Returns a device that gets a body for each request whose path contains a text.
    static func answering(_ path: String, _ body: String) async throws -> RESTv2Fixture {
        let fixture = try await RESTv2Fixture()
        fixture.script { $0.contains(path) ? .response(status: 200, body: body) : nil }
        return fixture
    }

    /// Opens a login page in a browser, and acts as the viewer.
    func logIn(
        at page: URL, as viewer: HeadlessBrowser.Viewer = .logsIn(name: "viewer", password: "secret")
    ) async throws -> HeadlessBrowser.Destination {
        var browser = HeadlessBrowser(transport: BrowserTransport())
        return await browser.open(page, endingAt: try #require(URL(string: "adobepass://ios.app")), as: viewer)
    }

    /// Logs the viewer in.
    func logIn(with mvpdID: MVPDID = "demo-cable") async throws -> AuthenticationToken {
        let page = try await service.login(LoginRequest(requestorID: "DEMO", mvpdID: mvpdID))
        _ = try await logIn(at: page.url)
        return try await service.authentication(of: page).token
    }

    /// Returns a header of the newest request whose path contains a text.
    func header(_ name: String, of path: String) -> String? {
        requests.withLock { requests in
            requests.last { $0.request.path?.contains(path) == true }
                .flatMap { last in HTTPField.Name(name).flatMap { last.request.headerFields[$0] } }
        }
    }

    /// Returns the number of requests whose path contains a text.
    func count(_ path: String) -> Int {
        requests.withLock { $0.filter { $0.request.path?.contains(path) == true }.count }
    }
}

extension LoginPage {
    /// The page that this screen opens.
    var url: URL {
        get throws {
            guard case .open(let url, _) = step else { throw ServiceError.unreadableJSON }
            return url
        }
    }
}
