import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// Rules for stored and for issued tokens (API reference, C1).
@Suite(.fewAtATime)
struct TokenRuleTests {
    @Test(.row("CA1", "T-01", "T-07"), arguments: ServiceDialect.allCases)
    func aStoredToken_isALogin_afterARestart(dialect: ServiceDialect) async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(dialect)
        let (second, log) = try await fixture.session()
        #expect(await second.authenticationStatus() == first.authenticationStatus())
        #expect(log.take() == ["authn cached true", "authenticated"])
        #expect(await second.profile?.mvpdID == "demo-cable")
    }

    @Test(.row("T-06", "AZ17"), arguments: ServiceDialect.allCases)
    func everyAuthorization_asksForAMediaTokenOfItsOwn(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        let first = try await session.authorize("DEMO-1")
        // Tokens of the same second have the same text: nothing else in the format differs.
        fixture.clock.advance(by: 1)
        let second = try await session.authorize("DEMO-1")
        #expect(first.text != second.text)
        #expect(fixture.count(of: .mediaToken) == 2)
        #expect(fixture.count(of: .authorization) == (dialect == .classic ? 1 : 2))
    }

    @Test(.row("T-09", "D-1"), arguments: ServiceDialect.both([300, 420, 7]))
    func aMediaTokenLivesAsLongAsItSays(dialect: ServiceDialect, seconds: Int) async throws {
        var world = SandboxWorld.demo
        world.behavior.mediaLifetime = seconds
        let (session, _) = try await FlowFixture(dialect, world: world).loggedIn()
        let claims = try await session.authorize("DEMO-1").claims
        #expect(claims.timeToLive == Int64(seconds) * 1_000)
        #expect(claims.expires.timeIntervalSince(claims.issued.date) == TimeInterval(seconds))
    }

    @Test(.row("T-08", "T-13", "AZ17"), arguments: ServiceDialect.allCases)
    func aMediaToken_namesNoDevice_andIsNotStored(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        let token = try await session.authorize("DEMO-1")
        let device = DeviceIdentity(seed: "device-1", app: nil)
        #expect(!token.rawText.contains(device.deviceID))
        #expect(!token.rawText.contains(device.fingerprint.hexadecimal))
        for key in fixture.storage.keys(under: .everything) {
            let value = String(decoding: try #require(fixture.storage.value(for: key)), as: UTF8.self)
            for form in [token.rawText, token.base64] { #expect(!value.contains(form), "\(key)") }
        }
    }
}
