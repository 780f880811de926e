import Foundation
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

/// The requests that are repeated, the pauses before them, and the requests that are not repeated.
///
/// The transport refuses every request that a test does not expect.
@Suite(.timeLimit(.hanging))
struct RepetitionTests {
    private static let retry = ScriptedTransport.Answer.response(
        status: 503, body: #"{"status":503,"code":"try_later","message":"m","action":"retry"}"#)

    /// A request without an answer may have been carried out, so a second one could begin a second login.
    @Test(arguments: RESTv2Call.allCases, [TransportError.timedOut, .unreachable])
    func aRequestWithoutAnAnswer_isNotRepeated(call: RESTv2Call, failure: TransportError) async throws {
        let desk = try StrictDesk([(call.request, .failure(failure))])
        await #expect(throws: ServiceError.transport(failure)) { try await call.perform(desk.service) }
        #expect(desk.transport.left == [] && desk.pauses.withLock(\.isEmpty))
    }

    @Test(arguments: RESTv2Call.allCases, [400, 404, 500, 503])
    func aFailureThatAsksForNoRetry_isNotRepeated(call: RESTv2Call, status: Int) async throws {
        let desk = try StrictDesk([(call.request, .response(status: status, body: "<html/>"))])
        await #expect(throws: ServiceError.self) { try await call.perform(desk.service) }
        #expect(desk.transport.left == [] && desk.pauses.withLock(\.isEmpty))
    }

    @Test(arguments: RESTv2Call.allCases)
    func aRetryThatTheServiceAsksFor_isMadeTwice_afterAPauseEach(call: RESTv2Call) async throws {
        // A flow polls the profile of a code again by itself, three seconds later.
        let pauses: [Duration] = call == .authentication ? [] : [.seconds(1), .seconds(2)]
        let desk = try StrictDesk(Array(repeating: (call.request, Self.retry), count: pauses.count + 1))
        await #expect(throws: ServiceError.self) { try await call.perform(desk.service) }
        #expect(desk.transport.left == [])
        #expect(desk.pauses.withLock(\.self) == pauses)
    }

    /// A service that is too busy says how long it wants to be left alone.
    ///
    /// A viewer waits for it no longer than half a minute in all.
    @Test(
        .row("CL14", "CL27"),
        arguments: [
            (503, "1", [1, 2]), (503, "soon", [1, 2]), (503, "15", [15, 15]), (503, "16", [16]), (503, "30", [30]),
            (503, "31", []), (503, "99999999999999999999", []), (503, "Thu, 01 Jan 2099 00:00:00 GMT", []),
            (429, "1", [1, 2]), (429, nil, [1, 2]), (429, "16", [16]), (429, "31", []),
        ] as [(Int, String?, [Int])])
    func aRetryThatTheServiceAsksFor_waitsAsLongAsItWants(status: Int, header: String?, pauses: [Int]) async throws {
        let call = RESTv2Call.authorization
        let answer = ScriptedTransport.Answer.response(
            status: status, body: #"{"status":\#(status),"code":"try_later","message":"m","action":"retry"}"#)
        let desk = try StrictDesk(
            Array(repeating: (call.request, answer), count: pauses.count + 1), retryAfter: header)
        await #expect(throws: ServiceError.self) { try await call.perform(desk.service) }
        #expect(desk.transport.left == [])
        #expect(desk.pauses.withLock(\.self) == pauses.map { .seconds($0) })
    }

    /// The transport of a session has already repeated such a request.
    @Test(.row("CL14", "CL27"), arguments: ["1", nil])
    func aRetryAfter429_isThatOfTheSessionsTransport(header: String?) async throws {
        let call = RESTv2Call.authorization
        let answer = ScriptedTransport.Answer.response(
            status: 429, body: #"{"status":429,"code":"try_later","message":"m","action":"retry"}"#)
        let desk = try StrictDesk(
            Array(repeating: (call.request, answer), count: 2), retryAfter: header, isPaced: true)
        await #expect(throws: ServiceError.self) { try await call.perform(desk.service) }
        #expect(desk.transport.left == [])
        #expect(desk.pauses.withLock(\.self) == [.seconds(1)])
    }

    /// A viewer waits for all requests of a preauthorization together.
    ///
    /// Each request still has two retries of its own.
    @Test(.row("CL14"), arguments: [("20", [20]), (nil, [1, 2, 1])] as [(String?, [Int])])
    func theRequestsOfAPreauthorization_waitHalfAMinuteTogether(header: String?, pauses: [Int]) async throws {
        let request = RESTv2Call.preauthorization.request
        func permit(_ resource: String) -> (String, ScriptedTransport.Answer) {
            (request, Self.decisions(Self.decision(resource, #""authorized":true"#)))
        }
        let retry = (request, Self.retry)
        let rest = header == nil ? [retry, permit("R0"), retry, permit("R5")] : [permit("R0"), retry]
        let desk = try StrictDesk([retry] + rest, retryAfter: header)
        let decided = try await desk.service.preauthorization(
            of: Self.six, requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        #expect(decided.map(\.resource) == (header == nil ? ["R0", "R5"] : ["R0"]))
        #expect(desk.transport.left == [])
        #expect(desk.pauses.withLock(\.self) == pauses.map { .seconds($0) })
    }

    /// The service denies the login, whose proof is then replaced.
    @Test(.row("CL14")) func aRequestWithANewProof_waitsAsLongAsTheFirstHasLeft() async throws {
        let request = RESTv2Call.logins.request
        let denial = ScriptedTransport.Answer.response(status: 200, body: #"{"profiles":{}}"#)
        let tokens = Guarded(0)
        let claims = Data(#"{"exp":4102444800}"#.utf8).base64EncodedString()
        let proofs = LoginProofs(serviceToken: {
            let number = tokens.withLock { count in
                count += 1
                return count
            }
            return "h.\(claims).\(number)"
        })
        let desk = try StrictDesk(
            [(request, Self.retry), (request, denial), (request, Self.retry)], retryAfter: "20", proofs: proofs)
        let login = try StoredProfile.token(
            TokenText(
                #"{"serviceProvider":"DEMO","mvpd":"A","type":"serviceTokenSSO","notAfter":4102444800000,"#
                    + #""fingerprint":"fp"}"#))
        await #expect(throws: ServiceError.self) {
            try await desk.service.logins(of: "DEMO", with: nil, knowing: login)
        }
        #expect(desk.transport.left == [])
        #expect(desk.pauses.withLock(\.self) == [.seconds(20)])
    }

    @Test(arguments: RESTv2Call.allCases)
    func aRefusedAccessToken_isReplacedOnce(call: RESTv2Call) async throws {
        let refusal = ScriptedTransport.Answer.response(status: 401, body: "")
        let token = ScriptedTransport.Answer.response(status: 200, body: #"{"access_token":"u","expires_in":3600}"#)
        let desk = try StrictDesk([(call.request, refusal), ("POST /o/client/token", token), (call.request, refusal)])
        await #expect(throws: ServiceError.accessTokenRefused("unauthorized")) { try await call.perform(desk.service) }
        #expect(desk.transport.left == [])
    }

    /// The status in an error of the service counts, whatever the status of the answer is.
    @Test(arguments: RESTv2Call.allCases)
    func anAccessTokenThatASuccessfulAnswerRefuses_isReplacedOnce(call: RESTv2Call) async throws {
        let refusal = ScriptedTransport.Answer.response(
            status: 200, body: #"{"status":401,"code":"invalid_access_token","message":"m","action":"none"}"#)
        let desk = try StrictDesk([
            (call.request, refusal), ("POST /o/client/token", Self.token("u")), (call.request, refusal),
        ])
        await #expect(throws: ServiceError.self) { try await call.perform(desk.service) }
        #expect(desk.transport.left == [])
    }

    /// A proxy or a network that demands a login answers in this way, whoever asks.
    @Test(arguments: RESTv2Call.allCases)
    func aPageInPlaceOfARefusedToken_isNoWordOfTheService(call: RESTv2Call) async throws {
        let page = ScriptedTransport.Answer.response(status: 401, body: "<html>login</html>")
        let token = ScriptedTransport.Answer.response(status: 200, body: #"{"access_token":"u","expires_in":3600}"#)
        let desk = try StrictDesk([(call.request, page), ("POST /o/client/token", token), (call.request, page)])
        await #expect(throws: ServiceError.webPage(status: 401, type: "text/html")) {
            try await call.perform(desk.service)
        }
        #expect(desk.transport.left == [])
    }

    /// A web server or a proxy in front of the service that wants a login of its own answers in this way.
    @Test(arguments: RESTv2Call.allCases)
    func aChallengeOfAnotherServer_isNoWordOfTheService(call: RESTv2Call) async throws {
        let challenge = ScriptedTransport.Answer.response(status: 401, body: "")
        let desk = try StrictDesk(
            [(call.request, challenge), ("POST /o/client/token", Self.token("u")), (call.request, challenge)],
            challenge: "Basic realm=\"x\"")
        let error = await #expect(throws: ServiceError.self) { try await call.perform(desk.service) }
        #expect(error == .status(401) || error == .registrationCodeRefused(status: 401), "\(String(describing: error))")
        #expect(desk.transport.left == [])
    }

    /// A proxy may answer each poll in this way for as long as a code lasts, and the request for a token too.
    @Test(.row("REST API v2, 4.2"), arguments: [false, true])
    func aChallengeOfAnotherServer_replacesOneTokenAMinute(getsToken: Bool) async throws {
        let call = RESTv2Call.logins
        let refused = (call.request, ScriptedTransport.Answer.response(status: 401, body: ""))
        func renewal(_ name: String) -> [(String, ScriptedTransport.Answer)] {
            getsToken
                ? [("POST /o/client/token", Self.token(name)), refused]
                : [("POST /o/client/token", .response(status: 401, body: ""))]
        }
        let expected = [[refused], renewal("u"), [refused, refused, refused], renewal("v")]
        let desk = try StrictDesk(expected.flatMap(\.self), challenge: "Basic realm=\"x\"")
        for pause in [0.0, 5, 5, 60] {
            desk.clock.advance(by: pause)
            await #expect(throws: ServiceError.status(401)) { try await call.perform(desk.service) }
        }
        #expect(desk.transport.left == [])
    }

    private static func credentials(_ id: String) -> ScriptedTransport.Answer {
        .response(status: 201, body: #"{"client_id":"\#(id)","client_secret":"secret"}"#)
    }

    private static func token(_ value: String) -> ScriptedTransport.Answer {
        .response(status: 201, body: #"{"access_token":"\#(value)","expires_in":3600}"#)
    }

    /// Older parts of the service report in this way that they do not know the client, for which another token with the
    /// same credentials would be of no use.
    @Test(arguments: RESTv2Call.allCases, [401, 403])
    func anUnknownClient_isRegisteredAgain(call: RESTv2Call, status: Int) async throws {
        let unknown = ScriptedTransport.Answer.response(status: status, body: #"{"error":"invalid_client"}"#)
        let desk = try StrictDesk([
            (call.request, unknown), ("POST /o/client/register", Self.credentials("second")),
            ("POST /o/client/token", Self.token("u")), (call.request, .response(status: 500, body: "")),
        ])
        await #expect(throws: ServiceError.self) { try await call.perform(desk.service) }
        #expect(desk.transport.left == [] && desk.kept.withLock(\.clientID) == "second")
    }

    @Test(arguments: RESTv2Call.allCases, [400, 403])
    func anotherRefusalInTheWordsOfOAuth_isNotAboutTheClient(call: RESTv2Call, status: Int) async throws {
        let name = status == 400 ? "invalid_client" : "access_denied"
        let desk = try StrictDesk([(call.request, .response(status: status, body: "{\"error\":\"\(name)\"}"))])
        let error: ServiceError =
            [.createSession, .login].contains(call) ? .registrationCodeRefused(status: status) : .status(status)
        await #expect(throws: error) { try await call.perform(desk.service) }
        #expect(desk.transport.left == [] && desk.kept.withLock(\.clientID) == "id")
    }

    /// Any error in the words of OAuth is about the token there, and one of them about the client too.
    @Test(arguments: [
        (401, "invalid_client", true), (403, "invalid_client", true), (401, "invalid_token", false),
        (403, "access_denied", false),
    ])
    func overTheClassicServices_anUnknownClientAlone_isRegisteredAgain(
        status: Int, name: String, isRegistered: Bool
    ) async throws {
        let request = "GET /adobe-services/config/DEMO"
        let refusal = ScriptedTransport.Answer.response(status: status, body: "{\"error\":\"\(name)\"}")
        var expected = [(request, refusal)]
        if isRegistered { expected.append(("POST /o/client/register", Self.credentials("second"))) }
        expected += [("POST /o/client/token", Self.token("u")), (request, .response(status: 500, body: ""))]
        let transport = StrictTransport(expected)
        let (service, kept) = try Self.classicService(over: transport)
        await #expect(throws: ServiceError.status(500)) { try await service.configuration(of: "DEMO") }
        #expect(transport.left == [] && kept.withLock(\.clientID) == (isRegistered ? "second" : "id"))
    }

    /// The viewer's logins belong to the old credentials, and the service has not seen the new ones.
    @Test func overTheClassicServices_aPageOfANetwork_acceptsNoNewCredentials() async throws {
        let request = "GET /adobe-services/config/DEMO"
        let transport = StrictTransport([
            (request, .response(status: 401, body: #"{"error":"invalid_client"}"#)),
            ("POST /o/client/register", Self.credentials("second")), ("POST /o/client/token", Self.token("u")),
            (request, .response(status: 200, body: "<html>login</html>")),
        ])
        let (service, kept) = try Self.classicService(over: transport)
        await #expect(throws: ServiceError.webPage(status: 200, type: "text/html")) {
            try await service.configuration(of: "DEMO")
        }
        #expect(transport.left == [] && kept.withLock(\.replaced)?.clientID == "id")
    }

    @Test(arguments: [(200, "<config/>", true), (401, #"{"error":"invalid_client"}"#, false)])
    func overTheClassicServices_theNextAnswer_decidesAboutNewCredentials(
        status: Int, body: String, areAccepted: Bool
    ) async throws {
        let request = "GET /adobe-services/config/DEMO"
        let transport = StrictTransport([
            (request, .response(status: 401, body: #"{"error":"invalid_client"}"#)),
            ("POST /o/client/register", Self.credentials("second")), ("POST /o/client/token", Self.token("u")),
            (request, .response(status: status, body: body)),
        ])
        let (service, kept) = try Self.classicService(over: transport)
        await #expect(throws: ServiceError.self) { try await service.configuration(of: "DEMO") }
        #expect(kept.withLock(\.clientID) == (areAccepted ? "second" : "id"))
        #expect(kept.withLock(\.replaced) == nil && transport.left == [])
    }

    /// Returns a classic service of a registered application, and the stored registration.
    private static func classicService(
        over transport: StrictTransport
    ) throws -> (service: ClassicXMLService, kept: Guarded<RegisteredApplication>) {
        let kept = Guarded(
            RegisteredApplication(
                clientID: "id", clientSecret: "secret", accessToken: AccessToken(value: "t", expires: .distantFuture)))
        let provider = try ServiceProvider("https://sp.example.com")
        let service = ClassicXMLService(
            provider: provider,
            client: ClientDescription(
                deviceID: "d", deviceInfo: DeviceInformation(model: "m"), clientType: "t", clientVersion: "1",
                redirectURL: try #require(URL(string: "adobepass://ios.app"))),
            registration: ApplicationRegistration(
                softwareStatement: "a.b.c", provider: provider, transport: transport,
                keeper: RegistrationKeeper(
                    load: { kept.withLock(\.self) }, save: { new in kept.withLock { $0 = new } }), now: { Date() }),
            transport: transport, now: { Date() })
        return (service, kept)
    }

    /// No way leads back to credentials that were replaced by ones that the service has accepted.
    ///
    /// A service that denies something has accepted them as well.
    @Test(arguments: [
        ScriptedTransport.Answer.response(status: 200, body: #"{"profiles":{}}"#),
        .response(status: 403, body: #"{"status":403,"code":"c","message":"m","action":"none"}"#),
    ])
    func acceptedCredentials_areReplacedInTheirTurn(answer: ScriptedTransport.Answer) async throws {
        let call = RESTv2Call.logins
        let forgotten = ScriptedTransport.Answer.response(
            status: 403, body: #"{"status":403,"code":"c","message":"m","action":"application-registration"}"#)
        let desk = try StrictDesk([
            (call.request, forgotten), ("POST /o/client/register", Self.credentials("second")),
            ("POST /o/client/token", .response(status: 503, body: "")),
            ("POST /o/client/token", Self.token("u")), (call.request, answer),
            (call.request, forgotten), ("POST /o/client/register", Self.credentials("third")),
            ("POST /o/client/token", Self.token("v")), (call.request, answer),
        ])
        await #expect(throws: ServiceError.status(503)) { try await call.perform(desk.service) }
        #expect(desk.kept.withLock(\.replaced)?.clientID == "id")
        try? await call.perform(desk.service)
        #expect(desk.kept.withLock(\.replaced) == nil)
        try? await call.perform(desk.service)
        #expect(desk.kept.withLock(\.clientID) == "third" && desk.transport.left == [])
    }

    /// The page of a network and the challenge of another server say nothing about credentials whose first request they
    /// answer.
    @Test(
        arguments: [
            ("<html></html>", nil, .webPage(status: 401, type: "text/html")), ("", "Basic realm=\"x\"", .status(401)),
        ] as [(String, String?, ServiceError)])
    func newCredentials_areNotRefusedByAnotherServer(
        body: String, challenge: String?, error: ServiceError
    ) async throws {
        let call = RESTv2Call.logins
        let forgotten = ScriptedTransport.Answer.response(
            status: 403, body: #"{"status":403,"code":"c","message":"m","action":"application-registration"}"#)
        let desk = try StrictDesk(
            [
                (call.request, forgotten), ("POST /o/client/register", Self.credentials("second")),
                ("POST /o/client/token", Self.token("u")), (call.request, .response(status: 401, body: body)),
                (call.request, .response(status: 200, body: #"{"profiles":{}}"#)),
            ], challenge: challenge)
        await #expect(throws: error) { try await call.perform(desk.service) }
        #expect(desk.kept.withLock(\.replaced)?.clientID == "id")
        try await call.perform(desk.service)
        #expect(desk.kept.withLock(\.replaced) == nil && desk.kept.withLock(\.clientID) == "second")
        #expect(desk.transport.left == [])
    }

    /// The old credentials come back, and are not replaced again within a day.
    @Test func newCredentials_areGivenUp_whenTheServiceRefusesThemAsWell() async throws {
        let call = RESTv2Call.logins
        let forgotten = ScriptedTransport.Answer.response(
            status: 403, body: #"{"status":403,"code":"c","message":"m","action":"application-registration"}"#)
        let desk = try StrictDesk([
            (call.request, forgotten), ("POST /o/client/register", Self.credentials("second")),
            ("POST /o/client/token", Self.token("u")), (call.request, forgotten),
            ("POST /o/client/token", Self.token("v")), (call.request, forgotten),
            ("POST /o/client/token", Self.token("w")), (call.request, forgotten),
        ])
        for _ in 0..<2 {
            await #expect(throws: ServiceError.self) { try await call.perform(desk.service) }
            #expect(desk.kept.withLock(\.clientID) == "id" && desk.kept.withLock(\.replaced) == nil)
        }
        #expect(desk.transport.left == [])
    }

    /// Only after a new access token does the same refusal lead to new credentials, with which logins end.
    @Test func aRefusalThatStays_replacesTheTokenFirst_andThenTheCredentials() async throws {
        let call = RESTv2Call.logins
        let refusal = ScriptedTransport.Answer.response(
            status: 401, body: #"{"status":401,"code":"c","message":"m","action":"application-registration"}"#)
        let desk = try StrictDesk([
            (call.request, refusal), ("POST /o/client/token", Self.token("u")), (call.request, refusal),
            ("POST /o/client/register", Self.credentials("second")), ("POST /o/client/token", Self.token("v")),
            (call.request, .response(status: 200, body: #"{"profiles":{}}"#)),
        ])
        try await call.perform(desk.service)
        #expect(desk.kept.withLock(\.clientID) == "second" && desk.kept.withLock(\.replaced) == nil)
        #expect(desk.transport.left == [])
    }

    /// The decision itself may ask for a retry, inside a successful answer.
    @Test(arguments: [RESTv2Call.authorization, .preauthorization])
    func aDecisionThatAsksForARetry_isAskedForTwiceMore_afterAPauseEach(call: RESTv2Call) async throws {
        let body = #"{"decisions":[{"resource":"R","authorized":false,"error":{"code":"e","action":"retry"}}]}"#
        let desk = try StrictDesk(Array(repeating: (call.request, .response(status: 200, body: body)), count: 3))
        try? await call.perform(desk.service)
        #expect(desk.transport.left == [])
        #expect(desk.pauses.withLock(\.self) == [.seconds(1), .seconds(2)])
    }

    private static func decision(_ resource: String, _ more: String) -> String {
        #"{"resource":"\#(resource)",\#(more)}"#
    }

    private static func decisions(_ rows: String...) -> ScriptedTransport.Answer {
        .response(status: 200, body: #"{"decisions":[\#(rows.joined(separator: ","))]}"#)
    }

    private static let wantsRetry = #""authorized":false,"error":{"code":"e","action":"retry","details":"Later."}"#

    /// The service asks for a retry of the request, and then of the decision in its answer.
    @Test(arguments: [RESTv2Call.authorization, .preauthorization])
    func retriesOfARequest_andOfItsDecision_countTogether(call: RESTv2Call) async throws {
        let undecided = Self.decisions(Self.decision("R", Self.wantsRetry))
        let desk = try StrictDesk([(call.request, Self.retry), (call.request, undecided), (call.request, undecided)])
        try? await call.perform(desk.service)
        #expect(desk.transport.left == [])
        #expect(desk.pauses.withLock(\.self) == [.seconds(1), .seconds(2)])
    }

    /// The service has decided about one channel, and could not about the other.
    @Test(.row("CL14"), arguments: [ScriptedTransport.Answer.failure(.timedOut), .response(status: 500, body: "")])
    func aRepetitionThatFails_takesNoDecisionBack(failure: ScriptedTransport.Answer) async throws {
        let request = RESTv2Call.preauthorization.request
        let first = Self.decisions(Self.decision("A", #""authorized":true"#), Self.decision("B", Self.wantsRetry))
        let desk = try StrictDesk([(request, first), (request, failure)])
        let decided = try await desk.service.preauthorization(
            of: ["A", "B"], requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        #expect(decided.map(\.resource) == ["A", "B"] && decided.map(\.isAuthorized) == [true, false])
        #expect(desk.transport.left == [])
    }

    @Test(
        .row("CL18"),
        arguments: [ScriptedTransport.Answer.failure(.timedOut), .response(status: 200, body: #"{"decisions":[]}"#)])
    func aRepetitionWithoutAnAnswer_leavesTheDenial(answer: ScriptedTransport.Answer) async throws {
        let request = RESTv2Call.authorization.request
        let first = Self.decisions(Self.decision("R", Self.wantsRetry))
        let repetitions = if case .failure = answer { 1 } else { 2 }
        let desk = try StrictDesk([(request, first)] + Array(repeating: (request, answer), count: repetitions))
        let error = await #expect(throws: ServiceError.self) {
            try await desk.service.authorization(
                for: "R", requestorID: "DEMO", data: [:], try StrictDesk.login.get())
        }
        guard case .denied(let denial) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(denial.details == "Later." && desk.transport.left == [])
    }

    private static func endsLogin(_ code: String) -> String {
        #""authorized":false,"error":{"code":"\#(code)","action":"authentication","status":403}"#
    }

    /// The service permits one channel with the login that the error of the other one seems to end.
    @Test(.row("CL18"), arguments: ["step_up_needed", "authorization_denied_by_hba_policies"])
    func anErrorOfOneChannel_endsNoLogin_thatPermitsAnother(code: String) async throws {
        let error = Self.endsLogin(code)
        let answer = Self.decisions(Self.decision("A", #""authorized":true"#), Self.decision("B", error))
        let desk = try StrictDesk([(RESTv2Call.preauthorization.request, answer)])
        let decided = try await desk.service.preauthorization(
            of: ["A", "B"], requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        #expect(decided.map(\.isAuthorized) == [true, false] && decided.last?.error?.code == code)
    }

    private static let six = (0..<6).map { Resource("R\($0)") }

    /// Five resources are requested at once, and the sixth one by itself.
    @Test(.row("CL18"), arguments: ["step_up_needed", "authorization_denied_by_hba_policies"], [true, false])
    func anErrorOfOneRequest_endsNoLogin_thatPermitsInAnother(code: String, isLast: Bool) async throws {
        let (error, permit) = (Self.endsLogin(code), #""authorized":true"#)
        let request = RESTv2Call.preauthorization.request
        let desk = try StrictDesk([
            (request, Self.decisions(Self.decision("R0", isLast ? permit : error))),
            (request, Self.decisions(Self.decision("R5", isLast ? error : permit))),
        ])
        let decided = try await desk.service.preauthorization(
            of: Self.six, requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        #expect(decided.map(\.resource) == ["R0", "R5"] && decided.map(\.isAuthorized) == [isLast, !isLast])
        #expect(desk.transport.left == [])
    }

    /// The service cannot read one of the resources, so each is requested by itself.
    @Test(.row("CL18")) func anErrorOfASingleResource_endsNoLogin_thatPermitsTheNext() async throws {
        let request = RESTv2Call.preauthorization.request
        let refusal = #"{"status":400,"code":"invalid_parameter_resources","message":"m","action":"none"}"#
        let desk = try StrictDesk([
            (request, .response(status: 400, body: refusal)),
            (request, Self.decisions(Self.decision("A", Self.endsLogin("step_up_needed")))),
            (request, Self.decisions(Self.decision("B", #""authorized":true"#))),
            (request, .response(status: 400, body: refusal)),
        ])
        let decided = try await desk.service.preauthorization(
            of: ["A", "B", "C"], requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        #expect(decided.map(\.isAuthorized) == [false, true, false] && desk.transport.left == [])
    }

    /// A service that has no login at all is asked no further.
    @Test(.row("CL18"), arguments: [("step_up_needed", 2), ("authenticated_profile_missing", 1)])
    func anErrorOfEveryRequest_endsTheLogin(code: String, requests: Int) async throws {
        let answers = ["R0", "R5"].prefix(requests).map { resource in
            (RESTv2Call.preauthorization.request, Self.decisions(Self.decision(resource, Self.endsLogin(code))))
        }
        let desk = try StrictDesk(answers)
        let error = await #expect(throws: ServiceError.self) {
            try await desk.service.preauthorization(
                of: Self.six, requestorID: "DEMO", usesServiceCache: true, try StrictDesk.login.get())
        }
        #expect(error?.endOfLogin?.reason == code && desk.transport.left == [])
    }

    /// Registers an application that is not registered yet.
    private func accessToken(_ transport: StrictTransport) async throws -> AccessToken {
        let kept = Guarded<RegisteredApplication?>(nil)
        return try await ApplicationRegistration(
            softwareStatement: "a.b.c", provider: try ServiceProvider("https://sp.example.com"),
            transport: transport,
            keeper: RegistrationKeeper(
                load: { kept.withLock(\.self) }, save: { new in kept.withLock { $0 = new } }), now: { Date() }
        ).accessToken()
    }

    @Test(arguments: ["register", "token"])
    func aRegistrationWithoutAnAnswer_isNotRepeated(step: String) async throws {
        let credentials = ScriptedTransport.Answer.response(
            status: 201, body: #"{"client_id":"id","client_secret":"secret"}"#)
        let before = step == "token" ? [("POST /o/client/register", credentials)] : []
        let transport = StrictTransport(before + [("POST /o/client/\(step)", .failure(.timedOut))])
        await #expect(throws: ServiceError.transport(.timedOut)) { try await accessToken(transport) }
        #expect(transport.left == [])
    }

    /// Answers about one device or one viewer may have 256 KB at most.
    @Test(arguments: [0, 1])
    func credentials_ofMoreThan256KB_areRefused(tooMany: Int) async throws {
        let body = #"{"client_id":"id","client_secret":"secret"}"#
        let padding = String(repeating: " ", count: 256 * 1024 - body.utf8.count + tooMany)
        let next: [(String, ScriptedTransport.Answer)] =
            tooMany == 0 ? [("POST /o/client/token", .response(status: 500, body: ""))] : []
        let transport = StrictTransport(
            [("POST /o/client/register", .response(status: 201, body: body + padding))] + next)
        await #expect(throws: tooMany == 0 ? ServiceError.status(500) : .unreadableJSON) {
            try await accessToken(transport)
        }
        #expect(transport.left == [])
    }

    // MARK: - Answers

    /// Only an unambiguous yes permits playback.
    @Test(arguments: [
        ("", false), (#""authorized":null,"#, false), (#""authorized":"","#, false), (#""authorized":"no","#, false),
        (#""authorized":0,"#, false), (#""authorized":{},"#, false), (#""authorized":[true],"#, false),
        (#""Authorized":true,"#, false), (#""authorized":false,"#, false), (#""authorized":true,"#, true),
        (#""authorized":"false","#, false), (#""authorized":"true","#, true),
    ])
    func aDecisionThatDoesNotSayYes_isNone(field: String, isYes: Bool) async throws {
        let saysNo = [":0,", ":false,", ":\"false\","].contains { field.hasSuffix($0) }
        let body = #"{"decisions":[{"resource":"R",\#(field)"token":{"serializedToken":"x"}}]}"#
        let answer = ScriptedTransport.Answer.response(status: 200, body: body)
        let login = try StrictDesk.login.get()
        let play = try StrictDesk([(RESTv2Call.authorization.request, answer)])
        let token = try? await play.service.authorization(for: "R", requestorID: "DEMO", data: [:], login)
        #expect((token != nil) == isYes)
        let hint = try StrictDesk([(RESTv2Call.preauthorization.request, answer)])
        let decisions = try? await hint.service.preauthorization(
            of: ["R"], requestorID: "DEMO", usesServiceCache: true, login)
        // Without a yes or a no there is no decision.
        #expect(decisions?.map(\.isAuthorized) == (saysNo || isYes ? [isYes] : nil))
        #expect(play.transport.left == [] && hint.transport.left == [])
    }

    /// The service's clock differs from this device's, so only the time between the service's two dates matters.
    @Test(arguments: [(1_000_000_000_000, 900.0), (4_000_000_000_000, 900), (1_000_000_000_000, 5)])
    func aCode_endsByTheDevicesClock(begins: Int64, lifetime: TimeInterval) async throws {
        let ends = begins + Int64(lifetime * 1000)
        let body = """
            {"actionName":"authenticate","actionType":"interactive","reasonType":"none","code":"CODE","mvpd":"A",\
            "url":"/api/v2/authenticate/DEMO/CODE","notBefore":"\(begins)","notAfter":"\(ends)"}
            """
        let desk = try StrictDesk([(RESTv2Call.login.request, .response(status: 200, body: body))])
        let page = try await desk.service.login(LoginRequest(requestorID: "DEMO", mvpdID: "A"))
        #expect(page.expires == desk.clock.now.addingTimeInterval(lifetime))
    }
}
