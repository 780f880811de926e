import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVETestTraits
import Testing

/// The requests that the client can send are those that the sandbox's document allows.
@Suite(.row("REST API v2, 3"), .fewAtATime)
struct EndpointTests {
    private static let documented = DocumentedRequests.ofTheSandbox.operations

    @Test func areThoseOfTheDocument() {
        #expect(Set(Endpoint.allCases.map(\.rawValue)) == Set(Self.documented.keys))
    }

    @Test(.row("CL24"), arguments: Endpoint.allCases)
    func sendNothing_thatIsNotDocumented(endpoint: Endpoint) throws {
        let operation = try #require(Self.documented[endpoint.rawValue])
        #expect(endpoint.method.rawValue == operation.method && endpoint.path == operation.path)
        #expect(Set(endpoint.query.map(\.rawValue)).isSubset(of: operation.query.keys))
        #expect(Set(endpoint.headers.map { $0.rawValue.lowercased() }).isSubset(of: operation.headers.keys))
        #expect((endpoint.body == nil) == (operation.body == nil))
        let type = endpoint.body?.kind.rawValue.split(separator: ";").first.map(String.init)
        #expect(type == operation.body?.contentType)
        let fields = Set((endpoint.body?.fields ?? []).map(\.rawValue))
        #expect(fields.isSubset(of: operation.body?.fields ?? []))
    }

    @Test(.row("CL21"), arguments: Endpoint.allCases)
    func sendWhatIsRequired(endpoint: Endpoint) throws {
        let operation = try #require(Self.documented[endpoint.rawValue])
        let headers = Set(endpoint.headers.map { $0.rawValue.lowercased() })
        let fields = Set((endpoint.body?.fields ?? []).map(\.rawValue))
        #expect(headers.isSuperset(of: operation.headers.filter(\.value.isRequired).keys))
        #expect(Set(endpoint.query.map(\.rawValue)).isSuperset(of: operation.query.filter(\.value.isRequired).keys))
        #expect(fields.isSuperset(of: operation.body?.required ?? []))
        // The acceptance list requires these three with every request, whatever the page of the endpoint lists.
        guard ![.register, .token, .authenticate].contains(endpoint) else { return }
        #expect(Set(endpoint.headers).isSuperset(of: [.authorization, .deviceIdentifier, .deviceInfo]))
    }

    /// An app may set an option to an empty text while it has no value for it.
    @Test(arguments: ["", " "]) func sendNoOption_thatHasNoValue(blank: String) async throws {
        let options = ClientOptions(applicationProfile: blank, visitorID: blank, serviceToken: blank)
        let desk = try await RESTv2Fixture(options: options)
        _ = try await desk.service.configuration(of: "DEMO")
        _ = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        let sent = desk.requests.withLock { $0.map(\.request) }
        #expect(sent.contains { $0.path == "/api/v2/DEMO/configuration" })
        for request in sent {
            #expect(request.headerFields.allSatisfy { !$0.value.isEmpty }, "\(request.path ?? "")")
        }
        #expect(desk.header("AP-Visitor-Identifier", of: "/profiles") == nil)
        #expect(desk.header("AD-Service-Token", of: "/profiles") == nil)
    }

    /// Servers refuse longer paths, each with an error of its own.
    @Test(arguments: [(2_000, true), (2_001, false)])
    func sendNoPart_thatIsTooLongForAPath(length: Int, isSent: Bool) async throws {
        let desk = try await RESTv2Fixture()
        let mvpdID = MVPDID(String(repeating: "m", count: length))
        _ = try? await desk.service.logins(of: "DEMO", with: mvpdID, knowing: nil)
        let paths = desk.requests.withLock { $0.map(\.request.path) }
        #expect(paths.contains { $0?.contains(mvpdID.text) == true } == isSent)
    }

    /// Sends every request that the service can make, with everything that it can carry, to a strict sandbox.
    @Test(.row("CL21", "CL24")) func areUsedByEveryCall_asTheTableSays() async throws {
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple-cable"
        let options = ClientOptions(
            applicationProfile: "p1", visitorID: "ecid", serviceToken: "e30.eyJzdWIiOiJoIn0.c2ln")
        let desk = try await RESTv2Fixture(world: world, options: options)
        let service = desk.service
        service.remember(PlatformStatus(permission: .granted, providerID: "apple-cable"))
        _ = try await service.configuration(of: "DEMO")
        let waiting = try await service.createSession(requestorID: "DEMO", mvpdID: nil, redirectURL: nil)
        let code = try #require(waiting.code)
        _ = try await service.session(code: code, requestorID: "DEMO")
        _ = try await service.resumeSession(
            code: code, requestorID: "DEMO", mvpdID: "demo-fiber", redirectURL: URL(string: "https://app.example/done"))
        let login = try await desk.logIn()
        _ = try await service.logins(of: "DEMO", with: nil, knowing: nil)
        _ = try await service.logins(of: "DEMO", with: "demo-cable", knowing: login)
        _ = try await service.preauthorization(
            of: ["DEMO-1"], requestorID: "DEMO", usesServiceCache: true, login)
        _ = try await service.authorization(for: "DEMO-1", requestorID: "DEMO", data: [:], login)
        _ = try await service.logout(requestorID: "DEMO", mvpdID: "demo-cable", login, redirectURL: nil)
        let request = LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable")
        guard case .ask(let question, _) = try await service.platformRequest(request) else {
            Issue.record("The platform is not asked.")
            return
        }
        let answer = "<Response InResponseTo=\"\(question)\"><NameID>viewer</NameID></Response>"
        _ = try await service.authentication(from: answer, requestorID: "DEMO", mvpdID: "demo-cable")
        let household = HouseholdService(service, requestorID: "DEMO")
        let token = try await household.renewed(try await household.token(forAccount: "account"))
        let linkCode = try await household.linkCode(token)
        _ = try await household.token(joiningWith: linkCode)
        _ = try await household.devices(token)
        _ = try await household.unlink([household.deviceID], token)

        var used: Set<String> = []
        for exchange in desk.sandbox.exchanges {
            guard let endpoint = Endpoint(rawValue: exchange.facts.step) else { continue }
            used.insert(endpoint.rawValue)
            #expect(exchange.objection == nil, "\(endpoint)")
            guard endpoint != .authenticate else { continue }
            for header in Endpoint.Header.allCases where exchange.request.header(header.rawValue) != nil {
                #expect(endpoint.headers.contains(header), "\(endpoint) \(header)")
            }
            // A promotional TempPass has a test of its own, and a household has an account or a code.
            let one: Set<Endpoint.Header> = [.tempPassIdentity, .partnerStatus, .account, .linkCode]
            for header in Set(endpoint.headers).subtracting(one) {
                #expect(exchange.request.header(header.rawValue) != nil, "\(endpoint) \(header)")
            }
        }
        #expect(used == Set(Endpoint.allCases.map(\.rawValue)))
    }
}
