import Foundation
import HTTPTypes
import TVEConformance
import TVEModels
import TVENetworking
import TVESandbox
import TVESandboxConsole
import TVETestSupport
import Testing

/// Plays a flow against a sandbox.
///
/// The scripted clients know HTTP and the documentation, and nothing of the library.
struct FlowRunner {
    private struct Memory {
        var client: [String: String] = [:]
        var token = ""
        var codes: [String] = []
        var usesOldCode = false
        var provider = "demo-cable"
        var logoutPage = ""
        var serviceToken = ""
        var linkCode = ""
    }

    let sandbox: Sandbox
    let clock = ManualClock()
    private var memories: [Flow.Actor: Memory] = [:]

    init() async throws {
        sandbox = try await Sandbox(isDirect: true, now: { [clock] in clock.now })
    }

    /// Returns the report about a flow.
    static func report(_ flow: Flow) async throws -> ConformanceReport {
        ConformanceReport(judging: try await exchanges(flow))
    }

    private static let recordings = Guarded<[String: Task<[Exchange], any Error>]>([:])

    /// Returns the exchanges of a client that breaks a row, which is played once for all tests.
    static func exchanges(_ one: Break) async throws -> [Exchange] {
        let recording = recordings.withLock { recordings in
            if let known = recordings[one.testDescription] { return known }
            let new = Task {
                var flow = Flow.good
                one.change(&flow)
                return try await exchanges(flow)
            }
            recordings[one.testDescription] = new
            return new
        }
        return try await recording.value
    }

    /// Returns the exchanges of a flow.
    static func exchanges(_ flow: Flow) async throws -> [Exchange] {
        var runner = try await FlowRunner()
        for step in flow.steps { try await runner.perform(step) }
        let exchanges = runner.sandbox.exchanges.map { Exchange($0) }
        await runner.sandbox.stop()
        return exchanges
    }

    private mutating func perform(_ step: Flow.Step) async throws {
        var memory = memories[step.actor] ?? Memory()
        defer { memories[step.actor] = memory }
        // Codes are passed from one screen to the other.
        let codes = memories.values.flatMap(\.codes)
        let television = memories[.television]?.codes ?? []
        let known = step.actor == .page ? television : memory.codes
        let code = (memory.usesOldCode ? known.dropLast().last : known.last) ?? codes.last ?? ""
        let api = "/api/v2/DEMO"
        let provider = memory.provider
        switch step.act {
        case .wait(let seconds): clock.advance(by: seconds)
        case .choose(let id): memory.provider = id
        case .useOldCode: memory.usesOldCode = true
        case .useNewCode: memory.usesOldCode = false
        case .register:
            let end: MetadataValue = step.actor == .phone ? "adobepass://ios.app" : "https://example.com/done"
            let body = json(["software_statement": .string(sandbox.softwareStatement), "redirect_uri": end])
            memory.client = try await send(step, memory, method: "POST", path: "/o/client/register", json: body)
                .mapValues {
                    $0.stringValue ?? ""
                }
        case .token:
            let fields = [
                ("grant_type", "client_credentials"), ("client_id", memory.client["client_id"] ?? ""),
                ("client_secret", memory.client["client_secret"] ?? ""),
            ]
            memory.token =
                try await send(step, memory, method: "POST", path: "/o/client/token", form: fields)["access_token"]?
                .stringValue ?? ""
        case .configuration: _ = try await send(step, memory, method: "GET", path: "\(api)/configuration")
        case .session(let mvpd, let redirect):
            let all = [("mvpd", mvpd), ("domainName", redirect.map { _ in "localhost" }), ("redirectUrl", redirect)]
            let fields = all.compactMap { name, value in value.map { (name, $0) } }
            let answer = try await send(step, memory, method: "POST", path: "\(api)/sessions", form: fields)
            if let code = answer["code"]?.stringValue { memory.codes.append(code) }
        case .partnerSession:
            let fields = [("domainName", "localhost"), ("redirectUrl", "adobepass://ios.app")]
            let answer = try await send(step, memory, method: "POST", path: "\(api)/sessions/sso/Apple", form: fields)
            if let code = answer["code"]?.stringValue { memory.codes.append(code) }
        case .check: _ = try await send(step, memory, method: "GET", path: "\(api)/sessions/\(code)")
        case .resume(let mvpd):
            let end = step.actor == .page ? "https://example.com/done" : "adobepass://ios.app"
            let fields = [("mvpd", mvpd), ("domainName", "localhost"), ("redirectUrl", end)]
            _ = try await send(
                step, memory, method: "POST", path: "\(api)/sessions/\(code)",
                form: fields.compactMap { name, value in value.map { (name, $0) } })
        case .logIn:
            try await browse("/api/v2/authenticate/DEMO/\(code)", step, as: .logsIn(name: "viewer", password: "secret"))
        case .leave: try await browse("/api/v2/authenticate/DEMO/\(code)", step, as: .cancels)
        case .poll: _ = try await send(step, memory, method: "GET", path: "\(api)/profiles/code/\(code)")
        case .profiles: _ = try await send(step, memory, method: "GET", path: "\(api)/profiles")
        case .profile(let id): _ = try await send(step, memory, method: "GET", path: "\(api)/profiles/\(id)")
        case .preauthorize(let resources):
            let body = json(["resources": .array(resources.map { .string($0) })])
            _ = try await send(
                step, memory, method: "POST", path: "\(api)/decisions/preauthorize/\(provider)", json: body)
        case .authorize(let resource):
            _ = try await send(
                step, memory, method: "POST", path: "\(api)/decisions/authorize/\(provider)",
                json: json(["resources": [.string(resource)]]))
        case .play(let resource):
            _ = try await send(step, memory, method: "POST", path: "/conformance/plays/\(resource)")
        case .logout:
            let answer = try await send(
                step, memory, method: "GET", path: "\(api)/logout/\(provider)?redirectUrl=adobepass%3A%2F%2Fios.app")
            memory.logoutPage = answer["logouts"]?[provider]?["url"]?.stringValue ?? ""
        case .openLogout: try await browse(memory.logoutPage, step, as: .cancels)
        case .joinAccount(let account):
            memory.serviceToken = try await serviceToken(step, memory, showing: ["X-SSO-ID": account])
        case .joinWithCode:
            let code = memories.values.map(\.linkCode).first { !$0.isEmpty } ?? ""
            memory.serviceToken = try await serviceToken(step, memory, showing: ["X-SSO-LINK": code])
        case .renewServiceToken: memory.serviceToken = try await serviceToken(step, memory)
        case .makeLinkCode:
            let answer = try await send(member(step, memory), memory, method: "POST", path: "/api/DEMO/link")
            memory.linkCode = answer["code"]?.stringValue ?? ""
        case .listDevices: _ = try await send(member(step, memory), memory, method: "GET", path: "/api/DEMO/list")
        }
    }

    // MARK: - Households

    private func member(_ step: Flow.Step, _ memory: Memory) -> Flow.Step {
        var step = step
        step.headers["AD-Service-Token"] = memory.serviceToken
        return step
    }

    private func serviceToken(
        _ step: Flow.Step, _ memory: Memory, showing headers: [String: String] = [:]
    ) async throws -> String {
        let method = headers.isEmpty ? "GET" : "POST"
        var step = headers.isEmpty ? member(step, memory) : step
        for (name, value) in headers { step.headers[name] = value }
        let answer = try await send(step, memory, method: method, path: "/api/DEMO/serviceToken")
        return answer["serviceToken"]?.stringValue ?? memory.serviceToken
    }

    // MARK: - HTTP

    private func json(_ value: MetadataValue) -> Data { (try? JSONEncoder().encode(value)) ?? Data() }

    private func send(
        _ step: Flow.Step, _ memory: Memory, method: String, path: String, form: [(String, String)]? = nil,
        json: Data? = nil
    ) async throws -> [String: MetadataValue] {
        // Within the pace of the service.
        if step.query != "fast" { clock.advance(by: 1) }
        let query = step.query == "fast" ? "" : step.query
        var request = HTTPRequest(
            method: .init(rawValue: method) ?? .get, scheme: "http", authority: "127.0.0.1", path: path + query)
        let device = "\(step.actor)-1"
        let type = step.actor == .television ? "SetTopBox" : "MobilePhone"
        let facts = #"{"primaryHardwareType":"\#(type)","model":"\#(step.actor)","osName":"Linux"}"#
        var headers: [String: String] = [
            "X-Device-Info": Data(facts.utf8).base64EncodedString(), "Accept": "application/json",
        ]
        if !path.hasPrefix("/o/") {
            headers["Authorization"] = "Bearer \(memory.token)"
            headers["AP-Device-Identifier"] = "fingerprint \(Data(device.utf8).base64EncodedString())"
        }
        if form != nil { headers["Content-Type"] = "application/x-www-form-urlencoded" }
        if json != nil { headers["Content-Type"] = "application/json" }
        for (name, value) in step.headers { headers[name] = value }
        for (name, value) in headers { request.headerFields[try #require(HTTPField.Name(name))] = value }
        let encoded = form.map { fields in
            fields.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }.joined(
                separator: "&")
        }
        let (_, body) = await sandbox.routes.answer(request, body: json ?? encoded.map { Data($0.utf8) })
        return (try? MetadataValue(json: body))?.objectValue ?? [:]
    }

    private func browse(_ path: String, _ step: Flow.Step, as viewer: HeadlessBrowser.Viewer) async throws {
        var browser = HeadlessBrowser(transport: Wire(sandbox: sandbox, agent: step.headers["User-Agent"] ?? nil))
        let end = try #require(URL(string: step.actor == .page ? "https://example.com/done" : "adobepass://ios.app"))
        _ = await browser.open(try #require(URL(string: "http://127.0.0.1\(path)")), endingAt: end, as: viewer)
    }

    /// A browser's way to the sandbox.
    private struct Wire: HTTPTransport {
        let sandbox: Sandbox
        let agent: String?

        func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
            var request = request
            if let agent { request.headerFields[.userAgent] = agent }
            return await sandbox.routes.answer(request, body: body)
        }
    }
}
