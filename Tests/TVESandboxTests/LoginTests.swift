import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVETestSupport
import TVETestTraits
import TVETokenCodec
import Testing

@Suite(.fewAtATime)
struct LoginTests {
    private static func client(
        _ change: (inout SandboxWorld) -> Void = { _ in }, clock: ManualClock = ManualClock(),
        isDirect: Bool = !LongTests.areOn
    ) async throws -> SandboxClient {
        var world = SandboxWorld.demo
        change(&world)
        return try await SandboxClient(world: world, clock: clock, isDirect: isDirect).registered()
    }

    @Test(.row("wire protocol, 4.2")) func showsTheLoginPageAgain_afterAWrongPassword() async throws {
        let client = try await Self.client()
        let code = try await client.registrationCode(deviceID: "d1")
        let end = try await client.logIn(code: code, as: .logsIn(name: "viewer", password: "wrong"))
        guard case .loginRefused(let html) = end else {
            Issue.record("\(end)")
            return
        }
        #expect(html.contains("The user name or password is not correct."))
        #expect(try await client.session(code, device: "d1").text.contains("pendingLogout"))
    }

    @Test func saysPendingLogout_whenTheViewerCancelled() async throws {
        let client = try await Self.client()
        let code = try await client.registrationCode(deviceID: "d1")
        #expect(try await client.logIn(code: code, as: .cancels) == .redirect(try SandboxClient.redirect))
        #expect(try await client.session(code, device: "d1").text.contains("pendingLogout"))
    }

    @Test func givesTheSession_toTheDeviceOfTheCodeAlone() async throws {
        let client = try await Self.client()
        let code = try await client.registrationCode(deviceID: "d1")
        _ = try await client.logIn(code: code)
        let foreign = try await client.session(code, device: "d2")
        #expect(foreign.status == 400 && foreign.text.contains("34764"))
        #expect(try await client.session(code, device: "d1").text.contains("authnToken"))
        let again = try await client.session(code, device: "d1", path: "/adobe-services/1.0/sessionDevice")
        #expect(again.text.contains("authnToken"))
        #expect(try await client.session("AAAAAAA", device: "d1").status == 401)
    }

    @Test(.row("wire protocol, 4.2")) func returnsAtOnce_whenThereIsNoIntegration() async throws {
        let client = try await Self.client()
        let code = try await client.registrationCode(deviceID: "d1")
        let answer = try await client.send(
            .get,
            "/adobe-services/authenticate/saml?mso_id=nope&requestor_id=DEMO&redirect_url=a%3A%2F%2Fb&reg_code=\(code)")
        #expect(answer.status == 302 && answer.header("Location") == "a://b")
        #expect(try await client.session(code, device: "d1").status == 401)
    }

    @Test(.row("wire protocol, 4.2")) func logsIn_withoutAPage_forATempPass() async throws {
        let client = try await Self.client {
            $0.providers.append(.init(id: "TempPass", displayName: "Temporary Pass", login: .none))
            $0.requestors[0].providers.append("TempPass")
        }
        let code = try await client.registrationCode(deviceID: "d1")
        let answer = try await client.send(
            .get,
            "/adobe-services/authenticate/saml?mso_id=TempPass&requestor_id=DEMO"
                + "&redirect_url=a%3A%2F%2Fb&reg_code=\(code)"
        )
        #expect(answer.status == 302)
        let token = try await client.authenticationToken(code, device: "d1")
        let authorized = try await client.authorize(token, "DEMO-PLUS", device: "d1", provider: "TempPass")
        #expect(authorized.text.contains("authzToken"))
        #expect(try await client.send(.get, "/idp/TempPass/sso").status == 404, "A TempPass has no login page.")
    }

    @Test(.row("wire protocol, 4.2"), arguments: [(true, 451), (false, 200)])
    func asksForARegistrationCode_unlessToldOtherwise(isRequired: Bool, status: Int) async throws {
        let client = try await Self.client { $0.behavior.requiresRegistrationCode = isRequired }
        let answer = try await client.send(
            .get, "/adobe-services/authenticate/saml?mso_id=demo-cable&requestor_id=DEMO&redirect_url=a%3A%2F%2Fb")
        #expect(answer.status == status)
    }

    /// Logs a viewer in with demo-fiber and without a code, and returns the cookie that the browser gets.
    private static func browserCookie(_ client: SandboxClient) async throws -> String {
        let first = try await client.send(
            .get, "/adobe-services/authenticate/saml?mso_id=demo-fiber&requestor_id=DEMO&redirect_url=a%3A%2F%2Fb")
        let login = try await client.send(.get, try #require(first.header("Location")))
        var fields = hidden(login.text)
        fields += [("username", "viewer"), ("password", "secret"), ("action", "login")]
        let sent = try await client.post("/idp/demo-fiber/login", fields)
        let end = try await client.post("/sp/saml/SAMLAssertionConsumer", hidden(sent.text))
        #expect(end.header("Location") == "a://b")
        return String(try #require(end.header("Set-Cookie")).prefix { $0 != ";" })
    }

    @Test func joinsByCookie_withoutACode() async throws {
        let client = try await Self.client { $0.behavior.requiresRegistrationCode = false }
        let session = try await client.post(
            "/adobe-services/sessionDevice", [("requestor_id", "DEMO"), ("device_id", "d1")],
            headers: ["Cookie": try await Self.browserCookie(client)])
        #expect(session.text.contains("authnToken"))
    }

    @Test(.row("wire protocol, 4.2"), arguments: [("demo-fiber", true), ("demo-cable", false)])
    func logsInPassively_withTheProviderOfTheBrowsersSessionAlone(provider: String, succeeds: Bool) async throws {
        let client = try await Self.client { $0.behavior.requiresRegistrationCode = false }
        let cookie = try await Self.browserCookie(client)
        let query = "mso_id=\(provider)&requestor_id=DEMO&redirect_url=a%3A%2F%2Fb&passive=true"
        let end = try await client.send(
            .get, "/adobe-services/authenticate/saml?\(query)", headers: ["Cookie": cookie])
        #expect(end.status == 302 && end.header("Location") == "a://b")
        // Only a login gives the browser a session of its own.
        #expect((end.header("Set-Cookie") != nil) == succeeds)
    }

    /// Goes through a login until the provider has answered, and returns the form with the answer.
    private static func providersAnswer(
        _ client: SandboxClient, _ code: String, passwords: [String] = ["secret"], action: String = "login"
    ) async throws -> (response: String, relayState: String) {
        let query = "mso_id=demo-cable&requestor_id=DEMO&redirect_url=a%3A%2F%2Fb&reg_code=\(code)"
        let start = try await client.send(.get, "/adobe-services/authenticate/saml?\(query)")
        var page = try await client.post("/idp/demo-cable/sso", hidden(start.text))
        for password in passwords {
            page = try await client.post(
                "/idp/demo-cable/login",
                hidden(page.text) + [("username", "viewer"), ("password", password), ("action", action)])
        }
        let form = hidden(page.text)
        return (
            try #require(form.first { $0.0 == "SAMLResponse" }?.1), try #require(form.first { $0.0 == "RelayState" }?.1)
        )
    }

    @Test(arguments: [
        ("<NameID>viewer<", "<NameID>admin<"), ("<NameID>viewer</NameID>", ""), ("demo-cable", "demo-fiber"),
        ("InResponseTo=\"_", "InResponseTo=\"_0"), ("<SignatureValue>", "<SignatureValue>0"),
    ])
    func refusesAnAnswerOfTheProvider_thatWasChanged(old: String, new: String) async throws {
        let client = try await Self.client()
        let code = try await client.registrationCode(deviceID: "d1")
        let answer = try await Self.providersAnswer(client, code)
        let genuine = String(decoding: try #require(Data(base64Encoded: answer.response)), as: UTF8.self)
        let forged = genuine.replacing(old, with: new)
        #expect(forged != genuine)
        let refused = try await client.post(
            "/sp/saml/SAMLAssertionConsumer",
            [("SAMLResponse", Data(forged.utf8).base64EncodedString()), ("RelayState", answer.relayState)])
        #expect(refused.status == 400)
        #expect(try await client.session(code, device: "d1").text.contains("pendingLogout"))
    }

    @Test(arguments: [("login", "<Status>Success</Status>"), ("cancel", "<Status>AuthnFailed</Status>")])
    func theProvidersAnswer_containsTheResultOfTheLogin(action: String, status: String) async throws {
        let client = try await Self.client()
        let code = try await client.registrationCode(deviceID: "d1")
        let answer = try await Self.providersAnswer(client, code, action: action)
        let message = String(decoding: try #require(Data(base64Encoded: answer.response)), as: UTF8.self)
        #expect(message.contains(status))
    }

    @Test func logsIn_whenTheRightPasswordFollowsAWrongOne() async throws {
        let client = try await Self.client()
        let code = try await client.registrationCode(deviceID: "d1")
        let answer = try await Self.providersAnswer(client, code, passwords: ["wrong", "secret"])
        let form = [("SAMLResponse", answer.response), ("RelayState", answer.relayState)]
        #expect(try await client.post("/sp/saml/SAMLAssertionConsumer", form).status == 302)
        #expect(try await client.session(code, device: "d1").text.contains("authnToken"))
    }

    @Test func takesAnAnswerOfTheProvider_once() async throws {
        let client = try await Self.client()
        let code = try await client.registrationCode(deviceID: "d1")
        let answer = try await Self.providersAnswer(client, code)
        let form = [("SAMLResponse", answer.response), ("RelayState", answer.relayState)]
        #expect(try await client.post("/sp/saml/SAMLAssertionConsumer", form).status == 302)
        #expect(try await client.post("/sp/saml/SAMLAssertionConsumer", form).status == 400)
        #expect(try await client.post("/sp/saml/SAMLAssertionConsumer", []).status == 503)
        #expect(try await client.session(code, device: "d1").text.contains("authnToken"))
    }

    /// Both answers are genuine, but each is for its own request.
    @Test func refusesAnAnswerOfTheProvider_toAnotherLogin() async throws {
        let client = try await Self.client()
        let codes = [
            try await client.registrationCode(deviceID: "d1"), try await client.registrationCode(deviceID: "d2"),
        ]
        let first = try await Self.providersAnswer(client, codes[0])
        let second = try await Self.providersAnswer(client, codes[1])
        let swapped = [("SAMLResponse", second.response), ("RelayState", first.relayState)]
        #expect(try await client.post("/sp/saml/SAMLAssertionConsumer", swapped).status == 400)
        #expect(try await client.session(codes[0], device: "d1").text.contains("pendingLogout"))
        let own = [("SAMLResponse", second.response), ("RelayState", second.relayState)]
        #expect(try await client.post("/sp/saml/SAMLAssertionConsumer", own).status == 302)
        #expect(try await client.session(codes[1], device: "d2").text.contains("authnToken"))
    }

    @Test func escapesWhateverTheWorldSays() async throws {
        let client = try await Self.client {
            $0.providers[0].displayName = "<script>alert(1)</script>\u{1}"
            $0.viewers[0].upsell = ["DEMO-PLUS": "]]><b>&\u{1}"]
        }
        let code = try await client.registrationCode(deviceID: "d1")
        let query = "mso_id=demo-cable&requestor_id=DEMO&redirect_url=a%3A%2F%2Fb&reg_code=\(code)"
        let start = try await client.send(.get, "/adobe-services/authenticate/saml?\(query)")
        let login = try await client.post("/idp/demo-cable/sso", Self.hidden(start.text))
        for page in [start, login] { #expect(page.status == 200 && !page.text.contains("<script>alert")) }
        let configuration = try await client.send(.get, "/adobe-services/config/DEMO")
        #expect(throws: Never.self) { try ConfigurationReader().configuration(Data(configuration.text.utf8)) }
        _ = try await client.logIn(code: code)
        let token = try await client.authenticationToken(code, device: "d1")
        let denied = try await client.authorize(token, "DEMO-PLUS", device: "d1")
        let answer = try ServiceAnswerReader().authorization(Data(denied.text.utf8))
        #expect(answer == .denied(.init(code: "notAuthorized", details: "]]><b>&\u{FFFD}")))
    }

    @Test(arguments: ["javascript%3Aalert(1)", "a%3A%2F%2Fb%0D%0AX%3A%201", "", "nourl"])
    func sendsNobody_whereARedirectMustNotLead(target: String) async throws {
        let client = try await Self.client(isDirect: false)
        let answer = try await client.send(
            .get, "/adobe-services/authenticate/saml?mso_id=nope&requestor_id=DEMO&redirect_url=\(target)")
        #expect(answer.status == 400 && answer.header("X") == nil)
    }

    @Test func forgetsACode_whenItsTimeIsOver() async throws {
        let clock = ManualClock()
        let client = try await Self.client(clock: clock)
        let code = try await client.registrationCode(deviceID: "d1")
        #expect(code.utf8.count == 7)
        #expect(try await client.send(.get, "/reggie/v1/DEMO/regcode/\(code)").status == 200)
        #expect(try await client.send(.get, "/reggie/v1/DEMO2/regcode/\(code)").status == 404)
        clock.advance(by: 1_800)
        #expect(try await client.send(.get, "/reggie/v1/DEMO/regcode/\(code)").status == 404)
        let second = try await client.registrationCode(deviceID: "d1")
        #expect(try await client.send(.delete, "/reggie/v1/DEMO/regcode/\(second)").status == 204)
        #expect(try await client.send(.delete, "/reggie/v1/DEMO/regcode/\(second)").status == 404)
    }

    @Test func removesACode_forOneOfThoseWhoTryAtOnce() async throws {
        let clock = ManualClock()
        let client = try await Self.client(clock: clock)
        for _ in 0..<20 {
            // The throttle allows ten requests in this time.
            clock.advance(by: 10)
            let code = try await client.registrationCode(deviceID: "d1")
            let statuses: [Int] = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for _ in 0..<4 {
                    tasks.addTask { try await client.send(.delete, "/reggie/v1/DEMO/regcode/\(code)").status }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [204, 404, 404, 404])
        }
    }

    private static func hidden(_ html: String) -> [(String, String)] {
        html.matches(of: /name="([^"]*)" value="([^"]*)"/).filter { $0.1 != "action" }.map {
            (String($0.1), String($0.2))
        }
    }
}
