import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

/// Logins that end because the viewer does something else.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct SupersededLoginTests {
    /// A viewer who stays at the picker until the test says otherwise.
    private final class ViewerAtPicker: AuthenticationPresenter {
        let picker = Gate()
        private let screens = Guarded<[String]>([])

        var shown: [String] { screens.withLock(\.self) }

        func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
            screens.withLock { $0.append("picker") }
            await picker.pass()
            return Task.isCancelled ? nil : "demo-cable"
        }

        func presentLogin(_ page: BrowserPage) async -> URL? {
            screens.withLock { $0.append(page.mustBeSeen ? "login" : "silent login") }
            return nil
        }

        func presentLogout(_ page: BrowserPage) async {}
    }

    /// The app returns to the foreground, which starts the session again, and the viewer logs in meanwhile.
    @Test(.row("PA4"))
    func showsNoSilentLogin_whenTheViewerHasBegunOne() async throws {
        let fixture = try await FlowFixture(
            .classic,
            world: .demo {
                $0.authenticatesPerRequestor = true
                $0.usesSafari = true
            })
        let (other, _) = try await fixture.session(requestor: "DEMO2")
        let (session, _) = try await fixture.session()
        try await session.authenticate(using: ViewerWhoLogsIn())
        let code = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.code, request) { await code.pass() }
            return nil
        }
        let viewer = ViewerAtPicker()
        let start = Task { try await other.start(using: viewer) }
        await code.arrival()
        let login = Task { try await other.authenticate(using: viewer) }
        await viewer.picker.arrival()
        code.open()
        _ = try await start.value
        #expect(viewer.shown == ["picker"])
        await login.cancelled()
    }

    /// Over REST API v2 a new session of the service ends the code of the one before it.
    @Test(.row("AS1"))
    func asksThePlatformNoMore_whenTheViewerHasBegunALogin() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let platform = HeldPlatform()
        let (session, _) = try await fixture.session { $0.platform = platform }
        platform.isSignedIn.withLock { $0 = true }
        let start = Task { try await session.start() }
        await platform.gate.arrival()
        platform.isSignedIn.withLock { $0 = false }
        let viewer = ViewerWhoLogsIn()
        let login = Task { try await session.authenticate(using: viewer) }
        while !viewer.shown.contains("login"), !Task.isCancelled { await Task.shortPause() }
        platform.gate.open()
        _ = try await start.value
        _ = try await login.value
        #expect(!fixture.transport.requests.contains { $0.contains("/sessions/sso/") })
    }

    /// A code that is no longer valid must not cover the app's next screen.
    @Test(.row("TV4"), arguments: ServiceDialect.allCases)
    func returnsToTheCaller_whenTheCodeIsOffTheScreen(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let (session, _) = try await fixture.session { $0.loginStyle = .secondScreen }
        let viewer = ViewerWithSlowScreen()
        let isOver = Guarded(false)
        let login = Task {
            _ = try? await session.authenticate(using: viewer)
            isOver.withLock { $0 = true }
        }
        while viewer.shown.isEmpty, !Task.isCancelled { await Task.shortPause() }
        try await session.selectProvider(nil)
        await viewer.hiding.arrival()
        // Either the caller waits for the screen, with a limit of its own, or it has its answer too early.
        #expect(await soon { fixture.clock.sleepers > 0 || isOver.withLock(\.self) })
        #expect(isOver.withLock(\.self) == false)
        viewer.hiding.open()
        await login.value
        #expect(viewer.shown.last == "none")
    }

    /// A television whose viewer has logged in on a phone, and whose screen is still hiding the code.
    private func codeIsBeingHidden() async throws -> (
        EntitlementSession, ViewerWithSlowScreen, login: Task<Profile, any Error>
    ) {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session { $0.loginStyle = .secondScreen }
        let viewer = ViewerWithSlowScreen()
        let login = Task { try await session.authenticate(using: viewer) }
        while viewer.shown.isEmpty, !Task.isCancelled { await Task.shortPause() }
        let base = fixture.sandbox.baseURL
        let code = URLQueryItem(name: "code", value: viewer.shown[0])
        var phone = HeadlessBrowser(transport: BrowserTransport())
        _ = await phone.open(
            base.appending(path: "activate").appending(queryItems: [code]),
            endingAt: base.appending(path: "activate/done"), as: .logsIn(name: "viewer", password: "secret"))
        await fixture.clock.advanceOnceSomethingSleeps(by: 5)
        await viewer.hiding.arrival()
        return (session, viewer, login)
    }

    /// The app's last notification must not be that the viewer is logged in.
    @Test(.row("TV4", "LO1"), arguments: ["logout", "logout of the provider", "cancel", "end"])
    func answersAtOnce_whenTheLoginIsOverBeforeTheScreenHasHiddenItsCode(word: String) async throws {
        let (session, viewer, login) = try await codeIsBeingHidden()
        switch word {
        case "logout": try await session.logout()
        case "logout of the provider": try await session.logout(of: "demo-cable")
        case "cancel": login.cancel()
        default: await session.end()
        }
        await #expect(throws: TVEError.self) { try await login.value }
        viewer.hiding.open()
    }

    /// The app has begun another login when it leaves the call of the first one.
    @Test func endsNoOtherLogin_whenACallThatWaitsForTheScreenIsCancelled() async throws {
        let (session, viewer, login) = try await codeIsBeingHidden()
        let next = ViewerAtPicker()
        let other = await session.begun { session in try await session.authenticate(using: next, isForced: true) }
        login.cancel()
        await #expect(throws: TVEError.self) { try await login.value }
        #expect(await session.hasRunningLogin)
        viewer.hiding.open()
        await other.cancelled()
    }

    /// The login with the code stays, whatever becomes of the other one.
    @Test func waitsForTheScreen_whenTheViewerLogsOutOfAnotherProvider() async throws {
        let (session, viewer, login) = try await codeIsBeingHidden()
        try await session.logout(of: "demo-fiber")
        viewer.hiding.open()
        #expect(try await login.value.mvpdID == "demo-cable")
    }

    /// The screen ends the presentation of a code only when its task is cancelled.
    @Test(.row("TV4"), arguments: ServiceDialect.allCases)
    func takesBackACode_thatTheScreenIsStillShowing(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let (session, _) = try await fixture.session { $0.loginStyle = .secondScreen }
        let viewer = ViewerWithOpenCode()
        let login = Task { try? await session.authenticate(using: viewer) }
        await viewer.showing.arrival()
        try await session.selectProvider(nil)
        #expect(await soon { viewer.hasHidden.withLock(\.self) })
        viewer.showing.open()
        _ = await login.value
    }

    /// A television whose screen is still hiding the code of one login when that of the next one is due.
    private func secondCodeIsDue(
        _ dialect: ServiceDialect
    ) async throws -> (FlowFixture, ViewerWithSlowScreen, logins: [Task<Profile, any Error>]) {
        let fixture = try await FlowFixture(dialect)
        let (session, log) = try await fixture.session { $0.loginStyle = .secondScreen }
        let viewer = ViewerWithSlowScreen()
        let first = Task { try await session.authenticate(using: viewer) }
        while viewer.shown.isEmpty, !Task.isCancelled { await Task.shortPause() }
        try await session.selectProvider(nil)
        await viewer.hiding.arrival()
        let second = Task { try await session.authenticate(using: viewer) }
        while log.count(of: "REGCODE") < 2, !Task.isCancelled { await Task.shortPause() }
        return (fixture, viewer, [first, second])
    }

    /// A television whose screen is slow shows what came last.
    @Test(.row("TV4"), arguments: ServiceDialect.allCases)
    func showsTheNextCode_whenTheScreenIsStillHidingTheOldOne(dialect: ServiceDialect) async throws {
        let (_, viewer, logins) = try await secondCodeIsDue(dialect)
        viewer.hiding.open()
        while viewer.shown.count < 3, !Task.isCancelled { await Task.shortPause() }
        #expect(viewer.shown.map { $0 == "none" } == [false, true, false])
        for login in logins { await login.cancelled() }
    }

    @Test(.row("TV4"), arguments: ServiceDialect.allCases)
    func showsTheNextCode_afterFiveSeconds_whenTheScreenNeverHidesTheOldOne(dialect: ServiceDialect) async throws {
        let (fixture, viewer, logins) = try await secondCodeIsDue(dialect)
        // The limit of the first call's answer, that of the second code, and the pause before the next request.
        #expect(await soon { fixture.clock.sleepers == 3 })
        fixture.clock.advance(by: 4.9)
        #expect(fixture.clock.sleepers == 3 && viewer.shown.count == 1)
        fixture.clock.advance(by: 0.1)
        #expect(await soon { viewer.shown.count == 2 })
        viewer.hiding.open()
        for login in logins { await login.cancelled() }
    }
}

/// A platform whose viewer is signed in when the test says so; its silent answer is held.
private final class HeldPlatform: PlatformSignOn {
    let gate = Gate()
    let isSignedIn = Guarded(false)

    func access(mayAsk: Bool) async -> PlatformAccess { .granted }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        guard isSignedIn.withLock(\.self) else { throw .notSignedIn }
        await gate.pass()
        return PlatformAccount(providerID: "apple-cable")
    }
}

/// A viewer of a television that takes its time to hide a code.
private final class ViewerWithSlowScreen: AuthenticationPresenter {
    let hiding = Gate()
    private let codes = Guarded<[String]>([])

    /// The codes that the screen showed, in order.
    var shown: [String] { codes.withLock(\.self) }

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }
    func presentLogin(_ page: BrowserPage) async -> URL? { nil }
    func presentLogout(_ page: BrowserPage) async {}

    func show(_ code: RegistrationCode) async { codes.withLock { $0.append(code.code) } }

    func hideCode() async {
        await hiding.pass()
        codes.withLock { $0.append("none") }
    }
}

/// A viewer of a television that shows a code until the test or a cancellation ends it.
private final class ViewerWithOpenCode: AuthenticationPresenter {
    let showing = Gate()
    let hasHidden = Guarded(false)

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }
    func presentLogin(_ page: BrowserPage) async -> URL? { nil }
    func presentLogout(_ page: BrowserPage) async {}
    func show(_ code: RegistrationCode) async { await showing.pass() }
    func hideCode() async { hasHidden.withLock { $0 = true } }
}
