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

/// Tests of the stored data and of the requests after an answer that changes something.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct KeptAndForgottenTests {
    /// A profile that the service has renewed: the same login, which lasts a little longer.
    private static let renewed = ScriptedTransport.Answer.rewritten {
        $0.replacing(/"notAfter":\s?(\d+)/) { "\"notAfter\":\((Int($0.output.1) ?? 0) + 1000)" }
    }

    /// Another program of the same device, which has the same registration and a store of its own.
    private func otherProgram(_ fixture: FlowFixture) async throws -> EntitlementSession {
        let storage = MemoryStorage()
        for key in fixture.storage.keys(under: StorageKey("registration")) {
            storage.apply([.put(key, try #require(fixture.storage.value(for: key)))])
        }
        return try await fixture.session { $0.storage = storage }.0
    }

    // MARK: - The viewer's data

    /// The app's data about the viewer is sent for a promotional TempPass only.
    @Test(
        .row("AZ20"),
        arguments: [
            ("the configuration is known", true), ("nothing is known of the provider", false),
        ])
    func theAppsDataAboutAViewer_isSentForNoOrdinaryProvider(situation: String, isConfigured: Bool) async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        try await first.selectProvider("demo-fiber")
        try await first.authenticate(using: ViewerWhoLogsIn())
        // The service still has the login, and the device no copy of it.
        fixture.storage.apply([.removeAll(under: fixture.login)])
        let (session, _) = try await fixture.session()
        if isConfigured { _ = try await session.configuration() }
        let before = fixture.sandbox.exchanges.count
        let token = try await session.authorize("DEMO-1", as: "demo-cable", data: ["email": "0f0f"])
        #expect(token.claims.mvpdID == "demo-cable")
        let sent = fixture.sandbox.exchanges.dropFirst(before)
        #expect(sent.contains { $0.path.contains("/profiles/demo-cable") })
        for exchange in sent {
            let hasData = exchange.request.headers.contains { $0.name.lowercased() == "ap-temppass-identity" }
            #expect(!hasData, "\(situation): \(exchange.path)")
        }
    }

    // MARK: - Logouts that the service does not know yet

    @Test(.row("AS4", "AS12"), arguments: [false, true])
    func aLogoutWithoutNetwork_isSent_beforeALoginOfThePlatform(isAtStart: Bool) async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2, world: .withPlatform())
        fixture.fail("/logout/")
        try await first.logout()
        let platform = ScriptedPlatform(.init(picker: .success("apple-cable")))
        let (session, _) = try await fixture.session { $0.platform = platform }
        #expect(await !session.isLoggedIn)
        fixture.transport.setScript { _, _ in nil }
        let before = fixture.transport.requests.count
        if isAtStart {
            platform.change { $0.signedIn = "apple-cable" }
            try await session.start()
        } else {
            try await session.authenticate(using: ViewerWhoLogsIn(choice: nil))
        }
        let asked = Array(fixture.transport.requests.dropFirst(before))
        let sent = try #require(asked.firstIndex { $0.contains("/logout/demo-cable") })
        let exchanged = try #require(asked.firstIndex { $0.contains("/sessions/sso/") })
        #expect(sent < exchanged)
        // The service has named the page of the old login, which would end the new one.
        #expect(await !session.hasUnopenedLogoutPage)
        #expect(try await session.metadata(.user("tokenSource"))?.value == .string("Apple"))
    }

    /// The service would return the login that the viewer has ended instead of the platform's.
    @Test func aLogoutThatTheServiceDoesNotHear_keepsThePlatformFromLoggingIn() async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2, world: .withPlatform())
        fixture.fail("/logout/")
        try await first.logout()
        let platform = ScriptedPlatform(.init(picker: .success("apple-cable")))
        let (session, log) = try await fixture.session { $0.platform = platform }
        _ = log.take()
        let viewer = ViewerWhoLogsIn(choice: nil)
        await #expect(throws: TVEError(.providerNotSelected)) { try await session.authenticate(using: viewer) }
        #expect(log.take().first == "VSA503")
        #expect(viewer.shown == ["platform dialog", "picker: demo-cable demo-fiber"])
        #expect(!fixture.transport.requests.contains { $0.contains("/sessions/sso/") })
    }

    /// The requestor does not work with the provider any more, so that there is no login with it that could end.
    @Test func aLogoutWithAProviderThatHasGone_leavesNothingToTell() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.answer(
            "/logout/", ServiceDialect.refusal("invalid_parameter_mvpd", status: 400, action: "configuration"))
        try await session.logout()
        fixture.transport.setScript { _, _ in nil }
        #expect(await !session.isLoggedIn)
        // The provider comes back, and its next login is kept up to date like any other.
        try await session.authenticate(using: ViewerWhoLogsIn())
        let before = fixture.transport.requests.count
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(!fixture.transport.requests.dropFirst(before).contains { $0.contains("/logout/") })
        #expect(fixture.storage.keys(under: StorageKey("logout")).isEmpty)
    }

    /// No request can carry such an id, and the logouts of real providers must not wait for it.
    @Test(arguments: [("", 1), (".", 1), (".", 2), ("x", 70_000)])
    func aLogoutOfAnIdThatNoProviderHas_leavesNothingToTell(text: String, count: Int) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        try await session.logout(of: MVPDID(String(repeating: text, count: count)))
        #expect(await session.isLoggedIn)
        #expect(await !session.hasPendingLogout)
        fixture.answer("/logout/", .response(status: 503, body: ""))
        try await session.logout()
        #expect(await session.hasPendingLogout)
        fixture.transport.setScript { _, _ in nil }
        let before = fixture.transport.requests.count
        let (next, _) = try await fixture.session()
        #expect(fixture.transport.requests.dropFirst(before).contains { $0.contains("/logout/demo-cable") })
        #expect(await !next.hasPendingLogout)
    }

    @Test(.row("LO10")) func aServiceThatIsAway_isAskedOnce_atALogoutOfSeveralLogins() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        for provider: MVPDID in ["demo-cable", "demo-fiber"] {
            try await session.selectProvider(provider)
            try await session.authenticate(using: ViewerWhoLogsIn())
        }
        fixture.fail("/logout/")
        let before = fixture.transport.requests.count
        try await session.logout()
        #expect(fixture.transport.requests.dropFirst(before).filter { $0.contains("/logout/") }.count == 1)
        // Nor is it asked for each of them at the next start.
        let second = fixture.transport.requests.count
        _ = try await fixture.session()
        #expect(fixture.transport.requests.dropFirst(second).filter { $0.contains("/logout/") }.count == 1)
    }

    // MARK: - Answers of a refresh

    /// The degraded login is everybody's, and knows nothing of this viewer.
    @Test(.row("MD10")) func theViewersMetadata_stays_whileTheProviderIsDegraded() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let zip = #""zip":{"value":["00000"],"state":"plain"}"#
        fixture.answer(.outcome, fixture.profile("degraded", lasting: 120, attributes: zip))
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(try await session.metadata(.user("zip"))?.value == .array([.string("12345")]))
        #expect(try await session.metadata(.user("channelID")) != nil)
    }

    /// The text of the value is the same as before.
    @Test(.row("MD5")) func anEncryptionThatHasEnded_isStored_alsoIfNoValueHasChanged() async throws {
        var world = SandboxWorld.demo
        world.viewers[0].encrypted = ["householdID": "c2VjcmV0"]
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2, world: world)
        let before = try await session.metadata(.user("householdID"))
        #expect(before == Metadata(value: .string("c2VjcmV0"), isEncrypted: true))
        fixture.answer(.outcome, .rewritten { $0.replacing("\"state\":\"enc\"", with: "\"state\":\"plain\"") })
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(try await session.metadata(.user("householdID")) == Metadata(value: .string("c2VjcmV0")))
    }

    /// The stored metadata contains the time at which the service sent it.
    @Test func theViewersMetadata_isNotStoredAgain_ifTheServiceConfirmsIt() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let key = fixture.login.appending("metadata")
        let stored = try #require(fixture.storage.value(for: key))
        let asked = fixture.count(of: .outcome)
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(fixture.count(of: .outcome) == asked + 1)
        #expect(fixture.storage.value(for: key) == stored)
    }

    @Test(arguments: [(29.0, 0), (30, 1)])
    func aLogin_isAskedAboutAgain_after30Seconds(later: TimeInterval, requests: Int) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        #expect(await fixture.isLoggedInAfterAll(session))
        // A call that finds the viewer logged in ends no request, so that the last one still counts.
        try await session.authenticate(using: ViewerWhoLogsIn())
        let before = fixture.count(of: .outcome)
        fixture.clock.advance(by: later)
        _ = await session.authenticationStatus()
        await session.refreshTask?.value
        #expect(fixture.count(of: .outcome) == before + requests)
    }

    /// Without the platform's status the service does not mention its logins, which says nothing about this one.
    @Test(.row("AS18")) func aLoginOfThePlatform_stays_whenThePlatformDidNotAnswerAtTheStart() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let (first, _) = try await fixture.session { $0.platform = ScriptedPlatform(.init(signedIn: "apple-cable")) }
        #expect(await first.isLoggedIn)
        let (session, log) = try await fixture.session(started: false) { $0.platform = PlatformThatHangs() }
        let start = Task { try await session.start() }
        #expect(await soon { fixture.clock.sleepers > 0 })
        fixture.clock.advance(by: 30)
        try await start.value
        #expect(log.take() == ["AAPL"])
        // The platform is asked again for its proof, and hangs again.
        let passing = Task {
            while !Task.isCancelled {
                if fixture.clock.sleepers > 0 { fixture.clock.advance(by: 5) }
                await Task.shortPause()
            }
        }
        #expect(await fixture.isLoggedInAfterAll(session))
        passing.cancel()
        #expect(fixture.isLoginStored)
    }

    /// The service has renewed the login, which still ends with the account on the platform.
    @Test func aLoginOfThePlatform_staysOne_whenTheServiceRenewsIt() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let (session, _) = try await fixture.session { $0.platform = platform }
        let copy = fixture.storage.value(for: fixture.login.appending("authn"))
        fixture.answer(.outcome, Self.renewed)
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(fixture.storage.value(for: fixture.login.appending("authn")) != copy)
        // The service must not answer instead of the platform.
        fixture.fail("/profiles")
        platform.change { $0.signedIn = nil }
        try await session.start()
        #expect(await !session.isLoggedIn)
    }

    /// The service renews the copy while it decides about a play: the login is the same, and so is the viewer.
    @Test(.row("AZ15")) func aPlay_goesOn_whenTheCopyOfItsLoginIsReplacedMeanwhile() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.authorization, request) { await answer.pass() }
            return fixture.isAt(.outcome, request) ? Self.renewed : nil
        }
        let copy = fixture.storage.value(for: fixture.login.appending("authn"))
        let play = Task { try await session.authorize("DEMO-1") }
        await answer.arrival()
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(fixture.storage.value(for: fixture.login.appending("authn")) != copy)
        answer.open()
        #expect(try await play.value.claims.resource == "DEMO-1")
    }

    /// The device's clock is a month ahead, and the service still confirms exactly this login.
    @Test(.row("Q13")) func aLoginThatHasOnlyExpiredByADevicesClock_stays() async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        let copy = fixture.storage.value(for: fixture.login.appending("authn"))
        let ahead = ManualClock(fixture.clock.now.addingTimeInterval(31 * 86_400), shortWait: .seconds(3))
        let (session, _) = try await fixture.session { $0.clock = ahead.sessionClock }
        #expect(await !session.isLoggedIn)
        #expect(fixture.count(of: .outcome) > 0)
        #expect(fixture.storage.value(for: fixture.login.appending("authn")) == copy)
        // On a device whose clock is right again, the viewer need not log in.
        #expect(try await fixture.session().0.isLoggedIn)
    }

    /// A start of the next process needs no configuration to name the provider of the viewer's login.
    @Test(.row("Q2")) func theProviderOfALoginThatTheServiceHad_isKnownToTheNextProcess() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2)
        _ = try await session.configuration()
        try await otherProgram(fixture).authenticate(using: ViewerWhoLogsIn())
        #expect(await fixture.isLoggedInAfterAll(session))
        let asked = fixture.count(of: .configuration)
        let (next, _) = try await fixture.session()
        #expect(try await next.selectedProvider()?.displayName == "Demo Cable")
        #expect(fixture.count(of: .configuration) == asked)
    }

    /// The app was notified that nobody is logged in.
    ///
    /// The play that waits for the same answer reports only itself.
    @Test(.row("CA1")) func aLoginThatTheServiceHas_isReported_alsoWhenAPlayWaitsForIt() async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        fixture.clock.advance(by: 31 * 86_400)
        try await otherProgram(fixture).authenticate(using: ViewerWhoLogsIn())
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if request.path?.contains("/profiles/") == true { await answer.pass() }
            return nil
        }
        guard case .notAuthenticated = await session.authenticationStatus() else {
            Issue.record("The copy has expired.")
            return
        }
        await answer.arrival()
        _ = log.take()
        let plays = AsyncStream<Bool>.makeStream()
        await session.begin { plays.continuation.yield((try? await $0.authorize("DEMO-1")) != nil) }
        answer.open()
        #expect(await plays.stream.first { _ in true } == true)
        #expect(log.count(of: "authenticated") == 1)
    }

    /// The play uses the login that it has asked for, and the app is not notified of it.
    @Test func aLoginThatAPlayHasAskedFor_isNotReported_alsoIfTheStatusIsReadMeanwhile() async throws {
        let (fixture, session, log) = try await FlowFixture.loggedIn(.restV2)
        fixture.clock.advance(by: 31 * 86_400)
        try await otherProgram(fixture).authenticate(using: ViewerWhoLogsIn())
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if request.path?.contains("/profiles/") == true { await answer.pass() }
            return nil
        }
        let play = Task { try await session.authorize("DEMO-1") }
        await answer.arrival()
        #expect(await !session.isLoggedIn)
        _ = log.take()
        answer.open()
        _ = try await play.value
        #expect(log.count(of: "authenticated") == 0)
    }

    /// Two plays find that the copy of their login has expired, and a single request renews it for both.
    @Test(.row("AZ16")) func twoPlays_shareTheQuestionForANewerLogin() async throws {
        let held = try await playsOfAnExpiredCopy()
        let plays = held.plays
        held.answer.open()
        let answered = Guarded(0)
        for play in plays {
            Task {
                _ = await play.result
                answered.withLock { $0 += 1 }
            }
        }
        #expect(await soon { answered.withLock(\.self) == 2 })
        for play in plays { play.cancel() }
        #expect(try await plays[0].value == "DEMO-1")
        #expect(try await plays[1].value == "DEMO-2")
        #expect(held.fixture.count(of: .outcome) == held.requestsBefore + 1)
    }

    @Test(arguments: [0, 1])
    func aPlayThatIsCancelled_takesTheAnswerFromNoOther(leaving: Int) async throws {
        let held = try await playsOfAnExpiredCopy()
        let plays = held.plays
        await plays[leaving].cancelled()
        held.answer.open()
        let other = plays[1 - leaving]
        let isAnswered = Guarded(false)
        Task {
            _ = await other.result
            isAnswered.withLock { $0 = true }
        }
        #expect(await soon { isAnswered.withLock(\.self) })
        other.cancel()
        #expect(try await other.value == (leaving == 0 ? "DEMO-2" : "DEMO-1"))
        #expect(held.fixture.count(of: .outcome) == held.requestsBefore + 1)
    }

    /// Two plays that wait for one request, whose answer a gate holds.
    private struct HeldPlays {
        let fixture: FlowFixture
        let requestsBefore: Int
        let plays: [Task<Resource, any Error>]
        let answer: Gate
    }

    /// Begins two plays with a login whose copy has expired.
    private func playsOfAnExpiredCopy() async throws -> HeldPlays {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.clock.advance(by: 31 * 86_400)
        try await otherProgram(fixture).authenticate(using: ViewerWhoLogsIn())
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if request.path?.contains("/profiles/") == true { await answer.pass() }
            return nil
        }
        let before = fixture.count(of: .outcome)
        let first = await session.begun { try await $0.authorize("DEMO-1").claims.resource }
        await answer.arrival()
        // The request of the first play is held, so the second one has joined it when it waits.
        let plays = [first, await session.begun { try await $0.authorize("DEMO-2").claims.resource }]
        return HeldPlays(fixture: fixture, requestsBefore: before, plays: plays, answer: answer)
    }
}

/// A platform that never answers.
private struct PlatformThatHangs: PlatformSignOn {
    func access(mayAsk: Bool) async -> PlatformAccess {
        await Gate().pass()
        return .undetermined
    }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        throw .notSignedIn
    }
}
