import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandboxConsole
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVESandbox

/// Tests of the outcome of a request in every view.
@Suite(.fewAtATime)
struct OutcomeTests {
    private static func used() async throws -> SandboxClient {
        let client = try await SandboxClient(pages: .console).registered()
        let code = try await client.registrationCode(deviceID: "tv")
        _ = try await client.session(code, device: "tv")
        _ = try await client.logIn(code: code, as: .logsIn(name: "viewer", password: "wrong"))
        _ = try await client.logIn(code: code)
        let token = try await client.authenticationToken(code, device: "tv")
        for resource in ["DEMO-1", "DEMO-PLUS"] { _ = try await client.authorize(token, resource, device: "tv") }
        let fault = "{\"kind\":\"status\",\"amount\":500,\"step\":\"authorizeDevice\"}"
        #expect(try await client.change(.post, "/console/api/faults", body: fault).status == 201)
        _ = try await client.authorize(token, "DEMO-2", device: "tv")
        return client
    }

    private static let sentences = [
        "Granted: DEMO-1", "Denied: DEMO-PLUS, because the viewer may not watch it", "Wrong user name or password",
        "Waiting: there is no login yet",
    ]

    @Test func everyViewSaysTheOutcome() async throws {
        let client = try await Self.used()
        let flow = try #require(client.sandbox.exchanges.compactMap(\.facts.flow).last)
        for path in [
            "/", "/console/sequence?flow=\(flow)", "/console/compare?of=flows&left=\(flow)&right=\(flow)",
            "/console/api/har", "/console/api/session", "/console/api/exchanges",
        ] {
            let text = try await client.send(.get, path).text
            for sentence in Self.sentences { #expect(text.contains(sentence), "\(path): \(sentence)") }
        }
        let granted = try #require(client.sandbox.exchanges.first { $0.outcome.text == "Granted: DEMO-1" })
        #expect(try await client.send(.get, "/console/exchanges/\(granted.id)").text.contains("Granted: DEMO-1"))
        let lanes = try await client.send(.get, "/console/lanes").text
        #expect(lanes.contains("Granted: DEMO-1") && lanes.contains("Waiting: there is no login yet"))
        #expect(try await client.send(.get, "/").text.contains("title=\"DEMO · demo-cable\">DEMO · demo-cable</td>"))
    }

    /// The list of flows and the API have no marks, which name the faults elsewhere.
    @Test(arguments: ["/console/sequence", "/console/api/exchanges"])
    func aChangedAnswer_namesItsFaultInWords(path: String) async throws {
        let text = try await Self.used().send(.get, path).text
        #expect(text.contains("Changed by a fault: HTTP error"))
    }

    /// The client does not know of the denial.
    @Test(arguments: [SandboxWorld.Fault.Kind.dropped, .cutBody])
    func aDenialThatIsLost_isShownAsItsFault(kind: SandboxWorld.Fault.Kind) async throws {
        let client = try await SandboxClient(pages: .console, isDirect: false).registered()
        let token = try await client.loggedIn(device: "tv")
        var world = client.sandbox.world
        world.faults = [SandboxWorld.Fault(kind, step: "authorizeDevice")]
        try client.sandbox.apply(world.strict)
        await #expect(throws: TransportError.self) { try await client.authorize(token, "DEMO-PLUS", device: "tv") }
        let exchange = try #require(client.sandbox.exchanges.last)
        #expect(exchange.outcome.kind == .fault && exchange.outcome.text == "Changed by a fault: \(kind.title)")
        #expect(try await !client.send(.get, "/console/lanes").text.contains("<strong>Denied</strong>"))
        let status = kind == .dropped ? "cut" : "\(exchange.status)"
        let line = "/adobe-services/authorizeDevice  \(status) – \(kind.title)"
        #expect(try await client.send(.get, "/console/sequence").text.contains(line))
    }

    /// The classic service makes no decision about more resources than the limit of a preauthorization.
    @Test(arguments: [(5, "Granted: R1, R2, R3, R4, R5"), (6, "No decision about R1, R2, R3, R4, R5 and 1 more")])
    func tooManyResources_areNotGranted(count: Int, outcome: String) async throws {
        var world = SandboxWorld.demo
        let resources = (1...count).map { "R\($0)" }
        world.viewers[0].resources = resources
        let client = try await SandboxClient(world: world, pages: .console).registered()
        let code = try await client.registrationCode(deviceID: "tv")
        _ = try await client.logIn(code: code)
        let token = try await client.authenticationToken(code, device: "tv")
        let fields = [("requestor_id", "DEMO"), ("authentication_token", token), ("mso_id", "demo-cable")]
        _ = try await client.post(
            "/adobe-services/preauthorize", fields + resources.map { ("resource_id", $0) })
        let exchange = try #require(client.sandbox.exchanges.last)
        #expect(exchange.outcome.text == outcome && exchange.outcome.isFailure == (count > 5))
    }

    @Test(arguments: [
        ("granted", 1), ("denied", 1), ("wrongPassword", 1), ("waiting", 1), ("fault", 1), ("failed", 3),
    ])
    func theListIsFiltered_byOutcome(name: String, count: Int) async throws {
        struct List: Decodable {
            struct Row: Decodable {
                let outcome: String
                let resources: [String]?
                let provider: String?
            }
            let exchanges: [Row]
        }
        let client = try await Self.used()
        let list = try await client.send(.get, "/console/api/exchanges?status=\(name)").json(List.self)
        #expect(list.exchanges.count == count)
        guard name != "failed" else { return }
        #expect(list.exchanges.allSatisfy { $0.outcome == name })
        if ["granted", "denied"].contains(name) {
            #expect(list.exchanges.first?.resources == [name == "granted" ? "DEMO-1" : "DEMO-PLUS"])
            #expect(list.exchanges.first?.provider == "demo-cable")
        }
    }

    /// REST API v2 names the resources in JSON, and answers with 200 whatever it decides.
    @Test func theOutcomesOfRESTv2_areToldApart() async throws {
        let app = try await RESTv2Client()
        let code = try await app.code()
        _ = try await app.ask("profileOfCode", code)
        try await app.finish(code)
        _ = try await app.ask("profileOfCode", code)
        _ = try await app.ask("authorize", "demo-cable", body: #"{"resources":["DEMO-1"]}"#)
        _ = try await app.ask("authorize", "demo-cable", body: #"{"resources":["DEMO-PLUS"]}"#)
        _ = try await app.ask("preauthorize", "demo-cable", body: #"{"resources":["DEMO-1","DEMO-PLUS"]}"#)
        let steps = ["profileOfCode", "authorize", "preauthorize"]
        let outcomes = app.client.sandbox.exchanges.filter { steps.contains($0.facts.step) }.map(\.outcome)
        #expect(outcomes.map(\.kind) == [.waiting, .done, .granted, .denied, .denied])
        #expect(outcomes.map(\.resources) == [[], [], ["DEMO-1"], ["DEMO-PLUS"], ["DEMO-1", "DEMO-PLUS"]])
        #expect(outcomes.suffix(3).allSatisfy { $0.provider == "demo-cable" })
        #expect(outcomes[3].text == "Denied: DEMO-PLUS, because the viewer may not watch it")
    }

    /// The path, the form or the query names the provider.
    @Test(
        arguments: [
            (.get, "/idp/demo-cable/sso", nil, "demo-cable"), (.post, "/idp/demo-cable/login", "", "demo-cable"),
            (.get, "/idp/demo-cable/logout", nil, "demo-cable"), (.get, "/idp/demo-cable", nil, nil),
            (.get, "/api/v2/DEMO/profiles/demo-cable", nil, "demo-cable"),
            (.get, "/api/v2/DEMO/logout/demo-cable", nil, "demo-cable"),
            (.post, "/api/v2/DEMO/decisions/authorize/demo-cable", "{}", "demo-cable"),
            (.post, "/api/v2/DEMO/decisions/preauthorize/demo-cable", "{}", "demo-cable"),
            (.get, "/api/v2/DEMO/profiles", nil, nil), (.get, "/api/v2/DEMO/profiles/code/ABC1234", nil, nil),
            (.post, "/api/v2/DEMO/sessions", "mvpd=demo-cable", "demo-cable"),
            (.post, "/adobe-services/authorizeDevice", "mso_id=demo-cable", "demo-cable"),
            (.post, "/adobe-services/authorizeDevice?mso_id=query", "mso_id=form&mvpd=other", "form"),
            (.get, "/adobe-services/authenticate/saml?mso_id=demo-cable", nil, "demo-cable"),
            (.post, "/adobe-services/authorizeDevice", "mso_id=", nil),
            (.get, "/adobe-services/config/demo-cable", nil, nil),
        ] as [(HTTPRequest.Method, String, String?, MVPDID?)])
    func theProviderOfARequest_isTheOneThatItNames(
        method: HTTPRequest.Method, path: String, body: String?, provider: MVPDID?
    ) async throws {
        let client = try await SandboxClient()
        _ = try await client.send(method, path, body: body)
        #expect(client.sandbox.exchanges.map(\.outcome.provider) == [provider])
    }

    /// Each of many logins is denied a resource and ends, as in a load test.
    @Test func deniedResources_areForgotten_withTheirLogins() {
        var tables = SandboxState.Tables()
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        for number in 0..<1_000 {
            let now = start.addingTimeInterval(TimeInterval(number))
            let login = Login(
                sessionIndex: "session \(number)", nameID: "name \(number)", guid: "guid",
                subject: .viewer("viewer"), requestorID: RequestorID("DEMO"), mvpdID: MVPDID("demo-cable"),
                expires: now.addingTimeInterval(10))
            tables.keep(login, at: now)
            let denied = DeniedResource(
                sessionIndex: ExactText(login.sessionIndex), resource: ExactText("DEMO-PLUS"))
            let counts = (1...2).map { _ in tables.countDenial(of: denied, at: now) }
            #expect(counts == [1, 2])
        }
        #expect(tables.denials.count < 100)
    }
}
