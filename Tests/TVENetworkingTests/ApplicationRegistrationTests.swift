import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.row("wire protocol, 2.1"), .timeLimit(.hanging))
struct ApplicationRegistrationTests {
    private let kept = KeptRegistration()
    private let clock = ManualClock()

    private struct Unreadable: Error {}

    private final class KeptRegistration: Sendable {
        let value = Guarded<RegisteredApplication?>(nil)

        var keeper: RegistrationKeeper {
            RegistrationKeeper(load: { self.value.withLock(\.self) }, save: { new in self.value.withLock { $0 = new } })
        }
    }

    private func registration(
        _ transport: ScriptedTransport, statement: String = "a.b.c"
    ) throws -> ApplicationRegistration {
        ApplicationRegistration(
            softwareStatement: statement, provider: try ServiceProvider("https://h"), transport: transport,
            keeper: kept.keeper, now: { clock.now })
    }

    private static let good: ScriptedTransport.Script = { request, _ in
        request.path == "/o/client/register"
            ? .response(status: 201, body: "{\"client_id\":\"i\",\"client_secret\":\"s\"}")
            : .response(status: 201, body: "{\"access_token\":\"t\",\"expires_in\":100,\"created_at\":0}")
    }

    @Test(.row("CL28"), arguments: ["adobepass://another.app", nil])
    func theRedirectOfTheApp_isRegisteredWithIt(redirect: String?) async throws {
        let desk = try await RESTv2Fixture()
        let kept = Guarded<RegisteredApplication?>(nil)
        let registration = ApplicationRegistration(
            softwareStatement: desk.sandbox.softwareStatement,
            provider: try ServiceProvider(desk.sandbox.baseURL.absoluteString), transport: desk.transport,
            keeper: RegistrationKeeper(
                load: { kept.withLock(\.self) }, save: { new in kept.withLock { $0 = new } }),
            redirectURL: redirect.flatMap { URL(string: $0) }, deviceInfo: RESTv2Fixture.registrationInfo,
            now: { desk.clock.now })
        _ = try await registration.accessToken()
        let body = try #require(desk.requests.withLock { $0.first { $0.request.path == "/o/client/register" }?.body })
        let sent = try JSONDecoder().decode([String: String].self, from: Data(body.utf8))
        #expect(sent["redirect_uri"] == redirect && sent.count == (redirect == nil ? 1 : 2))
        if let redirect { #expect(kept.withLock(\.self)?.redirectURLs?.contains(redirect) == true) }
    }

    @Test(.row("CL1", "CL2", "D-51")) func registersOnce_andKeepsTheToken() async throws {
        let transport = ScriptedTransport(script: Self.good)
        let registration = try registration(transport)
        for _ in 0..<3 { #expect(try await registration.accessToken().value == "t") }
        #expect(transport.requests == ["POST /o/client/register", "POST /o/client/token"])
        // A later start finds both in the store.
        #expect(try await self.registration(transport).accessToken().value == "t")
        #expect(transport.requests.count == 2)
    }

    /// A service may write a number without quotation marks.
    @Test(arguments: [("12345", "12345"), ("\"007\"", "007"), ("9007199254740993", "9007199254740993")])
    func anIDOfDigits_isReadAsItsText(id: String, text: String) async throws {
        let transport = ScriptedTransport { request, _ in
            request.path == "/o/client/register"
                ? .response(status: 201, body: "{\"client_id\":\(id),\"client_secret\":\(id)}")
                : .response(status: 201, body: #"{"access_token":"t","expires_in":100}"#)
        }
        #expect(try await registration(transport).accessToken().value == "t")
        let application = kept.value.withLock(\.self)
        #expect(application?.clientID == text && application?.clientSecret == text)
    }

    @Test func whiteSpaceAroundCredentials_isNoPartOfThem() async throws {
        let transport = ScriptedTransport { request, _ in
            request.path == "/o/client/register"
                ? .response(status: 201, body: #"{"client_id":"i\n","client_secret":" s"}"#)
                : .response(status: 201, body: #"{"access_token":" t\n","expires_in":100}"#)
        }
        #expect(try await registration(transport).accessToken().value == "t")
        let application = kept.value.withLock(\.self)
        #expect(application?.clientID == "i" && application?.clientSecret == "s")
    }

    /// Services write answers in these variants, as OAuth allows (RFC 6749, 5.1).
    ///
    /// Unneeded members have no effect.
    @Test(
        arguments: [
            (#""expires_in":86400"#, 86_400), (#""expires_in":"86400""#, 86_400), (#""expires_in":60.5"#, 60.5),
            (#""expires_in":null"#, 3_600), (#""scope":"a""#, 3_600), (#""expires_in":"soon""#, 3_600),
            (#""expires_in":[1]"#, 3_600), (#""expires_in":-5"#, 3_600), (#""expires_in":0"#, 3_600),
            (#""expires_in":1e300"#, 315_360_000),
        ])
    func readsTheLifetimeOfAToken_inEachVariant(field: String, seconds: Double) async throws {
        let transport = ScriptedTransport { request, _ in
            .response(
                status: 201,
                body: request.path == "/o/client/register"
                    ? #"{"client_id":"i","client_secret":"s","scopes":"a b","redirect_uris":"app://end"}"#
                    : #"{"access_token":"t",\#(field)}"#)
        }
        let token = try await registration(transport).accessToken()
        // A token is replaced a tenth of its time before its end, at most a minute.
        let used = seconds - min(60, seconds / 10)
        #expect(token == AccessToken(value: "t", expires: clock.now.addingTimeInterval(used)))
        let kept = self.kept.value.withLock(\.self)
        #expect(kept?.scopes == ["a", "b"] && kept?.redirectURLs == ["app://end"])
    }

    @Test func whoeverRegisteredFirst_decidesForAll() async throws {
        let numbers = Guarded(0)
        let transport = ScriptedTransport()
        transport.setInterception { request, body in
            if request.path == "/o/client/register" {
                let number = numbers.withLock { number in
                    number += 1
                    return number
                }
                // The service answers only after both clients have sent their requests.
                while numbers.withLock(\.self) < 2, !Task.isCancelled { await Task.shortPause() }
                return .response(status: 201, body: "{\"client_id\":\"client-\(number)\",\"client_secret\":\"s\"}")
            }
            let form = String(decoding: body ?? Data(), as: UTF8.self)
            let client = form.firstMatch(of: /client-[0-9]/).map { String($0.0) } ?? ""
            return .response(status: 201, body: "{\"access_token\":\"\(client)\",\"expires_in\":100}")
        }
        let keeper = RegistrationKeeper(
            load: { self.kept.value.withLock(\.self) }, save: { new in self.kept.value.withLock { $0 = new } },
            saveFirst: { new in self.kept.value.withLock { $0 = $0 ?? new } })
        // Both clients find nothing stored before either has registered.
        let registrations = try (0..<2).map { _ in
            ApplicationRegistration(
                softwareStatement: "a.b.c", provider: try ServiceProvider("https://h"),
                transport: transport, keeper: keeper, now: { clock.now })
        }
        async let first = registrations[0].accessToken()
        async let second = registrations[1].accessToken()
        #expect(try await first.value == second.value)
    }

    /// Another process replaces the refused credentials while the service answers this one's registration.
    @Test func whoeverReplacedTheCredentialsFirst_decidesForAll() async throws {
        let store = kept.value
        store.withLock { $0 = RegisteredApplication(clientID: "old", clientSecret: "s") }
        let users = Guarded<[String]>([])
        let transport = ScriptedTransport { request, body in
            if request.path == "/o/client/register" {
                store.withLock { $0 = RegisteredApplication(clientID: "theirs", clientSecret: "s") }
                return .response(status: 201, body: #"{"client_id":"ours","client_secret":"s"}"#)
            }
            let form = String(decoding: body ?? Data(), as: UTF8.self)
            let user = form.firstMatch(of: /client_id=([a-z]+)/).map { String($0.1) } ?? ""
            users.withLock { $0.append(user) }
            return user == "old"
                ? .response(status: 400, body: #"{"error":"invalid_client"}"#)
                : .response(status: 201, body: #"{"access_token":"\#(user)","expires_in":100}"#)
        }
        let keeper = RegistrationKeeper(
            load: { store.withLock(\.self) }, save: { new in store.withLock { $0 = new } },
            replace: { clientID, new in
                store.withLock { stored in
                    guard stored?.clientID == clientID else { return false }
                    stored = new
                    return true
                }
            })
        let registration = ApplicationRegistration(
            softwareStatement: "a.b.c", provider: try ServiceProvider("https://h"), transport: transport,
            keeper: keeper, now: { clock.now })
        #expect(try await registration.accessToken().value == "theirs")
        #expect(users.withLock(\.self) == ["old", "theirs"])
        #expect(store.withLock(\.self)?.clientID == "theirs")
    }

    /// An application whose scopes are not told apart would use the classic services.
    @Test(arguments: [
        #"["api:client:v2","a"]"#, #""a api:client:v2""#, #""api:client:v2,a""#, #"["a, api:client:v2"]"#,
    ])
    func readsTheScopes_inEachVariant(scopes: String) async throws {
        let transport = ScriptedTransport { request, _ in
            .response(
                status: 201,
                body: request.path == "/o/client/register"
                    ? #"{"client_id":"i","client_secret":"s","scopes":\#(scopes)}"# : #"{"access_token":"t"}"#)
        }
        let application = try await registration(transport).application()
        #expect(application.scopes?.count == 2 && application.dialect == .restV2)
    }

    @Test(.row("CL3")) func fetchesAnotherToken_whenTheOldRanOutOrWasRejected() async throws {
        let transport = ScriptedTransport(script: Self.good)
        let registration = try registration(transport)
        let token = try await registration.accessToken()
        clock.advance(by: 89)
        _ = try await registration.accessToken()
        #expect(transport.requests.count == 2)
        clock.advance(by: 1)
        _ = try await registration.accessToken()
        #expect(transport.requests.count == 3)
        _ = try await registration.accessToken(insteadOf: AccessToken(value: "another", expires: token.expires))
        #expect(transport.requests.count == 3)
        let current = try await registration.accessToken()
        _ = try await registration.accessToken(insteadOf: current)
        #expect(transport.requests == ["POST /o/client/register"] + Array(repeating: "POST /o/client/token", count: 3))
    }

    @Test func registersAgain_whenTheServiceForgotTheCredentials() async throws {
        let transport = ScriptedTransport(script: Self.good)
        _ = try await registration(transport).accessToken()
        clock.advance(by: 1_000)
        let refusals = Guarded(1)
        transport.setScript { request, body in
            let isRefused =
                request.path == "/o/client/token"
                && refusals.withLock { count in
                    count -= 1
                    return count >= 0
                }
            return isRefused ? .response(status: 400, body: "{\"error\":\"invalid_client\"}") : Self.good(request, body)
        }
        #expect(try await registration(transport).accessToken().value == "t")
        #expect(
            transport.requests.suffix(3) == ["POST /o/client/token", "POST /o/client/register", "POST /o/client/token"])
    }

    /// The service has asked for a backoff, and a viewer's request may need the token that a poll is the first to need.
    @Test(.row("CL27")) func theTokenOfAPoll_waitsForNoSilence() async throws {
        let clock = ManualClock(shortWait: .seconds(600))
        let next = SilencingTransport(next: ScriptedTransport(script: Self.good))
        let paced = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        let busy = HTTPRequest(method: .get, scheme: "https", authority: "h", path: "/busy")
        #expect(try await paced.send(busy, body: nil).0.status.code == 503)
        let start = clock.now
        let registration = ApplicationRegistration(
            softwareStatement: "a.b.c", provider: try ServiceProvider("https://h"), transport: paced,
            keeper: kept.keeper, now: { clock.now })
        try await PacedTransport.backoffLimit.withValue(.seconds(600)) {
            _ = try await registration.accessToken()
            #expect(clock.now == start)
            _ = try await paced.send(busy, body: nil)
        }
        #expect(clock.now.timeIntervalSince(start) == 120, "The poll itself waits.")
    }

    @Test func asksForNothing_whenOnlyTheStoredCredentialsAreNeeded() async throws {
        let transport = ScriptedTransport(script: Self.good)
        kept.value.withLock { $0 = RegisteredApplication(clientID: "i", clientSecret: "s") }
        #expect(try await registration(transport).application().clientID == "i")
        #expect(transport.requests.isEmpty)
    }

    @Test func makesNoNewCredentials_whenTheOldOnesCannotBeRead() async throws {
        let transport = ScriptedTransport(script: Self.good)
        let registration = ApplicationRegistration(
            softwareStatement: "a.b.c", provider: try ServiceProvider("https://h"), transport: transport,
            keeper: RegistrationKeeper(load: { throw Unreadable() }, save: { _ in }), now: { clock.now }
        )
        await #expect(throws: ServiceError.cannotKeepRegistration(reason: "Unreadable()")) {
            try await registration.accessToken()
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func aTokenThatCannotBeStored_isUsedUntilItsEnd() async throws {
        let transport = ScriptedTransport(script: Self.good)
        let stored = RegisteredApplication(clientID: "i", clientSecret: "s")
        let registration = ApplicationRegistration(
            softwareStatement: "a.b.c", provider: try ServiceProvider("https://h"), transport: transport,
            keeper: RegistrationKeeper(load: { stored }, save: { _ in throw Unreadable() }), now: { clock.now })
        for (seconds, requests) in [(0.0, 1), (89, 1), (1, 2)] {
            clock.advance(by: seconds)
            #expect(try await registration.accessToken().value == "t")
            #expect(transport.requests == Array(repeating: "POST /o/client/token", count: requests))
        }
    }

    @Test func aRegistrationThatCouldNotBeStored_isNotRequested() async throws {
        let transport = ScriptedTransport(script: Self.good)
        var keeper = kept.keeper
        keeper.checkIsWritable = { throw Unreadable() }
        let registration = ApplicationRegistration(
            softwareStatement: "a.b.c", provider: try ServiceProvider("https://h"), transport: transport,
            keeper: keeper, now: { clock.now })
        await #expect(throws: ServiceError.cannotKeepRegistration(reason: "Unreadable()")) {
            try await registration.accessToken()
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func registersAgain_whenTheServiceSaysThatItForgotTheCredentials() async throws {
        let transport = ScriptedTransport(script: Self.good)
        let registration = try registration(transport)
        let token = try await registration.accessToken()
        _ = try await registration.accessToken(insteadOf: token, isForgotten: true)
        #expect(transport.requests.filter { $0 == "POST /o/client/register" }.count == 2)
    }

    /// The late refusal is about the old credentials, and the new ones have no token yet.
    @Test func registersAgainOnce_forAllRequestsThatWereUnderWay() async throws {
        let transport = ScriptedTransport(script: Self.good)
        let registration = try registration(transport)
        let token = try await registration.accessToken()
        let registrations = Guarded(1)
        transport.setScript { request, body in
            guard request.path == "/o/client/register" else { return .response(status: 503, body: "") }
            let number = registrations.withLock { count in
                count += 1
                return count
            }
            return .response(status: 201, body: "{\"client_id\":\"i\(number)\",\"client_secret\":\"s\"}")
        }
        for _ in 0..<2 {
            await #expect(throws: ServiceError.status(503)) {
                try await registration.accessToken(insteadOf: token, isForgotten: true)
            }
        }
        #expect(registrations.withLock(\.self) == 2)
    }

    /// The service fails right after a registration, and refuses the new credentials once it answers again, for a token
    /// or for a request with a token.
    @Test(
        arguments: [ScriptedTransport.Answer.response(status: 503, body: ""), .failure(.timedOut)], [true, false])
    func theOldCredentialsComeBack_afterAFailureBetween(
        failure: ScriptedTransport.Answer, isRefusedForAToken: Bool
    ) async throws {
        kept.value.withLock {
            $0 = RegisteredApplication(
                clientID: "i1", clientSecret: "s", accessToken: AccessToken(value: "t", expires: .distantFuture))
        }
        let fails = Guarded(true)
        let transport = ScriptedTransport { request, body in
            if request.path == "/o/client/register" {
                return .response(status: 201, body: "{\"client_id\":\"i2\",\"client_secret\":\"s\"}")
            }
            if fails.withLock(\.self) { return failure }
            let isOld = String(decoding: body ?? Data(), as: UTF8.self).contains("client_id=i1")
            return isRefusedForAToken && !isOld
                ? .response(status: 400, body: "{\"error\":\"invalid_client\"}")
                : .response(status: 201, body: "{\"access_token\":\"\(isOld ? "old" : "new")\",\"expires_in\":100}")
        }
        let first = try registration(transport)
        let token = try await first.accessToken()
        await #expect(throws: ServiceError.self) {
            try await first.accessToken(insteadOf: token, isForgotten: true)
        }
        #expect(kept.value.withLock(\.self)?.clientID == "i2")
        fails.withLock { $0 = false }
        // Another process finds in the store what the first one left.
        let later = try registration(transport)
        if isRefusedForAToken {
            await #expect(throws: ServiceError.accessTokenRefused("invalid_client")) { try await later.accessToken() }
        } else {
            let refused = try await later.accessToken()
            #expect(refused.value == "new")
            #expect(try await later.accessToken(insteadOf: refused, isForgotten: true).value == "old")
        }
        #expect(kept.value.withLock(\.self)?.clientID == "i1")
        // The service has refused the token that they had before.
        #expect(try await later.accessToken().value == "old")
        #expect(transport.requests.count { $0 == "POST /o/client/register" } == 1)
    }

    /// Logins belong to the old credentials, and another registration every time would help nobody.
    ///
    /// A clock that is set back by a day says nothing about the time that has passed.
    @Test(arguments: [1.0, -1])
    func keepsTheOldCredentials_whenNewOnesGetNoTokenEither(direction: Double) async throws {
        kept.value.withLock { $0 = RegisteredApplication(clientID: "i1", clientSecret: "s") }
        let transport = ScriptedTransport { request, _ in
            request.path == "/o/client/register"
                ? .response(status: 201, body: "{\"client_id\":\"i2\",\"client_secret\":\"s\"}")
                : .response(status: 400, body: "{\"error\":\"invalid_client\"}")
        }
        let registration = try registration(transport)
        func ask() async {
            await #expect(throws: ServiceError.accessTokenRefused("invalid_client")) {
                try await registration.accessToken()
            }
            #expect(kept.value.withLock(\.self)?.clientID == "i1")
        }
        for (seconds, registrations) in [(0.0, 1), (0, 1), (86_399, 1), (1, 2)] {
            clock.advance(by: direction * seconds)
            await ask()
            #expect(transport.requests.count { $0 == "POST /o/client/register" } == registrations, "\(seconds)")
        }
    }

    @Test(.row("CL2")) func asksOnce_forManyCallers() async throws {
        let transport = ScriptedTransport(script: Self.good)
        let registration = try registration(transport)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await registration.accessToken().value } }
            for try await value in group { #expect(value == "t") }
        }
        #expect(transport.requests.filter { $0 == "POST /o/client/register" }.count == 1)
    }

    @Test(arguments: [
        (
            "/o/client/register",
            ScriptedTransport.Answer.response(status: 400, body: "{\"error\":\"invalid_software_statement\"}"),
            ServiceError.registrationRefused("invalid_software_statement")
        ),
        (
            "/o/client/register", .response(status: 401, body: "{\"error\":\"invalid_client\"}"),
            .registrationRefused("invalid_client")
        ),
        (
            "/o/client/register", .response(status: 402, body: "{\"error\":\"invalid_client\"}"),
            .registrationRefused("invalid_client")
        ),
        (
            "/o/client/register", .response(status: 403, body: "{\"error\":\"access_denied\"}"),
            .registrationRefused("access_denied")
        ),
        ("/o/client/register", .response(status: 404, body: "{\"error\":\"invalid_client\"}"), .status(404)),
        ("/o/client/register", .response(status: 404, body: "<html>"), .status(404)),
        // Only the service names an OAuth error. A filter or a proxy refuses in a form of its own.
        ("/o/client/register", .response(status: 400, body: "<html>"), .webPage(status: 400, type: "text/html")),
        ("/o/client/token", .response(status: 403, body: "<html>"), .webPage(status: 403, type: "text/html")),
        ("/o/client/token", .response(status: 401, body: ""), .status(401)),
        // The service refuses what it was sent, in whatever form it says so.
        (
            "/o/client/register", .response(status: 400, body: "{\"error\":\"a\\u001b[31m\\n\"}"),
            .registrationRefused("HTTP 400")
        ),
        ("/o/client/register", .response(status: 400, body: ""), .registrationRefused("HTTP 400")),
        (
            "/o/client/register",
            .response(status: 400, body: #"{"status":400,"code":"unapproved_software_statement","action":"none"}"#),
            .registrationRefused("unapproved_software_statement")
        ),
        (
            "/o/client/token", .response(status: 400, body: #"{"status":400,"code":"no_grant","action":"none"}"#),
            .accessTokenRefused("no_grant")
        ),
        // Neither says that the service has forgotten the application, whose logins would be lost with it.
        (
            "/o/client/token", .response(status: 400, body: #"{"status":400,"code":"invalid_client"}"#), .status(400)
        ),
        ("/o/client/token", .response(status: 400, body: "{}"), .status(400)),
        ("/o/client/register", .response(status: 403, body: "{}"), .status(403)),
        ("/o/client/register", .response(status: 503, body: ""), .status(503)),
        ("/o/client/register", .response(status: 201, body: "{}"), .unreadableJSON),
        (
            "/o/client/register", .response(status: 201, body: #"{"client_id":" \n","client_secret":"s"}"#),
            .unreadableJSON
        ),
        ("/o/client/register", .response(status: 201, body: #"{"client_id":"i","client_secret":""}"#), .unreadableJSON),
        ("/o/client/register", .failure(.timedOut), .transport(.timedOut)),
        (
            "/o/client/token", .response(status: 400, body: "{\"error\":\"invalid_request\"}"),
            .accessTokenRefused("invalid_request")
        ),
        (
            "/o/client/token", .response(status: 402, body: "{\"error\":\"invalid_request\"}"),
            .accessTokenRefused("invalid_request")
        ),
        (
            "/o/client/token", .response(status: 403, body: "{\"error\":\"access_denied\"}"),
            .accessTokenRefused("access_denied")
        ),
        ("/o/client/token", .response(status: 404, body: "{\"error\":\"invalid_client\"}"), .status(404)),
        ("/o/client/token", .response(status: 201, body: "[]"), .unreadableJSON),
        ("/o/client/token", .response(status: 201, body: #"{"access_token":" \n"}"#), .unreadableJSON),
        // Only an answer about the credentials may end them.
        ("/o/client/token", .response(status: 503, body: "{\"error\":\"invalid_client\"}"), .status(503)),
    ])
    func saysWhatFailed(path: String, answer: ScriptedTransport.Answer, error: ServiceError) async throws {
        let transport = ScriptedTransport { request, body in request.path == path ? answer : Self.good(request, body) }
        await #expect(throws: error) { try await registration(transport).accessToken() }
    }

    @Test(
        arguments: [
            (401, nil, "", true), (401, "Bearer", "", true), (401, "bearer realm=\"x\"", "", true),
            (401, "Basic realm=\"x\"", "", false), (401, "Negotiate", "{}", false),
            (401, "Negotiate, Bearer realm=\"x\"", "", true), (401, "Negotiate, Basic realm=\"x\"", "", false),
            (401, "Basic", "{\"error\":\"access_denied\"}", true),
            (400, nil, "{\"code\":\"c\",\"action\":\"none\"}", true),
            (200, nil, "{}", false), (204, nil, "", false), (403, nil, "", false),
            (404, nil, "{\"message\":\"no Route matched\"}", false),
        ] as [(Int, String?, String, Bool)])
    func aRefusalWithoutAToken_isToldFromThatOfAnotherServer(
        status: Int, challenge: String?, body: String, isPossible: Bool
    ) {
        let answer = RefusalWithoutToken.isPossible(status: status, challenge: challenge, body: Data(body.utf8))
        #expect(answer == isPossible)
    }

    /// Invalid forms in which a statement comes from a file, a variable or a document.
    @Test(arguments: [
        ("\"a.b.c\"", "quotation marks"), ("'a.b.c'", "quotation marks"), ("\u{201C}a.b.c\u{201D}", "quotation marks"),
        ("\"a.b.c\"\n", "quotation marks"), ("", "is empty"), (" \r\n", "is empty"),
        ("{\"software_statement\":\"a.b.c\"}", "is JSON"), ("[\"a.b.c\"]", "is JSON"),
        ("a.b\n.c", "line breaks"), ("a.b\r\n.c", "line breaks"), ("a .b.c", "spaces"), ("a==\n.b.c", "line breaks"),
        ("Bearer a.b.c", "begins with `Bearer`"), ("bearer\ta.b.c", "begins with `Bearer`"),
        ("BearereyJ.b.c", "begins with `Bearer`"), ("authorization: Bearer a.b.c", "the name of a header"),
        ("export TVE_STATEMENT=a.b.c", "the name of a variable"), ("STATEMENT = a.b.c", "the name of a variable"),
        ("TVE_STATEMENT=\"a.b.c\"", "the name of a variable"), ("$env:A = 'a.b.c'", "the name of a variable"),
        ("STATEMENT=a.b\n.c", "the name of a variable"), ("statement: a.b.c", "the name of a field"),
        ("- statement: \"a.b.c\"", "the name of a field"), ("A=1\nSTATEMENT=a.b.c", "a list of names and values"),
        ("STATEMENT=a.b.c\r\nA=1", "a list of names and values"), ("# staging\na.b.c", "a comment"),
        ("// staging\nSTATEMENT = a.b.c", "a comment"), ("-----BEGIN PUBLIC KEY-----\nMIIB", "a key or a certificate"),
        ("https://example.com/a.jwt?b=c", "characters that do not occur in a JWT"), ("`a.b.c`", "quotation marks"),
        ("a.b.c;", "characters that do not occur in a JWT"), ("a.b.ü", "characters that do not occur in a JWT"),
        ("a.b=b.c", "characters that do not occur in a JWT"), ("<!DOCTYPE html> <html></html>", "a web page"),
        ("<string>a.b.c</string>", "a web page"), ("TVE_STATEMENT=a.b.c", "the name of a variable"),
        ("a.b", "2 parts instead of the 3 of a JWT; the signature is missing"), ("a.b.", "the signature is missing"),
        ("a.b.==", "the signature is missing"), ("YOUR_SOFTWARE_STATEMENT", "1 part instead of the 3 of a JWT"),
        ("1b671a64-40d5-491e-99b0-da01ff1f3341", "1 part instead of the 3 of a JWT"),
        ("eyJhbGciOi...", "1 part instead of the 3 of a JWT"),
        ("a.b.c.d.e", "5 parts instead of the 3 of a JWT"), ("a..b.c", "an empty part"), ("a.b.c.", "an empty part"),
        ("...", "0 parts instead of the 3 of a JWT"), ("$TVE_STATEMENT", "not replaced by its value"),
        ("${STATEMENT}", "not replaced by its value"), ("${{ secrets.STATEMENT }}", "not replaced by its value"),
        ("$(Statement)", "not replaced by its value"), ("{{ .Values.statement }}", "not replaced by its value"),
        ("%TVE_STATEMENT%", "not replaced by its value"), ("$statement = \"a.b.c\"", "the name of a variable"),
        ("[REDACTED]", "characters that do not occur in a JWT"), ("%", "characters that do not occur in a JWT"),
        ("ZXlKYi5lLmM=", "in Base64 a second time"), ("ZXlKYi5lLmM", "in Base64 a second time"),
    ])
    func nothingIsSent_forAStatementThatIsNone(text: String, words: String) async throws {
        let transport = ScriptedTransport(script: Self.good)
        let error = await #expect(throws: ServiceError.self) {
            try await registration(transport, statement: text).accessToken()
        }
        guard case .unusableStatement(let reason)? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "nothing")")
            return
        }
        #expect(reason.contains(words) && !reason.contains("a.b"))
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: ["a.b.c", " a.b.c\n", "\u{FEFF}a.b.c\r\n", "a-_.b==.c"])
    func whiteSpaceAroundAStatement_isNoPartOfIt(text: String) async throws {
        let sent = Guarded("")
        let transport = ScriptedTransport { request, body in
            if request.path == "/o/client/register" {
                sent.withLock { $0 = String(decoding: body ?? Data(), as: UTF8.self) }
            }
            return Self.good(request, body)
        }
        _ = try await registration(transport, statement: text).accessToken()
        let statement = text.trimmingCharacters(in: CharacterSet(charactersIn: " \r\n\u{FEFF}"))
        #expect(sent.withLock(\.self) == "{\"software_statement\":\"\(statement)\"}")
    }

    @Test func showsNoSecret_whenPrinted() async throws {
        let token = AccessToken(value: "s3cr3t", expires: clock.now)
        let application = RegisteredApplication(clientID: "i", clientSecret: "s3cr3t", accessToken: token)
        let url = try #require(URL(string: "http://h/?reg_code=s3cr3t"))
        let page = LoginPage(
            step: .open(url, redirect: url), requestorID: "r", mvpdID: "m", registrationCode: "s3cr3t",
            expires: clock.now)
        var dumped = ""
        dump(token, to: &dumped)
        dump(application, to: &dumped)
        dump(page, to: &dumped)
        dump(page.step, to: &dumped)
        for text in [
            dumped, "\(token)\(application)\(page)", String(reflecting: application), String(reflecting: page),
        ] {
            #expect(!text.contains("s3cr3t"))
        }
    }
}

/// A service that asks for a backoff of two minutes, and then answers by a script.
private struct SilencingTransport: HTTPTransport {
    let next: ScriptedTransport
    private let isFirst = Guarded(true)

    init(next: ScriptedTransport) {
        self.next = next
    }

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let asksForSilence = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        guard asksForSilence else { return try await next.send(request, body: body) }
        return (HTTPResponse(status: .init(code: 503), headerFields: [.retryAfter: "120"]), Data())
    }
}
