import Foundation
import HTTPTypes
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// A client that sends requests of REST API v2 as curl does, and checks every answer against the sandbox's own
/// document.
struct RESTv2Client {
    let clock: ManualClock
    var client: SandboxClient
    let checker: OpenAPIChecker

    /// - Parameter isDirect: a Boolean value that indicates whether requests are calls of the sandbox's routes.
    init(
        world: SandboxWorld = .demo, pages: SandboxPages? = nil, isDirect: Bool = !LongTests.areOn
    ) async throws {
        clock = ManualClock()
        client = try await SandboxClient(world: world, pages: pages, clock: clock, isDirect: isDirect)
        checker = try OpenAPIChecker.of(try await client.send(.get, "/openapi.json").text)
        try await client.register()
        client.headers["AP-Device-Identifier"] = "fingerprint \(Data("device-1".utf8).base64EncodedString())"
        client.headers["X-Device-Info"] = SandboxClient.deviceInfo
    }

    /// Returns the method and the path of an operation.
    static func place(_ operation: String, _ last: String) -> (HTTPRequest.Method, String) {
        switch operation {
        case "configuration", "profiles": (.get, "/api/v2/DEMO/\(operation)\(last.hasPrefix("?") ? last : "")")
        case "createSession": (.post, "/api/v2/DEMO/sessions")
        case "resumeSession": (.post, "/api/v2/DEMO/sessions/\(last)")
        case "session": (.get, "/api/v2/DEMO/sessions/\(last)")
        case "authenticate": (.get, "/api/v2/authenticate/DEMO/\(last)")
        case "profile": (.get, "/api/v2/DEMO/profiles/\(last)")
        case "profileOfCode": (.get, "/api/v2/DEMO/profiles/code/\(last)")
        case "preauthorize": (.post, "/api/v2/DEMO/decisions/preauthorize/\(last)")
        case "authorize": (.post, "/api/v2/DEMO/decisions/authorize/\(last)")
        case "logout": (.get, "/api/v2/DEMO/logout/\(last)")
        case "serviceToken": (.post, "/api/DEMO/serviceToken")
        case "renewServiceToken": (.get, "/api/DEMO/serviceToken")
        case "householdDevices": (.get, "/api/DEMO/list")
        case "link", "unlink": (.post, "/api/DEMO/\(operation)")
        case "partnerSession": (.post, "/api/v2/DEMO/sessions/sso/\(last)")
        default: (.post, "/api/v2/DEMO/profiles/sso/\(last)")
        }
    }

    func ask(
        _ operation: String, _ last: String = "", body: String? = nil, headers: [String: String] = [:]
    ) async throws -> SandboxClient.Answer {
        let (method, path) = Self.place(operation, last)
        let answer = try await client.send(method, path, body: method == .post ? body : nil, headers: headers)
        let problem = checker.problem(
            operation, status: answer.status, contentType: answer.header("Content-Type"), body: answer.text)
        #expect(problem == nil, "\(answer.text)")
        return answer
    }

    /// Begins a login, and returns its code.
    func code(_ mvpdID: String = "demo-cable") async throws -> String {
        let form = SandboxClient.form([
            ("mvpd", mvpdID), ("domainName", "localhost"), ("redirectUrl", "adobepass://ios.app"),
        ])
        let answer = try await ask("createSession", body: form)
        return try #require(answer.text.firstMatch(of: /"code":"([A-Z0-9]{7})"/)?.1).description
    }

    /// Logs the viewer in.
    func logIn(_ mvpdID: String = "demo-cable") async throws {
        try await finish(try await code(mvpdID))
    }

    /// Finishes the login of a code in a browser.
    func finish(_ code: String) async throws {
        let page = "\(client.sandbox.baseURL.absoluteString)/api/v2/authenticate/DEMO/\(code)"
        let end = try await SandboxClient.open(page, as: .logsIn(name: "viewer", password: "secret"))
        #expect(end == .redirect(try SandboxClient.redirect))
    }

    /// Returns the header with the status of the platform's sign-on.
    static func partner(_ provider: String?, access: String = "granted", expires: String? = nil) -> [String: String] {
        let id = provider.map { "\"id\":\"\($0)\"" }
        let end = expires.map { "\"expirationDate\":\"\($0)\"" }
        let info = [id, end].compactMap(\.self).joined(separator: ",")
        let json = "{\"frameworkPermissionInfo\":{\"accessStatus\":\"\(access)\"},\"frameworkProviderInfo\":{\(info)}}"
        return ["AP-Partner-Framework-Status": Data(json.utf8).base64EncodedString()]
    }
}
