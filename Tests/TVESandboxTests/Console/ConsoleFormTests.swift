import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVESandboxConsole
import TVETestTraits
import Testing

/// Tests of the bodies that the console's API reads, of their description, and of the forms that send them.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct ConsoleFormTests {
    private func description(_ client: SandboxClient) async throws -> String {
        try await client.send(.get, "/console/openapi.json").text
    }

    @Test(arguments: [
        (#"{"kind":"throttled","stpe":"config"}"#, #"stpe is not a known field. Did you mean "step"?"#),
        (#"{"kind":"throttled","x":null}"#, "x is not a known field."),
        (#"{"kind":"dely","amount":1}"#, "kind has an unknown value."),
        (#"{"kind":"delay","amount":"1"}"#, "amount has the wrong type."),
        (#"{"kind":"delay","amount":1.5}"#, "amount has an unknown value."),
        (#"{"amount":1}"#, "kind is missing."), ("[]", "The document is not a JSON object."),
        ("{", "The document ends before its JSON is complete."),
    ])
    func refusesAFault_inTheWordsOfAWorldFile(body: String, problem: String) async throws {
        let client = try await SandboxClient(pages: .console)
        let answer = try await client.change(.post, "/console/api/faults", body: body)
        #expect(answer.status == 400)
        #expect(try answer.json([String: [String]].self) == ["problems": [problem]])
        #expect(client.sandbox.world.faults.isEmpty)
    }

    @Test func everyBody_isRefusedWithAFieldThatIsNotDescribed() async throws {
        let client = try await SandboxClient(pages: .console)
        // The exchange that is sent again.
        _ = try await client.send(.get, "/nope")
        let document = try MetadataValue(json: Data(try await description(client).utf8))
        var count = 0
        for (path, operations) in document["paths"]?.objectValue ?? [:] {
            for (method, operation) in operations.objectValue ?? [:] {
                // A merge patch has the members that it changes.
                guard Self.schema(of: operation)?["$ref"] != nil else { continue }
                let answer = try await client.change(
                    try #require(HTTPRequest.Method(method.uppercased())), path.replacing(/\{[^}]*\}/, with: "1"),
                    body: #"{"nonsense":1}"#)
                #expect(answer.status == 400 && answer.text.contains("nonsense is not a known field."), "\(path)")
                count += 1
            }
        }
        #expect(count == 13)
    }

    @Test(arguments: [
        (#"{"kind":"delay","amount":1,"step":"config"}"#, true), (#"{"kind":"delay","amount":1,"step":null}"#, true),
        (#"{"kind":"error","code":"network_received_error"}"#, true),
        (#"{"kind":"degraded","code":"authorizeNone"}"#, true), (#"{"kind":"error","code":"nope"}"#, false),
        (#"{"kind":"delay","amount":1,"step":"nope"}"#, false), (#"{"kind":"nope"}"#, false),
        (#"{"kind":"throttled","nope":null}"#, false),
    ])
    func acceptsAFault_exactlyWhenItIsDescribed(body: String, isAccepted: Bool) async throws {
        let client = try await SandboxClient(pages: .console)
        let checker = try OpenAPIChecker.of(try await description(client))
        let problem = checker.violation(
            of: ["$ref": "#/components/schemas/Fault"], by: try MetadataValue(json: Data(body.utf8)), at: "fault")
        #expect((problem == nil) == isAccepted, "\(problem ?? "")")
        let answer = try await client.change(.post, "/console/api/faults", body: body)
        #expect(answer.status == (isAccepted ? 201 : 400), "\(answer.text)")
    }

    @Test func everyValueOfAClosedSet_isAccepted() async throws {
        let client = try await SandboxClient(pages: .console)
        let document = try MetadataValue(json: Data(try await description(client).utf8))
        func values(_ schema: String) -> [String] {
            (document["components"]?["schemas"]?[schema]?["enum"]?.arrayValue ?? []).compactMap(\.stringValue)
        }
        #expect(values("Step") == ServiceStep.rows.map(\.id))
        #expect(values("FaultKind") == SandboxWorld.Fault.Kind.allCases.map(\.rawValue))
        let rules = ["authenticateAll", "authorizeAll", "authorizeNone"]
        #expect(values("FaultCode") == EnhancedErrorRow.codes + rules)
        for step in values("Step") {
            let body = "{\"step\":\"\(step)\",\"name\":\"\(step)\",\"atLeast\":1}"
            #expect(try await client.change(.post, "/console/api/expectations", body: body).status == 204, "\(step)")
        }
        for code in values("FaultCode") {
            let body = "{\"kind\":\"\(rules.contains(code) ? "degraded" : "error")\",\"code\":\"\(code)\"}"
            #expect(try await client.change(.post, "/console/api/faults", body: body).status == 201, "\(code)")
            _ = try await client.change(.delete, "/console/api/faults")
        }
        for name in values("ReadyWorld") {
            #expect(try await client.change(.post, "/console/api/worlds/\(name)").status == 204, "\(name)")
        }
        for dialect in values("DialectFilter") {
            #expect(try await client.send(.get, "/console/api/exchanges?dialect=\(dialect)").status == 200)
        }
        #expect(values("OutcomeFilter").count == ExchangeOutcome.Kind.allCases.count + 3)
        for outcome in values("OutcomeFilter") + ["200", "429"] {
            #expect(try await client.send(.get, "/console/api/exchanges?status=\(outcome)").status == 200, "\(outcome)")
        }
    }

    @Test(arguments: [
        ("exchanges?devcie=tv", "devcie is not a known field."),
        ("exchanges?secrets=1", "secrets is not a known field."),
        ("exchanges?status=grantd", "status must be an outcome or an HTTP status."),
        ("exchanges?status=99", "status must be an outcome or an HTTP status."),
        ("exchanges/1?x", "x is not a known field."), ("exchanges/1/curl?text=a", "text is not a known field."),
        ("har?limit=5", "limit is not a known field."), ("session?secrets=1", "secrets is not a known field."),
        ("session?dialect=nope", "dialect must be one of the dialects."),
    ])
    func refusesAQuery_thatIsNotDescribed(query: String, problem: String) async throws {
        let client = try await SandboxClient(pages: .console)
        _ = try await client.send(.get, "/nope")
        let answer = try await client.send(.get, "/console/api/\(query)")
        #expect(answer.status == 400)
        #expect(try answer.json([String: [String]].self) == ["problems": [problem]])
    }

    // MARK: - Forms

    private static let pages = [
        "/console/faults", "/console/devices", "/console/accounts", "/console/households", "/console/lanes",
        "/console/conformance", "/console/worlds",
    ]

    @Test func everyForm_sendsOnlyFieldsThatAreDescribed() async throws {
        let client = try await SandboxClient(pages: .console).registered()
        _ = try await client.loggedIn(device: "tv")
        let document = try MetadataValue(json: Data(try await description(client).utf8))
        var count = 0
        for page in Self.pages {
            let text = try await client.send(.get, page).text
            let scope = text.firstMatch(of: /<form id="scope-form"[^>]*>([\s\S]*?)<\/form>/).map { String($0.1) } ?? ""
            for form in text.matches(of: /<form([^>]*data-api="([A-Z]+) ([^"]*)"[^>]*)>([\s\S]*?)<\/form>/) {
                let known = Self.fields(ofBody: String(form.2), to: String(form.3), in: document)
                var sent = Self.names(in: String(form.4))
                if form.1.contains("data-with=\"scope-form\"") {
                    let taken = form.1.firstMatch(of: /data-takes="([^"]*)"/)?.1.split(separator: " ").map(String.init)
                    sent += Self.names(in: scope).filter { taken?.contains($0) ?? true }
                }
                #expect(Set(sent).subtracting(known).isEmpty, "\(page): \(form.2) \(form.3)")
                count += 1
            }
        }
        #expect(count >= 25)
    }

    private static func names(in html: String) -> [String] {
        html.matches(of: /\sname="([^"]*)"/).map { String($0.1) }
    }

    private static func schema(of operation: MetadataValue) -> MetadataValue? {
        operation["requestBody"]?["content"]?["application/json"]?["schema"]
    }

    /// Returns the names of the fields that the description has for the body of a request.
    private static func fields(ofBody method: String, to path: String, in document: MetadataValue) -> [String] {
        let segments = path.split(separator: "/")
        let operations = document["paths"]?.objectValue?.first { template, _ in
            let parts = template.split(separator: "/")
            return parts.count == segments.count
                && zip(parts, segments).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
        }
        guard let operation = operations?.value[method.lowercased()],
            let reference = schema(of: operation)?["$ref"]?.stringValue,
            let schema = document["components"]?["schemas"]?[reference.components(separatedBy: "/").last ?? ""],
            let properties = schema["properties"] ?? schema["oneOf"]?[0]?["properties"]
        else { return [] }
        return properties.objectValue?.keys.sorted() ?? []
    }
}
