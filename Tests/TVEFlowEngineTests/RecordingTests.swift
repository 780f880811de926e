import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// The file that an app sends to support: complete, and without a secret.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct RecordingTests {
    private static func world() -> SandboxWorld {
        var world = SandboxWorld.demo
        world.viewers[0].name = "annabel-viewer"
        world.viewers[0].password = "opensesame"
        // The digits of a real zip code can also be those of a time or a duration in the file.
        world.viewers[0].zip = "zip-of-annabel"
        return world
    }

    @Test(arguments: ServiceDialect.allCases)
    func hasEachExchange_andNoSecret(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: Self.world())
        let recording = ExchangeRecording()
        let (session, _) = try await fixture.session {
            $0.transport = RecordingTransport(next: fixture.transport, into: recording)
        }
        try await session.authenticate(
            using: ViewerWhoLogsIn(viewer: .logsIn(name: "annabel-viewer", password: "opensesame")))
        let media = try await session.authorize("DEMO-1")
        await #expect(throws: TVEError(.notAuthorized)) { try await session.authorize("DEMO-PLUS") }
        _ = try await session.preauthorize(["DEMO-1", "DEMO-PLUS"])
        _ = try await session.metadata(.user("zip"))
        try await session.logout(using: ViewerWhoLogsIn())

        let file = String(decoding: recording.archive(facts: ["app": "7.1"]), as: UTF8.self)
        #expect(recording.count >= 7 && file.contains("\"app\" : \"7.1\""))
        let named = ["annabel-viewer", "opensesame", "zip-of-annabel"]
        var secrets = named + [media.rawText, fixture.sandbox.softwareStatement]
        for exchange in fixture.sandbox.exchanges {
            let fields = exchange.request.headers + exchange.answer.headers
            secrets += fields.filter { ["authorization", "ap-device-identifier"].contains($0.name.lowercased()) }
                .map { $0.value.replacingOccurrences(of: "Bearer ", with: "") }
            for body in [exchange.request.body, exchange.answer.body] {
                let text = String(decoding: body, as: UTF8.self)
                let pattern =
                    /"(?:client_id|client_secret|access_token|serializedToken|upstreamUserID|code|deviceId)":"([^"]+)"/
                secrets += text.matches(of: pattern).map { String($0.1) }.filter { $0.contains(/[A-Z0-9]/) }
                secrets += text.matches(of: /<(?:code|simpleTokenAuthenticationGuid)>([^<]+)</).map { String($0.1) }
            }
        }
        #expect(secrets.count > 12)
        for secret in Set(secrets) where secret.count > 3 { #expect(!file.contains(secret), "\(secret.prefix(6))…") }
        // What support asks for stays.
        #expect(file.contains("/o/client/register"))
        if dialect == .restV2 {
            #expect(file.contains("/api/v2/DEMO/decisions/authorize/demo-cable"))
            #expect(file.contains("authorization_denied_by_mvpd"))
            #expect(file.contains("/api/v2/DEMO/profiles/code/(hidden)"))
        }
    }

    @Test(arguments: [
        ("/api/DEMO/serviceToken", "/api/DEMO/serviceToken"), ("/api/DEMO/link", "/api/DEMO/link"),
        ("/api/DEMO/list", "/api/DEMO/list"), ("/api/DEMO/unlink", "/api/DEMO/unlink"),
        ("/api/DEMO/ABC234", "/api/(hidden)/(hidden)"), ("/api/ABC234/list/ABC234", "/api/(hidden)/(hidden)/(hidden)"),
        ("/ABC234/list", "/(hidden)/(hidden)"),
    ])
    func showsTheRequestor_beforeAWordOfTheSingleSignOnService(path: String, shown: String) async throws {
        let recording = ExchangeRecording()
        let next = ScriptedTransport { _, _ in .response(status: 200, body: "{}") }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: path)
        _ = try await RecordingTransport(next: next, into: recording).send(request, body: nil)
        let file = String(decoding: recording.archive(), as: UTF8.self)
        #expect(file.contains("https://a.example\(shown)\""))
    }

    /// Ids and facts are names of members in some answers.
    @Test func showsNoNamesThatAreData() async throws {
        let recording = ExchangeRecording()
        let id = "8d7f3b1c-1111-2222-3333-444455556666"
        let body = """
            {"devices":{"\(id)":{"deviceType":"tv","os":"tvOS"}},"profiles":{"m":{"attributes":\
            {"maxRating":{"value":{"annabel":{"lee":"x"}},"state":"plain"},"list":{"value":[{"annabel":1}]}}}}}
            """
        let next = ScriptedTransport { _, _ in .response(status: 200, body: body) }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/api/DEMO/list")
        _ = try await RecordingTransport(next: next, into: recording).send(request, body: nil)
        let file = String(decoding: recording.archive(), as: UTF8.self)
        #expect(!file.contains(id) && !file.contains("annabel") && !file.contains("lee"))
        #expect(file.contains("maxRating") && file.contains("deviceType"))
    }

    /// A Boolean says as much about a viewer as a text does, for example that the viewer is the head of a household.
    @Test(arguments: [
        (#"{"is_hoh":{"state":"plain","value":true}}"#, #"{"is_hoh":{"state":"(hidden)","value":"(hidden)"}}"#),
        (#"{"a":{"value":[true,{"b":false}]}}"#, #"{"a":{"value":["(hidden)",{"(hidden)":"(hidden)"}]}}"#),
        (#"{"is_hoh":{"value":null}}"#, #"{"is_hoh":{"value":null}}"#),
        // Some names of facts are those of members whose texts and numbers are shown elsewhere.
        (
            #"{"attributes":{"is_hoh":true,"status":3,"type":"gold"}}"#,
            #"{"attributes":{"is_hoh":"(hidden)","status":"(hidden)","type":"(hidden)"}}"#
        ),
        (
            #"{"attributes":{"a":{"b":[true]}},"type":"regular"}"#,
            #"{"attributes":{"a":{"b":["(hidden)"]}},"type":"regular"}"#
        ),
        (#"{"decisions":[{"authorized":true}]}"#, #"{"decisions":[{"authorized":true}]}"#),
    ])
    func showsABoolean_unlessItIsAFactAboutTheViewer(body: String, shown: String) async throws {
        let recording = ExchangeRecording()
        let next = ScriptedTransport { _, _ in .response(status: 200, body: body) }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/")
        _ = try await RecordingTransport(next: next, into: recording).send(request, body: nil)
        let file = String(decoding: recording.archive(), as: UTF8.self)
        // The body is a text of the archive, in which quotation marks are escaped.
        #expect(file.contains(shown.replacing("\"", with: "\\\"")))
    }

    /// Hiding makes some bodies longer.
    @Test(arguments: [(1_000, false), (8_000, true), (40_000, true)])
    func recordsOnlyTheLength_ofABodyThatIsTooLong(count: Int, isLeftOut: Bool) async throws {
        let recording = ExchangeRecording()
        let body = "[\(Array(repeating: "1", count: count).joined(separator: ","))]"
        let next = ScriptedTransport { _, _ in .response(status: 200, body: body) }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/")
        _ = try await RecordingTransport(next: next, into: recording).send(request, body: nil)
        let file = recording.archive()
        let text = String(decoding: file, as: UTF8.self)
        #expect(text.contains("(\(body.utf8.count) bytes, left out)") == isLeftOut)
        #expect(file.count < 20_000)
    }

    @Test func keepsTheLastExchanges_thatAreFourMegabytesTogether() async throws {
        let recording = ExchangeRecording()
        let next = ScriptedTransport { _, _ in .response(status: 200, body: "") }
        // Every byte of a header is checked when the header is made, which takes long in a debug build.
        let fields: HTTPFields = [.accept: String(repeating: "a", count: 100_000)]
        for number in 1...50 {
            let request = HTTPRequest(
                method: .get, scheme: "https", authority: "a.example", path: "/?n\(number)=", headerFields: fields)
            _ = try await RecordingTransport(next: next, into: recording).send(request, body: nil)
        }
        #expect((38...41).contains(recording.count))
        let file = String(decoding: recording.archive(), as: UTF8.self)
        #expect(file.contains("?n50=") && file.contains("?n13=") && !file.contains("?n9="))
    }

    /// Words and numbers of the service help its support; a text of another form could be a viewer's or a code.
    @Test(arguments: [
        (#"{"trace":"a-1","action":"retry","code":"some_code"}"#, true), (#"{"trace":"a_1"}"#, false),
        (#"{"code":"ABC234"}"#, false), (#"{"code":"abc2"}"#, false), (#"{"action":"two words"}"#, false),
        (#"{"status":403,"notAfter":1797832900000,"expires_in":60}"#, true), (#"{"zip":12345}"#, false),
        (#"{"message":"retry"}"#, false), ("{\"action\":\"\(letters(64))\"}", true),
        ("{\"action\":\"\(letters(65))\"}", false), ("{\"trace\":\"\(letters(64))\"}", true),
        ("{\"trace\":\"\(letters(65))\"}", false), ("{\"\(letters(40))\":true}", true),
        ("{\"\(letters(41))\":true}", false), (#"{"viewer@example.com":true}"#, false), (#"{"action":""}"#, false),
    ])
    func showsWordsOfTheService_andNoOthers(body: String, isShown: Bool) async throws {
        let recording = ExchangeRecording()
        let next = ScriptedTransport { _, _ in .response(status: 200, body: body) }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/")
        _ = try await RecordingTransport(next: next, into: recording).send(request, body: nil)
        let archive = try MetadataValue(json: recording.archive())
        let text = archive["log"]?["entries"]?[0]?["response"]?["content"]?["text"]?.stringValue
        let shown = try MetadataValue(json: Data((text ?? "").utf8))
        #expect(try (shown == MetadataValue(json: Data(body.utf8))) == isShown, "\(text ?? "")")
        #expect((text?.contains("(hidden)") == true) != isShown)
    }

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    /// A service that refuses every request for a time.
    private struct Throttling: HTTPTransport {
        func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
            let fields: HTTPFields = [.contentType: "application/json", .retryAfter: "7", .setCookie: "viewer=1"]
            return (HTTPResponse(status: .init(code: 429), headerFields: fields), Data(#"{"code":"too_many"}"#.utf8))
        }
    }

    @Test func hasTheFactsOfAnExchange() async throws {
        let start = Date(timeIntervalSince1970: 1_795_161_600.5)
        let times = Guarded([start, start.addingTimeInterval(1.25)])
        let recording = ExchangeRecording(now: { times.withLock { $0.removeFirst() } })
        let request = HTTPRequest(
            method: .post, scheme: "http", authority: "a.example:81", path: "/api/v2/DEMO/sessions?x=y",
            headerFields: [.contentType: "application/x-www-form-urlencoded", .authorization: "Bearer s3cr3t"])
        _ = try await RecordingTransport(next: Throttling(), into: recording).send(request, body: Data("mvpd=a".utf8))
        let form = "application/x-www-form-urlencoded"
        let sentFields: [MetadataValue] = [
            ["name": "Content-Type", "value": .string(form)], ["name": "Authorization", "value": "(hidden)"],
        ]
        let sent: [String: MetadataValue] = [
            "method": "POST", "url": "http://a.example:81/api/v2/DEMO/sessions?x=(hidden)", "queryString": [],
            "httpVersion": "HTTP/1.1", "cookies": [], "headersSize": -1, "bodySize": 6,
            "headers": .array(sentFields), "postData": ["mimeType": .string(form), "text": "mvpd=(hidden)"],
        ]
        let receivedFields: [MetadataValue] = [
            ["name": "Content-Type", "value": "application/json"], ["name": "Retry-After", "value": "7"],
            ["name": "Set-Cookie", "value": "(hidden)"],
        ]
        let content: MetadataValue = ["mimeType": "application/json", "size": 19, "text": #"{"code":"too_many"}"#]
        let received: [String: MetadataValue] = [
            "status": 429, "statusText": "", "redirectURL": "", "httpVersion": "HTTP/1.1", "cookies": [],
            "headersSize": -1, "bodySize": 19, "headers": .array(receivedFields), "content": content,
        ]
        let entry: [String: MetadataValue] = [
            "startedDateTime": "2026-11-20T08:00:00.500Z", "time": 1_250, "cache": [:],
            "timings": ["send": 0, "wait": 1_250, "receive": 0], "request": .object(sent),
            "response": .object(received),
        ]
        let log = try MetadataValue(json: recording.archive())["log"]
        #expect(log?["entries"] == .array([.object(entry)]) && log?["version"] == .string("1.2"))
    }

    @Test func recordsAFailure_andKeepsTheLastExchangesOnly() async throws {
        let recording = ExchangeRecording(maximumCount: 2)
        let next = ScriptedTransport { _, _ in .failure(.timedOut) }
        let transport = RecordingTransport(next: next, into: recording)
        for number in 1...3 {
            let request = HTTPRequest(
                method: .get, scheme: "https", authority: "user:pass@sp.example.com:8443",
                path: "/api/v2/DEMO/sessions/ABC234\(number)?key=value")
            await #expect(throws: TransportError.timedOut) { try await transport.send(request, body: nil) }
        }
        #expect(recording.count == 2)
        let file = String(decoding: recording.archive(), as: UTF8.self)
        #expect(file.contains("https://sp.example.com:8443/api/v2/DEMO/sessions/(hidden)?key=(hidden)"))
        #expect(file.contains("There was no answer. There was no complete answer in time."))
        #expect(!file.contains("pass") && !file.contains("ABC234"))
        recording.removeAll()
        #expect(recording.count == 0)
    }
}
