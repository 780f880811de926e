import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Ids compare as UTF-8 bytes: a canonically equivalent id grants nothing.
@Suite(.fewAtATime)
struct ExactIDTests {
    private static let lookAlikes = [("SPORT-K", "SPORT-\u{212A}"), ("caf\u{E9}", "cafe\u{301}")]

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// A world in which requestor, provider, viewer and resource have the same id.
    private static func world(_ id: String) -> SandboxWorld {
        SandboxWorld(
            requestors: [.init(id: RequestorID(id), name: "R", channels: [id], providers: [MVPDID(id)])],
            providers: [.init(id: MVPDID(id), displayName: "P", login: .form)],
            viewers: [.init(name: id, password: id, resources: [id], upsell: [id: "Buy it."])])
    }

    @Test(arguments: lookAlikes)
    func knowsARequestor_byItsBytes(id: String, other: String) async throws {
        for (meant, asked) in [(id, other), (other, id)] {
            var client = try await SandboxClient(world: Self.world(meant)).registered()
            for (name, status) in [(meant, 200), (asked, 400)] {
                let path = "/adobe-services/config/\(Self.encoded(name))"
                #expect(try await client.send(.get, path).status == status)
            }
            client.headers["AP-Device-Identifier"] = "fingerprint \(Data("d".utf8).base64EncodedString())"
            client.headers["X-Device-Info"] = SandboxClient.deviceInfo
            let known = try await client.send(.get, "/api/v2/\(Self.encoded(meant))/profiles/\(Self.encoded(meant))")
            #expect(known.status == 200)
            let requestor = try await client.send(
                .get, "/api/v2/\(Self.encoded(asked))/profiles/\(Self.encoded(meant))")
            #expect(requestor.status == 400 && requestor.text.contains("invalid_parameter_service_provider"))
            let provider = try await client.send(.get, "/api/v2/\(Self.encoded(meant))/profiles/\(Self.encoded(asked))")
            #expect(provider.status == 400 && provider.text.contains("invalid_parameter_mvpd"))
        }
    }

    @Test(arguments: [
        ("SPORT-K", true), ("sport-k", true), ("SPORT-\u{212A}", false), ("sport-\u{212A}", false), ("SPORT", false),
    ])
    func grantsAChannel_withoutASCIICase_butByItsBytes(channel: String, isGranted: Bool) async throws {
        var world = SandboxWorld.demo
        world.viewers[0].resources = ["SPORT-K"]
        let client = try await RESTv2Client(world: world)
        try await client.logIn()
        for operation in ["preauthorize", "authorize"] {
            let answer = try await client.ask(operation, "demo-cable", body: "{\"resources\":[\"\(channel)\"]}")
            #expect(answer.text.contains("\"authorized\":\(isGranted)"), "\(operation) \(answer.text)")
        }
    }

    @Test func takesLookAlikes_asRequestorsOfTheirOwn_butNotAsProviders() throws {
        var world = Self.world("K")
        world.requestors.append(.init(id: "\u{212A}", name: "R", channels: [], providers: ["K"]))
        world.viewers.append(.init(name: "\u{212A}", password: "", resources: []))
        try world.validate()
        world.requestors[1].providers = ["\u{212A}"]
        #expect(throws: SandboxWorldError.self) { try world.validate() }
        // Answers use the ids of providers as keys, and the JSON encoder treats two such keys as one.
        world.providers.append(.init(id: "\u{212A}", displayName: "P", login: .form))
        #expect(throws: SandboxWorldError.badID("\u{212A}")) { try world.validate() }
    }

    // MARK: - The cost of a request

    @Test func answersAtOnce_toJSONThatIsDeepOrHasLongNames() async throws {
        // The values are no larger, because the server's time for a line of a head grows with the square of its length.
        let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        let long = "\"" + String(repeating: "\u{301}", count: 400) + "\":1"
        let client = try await RESTv2Client()
        let start = ContinuousClock.now
        for json in ["{\"a\":\(deep)}", "{\(long)}", deep] {
            let header = Data(json.utf8).base64EncodedString()
            let refused = try await client.client.send(
                .get, "/api/v2/DEMO/profiles", headers: ["X-Device-Info": header])
            #expect(refused.status == 400 && refused.text.contains("invalid_header_device_info"))
            let identity = ["AP-TempPass-Identity": header]
            #expect(
                try await client.client.send(.get, "/api/v2/DEMO/profiles/demo-cable", headers: identity).status == 400)
            let page = "/adobe-services/authenticate/saml?requestor_id=DEMO&reg_code=X&redirect_url=a:b&generic_data="
            #expect(try await client.client.send(.get, page + Self.encoded(json)).status < 500)
            #expect(try await client.client.send(.post, "/o/client/register", body: json).status == 400)
            #expect(try await client.client.send(.post, "/indiv/devices", body: json).status == 400)
        }
        #expect(ContinuousClock.now - start < .hanging)
    }
}
