import Foundation
import HTTPTypes
import TVEModels
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVESandbox

/// Logins, codes, tokens and credentials of others, which are not given away.
@Suite(.fewAtATime)
struct OtherOwnerTests {
    private static let nobody = "{\"profiles\":{}}"

    @Test func aProfile_isThatOfItsApplication_itsDevice_andItsRequestor() async throws {
        let client = try await RESTv2Client()
        try await client.logIn()
        var device = client
        device.client.headers["AP-Device-Identifier"] = "fingerprint \(Data("device-2".utf8).base64EncodedString())"
        var application = client
        try await application.client.register()
        for other in [device, application] {
            #expect(try await other.ask("profiles").text == Self.nobody)
            #expect(try await other.ask("profile", "demo-cable").text == Self.nobody)
            let play = try await other.ask("authorize", "demo-cable", body: "{\"resources\":[\"DEMO-1\"]}").text
            #expect(play.contains("authenticated_profile_missing") && !play.contains("serializedToken"))
            _ = try await other.ask("logout", "demo-cable?redirectUrl=adobepass://ios.app")
        }
        #expect(try await client.client.send(.get, "/api/v2/DEMO2/profiles").text == Self.nobody)
        #expect(try await client.ask("profile", "demo-fiber").text == Self.nobody)
        // None of the others has ended the login.
        #expect(try await client.ask("profiles").text.contains("\"type\":\"regular\""))
    }

    @Test func aCode_isThatOfItsRequestor() async throws {
        let rest = try await RESTv2Client()
        let code = try await rest.code()
        #expect(try await rest.client.send(.get, "/api/v2/authenticate/DEMO2/\(code)").status == 400)
        try await rest.finish(code)
        let foreign = try await rest.client.send(.get, "/api/v2/DEMO2/profiles/code/\(code)")
        #expect(foreign.text.contains("invalid_authentication_session"))

        let client = try await SandboxClient().registered()
        let other = try await client.registrationCode(deviceID: "d1", requestor: "DEMO2")
        let query = "mso_id=demo-cable&redirect_url=a%3A%2F%2Fb&reg_code=\(other)"
        for (requestor, status) in [("DEMO", 400), ("DEMO2", 200)] {
            let page = "/adobe-services/authenticate/saml?requestor_id=\(requestor)&\(query)"
            #expect(try await client.send(.get, page).status == status)
        }
        _ = try await client.logIn(code: other, requestor: "DEMO2")
        #expect(try await client.session(other, device: "d1").status == 401)
        let own = try await client.post(
            "/adobe-services/sessionDevice",
            [("_method", "GET"), ("requestor_id", "DEMO2"), ("reg_code", other), ("device_id", "d1")])
        #expect(own.text.contains("authnToken"))
    }

    @Test func aToken_isThatOfItsDevice_andItsProvider() async throws {
        let clock = ManualClock()
        var world = SandboxWorld.demo
        world.behavior.authorizationLifetime = 600
        let client = try await SandboxClient(world: world, clock: clock).registered()
        let token = try await client.loggedIn(device: "d1")
        #expect(try await client.authorize(token, "DEMO-1", device: "d2").text.contains("34764"))
        #expect(try await client.authorize(token, "DEMO-1", device: "d1", provider: "demo-fiber").status == 400)
        let authorized = try await client.authorize(token, "DEMO-1", device: "d1")
        let permission = try #require(SandboxClient.element("authzToken", in: authorized.text))
        func play(_ device: String, _ provider: String = "demo-cable") async throws -> SandboxClient.Answer {
            try await client.post(
                "/adobe-services/deviceShortAuthorize",
                [("authz_token", permission), ("requestor_id", "DEMO"), ("mso_id", provider), ("device_id", device)])
        }
        #expect(try await play("d2").text.contains("58772"))
        #expect(try await play("d1", "demo-fiber").status == 400)
        // The dates of tokens are whole seconds.
        clock.advance(by: 598)
        #expect(try await play("d1").text.hasPrefix("<signatureInfo>"))
        clock.advance(by: 2)
        #expect(try await play("d1").text.contains("<pendingLogout reason=\"1\">"))
    }

    @Test func credentials_areThoseOfOneApplication() async throws {
        var client = try await SandboxClient()
        client.headers = ["X-Device-Info": SandboxClient.deviceInfo]
        var applications: [[String: MetadataValue]] = []
        for _ in 0..<2 {
            let body = "{\"software_statement\":\"\(client.sandbox.softwareStatement)\"}"
            applications.append(try await client.send(.post, "/o/client/register", body: body).json())
        }
        for (id, secret, status) in [(0, 0, 201), (0, 1, 400), (1, 0, 400), (1, 1, 201)] {
            let fields = [
                ("grant_type", "client_credentials"),
                ("client_id", try #require(applications[id]["client_id"]?.stringValue)),
                ("client_secret", try #require(applications[secret]["client_secret"]?.stringValue)),
            ]
            let answer = try await client.post("/o/client/token", fields)
            #expect(answer.status == status)
            #expect(answer.text.contains("invalid_client") == (status == 400))
        }
    }

    /// The scopes of an application stand in its statement, so nobody else may write one.
    @Test func aStatementThatWasChanged_registersNothing() async throws {
        let client = try await SandboxClient()
        let parts = client.sandbox.softwareStatement.components(separatedBy: ".")
        let claims = Data(#"{"software_id":"x","jti":"y","scopes":["api:client:v2"]}"#.utf8).base64EncodedString()
        let changed = claims.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        for statement in ["\(parts[0]).\(changed).\(parts[2])", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])"] {
            let answer = try await client.send(
                .post, "/o/client/register", body: "{\"software_statement\":\"\(statement)\"}",
                headers: ["X-Device-Info": SandboxClient.deviceInfo])
            #expect(answer.status == 400 && answer.text == "{\"error\":\"invalid_software_statement\"}")
        }
    }

    /// Whatever the sandbox remembers is in such a table.
    @Test func aTable_hasWhatIsValid_andNothingElse() {
        let now = Date(timeIntervalSince1970: 1_000)
        let later = now.addingTimeInterval(1)
        var table = ExpiringTable<Int>()
        // Every second entry is over at once, and entries that are over are removed from time to time.
        for number in 0..<500 {
            table.set(number, "\(number)", until: number.isMultiple(of: 2) ? later : now, at: now)
        }
        for number in 0..<500 {
            #expect(table.entry("\(number)", at: now) == (number.isMultiple(of: 2) ? number : nil))
            #expect(table.entry("\(number)", at: later) == nil)
        }
        #expect(table.all(at: now).sorted() == Array(stride(from: 0, to: 500, by: 2)))
        let removed = [table.remove("2", at: now), table.remove("2", at: now), table.remove("4", at: later)]
        #expect(removed == [2, nil, nil] && table.entry("4", at: now) == nil)
        table.change("6") { $0 = 600 }
        #expect(table.entry("6", at: now) == 600 && table.entry("8", at: now) == 8)
        table.end("8", at: now)
        #expect(table.entry("8", at: now) == nil && table.entry("10", at: now) == 10)
        table.endAll(at: now) { $0 < 100 }
        #expect(table.entry("10", at: now) == nil && table.entry("100", at: now) == 100)
        #expect(table.entry("6", at: now) == 600)
    }
}
