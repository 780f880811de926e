import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVETestSupport
import TVETestTraits
import Testing

@Suite(.fewAtATime, .timeLimit(.hanging))
struct SecondScreenTests {
    /// A television with a viewer whose telephone is at hand.
    private struct Television {
        let fixture: FlowFixture
        let session: EntitlementSession
        let log: EventLog
        let viewer = ViewerWhoLogsIn()
        let login: Task<Result<Profile, TVEError>, Never>

        init(
            _ fixture: FlowFixture, isForced: Bool = false, change: (inout SessionEnvironment) -> Void = { _ in }
        ) async throws {
            self.fixture = fixture
            (session, log) = try await fixture.session {
                $0.loginStyle = .secondScreen
                change(&$0)
            }
            login = Task { [session, viewer] in
                do throws(TVEError) {
                    return .success(try await session.authenticate(using: viewer, isForced: isForced))
                } catch {
                    return .failure(error)
                }
            }
        }

        /// Returns the code with the given number, counted from 1, once the screen has shown it.
        func code(_ count: Int = 1) async -> String {
            while viewer.shownCodes.count < count, !Task.isCancelled { await Task.shortPause() }
            return viewer.shownCodes.dropFirst(count - 1).first ?? "never shown"
        }

        /// Lets the television ask for its token again, and take the answer.
        func poll() async {
            let asked = polls
            await fixture.clock.advanceOnceSomethingSleeps(by: 5)
            while polls == asked, !Task.isCancelled { await Task.shortPause() }
            // Until the answer was taken too, otherwise the next code may still be part of it.
            while fixture.clock.sleepers == 0, viewer.shownCodes.last != "none", !Task.isCancelled {
                await Task.shortPause()
            }
        }

        var polls: Int { fixture.count(of: .outcome) }

        /// Types the code on the telephone.
        func type(_ code: String, as phone: HeadlessBrowser.Viewer) async throws {
            let base = fixture.sandbox.baseURL
            var browser = HeadlessBrowser(transport: BrowserTransport())
            let end = if case .cancels = phone { "cancelled" } else { "done" }
            let done = base.appending(path: "activate/\(end)")
            let page = base.appending(path: "activate").appending(queryItems: [URLQueryItem(name: "code", value: code)])
            guard case .redirect = await browser.open(page, endingAt: done, as: phone) else {
                Issue.record("The telephone did not get to the end.")
                return
            }
        }
    }

    /// The session is complete, so a page on the telephone may open the login without adding anything (the vendor's
    /// flow "with preselected mvpd").
    @Test(
        .row("REST API v2, 5.2", "REST API v2, 5.5"),
        arguments: [
            (nil, [], nil, "adobepass://ios.app"), ("https://tv.example.com/tv", [], nil, "https://tv.example.com/tv"),
            ("https://tv.example.com/tv", ["https://tv.example.com"], "own.app://login", "https://tv.example.com/tv"),
            ("https://tv.example.com/tv", ["own.app://login"], nil, "own.app://login"),
            ("https://tv.example.com/tv", [], "own.app://login", "own.app://login"),
        ] as [(String?, [String], String?, String)])
    func overRESTv2_beginsACompleteSession(
        page: String?, registered: [String], named: String?, end: String
    ) async throws {
        var world = SandboxWorld.demo
        world.behavior.restV2.redirectURLs = registered
        let fixture = try await FlowFixture(.restV2, world: world)
        let television = try await Television(fixture) {
            $0.activationURL = page.flatMap(URL.init)
            $0.safariRedirectURL = named.flatMap(URL.init)
        }
        let code = await television.code()
        let session = fixture.sandbox.exchanges.last { $0.path.hasSuffix("/sessions") }
        let form = String(decoding: session?.request.body ?? Data(), as: UTF8.self).removingPercentEncoding
        #expect(form == "mvpd=demo-cable&domainName=localhost&redirectUrl=\(end)")
        var phone = HeadlessBrowser(transport: BrowserTransport())
        let start = fixture.sandbox.baseURL.appending(path: "api/v2/authenticate/DEMO/\(code)")
        let redirect = try #require(URL(string: end))
        let outcome = await phone.open(
            start, endingAt: redirect, as: .logsIn(name: "viewer", password: "secret"))
        #expect(outcome == .redirect(redirect))
        await television.poll()
        #expect(try await television.login.value.get().mvpdID == "demo-cable")
    }

    /// Nobody corrects the application's configuration while the viewer waits.
    @Test func overRESTv2_aFaultOfTheConfiguration_endsTheLogin() async throws {
        let fixture = try await FlowFixture(.restV2)
        let television = try await Television(fixture)
        _ = await television.code()
        fixture.answer(
            .outcome,
            .response(
                status: 500,
                body: #"{"status":500,"code":"invalid_configuration_temporary_access","action":"configuration"}"#))
        await fixture.clock.advanceOnceSomethingSleeps(by: 5)
        let answer = await television.login.value
        #expect(throws: TVEError(.authenticationFailed)) { try answer.get() }
        #expect(television.viewer.shownCodes.last == "none")
    }

    /// Either error means that the service does not know the code any more.
    @Test(.row("TV5"), arguments: ["invalid_authentication_session", "invalid_parameter_code"])
    func overRESTv2_showsANewCode_whenTheServiceHasForgottenTheFirst(error: String) async throws {
        let fixture = try await FlowFixture(.restV2)
        let television = try await Television(fixture)
        let first = await television.code()
        fixture.answer(.outcome, .response(status: 400, body: #"{"status":400,"code":"\#(error)","action":"none"}"#))
        await fixture.clock.advanceOnceSomethingSleeps(by: 1_790)
        #expect(await television.code(2) != first)
        await television.login.cancelled()
    }

    /// The logout also ends a login that no device has fetched yet, a case that a random walk found.
    @Test(.row("LO10", "D-25")) func overRESTv2_aLogoutOfAnotherRequestor_endsTheLoginOfACodeThatWasLeft() async throws
    {
        let fixture = try await FlowFixture(.restV2)
        let television = try await Television(fixture)
        let code = await television.code()
        await television.login.cancelled()
        try await television.type(code, as: .logsIn(name: "viewer", password: "secret"))
        try await fixture.session(requestor: "DEMO2").0.logout()
        let (again, _) = try await fixture.session()
        #expect(await !again.isLoggedIn)
        #expect(fixture.transport.requests.contains { $0.contains("/DEMO/logout/demo-cable") })
    }

    /// The service has begun the login with this code in place of the platform's.
    @Test(.row("LO10", "D-25", "AS22"))
    func overRESTv2_aLogoutOfAnotherRequestor_endsTheLoginThatBeganInPlaceOfThePlatforms() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform { $0.boardingStatus = "PICKER" })
        fixture.answer(
            .configuration,
            .rewritten { $0.replacing("\"boardingStatus\":\"PICKER\"", with: "\"boardingStatus\":\"SUPPORTED\"") })
        let television = try await Television(fixture) {
            $0.platform = ScriptedPlatform(.init(picker: .success("apple-cable")))
        }
        let code = await television.code()
        #expect(fixture.count(of: .code) == 0)
        await television.login.cancelled()
        try await television.type(code, as: .logsIn(name: "viewer", password: "secret"))
        try await fixture.session(requestor: "DEMO2").0.logout()
        let (again, _) = try await fixture.session()
        #expect(await !again.isLoggedIn)
        #expect(fixture.transport.requests.contains { $0.contains("/DEMO/logout/demo-cable") })
    }

    @Test(.row("TV1", "TV3", "REGCODE"), arguments: ServiceDialect.allCases)
    func logsIn_whenSomebodyTypesTheCode(dialect: ServiceDialect) async throws {
        let television = try await Television(FlowFixture(dialect))
        let code = await television.code()
        #expect(code.wholeMatch(of: /[A-Z0-9]{7}/) != nil)
        await television.poll()
        try await television.type(code, as: .logsIn(name: "viewer", password: "secret"))
        await television.poll()
        #expect(try await television.login.value.get().mvpdID == "demo-cable")
        #expect(television.viewer.shown == ["picker: demo-cable demo-fiber"], "TV1: no page on this device")
        #expect(television.viewer.shownCodes == [code, "none"])
        #expect(television.log.take() == ["selected demo-cable", "REGCODE", "authn cached false", "authenticated"])
    }

    /// A QR code has the page and the code in it.
    @Test(arguments: ServiceDialect.allCases)
    func namesThePageAtWhichTheViewerTypesTheCode(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let (session, _) = try await fixture.session {
            $0.loginStyle = .secondScreen
            $0.activationURL = URL(string: "https://tv.example.com/activate?from=tv")
        }
        let pages = Guarded<[String?]>([])
        let viewer = ViewerOfPages { code in pages.withLock { [code] in $0.append(code.activationURL?.absoluteString) }
        }
        let login = Task { try await session.authenticate(using: viewer) }
        while pages.withLock(\.isEmpty), !Task.isCancelled { await Task.shortPause() }
        let page = try #require(pages.withLock { $0[0] })
        #expect(page.wholeMatch(of: /https:\/\/tv\.example\.com\/activate\?from=tv&code=[A-Z0-9]{7}/) != nil)
        await login.cancelled()
    }

    @Test(.row("TV2"), arguments: ServiceDialect.allCases)
    func reportsThatThereIsNoCode(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        fixture.answer(.code, .response(status: 500, body: ""))
        let television = try await Television(fixture)
        #expect(await television.login.value == .failure(TVEError(.authenticationFailed)))
        #expect(television.log.take().contains("REG500"))
    }

    @Test(.row("TV4", "SP5", "CL9"), arguments: ServiceDialect.allCases)
    func stopsAsking_whenTheChoiceIsTakenBack(dialect: ServiceDialect) async throws {
        let television = try await Television(FlowFixture(dialect))
        _ = await television.code()
        await television.poll()
        try await television.session.selectProvider(nil)
        #expect(await television.login.value == .failure(TVEError(.providerNotSelected)))
        let polls = television.polls
        television.fixture.clock.advance(by: 60)
        #expect(television.polls == polls && television.fixture.clock.sleepers == 0)
        #expect(television.log.take().suffix(3) == ["N005", "authn false", "not: providerNotSelected"])
    }

    /// The next login begins when nothing of the one before is under way any more.
    @Test(arguments: ServiceDialect.allCases)
    func sendsNoLastRequest_whenTheWaitForItIsCancelled(dialect: ServiceDialect) async throws {
        let television = try await Television(FlowFixture(dialect))
        _ = await television.code()
        #expect(await soon { television.fixture.clock.sleepers > 0 })
        try await television.session.selectProvider(nil)
        let viewer = ViewerWhoLogsIn()
        let next = Task { [session = television.session] in try await session.authenticate(using: viewer) }
        #expect(await soon { !viewer.shownCodes.isEmpty })
        let asked = dialect == .classic ? "/sessionDevice" : "/profiles/code/"
        #expect(television.fixture.transport.requests.filter { $0.contains(asked) } == [])
        next.cancel()
        _ = try? await next.value
    }

    @Test(.row("TV5", "CL9"), arguments: ServiceDialect.allCases)
    func showsANewCode_whenTheOldOneHasRunOut_andGivesUpAfterFour(dialect: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.behavior.registrationCodeLifetime = 10
        let television = try await Television(FlowFixture(dialect, world: world))
        for round in 1...4 {
            _ = await television.code(round)
            for _ in 0..<2 { await television.poll() }
        }
        #expect(await television.login.value == .failure(TVEError(.authenticationFailed)))
        #expect(Set(television.viewer.shownCodes).count == 5, "four codes and none")
        let words = television.log.take()
        #expect(words.filter { $0 == "REGCODE" }.count == 4)
        #expect(words.suffix(3) == ["N130", "authn false", "not: authenticationFailed"])
    }

    /// A television in standby wakes long after the end of the code that it shows.
    @Test(.row("TV5", "CL9")) func overRESTv2_asksNothing_withACodeThatEndedInStandby() async throws {
        let television = try await Television(FlowFixture(.restV2))
        let first = await television.code()
        await television.poll()
        let polls = television.polls
        await television.fixture.clock.advanceOnceSomethingSleeps(by: 7_200)
        let second = await television.code(3)
        #expect(second != first && television.polls == polls)
        try await television.type(second, as: .logsIn(name: "viewer", password: "secret"))
        await television.poll()
        #expect(try await television.login.value.get().mvpdID == "demo-cable")
    }

    /// A television may wake up before its network, and a firewall or a proxy may answer for the service.
    ///
    /// - Parameter status: the status that the service answers until it is back, or `nil` if it never is.
    @Test(.row("TV5"), arguments: ServiceDialect.allCases, [500, 503, 403, 401, nil])
    func showsANewCode_whenTheServiceIsBackWithinTenMinutes(dialect: ServiceDialect, status: Int?) async throws {
        var world = SandboxWorld.demo
        world.behavior.registrationCodeLifetime = 10
        let fixture = try await FlowFixture(dialect, world: world)
        let television = try await Television(fixture) {
            $0.transport = ChallengingTransport(next: fixture.transport)
        }
        let first = await television.code()
        fixture.transport.setScript { request, _ in
            if fixture.isAt(.outcome, request) { return .failure(.unreachable) }
            guard fixture.isAt(.code, request) else { return nil }
            return status.map { ScriptedTransport.Answer.response(status: $0, body: "") } ?? .failure(.unreachable)
        }
        for _ in 0..<2 { await television.poll() }
        #expect(await soon { fixture.clock.sleepers > 0 && television.viewer.shownCodes == [first, "none"] })
        if status != nil {
            fixture.transport.setScript { _, _ in nil }
            await fixture.clock.advanceOnceSomethingSleeps(by: 9)
            #expect(fixture.clock.sleepers > 0)
            fixture.clock.advance(by: 1)
            #expect(await television.code(3) != first)
            await television.login.cancelled()
        } else {
            await fixture.clock.advanceOnceSomethingSleeps(by: 590)
            // The next request follows ten seconds after the one that has just failed.
            #expect(await soon { fixture.clock.sleepers > 0 })
            fixture.clock.advance(by: 10)
            #expect(await television.login.value == .failure(TVEError(.serviceUnreachable)))
        }
    }

    /// The service refuses the request itself, so that no wait helps.
    @Test(
        arguments: [400, 402, 428, 430, 499].map { (ServiceDialect.classic, $0) } + [(.restV2, 400)])
    func endsTheLogin_whenTheServiceWillGiveNoOtherCode(dialect: ServiceDialect, status: Int) async throws {
        var world = SandboxWorld.demo
        world.behavior.registrationCodeLifetime = 10
        let fixture = try await FlowFixture(dialect, world: world)
        let television = try await Television(fixture)
        let code = await television.code()
        fixture.answer(.code, .response(status: status, body: ""))
        for _ in 0..<2 { await television.poll() }
        #expect(await television.login.value == .failure(TVEError(.authenticationFailed)))
        #expect(television.viewer.shownCodes == [code, "none"])
    }

    /// The viewer typed the first code in its last second: the login that came of it is the one that was asked for.
    @Test(.row("TV5", "GA2")) func overRESTv2_aForcedLogin_endsTheOldLoginWithItsFirstCodeAlone() async throws {
        var world = SandboxWorld.demo
        world.behavior.registrationCodeLifetime = 10
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2, world: world)
        let television = try await Television(fixture, isForced: true)
        let code = await television.code()
        try await television.type(code, as: .logsIn(name: "viewer", password: "secret"))
        fixture.answer("/profiles/code/", ServiceDialect.restV2.noLogin)
        for _ in 0..<2 { await television.poll() }
        #expect(try await television.login.value.get().mvpdID == "demo-cable")
        #expect(fixture.transport.requests.filter { $0.contains("/logout/demo-cable") }.count == 1)
        #expect(television.log.count(of: "REGCODE") == 1)
    }

    /// A viewer who has chosen another provider has just begun, however long the first one took.
    @Test(.row("TV5", "TV7"), arguments: ServiceDialect.allCases)
    func givesUpAfterFourCodes_ofTheProviderThatWasChosenLast(dialect: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.behavior.registrationCodeLifetime = 10
        let television = try await Television(FlowFixture(dialect, world: world))
        for number in 1...7 {
            guard await soon({ television.log.count(of: "REGCODE") == number }) else { break }
            if number == 3 {
                try await television.session.selectProvider("demo-fiber")
            } else {
                for _ in 0..<2 { await television.poll() }
            }
        }
        #expect(await television.login.value == .failure(TVEError(.authenticationFailed)))
        #expect(television.log.count(of: "REGCODE") == 7, "three codes of the first provider, and four of the second")
    }

    @Test(.row("TV7", "GA9"), arguments: ServiceDialect.allCases)
    func showsTheSameCodeAgain_andGoesOn(dialect: ServiceDialect) async throws {
        let television = try await Television(FlowFixture(dialect))
        let code = await television.code()
        let second = Task { [television] in try await television.session.authenticate(using: television.viewer) }
        while television.log.count(of: "REGCODE") < 2, !Task.isCancelled { await Task.shortPause() }
        try await television.type(code, as: .logsIn(name: "viewer", password: "secret"))
        await television.poll()
        #expect(try await television.login.value.get() == second.value)
        #expect(television.log.count(of: "authenticated") == 1)
    }

    @Test(arguments: ServiceDialect.allCases)
    func goesOn_whenTheServiceIsAwayForAWhile(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let television = try await Television(fixture)
        let code = await television.code()
        // The access token has ended, and a filter answers for the service.
        fixture.transport.setScript { request, _ in
            if fixture.isAt(.accessToken, request) { return .response(status: 403, body: "<html>") }
            return fixture.isAt(.outcome, request) ? .response(status: 401, body: #"{"error":"expired"}"#) : nil
        }
        await television.poll()
        for answer in [
            ScriptedTransport.Answer.failure(.unreachable), .response(status: 503, body: ""),
            .response(status: 429, body: ""),
        ] {
            fixture.answer(.outcome, answer)
            await television.poll()
        }
        fixture.transport.setScript { _, _ in nil }
        try await television.type(code, as: .logsIn(name: "viewer", password: "secret"))
        await television.poll()
        _ = try await television.login.value.get()
    }

    /// The polls are marked as requests that may wait for a service which asks for a backoff (`PacedTransportTests`).
    @Test(.row("CL27"), arguments: ServiceDialect.allCases)
    func asksForTheLogin_asSomethingThatMayWait(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let television = try await Television(fixture)
        _ = await television.code()
        let limits = Guarded<[Duration?]>([])
        fixture.transport.setScript { request, _ in
            if fixture.isAt(.outcome, request) { limits.withLock { $0.append(PacedTransport.backoffLimit.get()) } }
            return nil
        }
        await television.poll()
        #expect(limits.withLock(\.self) == [.seconds(600)])
    }

    /// A code that has expired is not shown any longer because the service asks for a backoff.
    @Test(.row("TV5", "CL27"), arguments: ServiceDialect.allCases)
    func showsANewCode_whenTheOldOneRunsOutInASilence(dialect: ServiceDialect) async throws {
        var world = SandboxWorld.demo
        world.behavior.registrationCodeLifetime = 10
        let fixture = try await FlowFixture(dialect, world: world)
        let isFirst = Guarded(true)
        let television = try await Television(fixture) {
            $0.transport = SilentOnce(next: fixture.transport) { fixture.isAt(.outcome, $0) && isFirst.taken() }
        }
        let first = await television.code()
        await fixture.clock.advanceOnceSomethingSleeps(by: 5)
        #expect(await soon { !isFirst.withLock(\.self) })
        // One pause, after which nothing is left of the code.
        await fixture.clock.advanceOnceSomethingSleeps(by: 5)
        #expect(await soon { television.viewer.shownCodes.count > 1 })
        // The request for the next code respects the backoff, as nobody waits for it at the television.
        await fixture.clock.advanceOnceSomethingSleeps(by: 600)
        #expect(await soon { television.viewer.shownCodes.count > 2 })
        #expect(television.viewer.shownCodes.prefix(2) == [first, "none"])
        await television.login.cancelled()
    }

    @Test(.row("wire protocol, 3.1"), arguments: ServiceDialect.allCases)
    func goesOn_whileSomebodyIsAtTheLogin_andAfterACancel(dialect: ServiceDialect) async throws {
        let television = try await Television(FlowFixture(dialect))
        let code = await television.code()
        // The service treats the television's own request for the page as a viewer who is logging in.
        await television.poll()
        try await television.type(code, as: .cancels)
        await television.poll()
        try await television.type(code, as: .logsIn(name: "viewer", password: "secret"))
        await television.poll()
        _ = try await television.login.value.get()
    }

    @Test(.row("GA3"), arguments: ServiceDialect.allCases)
    func showsNoCode_whenTheProviderIsDegraded(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .demo { $0.degradation = .authenticateAll })
        let television = try await Television(fixture)
        _ = try await television.login.value.get()
        #expect(television.log.take() == ["selected demo-cable", "N010", "authn cached false", "authenticated"])
    }

    @Test(.row("SP8"), arguments: ServiceDialect.allCases)
    func startsAnew_rightAfterTheChoiceWasTakenBack(dialect: ServiceDialect) async throws {
        let television = try await Television(FlowFixture(dialect))
        _ = await television.code()
        let session = television.session
        // Tasks need not start in the order in which they are made, and an earlier `authenticate` would join the login
        // that ends.
        await session.begin { _ = try? await $0.selectProvider(nil) }
        let again = Task { try await session.authenticate(using: television.viewer) }
        #expect(await television.login.value == .failure(TVEError(.providerNotSelected)))
        let code = await television.code(3)
        #expect(code != "none", "a code of its own")
        try await television.type(code, as: .logsIn(name: "viewer", password: "secret"))
        await television.poll()
        _ = try await again.value
    }

    @Test(.row("TV7"), arguments: ServiceDialect.allCases)
    func showsACodeOfAnotherProvider_whenTheViewerChoosesAnother(dialect: ServiceDialect) async throws {
        let television = try await Television(FlowFixture(dialect))
        let first = await television.code()
        try await television.session.selectProvider("demo-fiber")
        let second = await television.code(3)
        #expect(first != second && television.viewer.shownCodes[1] == "none")
        try await television.type(second, as: .logsIn(name: "viewer", password: "secret"))
        await television.poll()
        #expect(try await television.login.value.get().mvpdID == "demo-fiber")
        #expect(
            television.log.take() == [
                "selected demo-cable", "REGCODE", "selected demo-fiber", "REGCODE", "authn cached false",
                "authenticated",
            ])
    }

    @Test(.row("Q15"), arguments: ServiceDialect.allCases)
    func endsSilently_whenTheSessionIsClosed(dialect: ServiceDialect) async throws {
        let television = try await Television(FlowFixture(dialect))
        _ = await television.code()
        _ = television.log.take()
        television.session.close()
        #expect(await television.login.value == .failure(TVEError(.providerNotSelected)))
        #expect(television.log.take().isEmpty && television.fixture.clock.sleepers == 0)
    }

    @Test(.row("CL8"), arguments: ServiceDialect.allCases)
    func asksNoFasterThanEveryFiveSeconds(dialect: ServiceDialect) async throws {
        let television = try await Television(FlowFixture(dialect))
        _ = await television.code()
        await television.fixture.clock.advanceOnceSomethingSleeps(by: 4.9)
        #expect(television.polls == 0)
        await television.poll()
        #expect(television.polls == 1)
        television.login.cancel()
        _ = await television.login.value
    }

    @Test(.row("LO3"), arguments: ServiceDialect.allCases)
    func logsOut_withoutAPage(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let television = try await Television(fixture)
        try await television.type(await television.code(), as: .logsIn(name: "viewer", password: "secret"))
        await television.poll()
        _ = try await television.login.value.get()
        try await television.session.logout(using: television.viewer)
        #expect(!television.viewer.shown.contains("logout"))
        #expect(fixture.entitlements == 0)
    }
}

/// A transport that answers one request with a wish for a backoff of ten minutes.
struct SilentOnce: HTTPTransport {
    let next: any HTTPTransport
    let isDue: @Sendable (HTTPRequest) -> Bool

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        guard isDue(request) else { return try await next.send(request, body: body) }
        return (HTTPResponse(status: .tooManyRequests, headerFields: [.retryAfter: "600"]), Data())
    }
}

/// A viewer of a television that passes on its codes.
private struct ViewerOfPages: SecondScreenPresenter {
    let see: @Sendable (RegistrationCode) -> Void

    func chooseProvider(among providers: [TVProvider]) async -> MVPDID? { "demo-cable" }
    func show(_ code: RegistrationCode) async { see(code) }
}
