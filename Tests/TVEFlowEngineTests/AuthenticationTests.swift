import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import Testing

@Suite(.serialized)
struct AuthenticationTests {
    @Test(arguments: ["demo-cable", "demo-fiber"])
    func SP1_HX1_logsIn_throughPickerAndPage(provider: String) async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.session()
        let viewer = ViewerAtHome(choice: provider)
        let profile = try await session.authenticate(using: viewer)
        #expect(profile.mvpdID == provider && profile.requestorID == "DEMO")
        #expect(profile.expires == fixture.clock.now.addingTimeInterval(2_592_000))
        #expect(profile.trackingID.utf8.count == 32)
        #expect(viewer.shown == ["picker: demo-cable demo-fiber", "login"])
        #expect(log.take() == ["selected \(provider)", "authn cached false", "authenticated"])
        #expect(await session.authenticationStatus() == .authenticated(profile))
        #expect(log.take() == ["authn cached true", "authenticated"])
    }

    @Test func T07_findsTheLogin_afterARestart() async throws {
        let fixture = try await FlowFixture()
        _ = try await fixture.loggedIn()
        let (session, log) = try await fixture.session()
        let viewer = ViewerAtHome()
        try await session.authenticate(using: viewer)
        #expect(viewer.shown.isEmpty)
        #expect(log.take() == ["authn cached true", "authenticated"])
    }

    @Test func CA2_saysNotAuthenticated_whenNobodyLoggedIn() async throws {
        let (session, log) = try await FlowFixture().session()
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(log.take() == ["N000", "authn false", "not: notAuthenticated"])
    }

    @Test func CA3_saysNotAuthenticated_fromTheSecondOfExpiryOn() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        fixture.clock.advance(by: 2_592_000 - 1)
        guard case .authenticated = await session.authenticationStatus() else {
            Issue.record("The token still has a second.")
            return
        }
        fixture.clock.advance(by: 1)
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
    }

    @Test func CA4_T03_saysNotAuthenticated_whenTheProviderIsGone() async throws {
        let fixture = try await FlowFixture()
        _ = try await fixture.loggedIn()
        fixture.answer("/config/", .rewritten { $0.replacing("<id>demo-cable</id>", with: "<id>other</id>") })
        let (session, _) = try await fixture.session()
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
    }

    @Test func T30_passesOverATokenOfAnotherDevice_andKeepsIt() async throws {
        let fixture = try await FlowFixture()
        _ = try await fixture.loggedIn()
        let kept = fixture.entitlements
        let (other, _) = try await fixture.session(device: "device-2")
        #expect(await other.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(fixture.entitlements == kept)
    }

    @Test func GA2_showsALogin_whenForced() async throws {
        let (session, _) = try await FlowFixture().loggedIn()
        let viewer = ViewerAtHome()
        try await session.authenticate(using: viewer, isForced: true)
        #expect(viewer.shown == ["login"])
    }

    @Test func GA5_skipsThePicker_whenTheProviderIsKnown() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        fixture.clock.advance(by: 2_592_000)
        let viewer = ViewerAtHome()
        try await session.authenticate(using: viewer)
        #expect(viewer.shown == ["login"])
    }

    @Test(arguments: [
        ("SP2", ViewerAtHome(choice: nil)), ("SP3", ViewerAtHome(viewer: nil)),
    ])
    func storesNothing_whenTheViewerLeaves(row: String, viewer: ViewerAtHome) async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.session()
        let error = await #expect(throws: TVEError.self) { try await session.authenticate(using: viewer) }
        #expect(error?.code == .providerNotSelected && error?.status == .providerSelectionCancelled, "\(row)")
        #expect(log.take().suffix(3) == ["N005", "authn false", "not: providerNotSelected"])
        #expect(fixture.entitlements == 0)
    }

    @Test func HX2_reportsNoToken_whenTheViewerPressesCancelOnThePage() async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.session()
        await #expect(throws: TVEError(.authenticationFailed)) {
            try await session.authenticate(using: ViewerAtHome(viewer: .cancels))
        }
        #expect(log.take().suffix(3) == ["N130", "authn false", "not: authenticationFailed"])
        #expect(fixture.entitlements == 0)
    }

    @Test func leavesTheLogin_whenThePasswordIsWrong() async throws {
        let (session, _) = try await FlowFixture().session()
        let viewer = ViewerAtHome(viewer: .logsIn(name: "viewer", password: "wrong"))
        await #expect(throws: TVEError(.providerNotSelected)) { try await session.authenticate(using: viewer) }
    }

    @Test func refusesAProviderThatWasNotOffered() async throws {
        let (session, _) = try await FlowFixture().session()
        await #expect(throws: TVEError(.unknownProvider)) {
            try await session.authenticate(using: ViewerAtHome(choice: "nope"))
        }
    }

    // What a service can get wrong between page and token; the token that was there stays good.
    @Test(arguments: [
        ("HX2", ScriptedTransport.Answer.response(status: 401, body: ""), TVEError.Code.authenticationFailed, "N130"),
        ("HX3", .failure(.unreachable), .serviceUnreachable, "N500"),
        ("HX3", .response(status: 500, body: "<html>oops"), .serviceFailed, "N500"),
        ("HX3", .response(status: 200, body: "garbage"), .serviceFailed, "N500"),
        ("HX3", .response(status: 200, body: "<result><authnToken>x</authnToken></result>"), .serviceFailed, "N500"),
        (
            "another device",
            .rewritten {
                $0.replacing(
                    /simpleTokenFingerprint&gt;[0-9a-f]{40}/,
                    with: "simpleTokenFingerprint&gt;" + String(repeating: "0", count: 40))
            }, .deviceMismatch, "SEC412"
        ),
        (
            "device mismatch", .response(status: 200, body: "<pendingLogout reason=\"34764\">true</pendingLogout>"),
            .deviceMismatch, "SEC412"
        ),
        (
            "token of another requestor",
            .rewritten { $0.replacing("RequestorID&gt;DEMO&lt;", with: "RequestorID&gt;DEMO2&lt;") },
            .authenticationFailed, "N500"
        ),
    ])
    func keepsWhatWasStored_whenTheServiceFails(
        row: String, answer: ScriptedTransport.Answer, code: TVEError.Code, status: String
    ) async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.loggedIn()
        fixture.answer("/sessionDevice", answer)
        let error = await #expect(throws: TVEError.self, "\(row)") {
            try await session.authenticate(using: ViewerAtHome(), isForced: true)
        }
        #expect(error?.code == code && error?.status?.rawValue == status, "\(row)")
        #expect(log.take().suffix(3) == [status, "authn false", "not: \(code.rawValue)"])
        guard case .authenticated = await session.authenticationStatus() else {
            Issue.record("\(row): the earlier login is gone.")
            return
        }
    }

    @Test func TV2_reportsThatThereIsNoRegistrationCode() async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.session()
        fixture.answer("/regcode", .response(status: 500, body: ""))
        await #expect(throws: TVEError(.authenticationFailed)) { try await session.authenticate(using: ViewerAtHome()) }
        #expect(log.take().contains("REG500"))
    }

    @Test(.timeLimit(.minutes(1)))
    func cancelsTheLogin_withItsTask() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.session()
        for choice in [String?.none, "demo-cable"] {
            let viewer = ViewerAsleep(choice: choice)
            let login = Task { try await session.authenticate(using: viewer) }
            for await _ in viewer.isAtPage.stream { break }
            login.cancel()
            await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
        }
        #expect(fixture.entitlements == 0)
    }

    @Test(.timeLimit(.minutes(1)))
    func givesUpThePage_whenTheCodeHasRunOut() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.session()
        let viewer = ViewerAsleep()
        let login = Task { try await session.authenticate(using: viewer) }
        for await _ in viewer.isAtPage.stream { break }
        while fixture.clock.sleepers == 0 { await Task.yield() }
        fixture.clock.advance(by: 1_800)
        await #expect(throws: TVEError(.providerNotSelected)) { try await login.value }
    }

    @Test func showsOneLogin_toCallersAtTheSameTime() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.session()
        let viewer = ViewerAtHome()
        async let first = session.authenticate(using: viewer)
        async let second = session.authenticate(using: viewer)
        #expect(try await first == second)
        #expect(viewer.shown.filter { $0 == "login" }.count == 1)
    }

    @Test func SP7_answersProviderNotSelected_whenNobodyIsLoggedIn() async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.session()
        try await session.selectProvider("demo-fiber")
        _ = log.take()
        try await session.selectProvider(nil)
        #expect(log.take() == ["authn false", "not: providerNotSelected"])
        #expect(try await session.selectedProvider() == nil)
        #expect(fixture.storage.value(for: fixture.login.appending("authn")) == nil)
    }

    @Test func SP8_forgetsTheChoice_andKeepsTheToken() async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.loggedIn()
        let kept = fixture.storage.keys(under: fixture.login)
        try await session.selectProvider(nil)
        #expect(log.take() == ["authn false", "not: providerNotSelected"])
        #expect(Set(fixture.storage.keys(under: fixture.login)) == Set(kept))
        #expect(try await session.selectedProvider() == nil)
    }

    @Test func SP11_SP12_choosesTheProviderOfTheNextLogin() async throws {
        let (session, log) = try await FlowFixture().loggedIn()
        try await session.selectProvider("demo-fiber")
        #expect(log.take() == ["selected demo-fiber"])
        #expect(try await session.selectedProvider()?.id == "demo-fiber")
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        let viewer = ViewerAtHome()
        #expect(try await session.authenticate(using: viewer).mvpdID == "demo-fiber")
        #expect(viewer.shown == ["login"])
        // The first login is still there.
        try await session.selectProvider("demo-cable")
        guard case .authenticated = await session.authenticationStatus() else {
            Issue.record("The login with the first provider is gone.")
            return
        }
    }

    @Test func SP13_refusesAnUnknownProvider() async throws {
        let (session, log) = try await FlowFixture().loggedIn()
        await #expect(throws: TVEError(.unknownProvider)) { try await session.selectProvider("nope") }
        #expect(log.take() == ["N500", "authn false", "not: unknownProvider"])
        #expect(try await session.selectedProvider()?.id == "demo-cable")
    }

    @Test func treatsAnUnreadableToken_asNone_andKeepsIt() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.loggedIn()
        let key = fixture.login.appending("authn")
        fixture.storage.apply([.put(key, Data("garbage".utf8))])
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(fixture.storage.value(for: key) == Data("garbage".utf8))
    }

    // The viewer leaves while the library itself is busy: before the page is there, and after the redirect.
    @Test(arguments: ["/regcode", "/sessionDevice"])
    func SP6_endsTheLogin_whereverItIs(path: String) async throws {
        let fixture = try await FlowFixture()
        let (session, log) = try await fixture.session()
        fixture.transport.setInterception { request, _ in
            if request.path?.contains(path) == true { try? await session.selectProvider(nil) }
            return nil
        }
        await #expect(throws: TVEError(.providerNotSelected)) { try await session.authenticate(using: ViewerAtHome()) }
        #expect(log.take().suffix(3) == ["N005", "authn false", "not: providerNotSelected"])
        #expect(fixture.entitlements == 0)
    }

    @Test(arguments: ["/regcode", "/sessionDevice"])
    func staysLoggedOut_whenTheViewerLogsOutDuringALogin(path: String) async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.session()
        fixture.transport.setInterception { request, _ in
            if request.path?.contains(path) == true { try? await session.logout() }
            return nil
        }
        await #expect(throws: TVEError(.providerNotSelected)) { try await session.authenticate(using: ViewerAtHome()) }
        #expect(fixture.entitlements == 0)
    }

    @Test func logsIn_withAProxiedProvider() async throws {
        let fixture = try await FlowFixture()
        let (session, _) = try await fixture.session()
        fixture.answer(
            "/sessionDevice",
            .rewritten {
                $0.replacing(
                    "simpleTokenMsoID&gt;demo-cable&lt;/simpleTokenMsoID&gt;",
                    with: "simpleTokenMsoID&gt;proxy&lt;/simpleTokenMsoID&gt;"
                        + "&lt;simpleTokenSubMvpdID&gt;demo-cable&lt;/simpleTokenSubMvpdID&gt;")
            })
        let profile = try await session.authenticate(using: ViewerAtHome())
        #expect(profile.mvpdID == "demo-cable")
        #expect(await session.authenticationStatus() == .authenticated(profile))
    }
}
