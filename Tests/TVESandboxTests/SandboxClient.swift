import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVENetworking
import TVESandbox
import TVETestSupport
import Testing

/// Talks to a sandbox the way curl does.
struct SandboxClient {
    /// The time limit only detects a test that hangs: many suites share two cores.
    private static let transport = URLSessionTransport(timeout: .seconds(120))

    let sandbox: Sandbox
    var headers: [String: String] = [:]

    init(world: SandboxWorld = .demo, clock: ManualClock = ManualClock()) async throws {
        sandbox = try await Sandbox(world: world, now: { clock.now })
    }

    struct Answer {
        let status: Int
        let headers: HTTPFields
        let text: String

        func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

        func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: Data(text.utf8))
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, body: String? = nil, headers extra: [String: String] = [:]
    ) async throws -> Answer {
        var request = HTTPRequest(method: method, url: try #require(URL(string: sandbox.baseURL.absoluteString + path)))
        for (name, value) in headers.merging(extra, uniquingKeysWith: { $1 }) {
            request.headerFields[try #require(HTTPField.Name(name))] = value
        }
        let (response, bytes) = try await Self.transport.send(request, body: body.map { Data($0.utf8) })
        return Answer(
            status: response.status.code, headers: response.headerFields, text: String(decoding: bytes, as: UTF8.self))
    }

    /// Sends a change as the console's page does.
    func change(_ method: HTTPRequest.Method, _ path: String, body: String? = nil) async throws -> Answer {
        try await send(method, path, body: body, headers: ["X-Sandbox-Token": sandbox.changeToken])
    }

    func post(_ path: String, _ fields: [(String, String)], headers: [String: String] = [:]) async throws -> Answer {
        try await send(.post, path, body: Self.form(fields), headers: headers)
    }

    static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
            .joined(separator: "&")
    }

    /// Registers and sends the access token from now on.
    mutating func register() async throws {
        let statement = sandbox.softwareStatement
        let client = try await send(.post, "/o/client/register", body: "{\"software_statement\":\"\(statement)\"}")
            .json([String: SandboxValue].self)
        let grant = try await post(
            "/o/client/token",
            [
                ("grant_type", "client_credentials"), ("client_id", try #require(client["client_id"]?.text)),
                ("client_secret", try #require(client["client_secret"]?.text)),
            ]
        ).json([String: SandboxValue].self)
        headers["Authorization"] = "Bearer \(try #require(grant["access_token"]?.text))"
    }

    /// Gets a device id and sends the device headers from now on.
    mutating func individualize(_ fingerprint: String = "browser-1") async throws -> String {
        let answer = try await send(.post, "/indiv/devices", body: "{\"fingerprint\":\"\(fingerprint)\"}")
        let deviceID = try #require(try answer.json([String: String].self)["deviceId"])
        headers["ap_42"] = "anonymous"
        headers["ap_11"] = "Linux i686"
        headers["ap_z"] = "curl"
        headers["ap_21"] = deviceID
        headers["pass_sfp"] = answer.header("pass_sfp")
        return deviceID
    }

    func registrationCode(deviceID: String, requestor: String = "DEMO") async throws -> String {
        let answer = try await post("/reggie/v1/\(requestor)/regcode", [("deviceId", deviceID), ("format", "json")])
        return try #require(try answer.json([String: SandboxValue].self)["code"]?.text)
    }

    /// Walks a browser through a login and returns where it ended.
    func logIn(
        code: String?, provider: String = "demo-cable", requestor: String = "DEMO",
        as viewer: HeadlessBrowser.Viewer = .logsIn(name: "viewer", password: "secret")
    ) async throws -> HeadlessBrowser.Destination {
        var fields = [("mso_id", provider), ("requestor_id", requestor), ("redirect_url", "adobepass://ios.app")]
        if let code { fields.append(("reg_code", code)) }
        let page = "\(sandbox.baseURL.absoluteString)/adobe-services/authenticate/saml?\(Self.form(fields))"
        var browser = HeadlessBrowser()
        let redirect = try #require(URL(string: "adobepass://ios.app"))
        return await browser.open(try #require(URL(string: page)), endingAt: redirect, as: viewer)
    }

    /// The text of a child element, unescaped.
    static func element(_ name: String, in xml: String) -> String? {
        guard let start = xml.firstRange(of: "<\(name)>"),
            let end = xml[start.upperBound...].firstRange(of: "</\(name)>")
        else { return nil }
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
        return entities.reduce(String(xml[start.upperBound..<end.lowerBound])) { $0.replacing($1.0, with: $1.1) }
    }
}

/// A string or any other value in the sandbox's JSON.
enum SandboxValue: Decodable {
    case string(String)
    case other

    init(from decoder: any Decoder) throws {
        let text = try? decoder.singleValueContainer().decode(String.self)
        self = text.map(SandboxValue.string) ?? .other
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
