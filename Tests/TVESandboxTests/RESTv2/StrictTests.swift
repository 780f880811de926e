import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Tests that a strict sandbox refuses requests that the documents of REST API v2 and of registration do not describe,
/// and says why.
@Suite(.fewAtATime)
struct StrictTests {
    struct Request: Sendable, CustomTestStringConvertible {
        var operation = "profiles"
        var last = ""
        var headers: [String: String] = [:]
        var body: String?
        let error: String
        /// A part of the sentence that explains the refusal.
        let because: String

        var testDescription: String { because }
    }

    private static func base64(_ json: String) -> String { Data(json.utf8).base64EncodedString() }

    private static let undocumented: [Request] = [
        Request(
            last: "?applicationProfile=p1", error: "invalid_request",
            because: "query parameter \"applicationProfile\""),
        Request(
            operation: "configuration", last: "?profile=a&profile=b", error: "invalid_request",
            because: "\"profile\" occurs twice"),
        Request(
            headers: ["AP-TempPass-Identity": base64("{}")], error: "invalid_request",
            because: "\"AP-TempPass-Identity\""),
        Request(
            headers: ["ap_21": "device"], error: "invalid_request",
            because: "The header \"ap_21\" is not documented"),
        Request(
            operation: "configuration", headers: ["AD-Service-Token": "a.b.c"], error: "invalid_request",
            because: "is not documented for the endpoint \"configuration\"."),
        Request(
            operation: "logout", last: "demo-cable?redirectUrl=https%3A%2F%2Fapp.example%2Fdone",
            headers: ["AP-TempPass-Identity": base64("{}")], error: "invalid_request",
            because: "is not documented for the endpoint \"logout\"."),
        Request(
            operation: "partnerSession", last: "Apple", headers: ["AD-Service-Token": "a.b.c"],
            body: "domainName=localhost",
            error: "invalid_request",
            because: "The header \"AD-Service-Token\" is not documented for the endpoint \"partnerSession\"."),
        Request(
            operation: "createSession", body: "mvpd=demo-cable&ttl=60", error: "invalid_request",
            because: "form field \"ttl\""),
        Request(
            operation: "createSession", body: "mvpd=demo-cable&mvpd=demo-fiber", error: "invalid_request",
            because: "\"mvpd\" occurs twice"),
        Request(
            operation: "createSession", body: "{\"mvpd\":\"demo-cable\"}", error: "invalid_request",
            because: "application/x-www-form-urlencoded, not \"application/json\""),
        Request(
            operation: "authorize", last: "demo-cable", body: "{\"resources\":[\"DEMO-1\"],\"ip\":\"::1\"}",
            error: "invalid_request", because: "JSON member \"ip\""),
        Request(
            operation: "authorize", last: "demo-cable", headers: ["Content-Type": "text/plain"],
            body: "{\"resources\":[\"DEMO-1\"]}", error: "invalid_request", because: "not \"text/plain\""),
        Request(
            headers: ["X-Device-Info": base64("{\"model\":\"M\",\"osName\":\"Linux\",\"type\":\"TV\"}")],
            error: "invalid_header_device_info",
            because: "\"type\", which is not documented"),
        Request(
            headers: ["X-Device-Info": base64("{}")], error: "invalid_header_device_info", because: "has no \"model\""),
        Request(
            headers: ["X-Device-Info": base64("{\"model\":\"M\"}")], error: "invalid_header_device_info",
            because: "has none of \"osName\", \"osVersion\""),
        Request(
            headers: ["X-Device-Info": base64("{\"model\":\"iPad\",\"osName\":\"iPadOS\"}")],
            error: "invalid_header_device_info",
            because: "undocumented value for \"osName\": \"iPadOS\""),
        Request(
            operation: "session", last: "X", headers: ["X-Device-Info": "no base64"],
            error: "invalid_header_device_info",
            because: "is not Base64"),
        Request(
            operation: "profile", last: "demo-cable",
            headers: [
                "AP-Partner-Framework-Status": base64("{\"frameworkPermissionInfo\":{\"accessStatus\":\"maybe\"}}")
            ],
            error: "invalid_header_pfs_permission_access_not_present", because: "no \"frameworkProviderInfo\""),
    ]

    @Test(.row("CL24"), arguments: undocumented)
    func refusesWhatIsNotDocumented_andAForgivingSandboxDoesNot(request: Request) async throws {
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple-cable"
        let client = try await RESTv2Client(world: world)
        let refused = try await client.ask(
            request.operation, request.last, body: request.body, headers: request.headers)
        #expect(refused.status == 400 && refused.text.contains("\"\(request.error)\""), "\(refused.text)")
        let exchange = try #require(client.client.sandbox.exchanges.last)
        let sentence = try #require(exchange.objection)
        #expect(sentence.contains(request.because), "\(sentence)")
        #expect(String(decoding: try JSONEncoder().encode(exchange), as: UTF8.self).contains("\"objection\""))

        try client.client.sandbox.apply(world)
        let (method, path) = RESTv2Client.place(request.operation, request.last)
        let accepted = try await client.client.send(
            method, path, body: method == .post ? request.body : nil, headers: request.headers)
        #expect(!accepted.text.contains("invalid_request") && accepted.header("X-Sandbox-Objection") == nil)
    }

    /// One page of the vendor wants the header in every request, and the page of this endpoint does not list it.
    @Test func takesTheVisitorsID_withARequestForTheConfiguration() async throws {
        let client = try await RESTv2Client()
        let answer = try await client.ask("configuration", headers: ["AP-Visitor-Identifier": "ecid"])
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// The value is that of nearly all samples on the vendor's pages, and its JSON lacks a comma.
    @Test func takesTheDeviceOfTheVendorsSamples_whereItForgives() async throws {
        let sample =
            "ewoJInByaW1hcnlIYXJkd2FyZVR5cGUiOiAiU2V0VG9wQm94IiwKCSJtb2RlbCI6ICJUViA1dGggR2VuIiwKCSJtYW51ZmFjdHVyZXIi"
            + "OiAiQXBwbGUiLAoJIm9zTmFtZSI6ICJ0dk9TIgoJIm9zVmVuZG9yIjogIkFwcGxlIiwKCSJvc1ZlcnNpb24iOiAiMTEuMCIKfQ=="
        let client = try await RESTv2Client()
        let refused = try await client.ask("profiles", headers: ["X-Device-Info": sample])
        #expect(refused.status == 400 && refused.text.contains("\"invalid_header_device_info\""))
        #expect(refused.header("X-Sandbox-Objection")?.contains("is not the Base64 of JSON") == true)
        try client.client.sandbox.apply(.demo)
        #expect(try await client.ask("profiles", headers: ["X-Device-Info": sample]).status == 200)
        for value in ["", "no base64", "{}"] {
            let refused = try await client.ask("profiles", headers: ["X-Device-Info": value])
            #expect(refused.status == 400 && refused.text.contains("\"invalid_header_device_info\""), "\(value)")
        }
    }

    @Test func toleratesWhatEveryTransportAdds() async throws {
        let client = try await RESTv2Client()
        let headers = [
            "Accept-Language": "en", "Cache-Control": "no-cache", "Via": "1.1 proxy", "X-Forwarded-For": "192.0.2.7",
            "X-Forwarded-Proto": "https", "Sec-Fetch-Site": "none", "traceparent": "00-1-2-00", "Priority": "u=3",
            "x-datadog-trace-id": "1", "sentry-trace": "1-2", "baggage": "a=b", "X-Request-ID": "1",
            "Trailer": "X-Sum",
        ]
        #expect(try await client.ask("profiles", headers: headers).status == 200)
        let form = try await client.ask(
            "createSession", body: "mvpd=demo-cable",
            headers: ["Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"])
        #expect(form.status == 200)
    }

    @Test(
        arguments: [
            ("/o/client/register", "{\"software_statement\":\"x\",\"name\":\"y\"}", [:], "JSON member \"name\""),
            ("/o/client/register", "{\"software_statement\":\"x\"}", ["X-Device-Info": ""], "X-Device-Info"),
            ("/o/client/token", "grant_type=client_credentials&scope=a", [:], "form field \"scope\""),
            ("/o/client/token?client_id=a", "grant_type=client_credentials", [:], "query parameter \"client_id\""),
            (
                "/o/client/token", "grant_type=client_credentials", ["Authorization": "Bearer x"],
                "header \"Authorization\""
            ),
        ] as [(String, String, [String: String], String)])
    func refusesARegistration(path: String, body: String, headers: [String: String], because: String) async throws {
        let client = try await SandboxClient()
        let answer = try await client.send(
            .post, path, body: body,
            headers: ["X-Device-Info": SandboxClient.deviceInfo].merging(headers) { $1 })
        #expect(answer.status == 400 && answer.text == "{\"error\":\"invalid_request\"}")
        #expect(answer.header("X-Sandbox-Objection")?.contains(because) == true)
    }

    @Test func saysThatAPathOrAMethodDoesNotExist() async throws {
        let client = try await RESTv2Client()
        let path = try await client.client.send(.get, "/api/v2/DEMO/authz")
        #expect(path.status == 404 && path.header("X-Sandbox-Objection") == "No endpoint has this path.")
        let method = try await client.client.send(.put, "/api/v2/DEMO/profiles")
        #expect(method.status == 405 && method.header("X-Sandbox-Objection") != nil)
        let page = try await client.client.send(.get, "/api/v2/authenticate/DEMO/X?mvpd=demo-cable")
        #expect(page.status == 400 && page.text.contains("query parameter"))
    }

    @Test func keepsSentencesSafe_whateverTheRequestSays() async throws {
        let client = try await RESTv2Client(isDirect: false)
        let name = "a%0D%0ASet-Cookie:%20x=1%C3%BC" + String(repeating: "y", count: 500)
        let answer = try await client.ask("profiles", "?\(name)=1")
        let sentence = try #require(answer.header("X-Sandbox-Objection"))
        #expect(answer.status == 400 && answer.header("Set-Cookie") == nil)
        #expect(sentence.utf8.count < 200 && sentence.utf8.allSatisfy { $0 > 0x1F && $0 < 0x7F })
    }

    // MARK: - Redirects

    @Test(
        .row("CL28"),
        arguments: [
            ("adobepass://ios.app", true), ("ADOBEPASS://anything/else", true), ("https://app.example/done?x=1", true),
            ("https://other.example/done", false), ("http://app.example/done", false), ("other.app://x", false),
        ])
    func acceptsOnlyRegisteredRedirects(redirect: String, isRegistered: Bool) async throws {
        var world = SandboxWorld.demo
        world.behavior.restV2.redirectURLs = ["adobepass://", "https://app.example"]
        let client = try await RESTv2Client(world: world)
        let form = SandboxClient.form([("mvpd", "demo-cable"), ("redirectUrl", redirect)])
        let partner = SandboxClient.form([("redirectUrl", redirect)])
        for (operation, last, body) in [
            ("createSession", "", form), ("partnerSession", "Apple", partner),
            ("logout", "demo-cable?\(partner)", ""),
        ] {
            let answer = try await client.ask(operation, last, body: body)
            #expect((answer.status == 200) == isRegistered, "\(operation)")
            #expect(answer.text.contains("invalid_parameter_redirect_url") == !isRegistered, "\(operation)")
        }
    }

    @Test func countsTheRedirect_withWhichAnApplicationRegistered() async throws {
        let client = try await SandboxClient()
        let body = "{\"software_statement\":\"\(client.sandbox.softwareStatement)\",\"redirect_uri\":\"app.demo://\"}"
        let answer = try await client.send(
            .post, "/o/client/register", body: body, headers: ["X-Device-Info": SandboxClient.deviceInfo])
        #expect(try answer.json([String: MetadataValue].self)["redirect_uris"] == ["app.demo://"])
        // A space could end the address in a header.
        let spoiled = try await client.send(
            .post, "/o/client/register", body: body.replacing("demo://", with: "demo://a b"),
            headers: ["X-Device-Info": SandboxClient.deviceInfo])
        #expect(spoiled.status == 400 && spoiled.text.contains("invalid_redirect_uri"))
    }

    // MARK: - Codes

    @Test func refusesACode_withWhichALoginWasMade() async throws {
        let client = try await RESTv2Client()
        let code = try await client.code()
        let pages = try await (client.ask("authenticate", code), client.ask("authenticate", code))
        #expect(pages.0.status == 302 && pages.1.status == 302, "nobody has logged in yet")
        try await client.finish(code)
        let page = try await client.client.send(.get, "/api/v2/authenticate/DEMO/\(code)")
        #expect(page.status == 400 && page.text.contains("A login was made with this code already."))
        let resumed = try await client.ask("resumeSession", code, body: "mvpd=demo-fiber")
        #expect(resumed.text.contains("invalid_authentication_session"))
        #expect(resumed.header("X-Sandbox-Objection") == "A login was made with this code already.")
    }

    @Test(.row("CL7", "CL8")) func refusesAPollThatComesTooSoon() async throws {
        let client = try await RESTv2Client()
        let code = try await client.code()
        // The client does not advance its clock for this spelling of the path, so that the test sets the pace.
        func poll(_ device: String = "device-1") async throws -> Int {
            let id = "fingerprint \(Data(device.utf8).base64EncodedString())"
            return try await client.client.send(
                .get, "//api/v2/DEMO/profiles/code/\(code)", headers: ["AP-Device-Identifier": id]
            ).status
        }
        #expect(try await poll() == 200)
        client.clock.advance(by: 2)
        #expect(try await poll() == 429)
        #expect(client.client.sandbox.exchanges.last?.objection?.contains("every three seconds") == true)
        #expect(try await poll("device-2") == 200, "another screen has a pace of its own")
        client.clock.advance(by: 1)
        #expect(try await poll() == 200)
        client.clock.advance(by: 600)
        #expect(try await poll() == 200)
        client.clock.advance(by: -597)
        #expect(try await poll() == 200, "the last poll is one of the future after the clock was set back")
    }

    @Test(.row("CL27")) func refusesWhatIsAboveTheThrottle_ofEachDevice() async throws {
        let client = try await RESTv2Client()
        client.clock.advance(by: 10)
        func ask(_ device: String) async throws -> Int {
            let id = "fingerprint \(Data(device.utf8).base64EncodedString())"
            return try await client.client.send(
                .get, "//api/v2/DEMO/profiles", headers: ["AP-Device-Identifier": id]
            ).status
        }
        for _ in 0..<11 { #expect(try await ask("device-1") == 200) }
        #expect(try await ask("device-1") == 429)
        let objection = client.client.sandbox.exchanges.last?.objection
        #expect(objection == "The client exceeded the limit of ten requests in a burst and one a second after that.")
        #expect(try await ask("device-2") == 200)
        client.clock.advance(by: 1)
        #expect(try await ask("device-1") == 200)
    }

    /// The vendor's page does not list the single sign-on service among the paths that are throttled.
    @Test func throttlesNoHousehold() async throws {
        let client = try await RESTv2Client()
        #expect(client.checker.problem("householdDevices", status: 429, contentType: "text/html", body: "") != nil)
        for _ in 0..<15 { #expect(try await client.client.send(.get, "//api/DEMO/list").status == 401) }
        for _ in 0..<11 { #expect(try await client.client.send(.get, "//api/v2/DEMO/profiles").status == 200) }
        #expect(try await client.client.send(.get, "//api/v2/DEMO/profiles").status == 429)
    }

    /// The example of the vendor's page about throttling, with the seconds since the first request.
    @Test func throttlesTheVendorsExample_asItsPageDoes() async throws {
        let rows: [(Double, Int)] = [
            (0, 200), (0.3, 200), (0.6, 200), (0.9, 200), (1.2, 200), (1.3, 200), (1.4, 200), (1.5, 200), (1.6, 200),
            (1.7, 200), (1.8, 200), (2.1, 200), (2.2, 200), (2.4, 429), (2.6, 429), (2.8, 429), (3.1, 200),
        ]
        let client = try await RESTv2Client()
        var last = 0.0
        for (seconds, status) in rows {
            client.clock.advance(by: seconds - last)
            last = seconds
            // The client does not advance its clock for this spelling of the path.
            #expect(try await client.client.send(.get, "//api/v2/DEMO/profiles").status == status, "\(seconds)")
        }
    }
}
