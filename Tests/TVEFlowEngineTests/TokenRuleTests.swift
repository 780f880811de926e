import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVESandbox
import TVEStorage
import TVETestSupport
import Testing

/// What holds for stored and for handed-out tokens (API reference, C1).
@Suite(.serialized)
struct TokenRuleTests {
    @Test func CA1_T01_T07_aStoredToken_isALogin_afterARestart() async throws {
        let fixture = try await FlowFixture()
        let (first, _) = try await fixture.loggedIn()
        let (second, _) = try await fixture.session()
        #expect(await second.authenticationStatus() == first.authenticationStatus())
        guard case .authenticated(let profile) = await second.authenticationStatus() else {
            Issue.record("nobody is logged in")
            return
        }
        #expect(profile.mvpdID == "demo-cable")
    }

    @Test func T06_everyAuthorization_asksForAMediaTokenOfItsOwn() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        let first = try await session.authorize("DEMO-1")
        // Tokens of one second are the same text: the format has nothing else that tells them apart.
        fixture.clock.advance(by: 1)
        let second = try await session.authorize("DEMO-1")
        #expect(first.text != second.text)
        #expect(fixture.transport.requests.filter { $0.contains("deviceShortAuthorize") }.count == 2)
        #expect(fixture.transport.requests.filter { $0.contains("authorizeDevice") }.count == 1)
    }

    @Test(arguments: [300, 420, 7])
    func T09_aMediaTokenLivesAsLongAsItSays(seconds: Int) async throws {
        var world = SandboxWorld.demo
        world.behavior.mediaLifetime = seconds
        let fixture = try await FlowFixture(world: world)
        let (session, _) = try await fixture.loggedIn()
        let claims = try await session.authorize("DEMO-1").claims
        #expect(claims.timeToLive == Int64(seconds) * 1_000)
        #expect(claims.expires.timeIntervalSince(claims.issued.date) == TimeInterval(seconds))
    }

    @Test func T08_T13_aMediaToken_namesNoDevice_andIsNotStored() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        let token = try await session.authorize("DEMO-1")
        let device = DeviceIdentity(seed: "device-1", app: nil)
        #expect(!token.text.rawValue.contains(device.deviceID))
        #expect(!token.text.rawValue.contains(device.fingerprint.hexadecimal))
        for key in fixture.storage.keys(under: .everything) {
            let value = try #require(fixture.storage.value(for: key))
            #expect(value.range(of: Data(token.text.rawValue.utf8)) == nil)
        }
    }
}
