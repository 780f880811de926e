import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETokenCodec
import Testing

@Suite(.serialized)
struct AuthorizationTests {
    @Test func AZ3_AZ2_asksTheProviderOnce_andFetchesAMediaTokenEveryTime() async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.loggedIn()
        let token = try await session.authorize("DEMO-1")
        #expect(token.claims.resource == "DEMO-1" && token.claims.mvpdID == "demo-cable")
        #expect(log.take() == ["authz cached false"])
        _ = try await session.authorize("DEMO-1")
        #expect(log.take() == ["authz cached true"])
        #expect(
            fixture.transport.requests.suffix(3) == [
                "POST /adobe-services/authorizeDevice", "POST /adobe-services/deviceShortAuthorize",
                "POST /adobe-services/deviceShortAuthorize",
            ])
    }

    @Test func AZ16_asksOnceAResource_forAThousandCallsAtTheSameTime() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        // Media tokens work once, so there is one exchange a call; here they only cost time.
        fixture.answer("/deviceShortAuthorize", .response(status: 500, body: ""))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    let resource = Resource.mrss(channel: "DEMO-1", item: .init(guid: "\(number % 100)"))
                    await #expect(throws: TVEError(.serviceFailed)) { try await session.authorize(resource) }
                }
            }
        }
        let asked = fixture.transport.requests
        #expect(asked.filter { $0.hasSuffix("/authorizeDevice") }.count == 100)
        #expect(asked.filter { $0.hasSuffix("/deviceShortAuthorize") }.count == 1_000)
    }

    @Test func AZ16_givesEveryCallAMediaTokenOfItsOwn() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        async let first = session.authorize("DEMO-1")
        async let second = session.authorize("DEMO-1")
        _ = try await (first, second)
        #expect(fixture.transport.requests.filter { $0.hasSuffix("/deviceShortAuthorize") }.count == 2)
        #expect(fixture.transport.requests.filter { $0.hasSuffix("/authorizeDevice") }.count == 1)
    }

    @Test func T08_storesNoMediaToken() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        let token = try await session.authorize("DEMO-1")
        for key in fixture.storage.keys(under: StorageKey("requestor")) {
            let value = String(decoding: try #require(fixture.storage.value(for: key)), as: UTF8.self)
            #expect(!value.contains(token.text.rawValue))
        }
    }

    @Test func AZ17_givesATokenThatTheBackEndAccepts() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        let token = try await session.authorize(Resource.mrss(channel: "DEMO-2", item: .init(title: "A & B")))
        let key = try TokenVerificationKey(pemRepresentation: fixture.sandbox.key.publicKeyPEM)
        let verifier = MediaTokenVerifier(keys: [key], requestorID: "DEMO")
        let resource = Resource.mrss(channel: "DEMO-2", item: .init(title: "A & B"))
        let verdict = verifier.verify(token.text.rawValue, resource: resource, at: fixture.clock.now).verdict
        #expect(verdict == .validToken)
    }

    @Test func AZ1_fails_withoutStartingALogin() async throws {
        let (session, log) = try await FlowFixture().session()
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(log.take() == ["authz notAuthenticated"])
    }

    @Test func AZ13_logsInFirst_whenAllowedTo() async throws {
        let (session, log) = try await FlowFixture().session()
        _ = try await session.authorize("DEMO-1", using: ViewerAtHome())
        #expect(log.take() == ["selected demo-cable", "authn cached false", "authenticated", "authz cached false"])
    }

    @Test func AZ14_SP14_fails_whenTheViewerLeavesTheLogin() async throws {
        let (session, log) = try await FlowFixture().session()
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authorize("DEMO-1", using: ViewerAtHome(choice: nil))
        }
        #expect(log.take() == ["N005", "authn false", "not: providerNotSelected", "authz providerNotSelected"])
    }

    @Test(arguments: [200, 400, 403])
    func AZ4_reportsADenial_withTheProvidersText(status: Int) async throws {
        var world = SandboxWorld.demo
        world.behavior.denialStatus = status
        let (session, log) = try await FlowFixture(world: world).loggedIn()
        let error = await #expect(throws: TVEError.self) { try await session.authorize("DEMO-PLUS") }
        #expect(error?.code == .notAuthorized && error?.status == .denied)
        #expect(error?.message == "Demo Plus is not part of your plan. Add it for 5 a month.")
        #expect(log.take() == ["Z100", "authz notAuthorized"])
    }

    @Test func AZ7_refusesAnEmptyResource_withoutAsking() async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.loggedIn()
        let asked = fixture.transport.requests.count
        await #expect(throws: TVEError(.invalidResource)) { try await session.authorize("") }
        #expect(log.take() == ["Z130", "authz invalidResource"])
        #expect(fixture.transport.requests.count == asked)
    }

    @Test(arguments: [
        (
            "AZ11", "/authorizeDevice", ScriptedTransport.Answer.response(status: 500, body: ""),
            TVEError.Code.serviceFailed, "Z500"
        ),
        ("AZ11", "/authorizeDevice", .response(status: 200, body: "garbage"), .serviceFailed, "Z500"),
        ("AZ11", "/authorizeDevice", .failure(.unreachable), .serviceUnreachable, "Z500"),
        ("AZ12", "/authorizeDevice", .response(status: 429, body: "<html>"), .throttled, "Z100"),
        ("AZ18", "/deviceShortAuthorize", .response(status: 200, body: ""), .serviceFailed, "Z500"),
        ("AZ18", "/deviceShortAuthorize", .response(status: 502, body: ""), .serviceFailed, "Z500"),
        (
            "foreign resource", "/deviceShortAuthorize", .rewritten { $0.replacing(">DEMO-1<", with: ">DEMO-2<") },
            .authorizationFailed, "Z500"
        ),
        (
            "foreign device", "/authorizeDevice",
            .rewritten {
                $0.replacing(
                    /simpleTokenFingerprint&gt;[0-9a-f]{40}/,
                    with: "simpleTokenFingerprint&gt;" + String(repeating: "0", count: 40))
            }, .deviceMismatch, "SEC412"
        ),
    ])
    func keepsTheLogin_whenTheServiceFails(
        row: String, path: String, answer: ScriptedTransport.Answer, code: TVEError.Code, status: String
    ) async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.loggedIn()
        fixture.answer(path, answer)
        let error = await #expect(throws: TVEError.self, "\(row)") { try await session.authorize("DEMO-1") }
        #expect(error?.code == code && error?.status?.rawValue == status, "\(row)")
        #expect(log.take() == [status, "authz \(code.rawValue)"])
        guard case .authenticated = await session.authenticationStatus() else {
            Issue.record("\(row): the login is gone.")
            return
        }
    }

    @Test(arguments: [("34764", "SEC412", "deviceMismatch"), ("1", "N000", "notAuthenticated")])
    func AZ19_wipesTheLogin_whenTheServiceEndsIt(reason: String, status: String, code: String) async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.loggedIn()
        fixture.answer(
            "/authorizeDevice", .response(status: 200, body: "<pendingLogout reason=\"\(reason)\">true</pendingLogout>")
        )
        await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") }
        #expect(log.take() == [status, "authn false", "not: \(code)", "authz \(code)"])
        #expect(fixture.entitlements == 0)
    }

    @Test func logsInOnceMore_whenTheServiceEndedTheLogin() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        fixture.transport.setScript { [transport = fixture.transport] request, _ in
            let isFirst = transport.requests.filter { $0.contains("authorizeDevice") }.count == 1
            return isFirst && request.path?.contains("/authorizeDevice") == true
                ? .response(status: 200, body: "<pendingLogout>true</pendingLogout>") : nil
        }
        let viewer = ViewerAtHome()
        _ = try await session.authorize("DEMO-1", using: viewer)
        #expect(viewer.shown == ["picker: demo-cable demo-fiber", "login"])
    }

    @Test func stopsTrying_whenTheServiceKeepsEndingTheLogin() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        fixture.answer("/authorizeDevice", .response(status: 200, body: "<pendingLogout>true</pendingLogout>"))
        let viewer = ViewerAtHome()
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1", using: viewer) }
        #expect(viewer.shown.filter { $0 == "login" }.count == 1)
    }

    @Test func asksAgain_whenTheKeptPermissionRanOut() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        _ = try await session.authorize("DEMO-1")
        fixture.clock.advance(by: 86_400)
        _ = try await session.authorize("DEMO-1")
        #expect(fixture.transport.requests.filter { $0.contains("authorizeDevice") }.count == 2)
    }

    @Test func asksForOneLogin_whenTheViewerCancelsOnThePage() async throws {
        let (session, log) = try await FlowFixture().session()
        let viewer = ViewerAtHome(viewer: .cancels)
        await #expect(throws: TVEError(.authenticationFailed)) { try await session.authorize("DEMO-1", using: viewer) }
        #expect(viewer.shown == ["picker: demo-cable demo-fiber", "login"])
        #expect(log.take().last == "authz authenticationFailed")
    }

    @Test func keepsANewLogin_whenALateAnswerIsAboutTheOldOne() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        // While the service ends the old login, the viewer logs in anew.
        fixture.transport.setInterception { [storage = fixture.storage] request, _ in
            guard request.path?.contains("/authorizeDevice") == true else { return nil }
            fixture.transport.setInterception { _, _ in nil }
            _ = try? await session.authenticate(using: ViewerAtHome(), isForced: true)
            #expect(storage.keys(under: StorageKey("requestor")).count >= 4)
            return .response(status: 200, body: "<pendingLogout>true</pendingLogout>")
        }
        // The call goes on with the new login, and needs no presenter for that.
        #expect(try await session.authorize("DEMO-1").claims.resource == "DEMO-1")
    }

    @Test func storesNothing_whenTheViewerLogsOutMeanwhile() async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.loggedIn()
        fixture.transport.setInterception { request, _ in
            guard request.path?.contains("/authorizeDevice") == true else { return nil }
            try? await session.logout()
            return nil
        }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(log.take().last == "authz notAuthenticated")
        #expect(fixture.entitlements == 0)
    }

    @Test func authorizes_evenWhenTheStoredMetadataCannotBeRead() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        let key = fixture.login.appending("metadata")
        fixture.storage.apply([.put(key, Data("garbage".utf8))])
        _ = try await session.authorize("DEMO-1")
    }

    @Test func ignoresMetadataThatMakesNoSense() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.session()
        fixture.transport.setScript { request, _ in
            request.path?.contains("Device") == true
                ? .rewritten { $0.replacing(/updated&quot;:[0-9.]+/, with: "updated&quot;:1e300") } : nil
        }
        _ = try await session.authorize("DEMO-1", using: ViewerAtHome())
    }
}
