import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVETestSupport
import TVETestTraits
import TVETokenCodec
import TVETokenVerification
import Testing

@Suite(.fewAtATime)
struct WebDialectTests {
    private var client: SandboxClient
    private let deviceID: String
    private let clock = ManualClock()

    init() async throws {
        client = try await SandboxClient(clock: clock)
        try await client.register()
        deviceID = try await client.individualize()
    }

    private func session(_ code: String, by sender: SandboxClient? = nil) async throws -> SandboxClient.Answer {
        try await (sender ?? client).post(
            "/adobe-services/session", [("_method", "GET"), ("requestor_id", "DEMO"), ("reg_code", code)])
    }

    private func authenticationToken(provider: String = "demo-cable") async throws -> String {
        let code = try await client.registrationCode(deviceID: deviceID)
        _ = try await client.logIn(code: code, provider: provider)
        return try #require(SandboxClient.element("authnToken", in: try await session(code).text))
    }

    private func authorize(
        _ token: String, _ resource: String = "DEMO-1", requestor: String = "DEMO", headers: [String: String] = [:],
        by sender: SandboxClient? = nil
    ) async throws -> SandboxClient.Answer {
        try await (sender ?? client).post(
            "/adobe-services/authorize",
            [
                ("resource_id", resource), ("requestor_id", requestor), ("authentication_token", token),
                ("mso_id", "demo-cable"), ("generic_data", ""), ("userMeta", "1"),
            ], headers: headers)
    }

    @Test(arguments: ["demo-cable", "demo-fiber"])
    func givesAMediaToken_thatABackEndAccepts(provider: String) async throws {
        let code = try await client.registrationCode(deviceID: deviceID)
        #expect(try await session(code).status == 401)
        let end = try await client.logIn(code: code, provider: provider)
        #expect(end == .redirect(try SandboxClient.redirect))
        let answer = try await session(code)
        let text = try #require(SandboxClient.element("authnToken", in: answer.text))
        let token = try TokenDecoder().authenticationToken(text)
        #expect(token.claims.fingerprint == deviceID)
        #expect(token.claims.fragments?.vendor == "0a92fab3230134cca6eadd9898325b9b2ae67998")
        #expect(token.claims.fragments?.platform == "ad8006a09d99767669d5fd4e7f01accfc33fb994")
        #expect(answer.text.contains("<userMeta>{"))

        let authorization = try await client.post(
            "//adobe-services//1.0/authorize",
            [
                ("resource_id", "DEMO-1"), ("requestor_id", "DEMO"), ("authentication_token", text),
                ("mso_id", provider), ("generic_data", ""), ("userMeta", "1"), ("_", "1795219200000"),
            ])
        let permission = try #require(SandboxClient.element("authzToken", in: authorization.text))
        let media = try await client.post(
            "/adobe-services/shortAuthorize",
            [
                ("authz_token", permission), ("requestor_id", "DEMO"), ("session_guid", "anything"),
                ("hashed_guid", "false"), ("generic_data", "{}"),
            ])
        let verifier = try MediaTokenVerifier(
            keys: [TokenVerificationKey(pemRepresentation: client.sandbox.key.publicKeyPEM)], requestorID: "DEMO")
        let found = verifier.verify(media.text, resource: "DEMO-1", at: clock.now)
        #expect(found.verdict == .validToken)
        #expect(found.claims?.timeToLive == 420_000)
        #expect(verifier.verify(media.text, at: clock.now.addingTimeInterval(420)).verdict == .tokenExpired)
    }

    @Test(arguments: [
        ("a forged token", "400"), ("another requestor", "400"), ("another device", "58772"),
        ("a token past its time", "1"),
    ])
    func givesNoMediaToken(for situation: String, answer: String) async throws {
        let authorized = try await authorize(try await authenticationToken())
        let permission = try #require(SandboxClient.element("authzToken", in: authorized.text))
        var sender = client
        var fields = [("authz_token", permission), ("requestor_id", "DEMO")]
        switch situation {
        case "a forged token": fields[0].1 = permission.replacing(">DEMO-1<", with: ">DEMO-PLUS<")
        case "another requestor": fields[1].1 = "DEMO2"
        case "another device": _ = try await sender.individualize("browser-2")
        default:
            clock.advance(by: 86_400)
            try await sender.register()
        }
        let refused = try await sender.post("/adobe-services/shortAuthorize", fields)
        if answer == "400" {
            #expect(refused.status == 400 && !refused.text.contains("authToken"))
        } else {
            #expect(refused.text == "<result><pendingLogout reason=\"\(answer)\">true</pendingLogout></result>")
        }
    }

    @Test func tiesAMediaToken_toTheViewerWhoWasAuthorized() async throws {
        var world = SandboxWorld.demo
        world.viewers.append(.init(name: "second", password: "secret", resources: ["DEMO-1"]))
        var client = try await SandboxClient(world: world, clock: clock).registered()
        let deviceID = try await client.individualize()
        var guids: [String] = []
        for viewer in ["viewer", "second"] {
            let code = try await client.registrationCode(deviceID: deviceID)
            _ = try await client.logIn(code: code, as: .logsIn(name: viewer, password: "secret"))
            let token = try #require(SandboxClient.element("authnToken", in: try await session(code, by: client).text))
            let authorized = try await authorize(token, by: client)
            let permission = try #require(SandboxClient.element("authzToken", in: authorized.text))
            let media = try await client.post(
                "/adobe-services/shortAuthorize", [("authz_token", permission), ("requestor_id", "DEMO")])
            guids.append(try TokenDecoder().mediaToken(media.text).claims.sessionGUID)
            // The clock moves by a second, so that no two permissions have the same text.
            clock.advance(by: 1)
        }
        #expect(Set(guids).count == 2)
    }

    @Test func deniesWhatTheViewerMayNotWatch_withTextAndHeaders() async throws {
        let answer = try await authorize(try await authenticationToken(), "DEMO-PLUS")
        #expect(answer.status == 200)
        #expect(
            answer.text
                == "<error><notAuthorized/>"
                + "<details>Demo Plus is not part of your plan. Add it for 5 a month.</details></error>"
        )
        #expect(answer.header("Authzf-Error-Details")?.contains("Demo Plus") == true)
    }

    @Test func readsMRSSResources() async throws {
        let token = try await authenticationToken()
        #expect(
            try await authorize(token, Resource.mrss(channel: "DEMO-1", item: .init(title: "a & b")).text).text
                .contains("authzToken"))
        #expect(try await authorize(token, Resource.mrss(channel: "DEMO-PLUS").text).text.contains("notAuthorized"))
        #expect(try await authorize(token, "<rss><broken>").header("Authzf-Error-Code") == "invalid")
    }

    @Test func acceptsTheTokenOfAnotherRequestor_withTheSameProvider() async throws {
        #expect(try await authorize(try await authenticationToken(), requestor: "DEMO2").text.contains("authzToken"))
    }

    @Test func refusesATokenFromAnotherDevice() async throws {
        let token = try await authenticationToken()
        var other = client
        _ = try await other.individualize("browser-2")
        let refused = try await authorize(token, by: other)
        #expect(refused.text == "<result><pendingLogout reason=\"34764\">true</pendingLogout></result>")
    }

    @Test(arguments: ["ap_42", "ap_11", "ap_z", "ap_21", "pass_sfp"])
    func refusesAMissingDeviceHeader(name: String) async throws {
        let token = try await authenticationToken()
        #expect(try await authorize(token, headers: [name: ""]).status == 400)
    }

    @Test func refusesADeviceSignatureThatIsNotItsOwn() async throws {
        let token = try await authenticationToken()
        let answer = try await authorize(token, headers: ["ap_21": String(repeating: "0", count: 32)])
        #expect(answer.status == 400 && answer.text.contains("<reason>34763</reason>"))
    }

    @Test func refusesEveryForgedToken() async throws {
        let token = try await authenticationToken()
        let forged = [
            token.replacing("DEMO<", with: "DEMO2<"), String(token.dropLast()), "", "x",
            token.replacing("<signatureInfo>", with: "<signatureInfo>AAAA", maxReplacements: 1),
        ]
        for text in forged {
            #expect(try await authorize(text).status == 400)
        }
    }

    @Test func endsTheLogin_whenItRanOut() async throws {
        let token = try await authenticationToken()
        clock.advance(by: 2_592_000)
        var later = client
        try await later.register()
        let answer = try await authorize(token, by: later)
        #expect(answer.text.contains("<pendingLogout reason=\"1\">"))
    }

    @Test(.row("wire protocol, 4.8")) func endsTheLogin_atLogout() async throws {
        let text = try await authenticationToken()
        let permission = try #require(SandboxClient.element("authzToken", in: try await authorize(text).text))
        let token = try TokenDecoder().authenticationToken(text)
        let query = SandboxClient.form([
            ("name_id", token.claims.samlNameID ?? ""), ("session_index", token.claims.samlSessionIndex ?? ""),
            ("redirect_url", "adobepass://ios.app"),
        ])
        let page = "\(client.sandbox.baseURL.absoluteString)/adobe-services/logout?\(query)"
        #expect(try await SandboxClient.open(page, as: .cancels) == .redirect(try SandboxClient.redirect))
        #expect(try await authorize(text).text.contains("pendingLogout"))
        let media = try await client.post(
            "/adobe-services/shortAuthorize", [("authz_token", permission), ("requestor_id", "DEMO")])
        #expect(media.text.contains("pendingLogout"))
    }

    @Test func keepsTheLogin_whenTheLogoutNamesAnotherViewer() async throws {
        let text = try await authenticationToken()
        let index = try #require(try TokenDecoder().authenticationToken(text).claims.samlSessionIndex)
        let query = SandboxClient.form([("name_id", "other"), ("session_index", index)])
        #expect(try await client.send(.get, "/adobe-services/logout?\(query)").status == 200)
        #expect(try await authorize(text).text.contains("authzToken"))
    }

    @Test func answersPreauthorizations_inOrder_andSaysNothingAboutTooMany() async throws {
        let token = try await authenticationToken()
        let names = ["DEMO-1", "DEMO-PLUS", "demo-2", "<rss>", "A&B"]
        let answer = try await client.post(
            "/adobe-services/preauthorize",
            [("authentication_token", token), ("requestor_id", "DEMO")] + names.map { ("resource_id", $0) })
        #expect(
            answer.text == "<resources>"
                + "<resource><id>DEMO-1</id><authorized>true</authorized></resource>"
                + "<resource><id>DEMO-PLUS</id><authorized>false</authorized></resource>"
                + "<resource><id>demo-2</id><authorized>true</authorized></resource>"
                + "<resource><id>&lt;rss&gt;</id><authorized>false</authorized></resource>"
                + "<resource><id>A&amp;B</id><authorized>false</authorized></resource></resources>")
        let six = try await client.post(
            "/adobe-services/preauthorize",
            [("authentication_token", token), ("requestor_id", "DEMO")] + (0..<6).map { ("resource_id", "\($0)") })
        #expect(six.text == "<resources></resources>")
    }
}
