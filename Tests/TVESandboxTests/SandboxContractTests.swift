import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVETestSupport
import TVETestTraits
import TVETokenCodec
import TVETokenVerification

@Suite(.fewAtATime)
struct SandboxContractTests {
    @Test(arguments: [
        (HTTPRequest.Method.get, "/adobe-services/config/DEMO"), (.post, "/adobe-services/session"),
        (.post, "/adobe-services/sessionDevice"), (.post, "/adobe-services/authorize"),
        (.post, "/adobe-services/authorizeDevice"), (.post, "/adobe-services/shortAuthorize"),
        (.post, "/adobe-services/deviceShortAuthorize"), (.post, "/adobe-services/preauthorize"),
        (.post, "/reggie/v1/DEMO/regcode"), (.get, "/reggie/v1/DEMO/regcode/AAAAAAA"),
        (.delete, "/reggie/v1/DEMO/regcode/AAAAAAA"),
    ])
    func asksForABearerToken(method: HTTPRequest.Method, path: String) async throws {
        let client = try await SandboxClient()
        for headers in [[:], ["Authorization": "Bearer x"], ["Authorization": "Basic x"]] {
            let answer = try await client.send(method, path, headers: headers)
            #expect(answer.status == 401 && answer.text == "{\"error\":\"access_denied\"}")
        }
    }

    @Test(arguments: [
        ("/o/client/register", "{\"software_statement\":\"x.y.z\"}", "invalid_software_statement"),
        ("/o/client/register", "{}", "invalid_request"), ("/o/client/register", "", "invalid_request"),
        ("/o/client/token", "grant_type=client_credentials&client_id=a&client_secret=b", "invalid_client"),
        ("/o/client/token", "grant_type=password&client_id=a&client_secret=b", "unsupported_grant_type"),
        ("/o/client/token", "", "invalid_request"),
    ])
    func refusesABadRegistration(path: String, body: String, error: String) async throws {
        let answer = try await SandboxClient().send(
            .post, path, body: body, headers: ["X-Device-Info": SandboxClient.deviceInfo])
        #expect(answer.status == 400 && answer.text == "{\"error\":\"\(error)\"}")
    }

    @Test func endsAccessTokens_whenTheirTimeIsOver() async throws {
        let clock = ManualClock()
        let client = try await SandboxClient(clock: clock).registered()
        #expect(try await client.send(.get, "/adobe-services/config/DEMO").status == 200)
        clock.advance(by: 86_400)
        #expect(try await client.send(.get, "/adobe-services/config/DEMO").status == 401)
    }

    @Test(.row("wire protocol, 5")) func describesARequestor_onOneLine() async throws {
        let client = try await SandboxClient().registered()
        let answer = try await client.send(
            .get, "/adobe-services/config/DEMO", headers: ["User-Agent": "x (iPhone; y)"])
        #expect(!answer.text.contains("\n"))
        let configuration = try ConfigurationReader().configuration(Data(answer.text.utf8))
        #expect(configuration.requestor.providers.map(\.id) == ["demo-cable", "demo-fiber"])
        #expect(configuration.requestor.channels == ["DEMO-1", "DEMO-2", "DEMO-PLUS"])
        #expect(configuration.clientType == "ios" && configuration.deviceType == "mobile")
        #expect(try await client.send(.get, "/adobe-services/config/NOPE").status == 400)
    }

    @Test(.row("wire protocol, 2.3")) func givesTheSameDeviceID_forTheSameFingerprint() async throws {
        var client = try await SandboxClient()
        let first = try await client.individualize()
        #expect(try await client.individualize() == first)
        #expect(first.utf8.count == 32)
        #expect(client.headers["pass_sfp"]?.components(separatedBy: "--").count == 4)
        #expect(try await client.send(.post, "/indiv/devices", body: "{}").status == 400)
    }

    @Test func letsOtherOriginsIn() async throws {
        let client = try await SandboxClient()
        let answer = try await client.send(
            .options, "/adobe-services/session", headers: ["Origin": "https://a.example"])
        #expect(answer.status == 204)
        #expect(answer.header("Access-Control-Allow-Origin") == "https://a.example")
        // A page of another origin reads no other header of the sandbox's own.
        let exposed = answer.header("Access-Control-Expose-Headers")?.components(separatedBy: ",").sorted()
        #expect(
            exposed == [
                "Authzf-Error-Code", "Authzf-Error-Details", "Authzf-Sub-Error-Code", "Retry-After",
                "X-Sandbox-Decision", "X-Sandbox-Objection", "pass_sfp",
            ])
    }

    @Test(.row("wire protocol, 3")) func throttles_whenTold() async throws {
        var world = SandboxWorld.demo
        world.behavior.isThrottled = true
        let clock = ManualClock()
        let client = try await SandboxClient(world: world, clock: clock)
        var statuses: [Int] = []
        for _ in 0..<13 { statuses.append(try await client.send(.get, "/adobe-services/config/DEMO").status) }
        #expect(statuses == Array(repeating: 401, count: 11) + [429, 429])
        clock.advance(by: 1)
        #expect(try await client.send(.get, "/adobe-services/config/DEMO").status == 401)
        #expect(try await client.send(.get, "/sandbox/info").status == 200)
    }

    @Test func saysWhatItIs() async throws {
        let client = try await SandboxClient()
        struct Info: Decodable {
            struct Provider: Decodable { let id, displayName, user, password: String }
            let baseURL, softwareStatement, mediaTokenPublicKey: String
            let requestors: [String]
            let mvpds: [Provider]
        }
        let info = try await client.send(.get, "/sandbox/info").json(Info.self)
        #expect(info.baseURL == client.sandbox.baseURL.absoluteString)
        #expect(info.requestors == ["DEMO", "DEMO2"])
        #expect(info.mvpds.map(\.id) == ["demo-cable", "demo-fiber"])
        #expect(info.mvpds.allSatisfy { $0.user == "viewer" && $0.password == "secret" && !$0.displayName.isEmpty })
        #expect(info.softwareStatement == client.sandbox.softwareStatement)
        #expect(throws: Never.self) { try TokenVerificationKey(pemRepresentation: info.mediaTokenPublicKey) }
        let page = try await client.send(.get, "/")
        #expect(page.status == 404 && page.text.contains("was started without its console"))
    }

    @Test(arguments: [
        "/nope", "/adobe-services/nope", "/adobe-services", "/sp/saml/nope", "/idp/nope/sso", "/%", "/sandbox/info/x",
    ])
    func answers404_elsewhere(path: String) async throws {
        #expect(try await SandboxClient().send(.get, path).status == 404)
    }

    @Test func refusesHugeBodies() async throws {
        let body = String(repeating: "x", count: 1 << 20 + 1)
        let client = try await SandboxClient(isDirect: false)
        #expect(try await client.send(.post, "/adobe-services/session", body: body).status == 413)
    }

    @Test(arguments: [200, 400, 403])
    func deniesWithTheStatusOfItsWorld(status: Int) async throws {
        var world = SandboxWorld.demo
        world.behavior.denialStatus = status
        let client = try await SandboxClient(world: world).registered()
        let token = try await client.loggedIn(device: "d1")
        let answer = try await client.authorize(token, "DEMO-PLUS", device: "d1")
        #expect(answer.status == status && answer.text.contains("<notAuthorized/>"))
    }

    /// Most tests start a sandbox, and two signatures would take most of that time.
    @Test func sandboxesOfOneKey_haveTheSameTwoStatements() async throws {
        let first = try await SandboxClient().sandbox
        let second = try await SandboxClient().sandbox
        #expect(first.softwareStatement == second.softwareStatement)
        #expect(first.classicSoftwareStatement == second.classicSoftwareStatement)
        #expect(first.softwareStatement != first.classicSoftwareStatement)
    }

    @Test func refusesAPortInUse_andANonsensicalHost() async throws {
        let first = try await Sandbox(world: .demo.strict)
        let port = UInt16(try #require(first.baseURL.port))
        await #expect(throws: SandboxError.cannotListen(host: "127.0.0.1", port: port, errno: EADDRINUSE)) {
            try await Sandbox(world: .demo.strict, port: port)
        }
        await #expect(throws: SandboxError.invalidHost("nowhere")) {
            try await Sandbox(world: .demo.strict, host: "nowhere")
        }
        await first.stop()
    }
}
