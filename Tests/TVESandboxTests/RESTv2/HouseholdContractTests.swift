import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVESandboxConsole
import TVETestSupport
import TVETestTraits
import Testing

/// Tests of the sandbox's single sign-on service, whose answers are all checked against the sandbox's own document.
@Suite(.fewAtATime)
struct HouseholdContractTests {
    private func member(_ text: String, _ name: String) -> String? {
        (try? MetadataValue(json: Data(text.utf8)))?[name]?.stringValue
    }

    private func code(_ text: String) -> String? {
        (try? MetadataValue(json: Data(text.utf8)))?["error"]?["code"]?.stringValue
    }

    /// Returns a client whose device is a member of a household, and the header that proves it.
    private func member(
        _ world: SandboxWorld = .demo.strict
    ) async throws -> (client: RESTv2Client, headers: [String: String]) {
        let client = try await RESTv2Client(world: world)
        let answer = try await client.ask("serviceToken", headers: ["X-SSO-ID": "account"])
        return (client, ["AD-Service-Token": try #require(member(answer.text, "serviceToken"))])
    }

    @Test func everyCall_answersAsItsDocumentSays() async throws {
        let (client, token) = try await member()
        #expect(try await client.ask("renewServiceToken", headers: token).status == 200)
        let link = try await client.ask("link", headers: token)
        #expect(link.status == 201 && member(link.text, "code")?.count == 6)
        let list = try await client.ask("householdDevices", headers: token)
        #expect(list.status == 200 && list.text.contains("\"device-1\""))
        var headers = token
        headers["Content-Type"] = "application/json"
        let unlink = try await client.ask("unlink", body: #"{"devices":["device-1","other"]}"#, headers: headers)
        #expect(unlink.status == 200 && unlink.text.contains(#""unlinkedDevices":["device-1"]"#))
    }

    /// The page of the service lists the device's description for its first token alone, and its id for all requests
    /// but the renewal.
    @Test func everyCall_needsOnlyTheHeadersOfItsPage() async throws {
        let (phone, token) = try await member()
        var client = phone
        client.client.headers["X-Device-Info"] = nil
        #expect(try await client.ask("link", headers: token).status == 201)
        // What the device has said about itself stays.
        let list = try await client.ask("householdDevices", headers: token)
        #expect(list.status == 200 && list.text.contains("\"model\":\"AppleTV\""), "\(list.text)")
        var nameless = client
        nameless.client.headers["AP-Device-Identifier"] = nil
        #expect(try await nameless.ask("renewServiceToken", headers: token).status == 200)
        let unlinking = token.merging(["Content-Type": "application/json"]) { $1 }
        let unlink = try await client.ask("unlink", body: #"{"devices":["device-1"]}"#, headers: unlinking)
        #expect(unlink.status == 200, "\(unlink.text)")
    }

    /// A renewal may come before the unlinking or after it, but neither brings the device back.
    @Test func aDeviceThatIsUnlinked_whileItRenewsItsToken_isNoMember() async throws {
        let (client, phone) = try await member()
        let unlinking = phone.merging(["Content-Type": "application/json"]) { $1 }
        for round in 1...8 {
            let name = "television-\(round)"
            let television = ["AP-Device-Identifier": "fingerprint \(Data(name.utf8).base64EncodedString())"]
            let given = try await client.ask(
                "serviceToken", headers: television.merging(["X-SSO-ID": "account"]) { $1 })
            let token = try #require(member(given.text, "serviceToken"))
            let renewal = television.merging(["AD-Service-Token": token]) { $1 }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...3 { group.addTask { _ = try await client.ask("renewServiceToken", headers: renewal) } }
                group.addTask {
                    _ = try await client.ask("unlink", body: #"{"devices":["\#(name)"]}"#, headers: unlinking)
                }
                try await group.waitForAll()
            }
            let list = try await client.ask("householdDevices", headers: phone)
            #expect(list.status == 200 && !list.text.contains(name))
        }
    }

    @Test(arguments: ["list", "link", "serviceToken"])
    func aTokenOfAnotherRequestor_isRefused(name: String) async throws {
        var world = SandboxWorld.demo.strict
        var second = world.requestors[0]
        second.id = "SECOND"
        world.requestors.append(second)
        let (client, headers) = try await member(world)
        let method: HTTPRequest.Method = name == "link" ? .post : .get
        let answer = try await client.client.send(method, "/api/SECOND/\(name)", headers: headers)
        #expect(answer.status == 401 && code(answer.text) == "header_invalid", "\(answer.text)")
    }

    @Test(arguments: [
        ("serviceToken", [:], 400, "header_missing"), ("serviceToken", ["X-SSO-ID": ""], 400, "header_missing"),
        ("serviceToken", ["X-SSO-LINK": "000000"], 400, "token_invalid"),
        ("renewServiceToken", [:], 400, "header_missing"), ("link", [:], 401, "header_missing"),
        ("householdDevices", [:], 401, "header_missing"), ("unlink", [:], 401, "header_missing"),
        ("link", ["AD-Service-Token": "a.b.c"], 401, "header_invalid"),
        ("renewServiceToken", ["AD-Service-Token": "text"], 401, "header_invalid"),
    ])
    func whatIsMissing_isNamed(
        operation: String, headers: [String: String], status: Int, error: String
    ) async throws {
        let client = try await RESTv2Client(world: .demo.strict)
        let answer = try await client.ask(operation, headers: headers)
        #expect(answer.status == status && code(answer.text) == error, "\(answer.text)")
    }

    @Test(arguments: ["", "{}", #"{"devices":[]}"#, #"{"devices":7}"#, "["])
    func anUnlinkingOfNothing_isRefused(body: String) async throws {
        var (client, headers) = try await member()
        headers["Content-Type"] = "application/json"
        let answer = try await client.ask("unlink", body: body, headers: headers)
        #expect(answer.status == 400 && code(answer.text) == "request_invalid")
    }

    @Test func aRequestWithAnAccountAndACode_isRefused_whereTheSandboxIsStrict() async throws {
        let client = try await RESTv2Client(world: .demo.strict)
        let answer = try await client.ask("serviceToken", headers: ["X-SSO-ID": "a", "X-SSO-LINK": "123456"])
        #expect(answer.status == 400)
    }

    @Test func theWrongMethod_namesTheRightOnes() async throws {
        let client = try await RESTv2Client(world: .demo.strict)
        let answer = try await client.client.send(.delete, "/api/DEMO/serviceToken")
        #expect(answer.status == 405 && answer.header("Allow") == "GET, POST")
    }

    @Test func aWorldWithoutHouseholds_refusesAll() async throws {
        var world = SandboxWorld.demo.strict
        world.behavior.households.areOffered = false
        let client = try await RESTv2Client(world: world)
        let answer = try await client.ask("serviceToken", headers: ["X-SSO-ID": "a"])
        #expect(answer.status == 403 && code(answer.text) == "unauthorized")
    }

    /// A tester sees with such a world how an app tells a refused code.
    @Test(arguments: [(0, 5, 401, "token_expired"), (900, 0, 429, nil)] as [(Int, Int, Int, String?)])
    func aWorldWithoutALifetimeOrTries_refusesEveryCode(
        lifetime: Int, tries: Int, status: Int, error: String?
    ) async throws {
        var world = SandboxWorld.demo.strict
        world.behavior.households.codeLifetime = lifetime
        world.behavior.households.tries = tries
        let (client, token) = try await member(world)
        let link = try await client.ask("link", headers: token)
        let typed = try #require(member(link.text, "code"))
        let answer = try await client.ask("serviceToken", headers: ["X-SSO-LINK": typed])
        #expect(answer.status == status && code(answer.text) == error, "\(answer.text)")
        #expect(answer.header("Retry-After") == (status == 429 ? "600" : nil))
    }

    /// Returns headers, with the identifier of a device.
    private func device(_ name: String, _ headers: [String: String]) -> [String: String] {
        headers.merging(["AP-Device-Identifier": "fingerprint \(Data(name.utf8).base64EncodedString())"]) { $1 }
    }

    @Test func aCode_isForOneDeviceOfItsRequestor_andATokenForItsDevice() async throws {
        let (client, phone) = try await member()
        let link = try await client.ask("link", headers: phone)
        let typed = ["X-SSO-LINK": try #require(member(link.text, "code"))]
        let foreign = try await client.client.send(
            .post, "/api/DEMO2/serviceToken", headers: device("television", typed))
        #expect(foreign.status == 400 && code(foreign.text) == "token_invalid", "\(foreign.text)")
        let joined = try await client.ask("serviceToken", headers: device("television", typed))
        #expect(joined.status == 201)
        let again = try await client.ask("serviceToken", headers: device("third", typed))
        #expect(again.status == 401 && code(again.text) == "token_expired")
        for operation in ["link", "householdDevices"] {
            let refused = try await client.ask(operation, headers: device("third", phone))
            #expect(refused.status == 401 && code(refused.text) == "header_invalid")
        }
        // A member of another household unlinks nobody of this one.
        let other = try await client.ask("serviceToken", headers: device("stranger", ["X-SSO-ID": "another account"]))
        let stranger = device("stranger", ["AD-Service-Token": try #require(member(other.text, "serviceToken"))])
        let television = device("television", ["AD-Service-Token": try #require(member(joined.text, "serviceToken"))])
        for (sender, isUnlinked) in [(stranger, false), (phone, true)] {
            let headers = sender.merging(["Content-Type": "application/json"]) { $1 }
            let unlinked = try await client.ask("unlink", body: #"{"devices":["television"]}"#, headers: headers)
            #expect(unlinked.text.contains("television") == isUnlinked, "\(unlinked.text)")
            #expect(try await client.ask("householdDevices", headers: television).status == (isUnlinked ? 401 : 200))
        }
        #expect(try await client.ask("renewServiceToken", headers: television).status == 401)
        #expect(try await client.ask("householdDevices", headers: phone).status == 200)
    }

    /// Each request advances the clock by a second.
    @Test func aDevice_triesCodes_asOftenAsTheWorldSays_andAgainTenMinutesLater() async throws {
        var world = SandboxWorld.demo.strict
        world.behavior.households.codeLifetime = 3_600
        world.behavior.households.tries = 2
        let (client, phone) = try await member(world)
        let link = try await client.ask("link", headers: phone)
        let typed = try #require(member(link.text, "code"))
        func status(_ name: String, _ code: String) async throws -> Int {
            try await client.ask("serviceToken", headers: device(name, ["X-SSO-LINK": code])).status
        }
        for _ in 0..<2 { #expect(try await status("television", "000000") == 400) }
        #expect(try await status("television", typed) == 429)
        #expect(try await status("another", "000000") == 400)
        client.clock.advance(by: 596)
        #expect(try await status("television", typed) == 429)
        #expect(try await status("television", typed) == 201)
    }

    /// A device outside the household does not find the login of a member.
    @Test func aProfile_isFoundOnlyByAMember() async throws {
        let (client, token) = try await member()
        // A service token of another device proves nothing.
        let stranger = ["AP-Device-Identifier": "fingerprint \(Data("other".utf8).base64EncodedString())"]
        let answer = try await client.ask("profiles", headers: token.merging(stranger) { $1 })
        #expect(answer.status == 200 && answer.text == #"{"profiles":{}}"#)
    }

    // MARK: - The console

    @Test func theConsole_showsHouseholds_andActsAsTheOtherDevice() async throws {
        var client = try await SandboxClient(world: .demo, pages: .console)
        #expect(try await client.send(.get, "/console/households").text.contains("No device has asked"))
        try await client.register()
        client.headers["AP-Device-Identifier"] = "fingerprint \(Data("device-1".utf8).base64EncodedString())"
        client.headers["X-Device-Info"] = SandboxClient.deviceInfo
        let answer = try await client.send(.post, "/api/DEMO/serviceToken", headers: ["X-SSO-ID": "secret-account"])
        let token = try #require(member(answer.text, "serviceToken"))
        let link = try await client.send(.post, "/api/DEMO/link", headers: ["AD-Service-Token": token])
        let typed = try #require(member(link.text, "code"))
        let page = try await client.send(.get, "/console/households").text
        #expect(page.contains("Household 1 of DEMO") && page.contains(typed) && page.contains("device-1"))
        #expect(!page.contains("secret-account") && !page.contains(token))
        // A part of a longer number, such as a duration or an id, may have the same six digits by chance.
        let number = try Regex("[^0-9A-Fa-f.]\(typed)[^0-9A-Fa-f]")
        for export in ["har", "session"] {
            let text = try await client.send(.get, "/console/api/\(export)").text
            #expect(!text.contains("secret-account") && !text.contains(token) && !text.contains(number), "\(export)")
        }

        let join = #"{"requestor":"DEMO","code":" \#(typed.prefix(3))-\#(typed.dropFirst(3))"}"#
        #expect(try await client.change(.post, "/console/api/households/join", body: join).status == 204)
        let again = try await client.change(.post, "/console/api/households/join", body: join)
        #expect(again.status == 400 && again.text.contains("The code was used."))
        let report = try MetadataValue(json: Data(try await client.send(.get, "/console/api/households").text.utf8))
        let household = try #require(report["households"]?.arrayValue?.first)
        let id = try #require(household["id"]?.stringValue)
        #expect(household["devices"]?.arrayValue?.count == 2)
        #expect(try await client.change(.post, "/console/api/households/\(id)/code").status == 201)
        #expect(try await client.change(.post, "/console/api/households/\(id)/end").status == 204)
        let list = try await client.send(.get, "/api/DEMO/list", headers: ["AD-Service-Token": token])
        #expect(list.status == 401 && code(list.text) == "token_expired")
        #expect(try await client.change(.delete, "/console/api/households/\(id)/devices/device-1").status == 204)
        #expect(try await client.change(.delete, "/console/api/households/\(id)/devices/device-1").status == 404)
        #expect(try await client.change(.delete, "/console/api/households/0000000000000000/devices/a").status == 404)
    }
}
