import AccessEnabler
import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// The callbacks of an existing app where REST API v2 provides less than it could, or something else.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct MissingEvidenceTests {
    private static let loggedIn = ClassicCallback.authenticationStatus(1, code: USER_AUTHENTICATED)

    /// The callbacks of an authorization, without those for tracking.
    private func authorize(_ resource: String, _ app: ClassicApp) async -> [String] {
        app.enabler.getAuthorization(resource)
        return await app.callbacks(until: \.isAuthorizationEnd).filter {
            if case .tracking = $0 { false } else { true }
        }
        .map(\.word)
    }

    @Test(.row("AS18", "AZ11")) func aPlatformThatDoesNotAnswer_logsNobodyOut() async throws {
        var world = SandboxWorld.demo
        world.providers[0].platformID = "apple-cable"
        let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let app = try await ClassicApp(.restV2, world: world) { $0.platform = platform }
        platform.change { [clock = app.clock] in $0.expires = clock.now.addingTimeInterval(600) }
        app.setRequestor()
        _ = await app.callbacks(until: \.isRequestorComplete)
        app.enabler.checkAuthentication()
        #expect(await app.loginStatus() == Self.loggedIn)
        app.clock.advance(by: 601)
        platform.change { $0.failure = .failed("busy") }
        let words = await authorize("DEMO-1", app)
        #expect(words.count == 2 && words[0].hasPrefix("status(Z500, error"), "\(words)")
        #expect(
            words.last?.hasPrefix("tokenRequestFailed(DEMO-1, \"\(GENERIC_AUTHORIZATION_ERROR)\"") == true, "\(words)")
        app.enabler.checkAuthentication()
        #expect(await app.loginStatus() == Self.loggedIn)
        platform.change { [clock = app.clock] in
            $0.failure = nil
            $0.expires = clock.now.addingTimeInterval(600)
        }
        #expect(await authorize("DEMO-1", app).last?.hasPrefix("token DEMO") == true)
        #expect(!app.transport.requests.contains { $0.contains("/logout/") })
    }

    @Test(.row("AZ9")) func anOutage_playsOn_whenTheLoginHasExpired() async throws {
        var world = SandboxWorld.demo
        world.providers[0].degradation = .authorizeAll
        let app = try await ClassicApp(.restV2, world: world).loggedIn()
        app.clock.advance(by: 2_592_001)
        let words = await authorize("DEMO-PLUS", app)
        #expect(
            words.first?.hasPrefix("status(Z010") == true && words.last?.hasPrefix("token DEMO") == true, "\(words)")
        app.enabler.checkPreauthorizedResources(["DEMO-1", "DEMO-PLUS"])
        _ = await app.callbacks(until: { $0 == .preauthorizedResources(["DEMO-1", "DEMO-PLUS"]) })
    }

    @Test(
        .row("B8.1"),
        arguments: ["", ",\"error\":null", ",\"error\":{\"code\":\"brand_new\",\"details\":\"Not yours\"}"])
    func aDecisionThatSaysNo_isADenial(error: String) async throws {
        let app = try await ClassicApp(.restV2).loggedIn()
        app.transport.setScript { request, _ in
            guard request.path?.contains("/decisions/authorize/") == true else { return nil }
            return .response(
                status: 200, body: "{\"decisions\":[{\"resource\":\"DEMO-1\",\"authorized\":false\(error)}]}")
        }
        let words = await authorize("DEMO-1", app)
        #expect(words.first?.hasPrefix("status(Z100, error") == true, "\(words)")
        let text = error.contains("details") ? "Not yours" : ""
        #expect(
            words.last?.hasPrefix("tokenRequestFailed(DEMO-1, \"\(USER_NOT_AUTHORIZED_ERROR)\", \"\(text)\"") == true,
            "\(words)")
    }

    /// The provider states what the viewer can do.
    @Test(.row("B8.1")) func anEndedLogin_isToldInTheWordsOfTheProvider() async throws {
        let app = try await ClassicApp(.restV2).loggedIn()
        app.transport.setScript { request, _ in
            guard request.path?.contains("/decisions/authorize/") == true else { return nil }
            return .response(
                status: 403,
                body: "{\"action\":\"authentication\",\"status\":403,\"code\":\"authorization_denied_by_hba_policies\","
                    + "\"message\":\"No\",\"details\":\"You have left home\"}")
        }
        app.enabler.checkAuthorization("DEMO-1")
        let words = await app.callbacks(until: \.isAuthorizationEnd).map(\.word)
        #expect(words.contains { $0.hasPrefix("status(N000") && $0.contains("You have left home") }, "\(words)")
        #expect(words.last?.contains("You have left home") == true, "\(words)")
    }

    @Test(.row("TP9"), arguments: ServiceDialect.allCases)
    func aPromotionalTempPass_withoutTheViewersID_saysSo(service: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        var pass = SandboxWorld.Provider(id: "TempPass", displayName: "Temporary Pass", login: .none)
        pass.temporaryAccess = .init(seconds: 600, identityKey: "email")
        world.providers.append(pass)
        world.requestors[0].providers.append("TempPass")
        let app = try await ClassicApp(service, world: world)
        app.setRequestor()
        _ = await app.callbacks(until: \.isRequestorComplete)
        app.enabler.setSelectedProvider("TempPass")
        app.enabler.getAuthentication()
        let callbacks = await app.callbacks(until: \.isAuthenticationStatus)
        #expect(callbacks.last == .authenticationStatus(0, code: GENERIC_AUTHENTICATION_ERROR))
        #expect(callbacks.map(\.word).contains { $0.contains("N500") && $0.contains("needs the viewer's id") })
        #expect(callbacks.filter(\.isNavigation).isEmpty)
    }
}
