import Foundation
import HTTPTypes
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// Logins, logouts and questions in the right order, where the service keeps the logins too.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct LoginOrderTests {
    @Test func goesOnAfterFiveSeconds_whenTheServiceIsNotToldInTime() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let viewer = ViewerWhoLogsIn()
        fixture.transport.setInterception { request, _ in
            guard request.path?.contains("/logout/") == true, !viewer.shown.contains("picker: demo-cable demo-fiber")
            else {
                return nil
            }
            let (never, _) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            return .failure(.cancelled)
        }
        let logout = Task { try await session.logout(using: viewer) }
        while fixture.transport.requests.last?.contains("/logout/") != true, !Task.isCancelled {
            await Task.shortPause()
        }
        let login = Task { try await session.authenticate(using: viewer) }
        while fixture.clock.sleepers < 2, !Task.isCancelled { await Task.shortPause() }
        fixture.clock.advance(by: 4)
        #expect(fixture.clock.sleepers == 2)
        fixture.clock.advance(by: 1)
        _ = try await login.value
        _ = try? await logout.value
        // The login ends the old one itself.
        #expect(viewer.shown == ["picker: demo-cable demo-fiber", "logout", "login"])
    }

    @Test func answersAllQuestionsAboutTheViewer_anew_afterAnAuthorization() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        fixture.answer(.outcome, .rewritten { $0.replacing("\"12345\"", with: "\"54321\"") })
        let answers = await withTaskGroup(of: MetadataValue?.self) { group in
            for _ in 0..<3 { group.addTask { try? await session.metadata(.user("zip"))?.value } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: .array([.string("54321")]), count: 3))
    }

    /// The viewer chooses while the request runs, so that its answer is not stored.
    @Test(.row("MD10")) func asksForTheMetadataOnceMore_whenAChoiceHasOvertakenTheAnswer() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.outcome, request) else { return nil }
            await answer.pass()
            return .rewritten { $0.replacing("\"12345\"", with: "\"54321\"") }
        }
        let question = Task { try await session.metadata(.user("zip"))?.value }
        await answer.arrival()
        try await session.selectProvider("demo-cable")
        answer.open()
        #expect(try await question.value == .array([.string("12345")]))
        fixture.clock.advance(by: 31)
        #expect(try await session.metadata(.user("zip"))?.value == .array([.string("54321")]))
    }

    @Test func answersWithTheKnownMetadata_whenTheServiceTakesFiveSeconds() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.outcome, request) { await answer.pass() }
            return nil
        }
        let question = Task { try await session.metadata(.user("zip"))?.value }
        await answer.arrival()
        await fixture.clock.advanceOnceSomethingSleeps(by: 4)
        #expect(fixture.clock.sleepers == 1)
        fixture.clock.advance(by: 1)
        #expect(try await question.value == .array([.string("12345")]))
        answer.open()
    }

    @Test(.row("REST API v2, 9.9")) func asksNoOftenerThanEveryHalfMinute_whatTheServiceDoesNotAnswer() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        fixture.fail("/profiles")
        for _ in 0..<5 { #expect(try await session.metadata(.user("zip"))?.value == .array([.string("12345")])) }
        #expect(fixture.count(of: .outcome) <= 1 + 2)
    }

    @Test func opensTheLogoutPage_evenWhenALoginFollowsAtOnce() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session { environment in
            environment.clock.sleep = { [sleep = environment.clock.sleep] duration in
                // This is the time for which a login waits for the page of a logout that is open. It does not pass, so
                // the page opens and ends first.
                guard duration < .milliseconds(100) else { return try await sleep(duration) }
                await Gate().pass()
                try Task.checkCancellation()
            }
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let viewer = ViewerWhoLogsIn()
        let arrived = AsyncStream<Void>.makeStream()
        let gate = AsyncStream<Void>.makeStream()
        fixture.transport.setInterception { request, _ in
            guard request.path?.contains("/logout/") == true else { return nil }
            arrived.continuation.yield()
            for await _ in gate.stream { break }
            return nil
        }
        let logout = Task { try await session.logout(using: viewer) }
        _ = await arrived.stream.first { _ in true }
        let login = Task { try await session.authenticate(using: viewer) }
        while fixture.clock.sleepers < 2, !Task.isCancelled { await Task.shortPause() }
        gate.continuation.finish()
        _ = try? await logout.value
        _ = try await login.value
        #expect(viewer.shown == ["logout", "picker: demo-cable demo-fiber", "login"])
    }

    /// A network that redirects to its own page has not told the service anything.
    @Test(.row("CL19", "LO1")) func staysLoggedOut_whenANetworkRedirectsTheLogout() async throws {
        let fixture = try await FlowFixture(.restV2)
        let network = NetworkWithALogin(next: fixture.transport)
        let (session, _) = try await fixture.session { $0.transport = network }
        try await session.authenticate(using: ViewerWhoLogsIn())
        try await session.logout()
        let (again, _) = try await fixture.session { $0.transport = network }
        #expect(await !again.isLoggedIn)
        try await again.selectProvider("demo-cable")
        await #expect(throws: TVEError.self) { try await again.authenticate(using: ViewerWhoLogsIn()) }
        network.isOn.withLock { $0 = false }
        #expect(try await again.shownByALogin().suffix(2) == ["logout", "login"])
    }

    /// The page may be that of the provider, and the service has not said that it has ended the login.
    @Test func opensThePage_ofALogoutThatTheServiceHasNotConfirmed() async throws {
        let fixture = try await FlowFixture(.restV2)
        let network = NetworkWithALogin(next: fixture.transport)
        let (session, _) = try await fixture.session { $0.transport = network }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let viewer = ViewerOfLogoutPages()
        try await session.logout(using: viewer)
        #expect(viewer.pages.withLock(\.self) == ["http://network.example/login"])
        #expect(await session.hasPendingLogout)
    }

    /// A service that has no page for a logout may lead straight to the redirect.
    @Test func logsInAgain_afterALogout_thatLedStraightBack() async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session {
            $0.transport = ServiceThatLeadsBack(next: fixture.transport)
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        try await session.logout()
        #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty)
        #expect(try await session.shownByALogin().last == "login")
        #expect(await session.isLoggedIn)
    }

    /// The redirect of the logout's page arrives when the login page is open, where it may also be that of the login.
    ///
    /// The second redirect can only be that of the login.
    @Test(arguments: [1, 2])
    func showsTheLoginPageAgain_afterTheRedirectOfALogoutPageThatWasLeftOpen(redirects: Int) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let viewer = ViewerWithLateRedirects(redirects)
        let login = Task { try await session.authenticate(using: viewer, isForced: true).mvpdID }
        await viewer.isAtLogout.arrival()
        await fixture.clock.advanceOnceSomethingSleeps(by: 60)
        if redirects == 1 {
            #expect(try await login.value == "demo-cable")
        } else {
            await #expect(throws: TVEError(.authenticationFailed)) { try await login.value }
        }
        #expect(viewer.pages.withLock(\.self) == 2)
    }

    /// The login at which the logout's page was left open has ended since.
    @Test func showsTheLoginPageOnce_afterALogoutPageThatWasLeftOpenAtAnEarlierLogin() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let viewer = ViewerWithLateRedirects(nil)
        let login = Task { try await session.authenticate(using: viewer, isForced: true) }
        await viewer.isAtLogout.arrival()
        await fixture.clock.advanceOnceSomethingSleeps(by: 60)
        await viewer.isAtPage.arrival()
        await login.cancelled()
        let next = ViewerWhoLogsIn(viewer: .cancels)
        await #expect(throws: TVEError(.authenticationFailed)) { try await session.authenticate(using: next) }
        #expect(next.shown.filter { $0 == "login" }.count == 1)
    }

    /// Without a login on this device there is no page that the report would have to wait for.
    @Test(arguments: [true, false])
    func saysThatItIsLoggedOut_beforeTheServiceHasAnswered(isLoggedIn: Bool) async throws {
        let (fixture, session, log) = try await FlowFixture.started(.restV2)
        if isLoggedIn { try await session.authenticate(using: ViewerWhoLogsIn()) }
        let gate = AsyncStream<Void>.makeStream()
        fixture.transport.setInterception { request, _ in
            if request.path?.contains(isLoggedIn ? "/logout/" : "/profiles") == true {
                for await _ in gate.stream { break }
            }
            return nil
        }
        let logout = Task { try await session.logout(using: isLoggedIn ? nil : ViewerWhoLogsIn()) }
        while log.count(of: "not: notAuthenticated") == 0, !Task.isCancelled { await Task.shortPause() }
        gate.continuation.finish()
        try await logout.value
        #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty)
    }

    @Test(arguments: [
        ServiceDialect.refusal("internal_server_error", status: 500, action: "none"),
        ServiceDialect.refusal("network_received_error", status: 403, action: "retry"),
    ])
    func aTelevision_goesOn_whenTheServiceFailsOnce(answer: ScriptedTransport.Answer) async throws {
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session { $0.loginStyle = .secondScreen }
        let viewer = ViewerWhoLogsIn()
        let login = Task { try await session.authenticate(using: viewer) }
        while viewer.shownCodes.isEmpty, !Task.isCancelled { await Task.shortPause() }
        fixture.answer(.outcome, answer)
        for _ in 0..<3 {
            let asked = fixture.count(of: .outcome)
            await fixture.clock.advanceOnceSomethingSleeps(by: 5)
            while fixture.count(of: .outcome) == asked, !Task.isCancelled { await Task.shortPause() }
        }
        #expect(viewer.shownCodes.count == 1, "the code is still on the screen")
        await login.cancelled()
    }
}

/// A service that ends each login, and then leads to the redirect of its logout.
private struct ServiceThatLeadsBack: HTTPTransport {
    let next: any HTTPTransport

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let answer = try await next.send(request, body: body)
        guard request.path?.contains("/logout/") == true else { return answer }
        return (HTTPResponse(status: .found, headerFields: [.location: "adobepass://ios.app"]), Data())
    }
}

/// A network whose own login page answers each logout, until somebody logs in there.
private struct NetworkWithALogin: HTTPTransport {
    let next: any HTTPTransport
    let isOn = Guarded(true)

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        guard request.path?.contains("/logout/") == true, isOn.withLock(\.self) else {
            return try await next.send(request, body: body)
        }
        return (HTTPResponse(status: .found, headerFields: [.location: "http://network.example/login"]), Data())
    }
}

/// A viewer who only looks at logout pages.
private struct ViewerOfLogoutPages: AuthenticationPresenter {
    let pages = Guarded<[String]>([])

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { nil }
    func presentLogin(_ page: BrowserPage) async -> URL? { nil }
    func presentLogout(_ page: BrowserPage) async { pages.withLock { $0.append(page.url.absoluteString) } }
}

/// A viewer whose logout page never ends, and whose browser reaches the redirect some times before the viewer logs in.
private struct ViewerWithLateRedirects: AuthenticationPresenter {
    let isAtLogout = Gate()
    let isAtPage = Gate()
    /// The number of login pages that were opened.
    let pages = Guarded(0)
    /// The number of redirects that come too early, or `nil` for a viewer who stays at the page.
    private let redirects: Int?
    private let viewer = ViewerWhoLogsIn()

    init(_ redirects: Int?) {
        self.redirects = redirects
    }

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? {
        await viewer.chooseProvider(among: providers)
    }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        guard let redirects else {
            await isAtPage.pass()
            return nil
        }
        let number = pages.withLock { count in
            count += 1
            return count
        }
        if number <= redirects { return page.redirectURL }
        return await viewer.presentLogin(page)
    }

    func presentLogout(_ page: BrowserPage) async { await isAtLogout.pass() }
}
