import FlyingSocks
import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVESandboxConsole
import TVETestSupport
import TVETestTraits

/// A client that sends requests to a sandbox as curl does.
struct SandboxClient {
    /// The transport, which calls the routes of a direct client's sandbox, and uses HTTP for every other server.
    static let transport = BrowserTransport()

    let sandbox: Sandbox
    var headers: [String: String] = [:]
    private let clock: ManualClock
    /// The way to the sandbox, which is direct as long as a copy of the client exists.
    private let connection: DirectTransport

    /// Starts a sandbox, and creates its client.
    ///
    /// The sandbox has a server in any case, for the tests that write and read bytes themselves.
    ///
    /// - Parameters:
    ///   - world: the requestors, providers and viewers.
    ///   - pages: the pages for a browser; `nil` for none.
    ///   - clock: the clock of the sandbox.
    ///   - isDirect: a Boolean value that indicates whether requests are calls of the sandbox's routes. Tests of
    ///     connections, of faults that delay or break them, and of the bytes of a head need the server.
    init(
        world: SandboxWorld = .demo, pages: SandboxPages? = nil, clock: ManualClock = ManualClock(),
        isDirect: Bool = !LongTests.areOn
    ) async throws {
        let sandbox = try await Sandbox(world: world.strict, pages: pages, now: { clock.now })
        self.init(sandbox, clock, isDirect: isDirect)
    }

    /// Starts a sandbox that saves its state in a directory, and creates its client.
    ///
    /// Without a world the sandbox continues with the one it had when it last stopped.
    init(in folder: SandboxFolder, world: SandboxWorld? = .demo, clock: ManualClock = ManualClock()) async throws {
        let sandbox = try await Sandbox(world: world?.strict, in: folder, pages: .console, now: { clock.now })
        // A direct way would hold the directory for as long as the client, although the sandbox has stopped.
        self.init(sandbox, clock, isDirect: false)
    }

    private init(_ sandbox: Sandbox, _ clock: ManualClock, isDirect: Bool) {
        self.sandbox = sandbox
        self.clock = clock
        connection = DirectTransport(to: sandbox.baseURL, isDirect: isDirect) { [routes = sandbox.routes] in
            await routes.answer($0, body: $1)
        }
    }

    struct Answer {
        let status: Int
        let headers: HTTPFields
        let text: String

        func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

        func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: Data(text.utf8))
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, body: String? = nil, headers extra: [String: String] = [:]
    ) async throws -> Answer {
        var request = HTTPRequest(method: method, url: try #require(URL(string: sandbox.baseURL.absoluteString + path)))
        if let body {
            request.headerFields[.contentType] =
                body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
        }
        for (name, value) in headers.merging(extra, uniquingKeysWith: { $1 }) {
            request.headerFields[try #require(HTTPField.Name(name))] = value
        }
        // The clock advances by the shortest time that the service demands between two requests.
        if path.hasPrefix("/api/") || path.hasPrefix("/o/") {
            clock.advance(by: path.contains("/profiles/code/") ? 3 : 1)
        }
        let (response, bytes) = try await Self.transport.send(request, body: body.map { Data($0.utf8) })
        return Answer(
            status: response.status.code, headers: response.headerFields, text: String(decoding: bytes, as: UTF8.self))
    }

    /// Sends a change with the token, as the console's page does.
    func change(_ method: HTTPRequest.Method, _ path: String, body: String? = nil) async throws -> Answer {
        try await send(method, path, body: body, headers: ["X-Sandbox-Token": sandbox.changeToken])
    }

    func post(_ path: String, _ fields: [(String, String)], headers: [String: String] = [:]) async throws -> Answer {
        try await send(.post, path, body: Self.form(fields), headers: headers)
    }

    static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
            .joined(separator: "&")
    }

    /// The description of the device that the client sends.
    static let deviceInfo = Data(
        "{\"model\":\"AppleTV\",\"osName\":\"tvOS\",\"primaryHardwareType\":\"SetTopBox\"}".utf8
    )
    .base64EncodedString()

    /// Registers the client, which sends its access token from now on.
    ///
    /// - Parameter statement: the statement to use; `nil` for the sandbox's own.
    mutating func register(with statement: String? = nil) async throws {
        let statement = statement ?? sandbox.softwareStatement
        var bare = self
        bare.headers = ["X-Device-Info": Self.deviceInfo]
        let client = try await bare.send(
            .post, "/o/client/register", body: "{\"software_statement\":\"\(statement)\"}"
        ).json([String: MetadataValue].self)
        let grant = try await bare.post(
            "/o/client/token",
            [
                ("grant_type", "client_credentials"), ("client_id", try #require(client["client_id"]?.stringValue)),
                ("client_secret", try #require(client["client_secret"]?.stringValue)),
            ]
        ).json([String: MetadataValue].self)
        headers["Authorization"] = "Bearer \(try #require(grant["access_token"]?.stringValue))"
    }

    /// Returns the client after its registration.
    func registered() async throws -> SandboxClient {
        var client = self
        try await client.register()
        return client
    }

    /// Requests a device id for the client, which sends the device headers from now on.
    mutating func individualize(_ fingerprint: String = "browser-1") async throws -> String {
        let answer = try await send(.post, "/indiv/devices", body: "{\"fingerprint\":\"\(fingerprint)\"}")
        let deviceID = try #require(try answer.json([String: String].self)["deviceId"])
        headers["ap_42"] = "anonymous"
        headers["ap_11"] = "Linux i686"
        headers["ap_z"] = "curl"
        headers["ap_21"] = deviceID
        headers["pass_sfp"] = answer.header("pass_sfp")
        return deviceID
    }

    func registrationCode(deviceID: String, requestor: String = "DEMO") async throws -> String {
        let answer = try await post("/reggie/v1/\(requestor)/regcode", [("deviceId", deviceID), ("format", "json")])
        return try #require(try answer.json([String: MetadataValue].self)["code"]?.stringValue)
    }

    /// Requests the session of a code in the device dialect.
    func session(
        _ code: String, device: String, path: String = "/adobe-services/sessionDevice"
    ) async throws -> Answer {
        try await post(path, [("_method", "GET"), ("requestor_id", "DEMO"), ("reg_code", code), ("device_id", device)])
    }

    /// Returns the AuthN token of a login in the device dialect.
    func authenticationToken(_ code: String, device: String) async throws -> String {
        try #require(Self.element("authnToken", in: try await session(code, device: device).text))
    }

    /// Logs a viewer in with a code, and returns the AuthN token of the login.
    func loggedIn(device: String) async throws -> String {
        let code = try await registrationCode(deviceID: device)
        _ = try await logIn(code: code)
        return try await authenticationToken(code, device: device)
    }

    /// Requests the authorization of a resource in the device dialect.
    func authorize(
        _ token: String, _ resource: String, device: String, provider: String = "demo-cable"
    ) async throws -> Answer {
        try await post(
            "/adobe-services/authorizeDevice",
            [
                ("resource_id", resource), ("requestor_id", "DEMO"), ("authentication_token", token),
                ("mso_id", provider), ("device_id", device),
            ])
    }

    /// Leads a browser through a login, and returns the page at which it ends.
    func logIn(
        code: String?, provider: String = "demo-cable", requestor: String = "DEMO",
        as viewer: HeadlessBrowser.Viewer = .logsIn(name: "viewer", password: "secret")
    ) async throws -> HeadlessBrowser.Destination {
        var fields = [("mso_id", provider), ("requestor_id", requestor), ("redirect_url", "adobepass://ios.app")]
        if let code { fields.append(("reg_code", code)) }
        let page = "\(sandbox.baseURL.absoluteString)/adobe-services/authenticate/saml?\(Self.form(fields))"
        return try await Self.open(page, as: viewer)
    }

    /// Leads a browser from a page to the app's redirect URL.
    static func open(_ page: String, as viewer: HeadlessBrowser.Viewer) async throws -> HeadlessBrowser.Destination {
        var browser = HeadlessBrowser(transport: transport)
        return await browser.open(try #require(URL(string: page)), endingAt: try redirect, as: viewer)
    }

    static var redirect: URL { get throws { try #require(URL(string: "adobepass://ios.app")) } }

    /// Returns the text of an XML element, unescaped.
    static func element(_ name: String, in xml: String) -> String? {
        guard let start = xml.firstRange(of: "<\(name)>"),
            let end = xml[start.upperBound...].firstRange(of: "</\(name)>")
        else { return nil }
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
        return entities.reduce(String(xml[start.upperBound..<end.lowerBound])) { $0.replacing($1.0, with: $1.1) }
    }
}

/// A connection on which a test sends bytes that no HTTP client would send.
struct RawConnection {
    private let socket: AsyncSocket

    init(to sandbox: Sandbox) async throws {
        try await self.init(port: UInt16(sandbox.baseURL.port ?? 0))
    }

    init(port: UInt16) async throws {
        socket = try await AsyncSocket.connected(to: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), timeout: 600)
        SignalProtection.ofTheSystem.protect(socket.socket.file.rawValue)
    }

    /// Closes the connection, so that every later write of the other side fails with EPIPE.
    ///
    /// Otherwise the first error could be ECONNRESET, with which no system sends a signal.
    func hangUp() throws {
        shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
        try socket.close()
    }

    func write(_ text: String) async throws {
        try await socket.write(Data(text.utf8))
    }

    /// Reads the next part of the answer, and returns its length.
    func readSome() async throws -> Int { try await socket.read(atMost: 16_384).count }

    /// Reads up to a text, or to the end of the connection if that comes first.
    func read(until end: String) async -> String {
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains(end), let more = try? await socket.read(atMost: 4_096) {
            bytes += more
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads up to the end of the connection, in whichever way it ends.
    func readToEnd() async -> String {
        var bytes: [UInt8] = []
        while let more = try? await socket.read(atMost: 65_536) { bytes += more }
        try? socket.close()
        return String(decoding: bytes, as: UTF8.self)
    }
}
