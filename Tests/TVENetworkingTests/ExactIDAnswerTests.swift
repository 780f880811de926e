import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Answers are found by the UTF-8 bytes of their ids, and hostile JSON is refused early.
@Suite(.fewAtATime)
struct ExactIDAnswerTests {
    /// Pairs of ids that are equal as `String`, but that the service distinguishes.
    private static let lookAlikes = [("SPORT-K", "SPORT-\u{212A}"), ("caf\u{E9}", "cafe\u{301}")]

    @Test(arguments: lookAlikes)
    func findsAProfile_byTheBytesOfItsProvider(id: String, other: String) async throws {
        let desk = try await RESTv2Fixture.answering(
            "/profiles/sso", "{\"profiles\":{\"\(id)\":{\"notAfter\":1797832900000}}}")
        let found = try await desk.service.authentication(from: "x", requestorID: "A", mvpdID: MVPDID(id))
        #expect(found.token.claims.mvpdID == MVPDID(id))
        await #expect(throws: ServiceError.unreadableJSON) {
            try await desk.service.authentication(from: "x", requestorID: "A", mvpdID: MVPDID(other))
        }
    }

    /// The service may spell a provider's id in another way.
    @Test func findsAProfileOfThePlatform_whateverTheCaseOfItsProvider() async throws {
        let desk = try await RESTv2Fixture.answering(
            "/profiles/sso", "{\"profiles\":{\"Sport-K\":{\"notAfter\":1797832900000}}}")
        let found = try await desk.service.authentication(from: "x", requestorID: "A", mvpdID: "SPORT-K")
        #expect(found.token.claims.mvpdID == "SPORT-K")
    }

    @Test(arguments: lookAlikes)
    func findsALogout_byTheBytesOfItsProvider(id: String, other: String) async throws {
        let body = """
            {"logouts":{"\(id)":{"actionName":"logout","url":"/first"},\
            "\(other)":{"actionName":"logout","url":"/second"}}}
            """
        let desk = try await RESTv2Fixture.answering("/logout", body)
        for (id, page) in [(id, "/first"), (other, "/second")] {
            let step = try await desk.service.logout(requestorID: "A", mvpdID: MVPDID(id), nil, redirectURL: nil)
            #expect(step.page?.url.absoluteString.hasSuffix(page) == true)
        }
    }

    /// The service answers for each profile that it has deleted, and may spell a provider's id in another way.
    @Test(
        arguments: [
            (#""M":{"actionName":"logout","url":"/own"}"#, "/own"),
            (#""n":{"actionName":"logout","url":"/other"},"M":{"actionName":"logout","url":"/own"}"#, "/own"),
            (#""n":{"actionName":"logout","url":"/other"},"":{"actionName":"logout","mvpd":"M","url":"/own"}"#, "/own"),
            (#""m":{"actionName":"complete"},"n":{"actionName":"logout","url":"/other"}"#, "/other"),
            (#""n":{"actionName":"logout","url":"/other"}"#, "/other"),
            (#""m":{"actionName":"partner_logout"},"n":{"actionName":"logout","url":"/other"}"#, nil),
            (#""m":{"actionName":"complete"},"n":{"actionName":"partner_logout"}"#, nil),
        ] as [(String, String?)])
    func aLogout_hasTheStepOfItsProvider_orElseOfAnotherProfile(entries: String, page: String?) async throws {
        let desk = try await RESTv2Fixture()
        desk.script { path in
            // Where the answer does not name the provider, its profile is the evidence.
            let body = path.contains("/logout") ? "{\"logouts\":{\(entries)}}" : "{\"profiles\":{}}"
            return path.contains("/api/v2/") ? .response(status: 200, body: body) : nil
        }
        let step = try await desk.service.logout(requestorID: "A", mvpdID: "m", nil, redirectURL: nil)
        if let page {
            #expect(step.page?.url.absoluteString.hasSuffix(page) == true)
        } else {
            #expect(step == .signOutInSettings)
        }
    }

    @Test(
        .row("REST API v2, 5.10"),
        arguments: [
            // Each case has the requested id, the ids in the answer, and a Boolean value that indicates whether one
            // matches.
            ("SPORT-K", ["SPORT-K"], true), ("SPORT-K", ["sport-k"], true), ("SPORT-K", [" SPORT-K "], true),
            ("SPORT-K", ["SPORT-\u{212A}"], false), ("sport-k", ["sport-\u{212A}"], false),
            ("caf\u{E9}", ["cafe\u{301}"], false), ("SPORT-K", ["SPORT-\u{212A}", "sport-K"], true),
            // The answer has the line ends as JSON writes them.
            ("SPORT\r\nK", ["SPORT\\nK"], true), ("SPORT\nK", ["SPORT\\r\\nK"], true),
            ("SPORT\r\nK", ["SPORT K"], false),
        ])
    func findsADecision_byTheBytesOfItsResource(asked: String, named: [String], isFound: Bool) async throws {
        let entries = named.map { "{\"resource\":\"\($0)\",\"authorized\":true}" }.joined(separator: ",")
        let desk = try await RESTv2Fixture.answering("/decisions/preauthorize", "{\"decisions\":[\(entries)]}")
        let login = AuthenticationToken(
            text: TokenText("{}"),
            claims: .init(
                authenticationGUID: "", requestorID: "A", expires: TokenDate(secondsSince1970: 2_000_000_000),
                mvpdID: "m", fingerprint: "fp"))
        let found = try? await desk.service.preauthorization(
            of: [Resource(asked)], requestorID: "A", usesServiceCache: true, login)
        #expect(found?.map(\.resource) == (isFound ? [Resource(asked)] : nil))
    }

    @Test(arguments: [("temporary", true), ("authenticated", false), ("degraded", false), ("Temporary", false)])
    func tellsWhoTheViewerIs_toATempPassAlone(reason: String, isTold: Bool) async throws {
        let desk = try await RESTv2Fixture.answering(
            "/sessions", "{\"actionName\":\"authorize\",\"reasonType\":\"\(reason)\"}")
        let request = LoginRequest(requestorID: "A", mvpdID: "m", data: ["email": .string("0f")])
        let page = try await desk.service.login(request)
        // The sandbox has no such provider. Only the requests that it received matter here.
        _ = try? await desk.service.authentication(of: page)
        #expect((desk.header("AP-TempPass-Identity", of: "/profiles/m") != nil) == isTold)
    }

    @Test(arguments: ["/profiles", "/configuration", "/logout", "/sessions"])
    func refusesHostileJSON_beforeItCostsAnything(path: String) async throws {
        let deep = String(repeating: "[", count: 100_000)
        let name = String(repeating: "\u{301}", count: 100_000)
        let start = ContinuousClock.now
        for body in [deep, "{\"profiles\":{\"m\":{\"attributes\":{\"a\":{\"value\":\(deep)", "{\"\(name)\":1}"] {
            // The fixture must exist while its sandbox is needed.
            let desk = try await RESTv2Fixture.answering(path, body)
            let service = desk.service
            defer { withExtendedLifetime(desk) {} }
            await #expect(throws: ServiceError.unreadableJSON) {
                switch path {
                case "/profiles": _ = try await service.logins(of: "A", with: nil, knowing: nil)
                case "/configuration": _ = try await service.configuration(of: "A")
                case "/logout": _ = try await service.logout(requestorID: "A", mvpdID: "m", nil, redirectURL: nil)
                default: _ = try await service.createSession(requestorID: "A", mvpdID: "m", redirectURL: nil)
                }
            }
        }
        #expect(ContinuousClock.now - start < .hanging)
    }

    @Test func readsAttributes_asDeepAsTheLimitAllows() async throws {
        // The path to the value is five levels deep.
        let value = String(repeating: "[", count: 27) + "1" + String(repeating: "]", count: 27)
        let body =
            "{\"profiles\":{\"m\":{\"notAfter\":1797832900000,\"attributes\":"
            + "{\"a\":{\"value\":\(value)},\"b\":{\"value\":[\"\\u00e9\",2]}}}}}"
        let desk = try await RESTv2Fixture.answering("/profiles", body)
        let found = try await desk.service.logins(of: "A", with: nil, knowing: nil)
        withExtendedLifetime(desk) {}
        #expect(found.first?.metadata?.data["b"] == .array([.string("\u{E9}"), .number(2)]))
        #expect(found.first?.metadata?.data["a"] != nil)
    }
}
