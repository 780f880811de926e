import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVETestSupport
import TVETestTraits
import Testing

/// Behaviour that no row of the specification requires, but that a viewer would notice.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct BetweenTheRowsTests {
    @Test(
        .row("CL22"),
        arguments: [
            (#"{"model":"Own"}"#, ["model": "Own", "osName": "tvOS", "version": "14,1"]),
            (
                #"{"connectionIp":"8.8.4.4"}"#,
                ["connectionIp": "8.8.4.4", "model": "AppleTV", "osName": "tvOS", "version": "14,1"]
            ),
            // Members that are null are omitted, and an empty or invalid object changes nothing.
            (#"{"version":null}"#, ["model": "AppleTV", "osName": "tvOS"]),
            (#"{"model":null,"osName":null,"version":null}"#, [:]),
            ("{}", ["model": "AppleTV", "osName": "tvOS", "version": "14,1"]),
            ("[]", ["model": "AppleTV", "osName": "tvOS", "version": "14,1"]),
            ("no JSON", ["model": "AppleTV", "osName": "tvOS", "version": "14,1"]),
        ] as [(String, [String: String])])
    func overRESTv2_theAppsDeviceInformation_isAddedToOurs(own: String, sent: [String: String]) async throws {
        let desk = try await RESTv2Fixture(options: ClientOptions(deviceInfo: Data(own.utf8).base64EncodedString()))
        desk.script { $0.contains("/profiles") ? .response(status: 200, body: "{\"profiles\":{}}") : nil }
        _ = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        let header = try #require(desk.header("X-Device-Info", of: "/profiles").flatMap { Data(base64Encoded: $0) })
        #expect(try JSONDecoder().decode([String: String].self, from: header) == sent)
    }

    @Test func everyRequestOfRESTv2_acceptsJSON() async throws {
        let desk = try await RESTv2Fixture()
        _ = try await desk.service.configuration(of: "DEMO")
        let login = try await desk.logIn()
        _ = try await desk.service.preauthorization(
            of: ["DEMO-1"], requestorID: "DEMO", usesServiceCache: true, login)
        _ = try await desk.service.logout(requestorID: "DEMO", mvpdID: "demo-cable", nil, redirectURL: nil)
        for path in ["/configuration", "/sessions", "/profiles/code/", "/decisions/", "/logout/"] {
            #expect(desk.header("Accept", of: path)?.hasPrefix("application/json") == true, "\(path)")
        }
    }

    /// The device's clock measures the pauses between two polls.
    @Test func aClockThatIsSetBack_makesNoLookWait() async throws {
        let desk = try await RESTv2Fixture()
        let page = try await desk.service.login(LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable"))
        await #expect(throws: ServiceError.notLoggedIn) { try await desk.service.authentication(of: page) }
        desk.clock.advance(by: -3_600)
        let setBack = desk.clock.now
        let look = Task { try await desk.service.authentication(of: page) }
        while desk.count("/profiles/code/") < 2, desk.clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
        #expect(desk.clock.sleepers == 0, "It waits for the time before.")
        desk.clock.advance(by: desk.clock.sleepers == 0 ? 0 : 7_200)
        _ = await look.result
        #expect(desk.clock.now.timeIntervalSince(setBack) <= 3)
    }

    /// Each look takes its turn before it waits, so that the next one waits for both.
    ///
    /// The clock stands still, as for calls at the same moment.
    @Test(.row("REST API v2, 9.9")) func looksForOneCode_atTheSameMoment_areThreeSecondsApart() async throws {
        let codes = ["CODE", "CODE", "CODE", "OTHER"]
        let nothing = ScriptedTransport.Answer.response(status: 200, body: #"{"profiles":{}}"#)
        let desk = try StrictDesk(codes.map { ("GET /api/v2/DEMO/profiles/code/\($0)", nothing) })
        let redirect = try #require(URL(string: "adobepass://ios.app"))
        for code in codes {
            let page = LoginPage(
                step: .open(redirect, redirect: redirect), requestorID: "DEMO", mvpdID: "A", registrationCode: code,
                expires: .distantFuture)
            await #expect(throws: ServiceError.notLoggedIn) { try await desk.service.authentication(of: page) }
        }
        #expect(desk.pauses.withLock(\.self) == [.seconds(3), .seconds(6)])
        #expect(desk.transport.left == [])
    }

    /// The service repeats the error for each resource, but the error concerns the viewer.
    @Test func aPreauthorizationOfAnEndedLogin_isNoDenialOfEachChannel() async throws {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        let error = "{\"status\":403,\"code\":\"authenticated_profile_missing\",\"action\":\"authentication\"}"
        let decisions = ["DEMO-1", "DEMO-2"].map { "{\"resource\":\"\($0)\",\"authorized\":false,\"error\":\(error)}" }
        desk.script {
            $0.contains("/preauthorize/")
                ? .response(status: 200, body: "{\"decisions\":[\(decisions.joined(separator: ","))]}") : nil
        }
        let failure = await #expect(throws: ServiceError.self) {
            try await desk.service.preauthorization(
                of: ["DEMO-1", "DEMO-2"], requestorID: "DEMO", usesServiceCache: true, login)
        }
        #expect(failure?.endOfLogin?.reason == "authenticated_profile_missing")
    }

    @Test func anErrorBesideAPermit_endsNoLogin() async throws {
        let desk = try await RESTv2Fixture()
        let login = try await desk.logIn()
        let error = "{\"code\":\"x\",\"action\":\"authentication\"}"
        let permit = "{\"resource\":\"DEMO-1\",\"authorized\":true,\"error\":\(error)}"
        desk.script {
            $0.contains("/preauthorize/") ? .response(status: 200, body: "{\"decisions\":[\(permit)]}") : nil
        }
        let decisions = try await desk.service.preauthorization(
            of: ["DEMO-1"], requestorID: "DEMO", usesServiceCache: true, login)
        #expect(decisions.map(\.isAuthorized) == [true])
    }

    /// A code belongs to one login, so the profile is that login, and its name is that of the provider.
    @Test func theProfileOfACode_countsUnderAnotherName() async throws {
        let desk = try await RESTv2Fixture()
        let page = try await desk.service.login(LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable"))
        _ = try await desk.logIn(at: page.url)
        desk.transport.setScript { request, _ in
            guard request.path?.contains("/profiles/code/") == true else { return nil }
            return .rewritten { $0.replacingOccurrences(of: "\"demo-cable\":", with: "\"demo-other\":") }
        }
        #expect(try await desk.service.authentication(of: page).token.claims.providerID == "demo-other")
    }

    /// Ids that differ in the case of ASCII letters name one provider, and the device stores its own spelling.
    @Test func theProfileOfACode_hasTheIDOfItsRequest_inAnotherSpelling() async throws {
        let desk = try await RESTv2Fixture()
        let page = try await desk.service.login(LoginRequest(requestorID: "DEMO", mvpdID: "demo-cable"))
        _ = try await desk.logIn(at: page.url)
        desk.transport.setScript { request, _ in
            guard request.path?.contains("/profiles/code/") == true else { return nil }
            return .rewritten { $0.replacingOccurrences(of: "\"demo-cable\":", with: "\"Demo-CABLE\":") }
        }
        #expect(try await desk.service.authentication(of: page).token.claims.providerID == "demo-cable")
    }

    /// Without a provider, the platform does not confirm a login.
    @Test(arguments: [nil, "apple"])
    func thePlatformsStatus_isSent_whereItNamesAProvider(providerID: String?) async throws {
        let desk = try await RESTv2Fixture()
        let expires = desk.clock.now.addingTimeInterval(60)
        desk.service.remember(PlatformStatus(permission: .granted, providerID: providerID, expires: expires))
        _ = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        #expect((desk.header("AP-Partner-Framework-Status", of: "/profiles") != nil) == (providerID != nil))
    }

    /// The viewer signs out at the platform while a request waits for an answer that the platform has given before.
    @Test func thePlatformsStatus_isNotReplacedByAnOlderAnswer() async throws {
        let service = Guarded<RESTv2Service?>(nil)
        let older = PlatformStatus(permission: .granted, providerID: "apple", expires: nil)
        let desk = try await RESTv2Fixture(
            proofs: LoginProofs(platformStatus: {
                service.withLock { $0.take() }?.remember(PlatformStatus(permission: .granted))
                return older
            }))
        service.withLock { $0 = desk.service }
        _ = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        #expect(desk.header("AP-Partner-Framework-Status", of: "/profiles") == nil)
    }

    /// The platform may return any date, and the service reads milliseconds since 1970.
    @Test(arguments: [
        (-1.0, "0"), (1_800_000_000, "1800000000000"), (253_402_300_799, "253402300799000"),
        (1e15, "253402300799000"),
    ])
    func theDateInThePlatformsStatus_hasLimits(seconds: TimeInterval, sent: String) async throws {
        let status = PlatformStatus(
            permission: .granted, providerID: "apple", expires: Date(timeIntervalSince1970: seconds))
        let desk = try await RESTv2Fixture(proofs: LoginProofs(platformStatus: { status }))
        desk.script { $0.contains("/profiles") ? .response(status: 200, body: "{\"profiles\":{}}") : nil }
        desk.service.remember(status)
        _ = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        let header = try #require(desk.header("AP-Partner-Framework-Status", of: "/profiles"))
        let json = String(decoding: try #require(Data(base64Encoded: header)), as: UTF8.self)
        #expect(json.contains("\"expirationDate\":\"\(sent)\""), "\(json)")
    }

    /// The other screen adds what the service misses, with the code that it is shown.
    @Test func aLoginOnAnotherScreen_whichThePlatformBegan_isNotResumedHere() async throws {
        let desk = try StrictDesk([
            (
                RESTv2Call.platformRequest.request,
                .response(status: 200, body: #"{"actionName":"resume","code":"CODE","missingParameters":["mvpd"]}"#)
            )
        ])
        let step = try await desk.service.platformRequest(
            LoginRequest(requestorID: "DEMO", mvpdID: "A", kind: .otherScreen(redirect: nil)))
        guard case .logIn(let page, _) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(page.step == .typeCode && page.registrationCode == "CODE")
        #expect(desk.transport.left == [])
    }

    /// Two starts find the logins in the same order.
    @Test func loginsWithTheSameEnd_areInTheOrderOfTheirProviders() async throws {
        let ends = ["c", "a", "e", "b", "d"].map { ($0, 4_102_444_800_000) } + [("z", 4_102_444_860_000)]
        let profiles = ends.map { #""\#($0)":{"notAfter":\#($1),"type":"regular"}"# }.joined(separator: ",")
        let desk = try StrictDesk([
            (RESTv2Call.logins.request, .response(status: 200, body: "{\"profiles\":{\(profiles)}}"))
        ])
        let found = try await desk.service.logins(of: "DEMO", with: nil, knowing: nil)
        #expect(found.map(\.token.claims.mvpdID) == ["z", "a", "b", "c", "d", "e"])
    }

    /// The answer comes to a request with the credentials before, whose access token it accepts.
    @Test func aLateAnswer_saysNothingAboutNewerCredentials() async throws {
        let desk = try await RESTv2Fixture()
        _ = try await desk.service.configuration(of: "DEMO")
        let first = try #require(desk.kept.withLock(\.self)?.clientID)
        let forgotten = #"{"status":403,"code":"c","message":"m","action":"application-registration"}"#
        let answers = Guarded<[ScriptedTransport.Answer]>([
            .response(status: 403, body: forgotten), .response(status: 503, body: ""),
        ])
        let late = Gate()
        desk.transport.setInterception { request, _ in
            if request.path == "/api/v2/DEMO/profiles/late" {
                await late.pass()
                return .response(status: 200, body: #"{"profiles":{}}"#)
            }
            guard request.path == "/api/v2/DEMO/profiles/other" else { return nil }
            return answers.withLock { $0.removeFirst() }
        }
        let early = Task { try await desk.service.logins(of: "DEMO", with: "late", knowing: nil).count }
        await late.arrival()
        await #expect(throws: ServiceError.status(503)) {
            try await desk.service.logins(of: "DEMO", with: "other", knowing: nil)
        }
        late.open()
        #expect(try await early.value == 0)
        #expect(desk.kept.withLock(\.self)?.replaced?.clientID == first)
    }

    /// Nobody waits for the decisions any more, and a part of them must not pass for all.
    ///
    /// The second request is about the sixth resource, or about the one whose decision the service wants to repeat.
    @Test(arguments: [
        (6, #"{"resource":"R0","authorized":true}"#),
        (
            2,
            #"{"resource":"R0","authorized":true},"#
                + #"{"resource":"R1","authorized":false,"error":{"code":"e","action":"retry"}}"#
        ),
    ])
    func aCancelledPreauthorization_returnsNoPartOfItsDecisions(count: Int, decisions: String) async throws {
        let desk = try await RESTv2Fixture()
        let login = try StrictDesk.login.get()
        let requests = Guarded(0)
        let second = Gate()
        desk.transport.setInterception { request, _ in
            guard request.path?.contains("/preauthorize/") == true else { return nil }
            let number = requests.withLock { number in
                number += 1
                return number
            }
            if number == 1 { return .response(status: 200, body: "{\"decisions\":[\(decisions)]}") }
            await second.pass()
            return .failure(.cancelled)
        }
        let resources = (0..<count).map { Resource("R\($0)") }
        let call = Task {
            try await desk.service.preauthorization(
                of: resources, requestorID: "DEMO", usesServiceCache: true, login)
        }
        await second.arrival()
        call.cancel()
        second.open()
        await #expect(throws: ServiceError.transport(.cancelled)) { try await call.value }
    }

    /// A cancelled preauthorization that remained in the queue would let later requests through too early.
    @Test func aPreauthorizationThatWasCancelled_keepsNoPlace() async throws {
        let clock = ManualClock()
        let sent = Guarded(0)
        let next = ScriptedTransport { _, _ in
            sent.withLock { $0 += 1 }
            return .response(status: 200, body: "")
        }
        let transport = PacedTransport(next: next, now: { clock.now }, sleep: clock.sessionClock.sleep)
        func send(_ path: String) async throws(TransportError) {
            let request = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: path)
            _ = try await transport.send(request, body: nil)
        }
        for _ in 0..<10 { try await send("/api/v2/DEMO/profiles") }
        let waiting = Task { try await send("/api/v2/DEMO/decisions/preauthorize/demo-cable") }
        while clock.sleepers == 0, !Task.isCancelled { await Task.shortPause() }
        waiting.cancel()
        _ = await waiting.result

        let late = Task { try await send("/api/v2/DEMO/profiles") }
        while clock.sleepers == 0, sent.withLock(\.self) == 10, !Task.isCancelled { await Task.shortPause() }
        #expect(sent.withLock(\.self) == 10, "The eleventh request comes within the same second.")
        clock.advance(by: 1)
        try await late.value
        #expect(sent.withLock(\.self) == 11)
    }
}
