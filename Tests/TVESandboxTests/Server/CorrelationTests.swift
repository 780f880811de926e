import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Tests of the ids that show to which device, requestor and flow a request belongs.
@Suite(.fewAtATime)
struct CorrelationTests {
    /// A request, and the requestor and the device that its facts name.
    private struct Request: Sendable {
        var method = HTTPRequest.Method.get
        let path: String
        var body: String?
        var headers: [String: String] = [:]
        var requestor: RequestorID?
        var device: String?
    }

    private static func form(_ body: String, requestor: RequestorID? = nil, device: String? = nil) -> Request {
        Request(
            method: .post, path: "/adobe-services/sessionDevice", body: body, requestor: requestor, device: device)
    }

    private static func header(_ name: String, _ value: String, device: String?) -> Request {
        Request(
            method: .post, path: "/adobe-services/sessionDevice", body: "device_id=form",
            headers: [name: value], device: device)
    }

    private static let requests: [Request] = [
        Request(path: "/adobe-services/config/DEMO", requestor: "DEMO"),
        Request(path: "/adobe-services/config/DEMO/more"),
        Request(
            method: .post, path: "/reggie/v1/DEMO/regcode", body: "deviceId=tv", requestor: "DEMO", device: "tv"),
        Request(path: "/reggie/v1/DEMO/regcode/ABC1234", requestor: "DEMO"),
        Request(method: .delete, path: "/reggie/v1/DEMO/regcode/ABC1234", requestor: "DEMO"),
        Request(path: "/api/v2/authenticate/DEMO/ABC1234", requestor: "DEMO"),
        Request(path: "/api/v2/DEMO/configuration", requestor: "DEMO"),
        Request(path: "/api/v2/DEMO/sessions/ABC1234", requestor: "DEMO"),
        Request(path: "/api/v2/DEMO/profiles/code/ABC1234", requestor: "DEMO"),
        Request(path: "/api/DEMO/list", requestor: "DEMO"),
        Request(path: "/adobe-services/authenticate/saml?requestor_id=A", requestor: "A"),
        Request(path: "/openapi.json"),
        form("requestor_id=A", requestor: "A"), form("requestor=B", requestor: "B"),
        form("requestor=B&requestor_id=A", requestor: "A"), form("requestor_id=&requestor=B", requestor: "B"),
        form("device_id=tv", device: "tv"), form("deviceId=tv", device: "tv"),
        form("deviceId=other&device_id=tv", device: "tv"), form("device_id=&deviceId=tv", device: "tv"),
        // A header precedes the form.
        header("AP-Device-Identifier", "fingerprint dHY=", device: "tv"),
        header("AP-Device-Identifier", "fingerprint !", device: "!"),
        header("AP-Device-Identifier", "tv", device: "tv"),
        header("AP-Device-Identifier", "a dHY= c", device: "a dHY= c"),
        // These bytes are no text.
        header("AP-Device-Identifier", "fingerprint //8=", device: "//8="),
        header("ap_21", "tv", device: "tv"),
    ]

    @Test(arguments: requests.indices)
    func aRequest_namesItsRequestorAndItsDevice(index: Int) async throws {
        let request = Self.requests[index]
        let client = try await SandboxClient()
        _ = try await client.send(request.method, request.path, body: request.body, headers: request.headers)
        let facts = try #require(client.sandbox.exchanges.last?.facts)
        #expect(facts.requestor == request.requestor && facts.device == request.device && facts.flow == nil)
    }

    @Test func theAnswerWithABrowsersID_namesTheDevice() async throws {
        var client = try await SandboxClient()
        let device = try await client.individualize()
        #expect(client.sandbox.exchanges.map(\.facts.device) == [device])
    }

    /// A second screen and a browser know the code of the first screen alone, and may write it in small letters.
    @Test func aCode_connectsEverybodyWhoHasIt() async throws {
        let app = try await RESTv2Client()
        let code = try await app.code()
        let before = app.client.sandbox.exchanges.count
        var stranger = app.client
        stranger.headers = [:]
        for text in [code, code.lowercased()] {
            _ = try await stranger.send(.get, "/api/v2/DEMO/sessions/\(text)")
            _ = try await stranger.post("/api/v2/DEMO/sessions/\(text)", [])
            _ = try await stranger.send(.get, "/api/v2/DEMO/profiles/code/\(text)")
            _ = try await stranger.send(.get, "/api/v2/authenticate/DEMO/\(text)")
            _ = try await stranger.send(.get, "/reggie/v1/DEMO/regcode/\(text)")
            _ = try await stranger.send(.delete, "/reggie/v1/DEMO/regcode/\(text)")
            _ = try await stranger.post("/adobe-services/sessionDevice", [("reg_code", text)])
            _ = try await stranger.post("/activate", [("code", text)])
        }
        _ = try await stranger.send(.get, "/api/v2/DEMO/sessions/OTHER22")
        let flows: [Int?] = Array(repeating: 1, count: 16) + [nil]
        #expect(app.client.sandbox.exchanges.dropFirst(before).map(\.facts.flow) == flows)
    }

    private struct Logouts: Decodable {
        struct Step: Decodable { let url: String? }
        let logouts: [String: Step]
    }

    @Test func aLoginAndALogoutOfRESTv2_areOneFlow() async throws {
        let app = try await RESTv2Client()
        try await app.logIn()
        let logout = try await app.ask("logout", "demo-cable?redirectUrl=adobepass://ios.app").json(Logouts.self)
        let page = try #require(logout.logouts["demo-cable"]?.url)
        let url = try #require(URL(string: page, relativeTo: app.client.sandbox.baseURL))
        _ = try await SandboxClient.open(url.absoluteString, as: .logsIn(name: "viewer", password: "secret"))
        let exchanges = app.client.sandbox.exchanges.filter { $0.facts.step != "sandbox" }
        #expect(exchanges.contains { $0.facts.step == "providerLogout" })
        #expect(Set(exchanges.map(\.facts.flow)) == [1], "\(exchanges.map(\.facts.step))")
    }
}
