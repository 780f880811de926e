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

/// Logins that ended on this device and must not return, where the service keeps them too.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct EndedLoginTests {
    @Test func aLoginThatTheServiceWasNotToldAbout_opensNoDoor_whenTheViewerChoosesAgain() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.fail("/logout/")
        try await session.logout(using: ViewerWhoLogsIn())
        let viewer = ViewerWhoLogsIn()
        await #expect(throws: TVEError.self) { try await session.authenticate(using: viewer) }
        #expect(!fixture.isLoginStored)
        fixture.transport.setScript { _, _ in nil }
        try await session.authenticate(using: viewer)
        #expect(viewer.shown.last == "login")
        #expect(await fixture.isLoggedInAfterAll(session))
    }

    @Test(arguments: ["invalid_header_device_info", "invalid_integration", "internal_server_error"])
    func aRefusedLogout_isTriedAgain(code: String) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer("/logout/", ServiceDialect.refusal(code, status: 400, action: "none"))
        try await session.logout(using: ViewerWhoLogsIn())
        let (again, _) = try await fixture.session()
        #expect(await !again.isLoggedIn)
        fixture.transport.setScript { _, _ in nil }
        #expect(await !fixture.isLoggedInAfterAll(again))
        #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty)
    }

    /// The service has not ended the login, whatever it says.
    @Test(
        .row("CL19"),
        arguments: [
            #"{"logouts":{}}"#, #"{"logouts":{"demo-cable":null}}"#,
            #"{"logouts":{},"status":500,"code":"internal_server_error","action":"none","message":"m"}"#,
            #"{"logouts":{"demo-fiber":{"actionName":"complete","actionType":"none"}}}"#,
            #"{"logouts":{"demo-cable":{"actionName":"complete","actionType":"none"}}}"#,
            #"{"status":403,"code":"authorization_denied_by_hba_policies","action":"authentication"}"#,
        ])
    func aLogoutThatIsNotCarriedOut_isSentAgain(body: String) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer("/logout/", .response(status: body.contains("403") ? 403 : 200, body: body))
        try await session.logout(using: ViewerWhoLogsIn())
        #expect(!fixture.storage.keys(under: StorageKey("logout")).isEmpty)
        fixture.transport.setScript { _, _ in nil }
        let (again, _) = try await fixture.session()
        #expect(await !again.isLoggedIn)
        #expect(await !fixture.isLoggedInAfterAll(again))
        #expect(fixture.transport.requests.count { $0.contains("/logout/demo-cable") } == 2)
        #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty)
    }

    @Test func aLoginThatTheDeviceDidNotKnow_goesToo_onceTheServiceCanBeTold() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        for provider: MVPDID in ["demo-cable", "demo-fiber"] {
            try await session.selectProvider(provider)
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        // The copy of the first is lost.
        fixture.storage.apply([.removeAll(under: fixture.login)])
        fixture.fail("/api/v2/")
        try await session.logout(using: ViewerWhoLogsIn())
        fixture.transport.setScript { _, _ in nil }
        let (again, _) = try await fixture.session()
        #expect(await !again.isLoggedIn)
        #expect(await !fixture.isLoggedInAfterAll(again))
    }

    @Test func aLogoutOverTheClassicDialect_holdsOverThisOne() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let (classic, _) = try await fixture.session(.classic, requestor: "DEMO2")
        #expect(await !classic.isLoggedIn, "It cannot use a copy of this dialect.")
        try await classic.logout()
        #expect(await !session.isLoggedIn)
        #expect(await !fixture.isLoggedInAfterAll(session))
    }

    @Test func anEndedLogin_doesNotBringAnotherProvidersLogin() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        for provider: MVPDID in ["demo-fiber", "demo-cable"] {
            try await session.selectProvider(provider)
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        fixture.transport.setScript { request, _ in
            if fixture.isAt(.authorization, request) { return ServiceDialect.restV2.endedLogin }
            return request.path?.contains("/profiles/demo-cable") == true ? ServiceDialect.restV2.noLogin : nil
        }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(await !fixture.isLoggedInAfterAll(session))
        fixture.transport.setScript { _, _ in nil }
        // The app did not request a logout.
        #expect(!fixture.transport.requests.contains { $0.contains("/logout/") })
        #expect(try await session.shownByALogin() == [], "with the same provider, of which the service has a login")
        #expect(!fixture.transport.requests.contains { $0.contains("/logout/") })
    }

    @Test func aChoiceThatIsTakenBack_counts_whileTheServiceIsAsked() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        let (session, _) = try await fixture.session(started: false)
        fixture.transport.setInterception { request, _ in
            if request.path?.hasSuffix("/profiles") == true { _ = try? await session.selectProvider(nil) }
            return nil
        }
        try await session.start()
        #expect(await !session.isLoggedIn)
    }

    @Test func aClassicLogin_doesNotSettle_whatTheServiceWasNotTold() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let (classic, _) = try await fixture.session(.classic)
        try await classic.logout()
        try await classic.authenticate(using: ViewerWhoLogsIn())
        try await classic.logout()
        #expect(await !fixture.isLoggedInAfterAll(session))
    }

    /// A login that only the service knows, ended here while the service could not be told.
    private func withUnknownLogin() async throws -> FlowFixture {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        fixture.transport.setScript { request, _ in
            let path = request.path ?? ""
            return path.contains("/logout/") || path.contains("/profiles") ? .failure(.unreachable) : nil
        }
        try await session.logout()
        return fixture
    }

    @Test func aPageOfAnotherProvider_thatWasAbandoned_bringsNoLoginBack() async throws {
        let fixture = try await withUnknownLogin()
        let (session, _) = try await fixture.session()
        try await session.selectProvider("demo-fiber")
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authenticate(using: ViewerWhoLogsIn(viewer: nil))
        }
        // Profiles can be read again, and the service still cannot be told.
        fixture.answer("/logout/", .failure(.unreachable))
        let (again, _) = try await fixture.session()
        #expect(await !again.isLoggedIn)
    }

    @Test func aLoginWithAnotherProvider_staysAndEndsNoNote() async throws {
        let fixture = try await withUnknownLogin()
        fixture.answer("/logout/", .failure(.unreachable))
        let (session, _) = try await fixture.session()
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(await session.isLoggedIn)
        // When the service can be told, the old login is ended and the new one stays.
        fixture.transport.setScript { _, _ in nil }
        let (again, _) = try await fixture.session()
        #expect(await fixture.isLoggedInAfterAll(again))
        #expect(try await again.selectedProvider()?.id == "demo-fiber")
        #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty)
        try await again.selectProvider(nil)
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        let (last, _) = try await fixture.session()
        #expect(try await last.selectedProvider()?.id == "demo-fiber", "The service keeps no other.")
    }

    /// The integration of the first provider was disabled, so its logout is refused for good.
    @Test func aLogoutThatIsRefusedForGood_doesNotHideTheEndOfALaterLogin() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let refusal = ServiceDialect.refusal("invalid_integration", status: 400, action: "none")
        fixture.answer("/logout/demo-cable", refusal)
        try await session.logout(using: ViewerWhoLogsIn())
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        #expect(await fixture.isLoggedInAfterAll(session))
        fixture.transport.setScript { request, _ in
            switch request.path {
            case let path? where path.contains("/logout/demo-cable"): refusal
            case let path? where path.contains("/profiles/demo-fiber"):
                .response(status: 200, body: #"{"profiles":{}}"#)
            default: nil
            }
        }
        #expect(await !fixture.isLoggedInAfterAll(session))
        // The end of the earlier login is still pending.
        #expect(!fixture.storage.keys(under: StorageKey("logout")).isEmpty)
    }

    /// The integration of the second provider was disabled, and the copy of the login with the first is lost.
    @Test(.row("LO10")) func aRefusedLogout_isSentOnceAtAStart_andStopsNoOther() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        for provider: MVPDID in ["demo-cable", "demo-fiber"] {
            try await session.selectProvider(provider)
            try await session.authenticate(using: ViewerWhoLogsIn())
            fixture.clock.advance(by: 60)
        }
        fixture.storage.apply([.removeAll(under: fixture.login)])
        fixture.fail("/api/v2/")
        try await session.logout()
        fixture.answer(
            "/logout/demo-fiber", ServiceDialect.refusal("invalid_integration", status: 400, action: "none"))
        // The service lists the login that it does not end first, because it lasts longer, and then alone.
        for expected in [["demo-fiber", "demo-cable"], ["demo-fiber"]] {
            let before = fixture.transport.requests.count
            _ = try await fixture.session()
            let told = fixture.transport.requests.dropFirst(before).filter { $0.contains("/logout/") }
            #expect(told == expected.map { "GET /api/v2/DEMO/logout/\($0)" })
        }
    }

    /// The service received the logout before the answer to an earlier request arrived, so no logout is pending.
    ///
    /// A logout of one provider says nothing about the other one, so its late answer still counts.
    @Test(.row("PR6"), arguments: [nil, "demo-cable", "demo-fiber"] as [MVPDID?])
    func aLateAnswerAboutAnotherProvider_bringsNoLoginBack(logout: MVPDID?) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        try await session.selectProvider("demo-fiber")
        try await session.authenticate(using: ViewerWhoLogsIn())
        fixture.storage.apply([.removeAll(under: fixture.login)])
        let answer = fixture.holdFirstAnswer(to: "/profiles/demo-cable")
        let early = Task { try await session.preauthorize(["DEMO-1"], as: "demo-cable") }
        await answer.arrival()
        if let logout { try await session.logout(of: logout) } else { try await session.logout() }
        answer.open()
        if logout == "demo-fiber" {
            #expect(try await early.value.map(\.isAuthorized) == [true])
        } else {
            await #expect(throws: TVEError(.notAuthenticated)) { try await early.value }
        }
        #expect(fixture.isLoginStored == (logout == "demo-fiber"))
    }

    /// A call whose answer depends on the login with Demo Cable.
    enum Question: CaseIterable {
        case profiles, profile, preauthorization

        /// The path of the request.
        var path: String {
            switch self {
            case .profiles: "/profiles"
            case .profile: "/profiles/demo-cable"
            case .preauthorization: "/decisions/preauthorize/demo-cable"
            }
        }

        /// Returns a Boolean value that indicates whether the viewer is logged in, according to the answer.
        func findsLogin(_ session: EntitlementSession) async throws -> Bool {
            switch self {
            case .profiles: return try await !session.profiles().isEmpty
            case .profile: return try await session.profile(with: "demo-cable") != nil
            case .preauthorization:
                do throws(TVEError) {
                    return try await !session.preauthorize(["DEMO-1"]).isEmpty
                } catch {
                    guard error.code == .notAuthenticated else { throw error }
                    return false
                }
            }
        }
    }

    /// A logout, which the service receives or which is still pending.
    enum Ending: CaseIterable {
        case received, pending, pendingOfAnotherProcess, ofAnotherProvider
    }

    @Test(.row("CL12", "PR6"), arguments: Question.allCases, Ending.allCases)
    func aLateAnswer_findsTheLogin_unlessItHasEndedMeanwhile(question: Question, ending: Ending) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let (other, _) = try await fixture.session(started: false)
        let answer = fixture.holdFirstAnswer(to: question.path, receivesLogouts: ending == .received)
        let early = Task { try await question.findsLogin(session) }
        await answer.arrival()
        try await (ending == .pendingOfAnotherProcess ? other : session)
            .logout(of: ending == .ofAnotherProvider ? "demo-fiber" : "demo-cable")
        answer.open()
        #expect(try await early.value == (ending == .ofAnotherProvider))
    }

    /// The logout was pending when the service was asked, and another process has sent it since.
    @Test(.row("CL12"), arguments: [Question.profiles, .profile])
    func aLateAnswer_findsNoLogin_whoseLogoutWasPending(question: Question) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let (other, _) = try await fixture.session()
        await other.refreshTask?.value
        let (answer, isDue, isAway) = (Gate(), Guarded(true), Guarded(true))
        fixture.transport.setInterception { request, body in
            if request.path?.contains("/logout/") == true, isAway.withLock(\.self) { return .failure(.unreachable) }
            guard request.path?.contains(question.path) == true, isDue.taken() else { return nil }
            return await fixture.lateAnswer(to: request, body: body, after: answer)
        }
        try await session.logout(of: "demo-cable")
        let early = Task { try await question.findsLogin(session) }
        await answer.arrival()
        isAway.withLock { $0 = false }
        _ = try await other.profiles()
        #expect(await !other.hasPendingLogout)
        answer.open()
        #expect(try await !early.value)
    }

    /// The service has made a page in place of the old login, which nobody has seen.
    @Test func aLogoutStaysPending_whenTheLoginAfterItIsCancelledBeforeItsPage() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.fail("/logout/")
        try await session.logout(of: "demo-cable")
        let (answer, before) = (Gate(), fixture.count(of: .code))
        fixture.transport.setInterception { request, body in
            // The first answer says that the service still has the old login, which is then ended.
            guard fixture.isAt(.code, request), fixture.count(of: .code) == before + 2 else { return nil }
            return await fixture.lateAnswer(to: request, body: body, after: answer)
        }
        let login = Task { try await session.authenticate(using: ViewerWhoLogsIn()) }
        await answer.arrival()
        await login.cancelled()
        answer.open()
        // The work that nobody waits for needs only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(await session.hasPendingLogout)
    }

    // Actions of another process with the same store while the service was asked.
    @Test func anAnswerAboutTheTimeBefore_doesNotCount() async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        let (other, _) = try await fixture.session()
        // It asks by itself when it starts.
        while await other.lastRefresh == nil, !Task.isCancelled { await Task.shortPause() }
        await other.refreshTask?.value
        fixture.transport.setInterception { request, _ in
            guard request.path?.hasSuffix("/profiles/demo-cable") == true else { return nil }
            fixture.transport.setInterception { _, _ in nil }
            fixture.clock.advance(by: 1)
            _ = try? await other.authenticate(using: ViewerWhoLogsIn(), isForced: true)
            return ServiceDialect.restV2.noLogin
        }
        #expect(await fixture.isLoggedInAfterAll(session), "the login of the other process stays")
        #expect(log.count(of: "not: notAuthenticated") == 0)
        fixture.transport.setInterception { request, _ in
            guard request.path?.hasSuffix("/profiles/demo-cable") == true else { return nil }
            fixture.transport.setInterception { _, _ in nil }
            try? await other.logout()
            return fixture.profile()
        }
        #expect(await !fixture.isLoggedInAfterAll(session), "and so does its logout")
    }

    /// The other process logs the viewer in and out while the answer to the first logout is on its way.
    @Test func aLogoutDuringALogout_isSentSeparately() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let (other, _) = try await fixture.session()
        await other.refreshTask?.value
        let (answer, isFirst, isAway) = (Gate(), Guarded(true), Guarded(false))
        fixture.transport.setInterception { request, body in
            guard request.path?.contains("/logout/demo-cable") == true else { return nil }
            if isFirst.taken() { return await fixture.lateAnswer(to: request, body: body, after: answer) }
            return isAway.withLock(\.self) ? .failure(.unreachable) : nil
        }
        let logout = Task { try await session.logout(of: "demo-cable") }
        await answer.arrival()
        try await other.authenticate(using: ViewerWhoLogsIn())
        isAway.withLock { $0 = true }
        try await other.logout(of: "demo-cable")
        answer.open()
        try await logout.value
        #expect(await session.hasPendingLogout)
        isAway.withLock { $0 = false }
        let (next, _) = try await fixture.session()
        #expect(await !next.isLoggedIn)
        #expect(await !next.hasPendingLogout)
    }

    /// The service has the login, and the copy of it is still stored.
    @Test func aLoginWhoseChoiceWasTakenBack_staysUnused_afterTheNextStart() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        try await session.selectProvider(nil)
        #expect(await !fixture.isLoggedInAfterAll(session))
        let (next, _) = try await fixture.session()
        #expect(await !next.isLoggedIn)
        #expect(try await next.selectedProvider() == nil)
    }

    @Test func aLoginThatIsFinishedAfterARelaunch_isNotTakenForTheOldOne() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.fail("/logout/")
        try await session.logout(using: ViewerWhoLogsIn())
        fixture.transport.setScript { _, _ in nil }
        let pages = AsyncStream<BrowserPage>.makeStream()
        let login = Task { try await session.authenticate(using: ViewerWhoLeaves(pages: pages.continuation)) }
        let page = try #require(await pages.stream.first { _ in true })
        var browser = HeadlessBrowser(transport: BrowserTransport())
        _ = await browser.open(page.url, endingAt: page.redirectURL, as: .logsIn(name: "viewer", password: "secret"))
        // The process ends here, and the next one finds the login.
        await login.cancelled()
        let (next, _) = try await fixture.session()
        #expect(await fixture.isLoggedInAfterAll(next))
    }
}

extension FlowFixture {
    /// Holds the service's first answer to a path back until the gate opens.
    ///
    /// - Parameter receivesLogouts: a Boolean value that indicates whether the service receives logouts.
    fileprivate func holdFirstAnswer(to path: String, receivesLogouts: Bool = true) -> Gate {
        let (answer, isDue) = (Gate(), Guarded(true))
        transport.setInterception { [next = BrowserTransport()] request, body in
            if request.path?.contains("/logout/") == true, !receivesLogouts { return .failure(.unreachable) }
            guard request.path?.contains(path) == true, isDue.taken() else { return nil }
            guard let (response, data) = try? await next.send(request, body: body) else { return nil }
            await answer.pass()
            return .response(status: response.status.code, body: String(decoding: data, as: UTF8.self))
        }
        return answer
    }
}

/// The viewer's task is cancelled while the page is open.
private struct ViewerWhoLeaves: AuthenticationPresenter {
    let pages: AsyncStream<BrowserPage>.Continuation

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }

    func presentLogin(_ page: BrowserPage) async -> URL? {
        pages.yield(page)
        let (never, _) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        return nil
    }

    func presentLogout(_ page: BrowserPage) async {}
}
