import Foundation
import HTTPTypes
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Tests of the scenarios that a client of REST API v2 must survive, as faults of a world.
@Suite(.fewAtATime)
struct ScenarioTests {
    private static func client(_ faults: String, _ change: (inout SandboxWorld) -> Void = { _ in }) async throws
        -> RESTv2Client
    {
        var world = SandboxWorld.demo
        change(&world)
        world.faults = try JSONDecoder().decode([SandboxWorld.Fault].self, from: Data("[\(faults)]".utf8))
        return try await RESTv2Client(world: try SandboxWorld(json: Data(world.json.utf8)))
    }

    private func plays(_ client: RESTv2Client, _ resource: String = "DEMO-1") async throws -> String {
        let text = try await client.ask("authorize", "demo-cable", body: "{\"resources\":[\"\(resource)\"]}").text
        let code = text.firstMatch(of: /"code":"([a-z_]+)"/).map { String($0.1) }
        return code ?? (text.contains("serializedToken") ? "plays" : text)
    }

    @Test func onlyTheConfigurationIsDown() async throws {
        let client = try await Self.client(#"{"kind":"status","step":"configuration","amount":503}"#)
        #expect(try await client.client.send(.get, "/api/v2/DEMO/configuration").status == 503)
        try await client.logIn()
        #expect(try await plays(client) == "plays")
    }

    @Test(.row("CL7", "CL8")) func aProfileComesLate() async throws {
        let client = try await Self.client(#"{"kind":"lateProfile","amount":10}"#)
        let code = try await client.code()
        try await client.finish(code)
        for _ in 0..<3 { #expect(try await client.ask("profileOfCode", code).text == "{\"profiles\":{}}") }
        client.clock.advance(by: 1)
        #expect(try await client.ask("profileOfCode", code).text.contains("demo-cable"))
    }

    @Test(.row("CL12")) func oneLoginGivesTwoProfiles() async throws {
        let client = try await Self.client(#"{"kind":"secondProfile","provider":"demo-fiber"}"#)
        try await client.logIn()
        let profiles = try await client.ask("profiles").text
        #expect(profiles.contains("\"demo-cable\":{") && profiles.contains("\"demo-fiber\":{"))
        _ = try await client.ask("logout", "demo-cable?redirectUrl=adobepass://ios.app")
        let left = try await client.ask("profiles").text
        #expect(!left.contains("\"demo-cable\":{") && left.contains("\"demo-fiber\":{"), "each ends by itself")
    }

    @Test func aProfileEndsInTheMiddle() async throws {
        let client = try await Self.client(#"{"kind":"profileEnded","step":"authorize","after":1,"requests":1}"#)
        try await client.logIn()
        #expect(try await plays(client) == "plays")
        #expect(try await plays(client) == "authenticated_profile_expired")
        #expect(try await client.ask("profiles").text == "{\"profiles\":{}}")
        try await client.logIn()
        #expect(try await plays(client) == "plays", "a new login counts")
    }

    @Test func aPermitIsTakenBack() async throws {
        let client = try await Self.client(#"{"kind":"denied","step":"authorize","resource":"DEMO-1","after":1}"#)
        try await client.logIn()
        let answers = try await [plays(client), plays(client), plays(client, "DEMO-2")]
        #expect(answers == ["plays", "authorization_denied_by_mvpd", "plays"])
        let forecast = try await client.ask("preauthorize", "demo-cable", body: "{\"resources\":[\"DEMO-1\"]}").text
        #expect(forecast.contains("\"authorized\":true"), "a forecast decides nothing")
    }

    @Test(.row("CL15")) func aDenialBecomesAPermit() async throws {
        let client = try await Self.client(#"{"kind":"denied","step":"preauthorize","requests":1}"#)
        try await client.logIn()
        var answers: [Bool] = []
        for _ in 0..<2 {
            let text = try await client.ask("preauthorize", "demo-cable", body: "{\"resources\":[\"DEMO-1\"]}").text
            answers.append(text.contains("\"authorized\":true"))
        }
        #expect(answers == [false, true])
    }

    @Test(.row("CL9")) func anotherCodeIsMade_whileThisOneIsPolled() async throws {
        let client = try await Self.client(#"{"kind":"codeReplaced","after":2,"requests":1}"#)
        let code = try await client.code()
        for _ in 0..<2 { #expect(try await client.ask("profileOfCode", code).status == 200) }
        for _ in 0..<2 {
            let over = try await client.ask("profileOfCode", code)
            #expect(over.status == 400 && over.text.contains("invalid_authentication_session"))
        }
        let next = try await client.code()
        #expect(try await client.ask("profileOfCode", next).status == 200)
    }

    // MARK: - Web views

    @Test(
        .row("CL28"),
        arguments: [
            (
                """
                Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                Mobile/15E148
                """,
                true
            ),
            (
                """
                Mozilla/5.0 (Linux; Android 15; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) \
                Version/4.0 Chrome/131.0 Mobile Safari/537.36
                """,
                true
            ),
            (
                """
                Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                Version/18.2 Mobile/15E148 Safari/604.1
                """,
                false
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36",
                false
            ),
            ("curl/8.0", false),
        ])
    func aProviderRefusesWebViews(userAgent: String, isRefused: Bool) async throws {
        let client = try await Self.client("") { $0.providers[1].refusesWebViews = true }
        let code = try await client.code("demo-fiber")
        let first = try await client.ask("authenticate", code)
        let second = try await client.client.send(.get, try #require(first.header("Location")))
        let page = try await client.client.send(
            .get, try #require(second.header("Location")), headers: ["User-Agent": userAgent])
        #expect(page.status == (isRefused ? 403 : 200))
        #expect(page.text.contains("web view") == isRefused)
    }

    // MARK: - The page for codes

    @Test(.row("CL29")) func thePageForCodes_continuesASession_asItsDialectDocuments() async throws {
        let client = try await RESTv2Client()
        let begun = try await client.ask("createSession", body: "").text
        let code = try #require(begun.firstMatch(of: /"code":"([A-Z0-9]{7})"/)?.1).description
        let picker = try await client.client.post("/activate", [("code", code)], headers: ["Authorization": ""])
        #expect(picker.text.contains("demo-fiber"))
        let next = try await client.client.post("/activate", [("code", code), ("mvpd", "demo-cable")])
        #expect(next.header("Location") == "/api/v2/authenticate/DEMO/\(code)")
        let state = try await client.ask("session", code).text
        #expect(!state.contains("missingParameters") && state.contains("\"domainName\":\"127.0.0.1\""))
        let end = try #require(URL(string: "\(client.client.sandbox.baseURL.absoluteString)/activate/done"))
        var browser = HeadlessBrowser(transport: SandboxClient.transport)
        let page = "\(client.client.sandbox.baseURL.absoluteString)/api/v2/authenticate/DEMO/\(code)"
        let walk = await browser.open(
            try #require(URL(string: page)), endingAt: end, as: .logsIn(name: "viewer", password: "secret"))
        #expect(walk == .redirect(end))
        #expect(try await client.ask("profileOfCode", code).text.contains("demo-cable"))
        let again = try await client.client.post("/activate", [("code", code), ("mvpd", "demo-fiber")])
        #expect(again.text.contains("A login was made with this code already."))
        #expect(try await client.ask("profileOfCode", code).text.contains("demo-cable"))
    }

    /// The viewer has chosen the wrong provider, cancels on its page, and types the code again.
    @Test(arguments: [nil, "demo-fiber"] as [String?])
    func thePageForCodes_offersTheProvidersAgain_afterACancelledLogin_unlessTheTelevisionNamesOne(
        named: String?
    ) async throws {
        let client = try await RESTv2Client()
        let begun = try await client.ask("createSession", body: named.map { "mvpd=\($0)" } ?? "").text
        let code = try #require(begun.firstMatch(of: /"code":"([A-Z0-9]{7})"/)?.1).description
        let choice = named == nil ? [("mvpd", "demo-fiber")] : []
        let next = try await client.client.post("/activate", [("code", code)] + choice)
        let base = client.client.sandbox.baseURL
        let page = try #require(next.header("Location").flatMap { URL(string: $0, relativeTo: base) })
        var browser = HeadlessBrowser(transport: SandboxClient.transport)
        let end = try #require(URL(string: "\(base.absoluteString)/activate/cancelled"))
        #expect(await browser.open(page.absoluteURL, endingAt: end, as: .cancels) == .redirect(end))
        let again = try await client.client.post("/activate", [("code", code)])
        let buttons = ["demo-cable", "demo-fiber"].filter { again.text.contains("value=\"\($0)\"") }
        #expect(buttons == (named == nil ? ["demo-cable", "demo-fiber"] : []))
        #expect((again.header("Location") == nil) == (named == nil))
        guard named == nil else { return }
        let other = try await client.client.post("/activate", [("code", code), ("mvpd", "demo-cable")])
        #expect(other.header("Location") == "/api/v2/authenticate/DEMO/\(code)")
    }

    @Test func aCode_hasTheProfileOfTheLogin_andNotOfALaterChoice() async throws {
        let client = try await RESTv2Client()
        let code = try await client.code()
        let page = try await client.client.send(.get, "/api/v2/authenticate/DEMO/\(code)")
        let base = client.client.sandbox.baseURL
        let login = try #require(page.header("Location").flatMap { URL(string: $0, relativeTo: base) })
        _ = try await client.client.post("/activate", [("code", code), ("mvpd", "demo-fiber")])
        let end = try SandboxClient.redirect
        var browser = HeadlessBrowser(transport: SandboxClient.transport)
        _ = await browser.open(login.absoluteURL, endingAt: end, as: .logsIn(name: "viewer", password: "secret"))
        let profiles = try await client.ask("profileOfCode", code).text
        #expect(profiles.contains("demo-cable") && !profiles.contains("demo-fiber"))
    }

    @Test func thePageForCodes_isDone_whenNoLoginIsNeeded() async throws {
        let client = try await RESTv2Client()
        try await client.logIn()
        let begun = try await client.ask("createSession", body: "").text
        let code = try #require(begun.firstMatch(of: /"code":"([A-Z0-9]{7})"/)?.1).description
        let next = try await client.client.post("/activate", [("code", code), ("mvpd", "demo-cable")])
        #expect(next.header("Location")?.hasSuffix("/activate/done") == true)
        #expect(try await client.ask("profileOfCode", code).text.contains("demo-cable"))
    }
}
