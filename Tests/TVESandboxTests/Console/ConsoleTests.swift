import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVESandboxConsole
import TVETestSupport
import TVETestTraits
import TVETokenCodec
import Testing

/// Tests of the console's pages and of its API.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ConsoleTests {
    private static let pages = [
        "/", "/?open=1", "/console/lanes", "/console/sequence", "/console/conformance", "/console/devices",
        "/console/faults",
        "/console/worlds",
        "/console/accounts", "/console/compare?left=1&right=2", "/console/api/session",
    ]

    /// Every part of a request contains markup.
    @Test func escapesEverything() async throws {
        var world = SandboxWorld.demo
        let evil = "\"'><script>alert(1)</script>\u{202E}"
        world.providers[0].displayName = evil
        world.viewers[0].name = evil
        world.requestors[0].channels.append(evil)
        let client = try await SandboxClient(world: world, pages: .console).registered()
        let code = try await client.registrationCode(deviceID: evil)
        _ = try await client.logIn(code: code, as: .logsIn(name: evil, password: "secret"))
        _ = try await client.send(
            .get, "/%3Cscript%3Ealert(1)%3C/script%3E?a=%3Cscript%3E", headers: ["X-Test": "<script>"])
        _ = try await client.send(.post, "/api/v2/DEMO/sessions", body: "{\"<script>\":\"<script>\"}")
        let numbers = client.sandbox.exchanges.map(\.id)
        for path in Self.pages + numbers.map({ "/console/exchanges/\($0)?secrets=1" }) {
            let answer = try await client.send(.get, path)
            #expect(answer.status == 200 && answer.text.contains("TV Everywhere sandbox"), "\(path)")
            #expect(!answer.text.contains("<script>"), "\(path)")
            #expect(
                !answer.text.contains(" style=") && !answer.text.contains(" onclick"), "\(path): the policy forbids it")
            #expect(answer.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
        }
    }

    @Test func hidesSecrets_untilAskedFor() async throws {
        var world = SandboxWorld.demo
        world.viewers[0].password = "opensesame"
        let client = try await SandboxClient(world: world, pages: .console).registered()
        let code = try await client.registrationCode(deviceID: "tv")
        _ = try await client.logIn(code: code, as: .logsIn(name: "viewer", password: "opensesame"))
        let token = try await client.authenticationToken(code, device: "tv")
        let authorized = try await client.authorize(token, "DEMO-1", device: "tv")
        let permission = try #require(SandboxClient.element("authzToken", in: authorized.text))
        let media = try await client.post(
            "/adobe-services/deviceShortAuthorize",
            [("authz_token", permission), ("requestor_id", "DEMO"), ("mso_id", "demo-cable"), ("device_id", "tv")])
        let bearer = try #require(client.headers["Authorization"]).dropFirst(7)
        // Only the signatures grant access.
        let secrets =
            [token, permission, media.text].map { String($0.prefix(120).dropFirst(20)) } + [
                String(bearer), "opensesame",
            ]
        var paths = client.sandbox.exchanges.flatMap {
            ["/console/exchanges/\($0.id)", "/console/api/exchanges/\($0.id)"]
        }
        paths += [
            "/", "/console/sequence", "/console/devices", "/console/faults", "/console/api/har", "/console/api/state",
            "/console/api/exchanges",
        ]
        for path in paths {
            let text = try await client.send(.get, path).text
            for secret in secrets { #expect(!text.contains(secret), "\(path): \(secret.prefix(12))") }
        }
        let shown = try await client.send(.get, "/console/api/har?secrets=1").text
        for secret in secrets.suffix(2) { #expect(shown.contains(secret)) }
    }

    @Test func endsAndExpiresLogins_revokesApplications_andVoidsCodes() async throws {
        let client = try await SandboxClient(pages: .console).registered()
        struct State: Decodable {
            struct Login: Decodable { let id, viewer, provider, device: String }
            let logins: [Login]
            let codes: [[String: MetadataValue]]
            let clients: [String]
        }
        func state() async throws -> State { try await client.send(.get, "/console/api/state").json() }
        for action in ["end", "expire"] {
            let code = try await client.registrationCode(deviceID: "tv")
            #expect(try await Self.tables(with: code, of: client) == ["waiting-codes"])
            _ = try await client.logIn(code: code)
            #expect(try await Self.tables(with: code, of: client) == ["used"])
            let login = try #require(try await state().logins.first)
            #expect(login.viewer == "viewer" && login.provider == "demo-cable" && login.device == "tv")
            #expect(try await client.change(.post, "/console/api/logins/\(login.id)/\(action)").status == 204)
            #expect(try await state().logins.isEmpty)
            #expect(try await client.change(.post, "/console/api/logins/\(login.id)/\(action)").status == 404)
            #expect(try await client.session(code, device: "tv").status == 401, "The login has ended.")
        }
        let code = try await client.registrationCode(deviceID: "tv")
        #expect(try await client.change(.delete, "/console/api/codes/\(code)").status == 204)
        #expect(try await client.send(.get, "/reggie/v1/DEMO/regcode/\(code)").status == 404)
        let id = try #require(try await state().clients.first)
        #expect(try await client.change(.delete, "/console/api/clients/\(id)").status == 204)
        #expect(try await state().clients.isEmpty)
    }

    /// Returns the ids of the tables of the page for devices that show a code.
    private static func tables(with code: String, of client: SandboxClient) async throws -> [String] {
        let page = try await client.send(.get, "/console/devices").text
        return page.matches(of: /<section id="([a-z-]+)"[\s\S]*?<\/section>/).filter { $0.0.contains(code) }
            .map { String($0.1) }
    }

    /// The viewer may begin again with the same code, in either dialect.
    @Test(arguments: [false, true])
    func aCancelledLogin_leavesItsCodeWaiting(isRESTv2: Bool) async throws {
        let restV2 = try await RESTv2Client(pages: .console)
        let client = restV2.client
        let code = try await isRESTv2 ? restV2.code() : client.registrationCode(deviceID: "tv")
        func open(as viewer: HeadlessBrowser.Viewer) async throws -> HeadlessBrowser.Destination {
            guard isRESTv2 else { return try await client.logIn(code: code, as: viewer) }
            let page = "\(client.sandbox.baseURL.absoluteString)/api/v2/authenticate/DEMO/\(code)"
            return try await SandboxClient.open(page, as: viewer)
        }
        let end = HeadlessBrowser.Destination.redirect(try SandboxClient.redirect)
        #expect(try await open(as: .cancels) == end)
        #expect(try await Self.tables(with: code, of: client) == ["waiting-codes"])
        #expect(try await open(as: .logsIn(name: "viewer", password: "secret")) == end)
        #expect(try await Self.tables(with: code, of: client) == ["used"])
    }

    @Test func turnsFaultsOn_andAppliesWorlds() async throws {
        let client = try await SandboxClient(pages: .console)
        struct Report: Decodable { let key: String }
        let on: Report = try await client.change(
            .post, "/console/api/faults", body: "{\"kind\":\"status\",\"amount\":500,\"step\":\"config\"}"
        ).json()
        #expect(try await client.send(.get, "/adobe-services/config/DEMO").status == 500)
        #expect(try await client.change(.delete, "/console/api/faults/\(on.key)").status == 204)
        #expect(try await client.send(.get, "/adobe-services/config/DEMO").status == 401)
        #expect(try await client.change(.delete, "/console/api/faults/\(on.key)").status == 404)
        for body in ["{}", "[]", "", "{\"kind\":\"delay\"}", "{\"kind\":\"delay\",\"amount\":1e99}"] {
            #expect(try await client.change(.post, "/console/api/faults", body: body).status == 400, "\(body)")
        }
        for name in ["every-provider", "temp-pass-weekend", "bad-day", "demo"] {
            #expect(try await client.change(.post, "/console/api/worlds/\(name)").status == 204)
            let world = try await client.send(.get, "/console/api/world").text
            #expect(try SandboxWorld(json: Data(world.utf8)) == client.sandbox.world)
        }
        #expect(client.sandbox.world == .demo)
        let wrong = try await client.change(
            .put, "/console/api/world", body: "{\"requestors\":[],\"providers\":[],\"x\":1}")
        #expect(wrong.status == 400 && wrong.text == "{\"problems\":[\"x is not a known field.\"]}")
        #expect(client.sandbox.world == .demo)
    }

    @Test func makesACommandThatSendsTheSameAgain() async throws {
        let client = try await SandboxClient(pages: .console)
        _ = try await client.send(.post, "/o/client/token?a=it's", body: "x='\u{202E}\n", headers: ["X-Odd": "a'b"])
        let command = try await client.send(.get, "/console/api/exchanges/1/curl").text
        #expect(command.contains("-H 'X-Odd: a'\\''b'"))
        #expect(command.contains("--data-raw $'x=\\'\\xe2\\x80\\xae\\x0a'"))
    }

    /// No HTTP client adds a header to these requests.
    @Test(
        .needs("curl"),
        arguments: [
            ("GET", "X-Empty:\r\nX-Odd: a'b\r\n", ""), ("GET", "Accept: a\r\nUser-Agent:\r\n", "a=b"),
            ("POST", "", "a=b"), ("POST", "Content-Type:\r\nX-Twice: 1\r\nX-Twice: 2\r\n", "a=b"),
        ])
    func curl_sendsTheHeadersThatItShows_andNoOthers(method: String, headers: String, body: String) async throws {
        let client = try await SandboxClient(pages: .console)
        let raw = try await RawConnection(to: client.sandbox)
        let host = "127.0.0.1:\(client.sandbox.baseURL.port ?? 0)"
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        try await raw.write("\(method) /nope HTTP/1.1\r\nHost: \(host)\r\n\(length)\(headers)\r\n\(body)")
        _ = await raw.read(until: "\r\n\r\n")
        let command = try await client.send(.get, "/console/api/exchanges/1/curl").text
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", command]
        // Without the environment, no proxy and no file of the user changes the request.
        shell.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        await shell.ended()
        let requests = client.sandbox.exchanges.map { exchange in
            let fields = exchange.request.headers.map { "\($0.name.lowercased()): \($0.value)" }
            return [exchange.method] + fields.sorted() + [String(decoding: exchange.request.body, as: UTF8.self)]
        }
        #expect(requests.count == 2 && requests.first == requests.last, "\(requests)")
    }

    /// A command that somebody copies from a stranger's request does nothing but send the same request.
    @Test(
        .row("SE14"),
        arguments: [
            "'; touch ran; '", "'\u{301}; touch ran; '", "'\u{FE0F}\n; touch ran; '", "\\'; touch ran #",
            "$(touch ran)`touch ran`",
            "@/etc/hostname", "\u{301}", "\r\n'\u{200D}'", "!!",
        ])
    func aCommandIsObeyedByNobody_butCurl(body: String) async throws {
        let client = try await SandboxClient(pages: .console)
        _ = try await client.send(.post, "/o/client/token?a=[1-9]&b={c,d}'", body: body)
        let command = try await client.send(.get, "/console/api/exchanges/1/curl").text
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let words = try await Self.words(of: command, in: folder)
        let place = try #require(words.firstIndex(of: "--data-raw"))
        #expect(Array(words[place + 1].utf8) == Array(body.utf8))
        #expect(words.contains("--globoff"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    /// Returns the words that a shell passes to curl.
    private static func words(of command: String, in folder: URL) async throws -> [String] {
        let shell = Process()
        // The output goes to a file. A program that another test starts at this moment could inherit a pipe, whose end
        // would then come with the end of that program.
        let output = folder.appendingPathExtension("output")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", "curl() { printf '%s\\0' \"$@\"; }\n\(command)"]
        shell.currentDirectoryURL = folder
        shell.standardOutput = try FileHandle(forWritingTo: output)
        try shell.run()
        await shell.ended()
        let bytes = try Data(contentsOf: output)
        return bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: ["420000", "3155760000000", "3155760000001", "9223372036854775807"])
    func showsATokenOfAnyLifetime(lifetime: String) async throws {
        let client = try await SandboxClient(pages: .console)
        let body = """
            <authToken><sessionGUID>a</sessionGUID><requestorID>DEMO</requestorID><resourceID>DEMO-1</resourceID>\
            <ttl>\(lifetime)</ttl><issueTime>9999-12-31 23:59:59 +0000</issueTime><mvpdId>demo-cable</mvpdId></authToken>
            """
        let unsigned = TokenEnvelope(signature: Data(repeating: 1, count: 256), body: body).text.rawValue
        _ = try await client.send(.post, "/o/client/token", body: unsigned)
        let page = try await client.send(.get, "/console/exchanges/1")
        #expect(page.status == 200)
        // No token has a lifetime out of range.
        #expect(page.text.contains("Media token") == (lifetime.utf8.count < 13 || lifetime.hasSuffix("0")))
    }

    @Test func hidesAField_whateverFollowsItsName() async throws {
        let client = try await SandboxClient(pages: .console)
        _ = try await client.send(
            .post, "/o/client/token?RelayState=\u{301}opensesame", body: "<p>password=\u{301}opensesame</p>",
            headers: ["Content-Type": "text/html"])
        #expect(try await !client.send(.get, "/console/exchanges/1").text.contains("opensesame"))
    }

    @Test func streamsTheState_toAnOpenPage() async throws {
        let client = try await SandboxClient(pages: .console)
        let raw = try await RawConnection(to: client.sandbox)
        try await raw.write("GET /console/api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        // The first event contains the whole state.
        let first = await raw.read(until: "\n\n")
        #expect(first.contains("text/event-stream"))
        let version = try #require(first.firstMatch(of: /"world":([0-9]+)/).flatMap { Int($0.1) })
        _ = try await client.change(.post, "/console/api/worlds/bad-day")
        let text = await raw.read(until: "\"world\":\(version + 1)}")
        #expect(text.contains("\"token\":\"\(client.sandbox.changeToken)\""))
        #expect(text.contains("\"faults\":4") && text.contains("\"said\":[\"The world Bad day at the service"))
        await client.sandbox.stop()
    }
}
