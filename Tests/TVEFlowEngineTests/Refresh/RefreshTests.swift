import Foundation
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

@testable import TVEFlowEngine

/// Tests of the moments at which the service is asked about its logins, and of the calls that wait for the answer.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct RefreshTests {
    /// A session whose request for its logins is at the service, which answers when the gate opens, and the number of
    /// such requests before it.
    private func heldRequest() async throws -> (FlowFixture, EntitlementSession, answer: Gate, before: Int) {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.clock.advance(by: 60)
        let (answer, before) = (Gate(), fixture.count(of: .outcome))
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.outcome, request) { await answer.pass() }
            return nil
        }
        _ = await session.authenticationStatus()
        await answer.arrival()
        return (fixture, session, answer, before)
    }

    /// The last request was sent a moment ago, or is still running.
    @Test(arguments: [(false, 2), (true, 1)])
    func aStart_asksInAnyCase_unlessARequestIsRunning(isRunning: Bool, requests: Int) async throws {
        let (fixture, session, answer, before) = try await heldRequest()
        if !isRunning {
            answer.open()
            await session.refreshTask?.value
        }
        try await session.start()
        answer.open()
        await session.refreshTask?.value
        #expect(fixture.count(of: .outcome) == before + requests)
    }

    /// The call that ends the wait of a request.
    enum Call: CaseIterable, Sendable { case none, metadata, metadataThatIsKnown }

    /// No viewer waits for the request, unless a call needs its answer.
    @Test(.row("CL27"), arguments: Call.allCases)
    func aRequest_waitsUntilABackoffIsOver_unlessACallNeedsItsAnswer(call: Call) async throws {
        let fixture = try await FlowFixture(.restV2)
        let isDue = Guarded(false)
        let (session, _) = try await fixture.session {
            $0.transport = SilentOnce(next: fixture.transport) { fixture.isAt(.preauthorization, $0) && isDue.taken() }
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        if call != .metadataThatIsKnown { _ = try await session.authorize("DEMO-1") }
        fixture.clock.advance(by: 60)
        isDue.withLock { $0 = true }
        await #expect(throws: TVEError(.throttled)) { try await session.preauthorize(["DEMO-1"]) }
        let before = fixture.count(of: .outcome)
        _ = await session.authenticationStatus()
        #expect(await soon { fixture.clock.sleepers == 1 })
        // The answer of a request that was not sent yet reflects this permission as well.
        if call == .metadata { _ = try await session.authorize("DEMO-2") }
        if call != .none { #expect(try await session.metadata(.user("zip")) != nil) }
        if call != .metadata {
            fixture.clock.advance(by: 599)
            for _ in 0..<20 { await Task.shortPause() }
            #expect(fixture.count(of: .outcome) == before)
            fixture.clock.advance(by: 1)
            await session.refreshTask?.value
            // The request was sent now, and is not repeated soon.
            _ = await session.authenticationStatus()
            await session.refreshTask?.value
        }
        #expect(fixture.count(of: .outcome) == before + 1)
    }

    /// The call begins the request itself, during the backoff.
    @Test(.row("CL27"), .timeLimit(.hanging)) func metadata_isRequested_duringABackoff() async throws {
        let fixture = try await FlowFixture(.restV2)
        let isDue = Guarded(false)
        let (session, _) = try await fixture.session {
            $0.transport = SilentOnce(next: fixture.transport) { fixture.isAt(.preauthorization, $0) && isDue.taken() }
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = try await session.authorize("DEMO-1")
        fixture.clock.advance(by: 60)
        isDue.withLock { $0 = true }
        await #expect(throws: TVEError(.throttled)) { try await session.preauthorize(["DEMO-1"]) }
        let before = fixture.count(of: .outcome)
        async let value = session.metadata(.user("zip"))
        #expect(await soon { fixture.count(of: .outcome) == before + 1 })
        #expect(try await value != nil)
    }

    /// A play does not wait, and does not end the backoff for the request behind it.
    @Test(.row("CL27")) func aPlay_duringABackoff_sendsNoOtherRequest() async throws {
        let fixture = try await FlowFixture(.restV2)
        let isDue = Guarded(false)
        let (session, _) = try await fixture.session {
            $0.transport = SilentOnce(next: fixture.transport) { fixture.isAt(.preauthorization, $0) && isDue.taken() }
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        fixture.clock.advance(by: 60)
        isDue.withLock { $0 = true }
        await #expect(throws: TVEError(.throttled)) { try await session.preauthorize(["DEMO-1"]) }
        let before = fixture.count(of: .outcome)
        try await session.start()
        #expect(await soon { fixture.clock.sleepers == 1 })
        _ = try await session.authorize("DEMO-1")
        for _ in 0..<20 { await Task.shortPause() }
        #expect(fixture.count(of: .outcome) == before)
        await session.end()
        await session.refreshTask?.value
        #expect(fixture.count(of: .outcome) == before)
    }

    @Test func metadata_needsNoRequest_beforeAPermissionHasChangedIt() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        let before = fixture.transport.requests
        #expect(try await session.metadata(.user("zip"))?.value == .array([.string("12345")]))
        #expect(fixture.transport.requests == before)
    }

    /// A permission may have changed the metadata of the login that has ended.
    @Test func metadata_needsNoRequest_afterALogout() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        try await session.logout()
        let before = fixture.transport.requests
        #expect(try await session.metadata(.user("zip")) == nil)
        #expect(fixture.transport.requests == before)
    }

    /// The pause after a failure is that of the requests for metadata alone.
    @Test func metadata_isRequested_alsoRightAfterARequestForTheLoginHasFailed() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        fixture.fail("/profiles")
        #expect(await fixture.isLoggedInAfterAll(session))
        fixture.answer(.outcome, .rewritten { $0.replacing("\"12345\"", with: "\"54321\"") })
        #expect(try await session.metadata(.user("zip"))?.value == .array([.string("54321")]))
    }

    /// The answer does not know the permission that was granted meanwhile, for which no call waits.
    @Test func aRequest_isNotRepeated_beforeACallNeedsItsAnswer() async throws {
        let (fixture, session, answer, before) = try await heldRequest()
        _ = try await session.authorize("DEMO-1")
        answer.open()
        await session.refreshTask?.value
        // A request that followed would need only a moment.
        for _ in 0..<20 { await Task.shortPause() }
        #expect(fixture.count(of: .outcome) == before + 1)
    }

    /// The login decides itself who the viewer is.
    @Test func nothingIsRequested_whileTheViewerLogsIn() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        try await session.selectProvider("demo-fiber")
        let viewer = ViewerWhoWaits()
        let login = Task { try await session.authenticate(using: viewer) }
        _ = await viewer.isAtPage.stream.first { _ in true }
        fixture.clock.advance(by: 60)
        let before = fixture.count(of: .outcome)
        _ = await session.authenticationStatus()
        await session.refreshTask?.value
        #expect(fixture.count(of: .outcome) == before)
        await login.cancelled()
        _ = await session.authenticationStatus()
        await session.refreshTask?.value
        #expect(fixture.count(of: .outcome) == before + 1)
    }

    /// The login begins in the turn of the request, which is therefore not sent, and finds the viewer logged in.
    @Test func aRequest_thatALoginForestalls_delaysNoOther() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        fixture.clock.advance(by: 60)
        let before = fixture.count(of: .outcome)
        let login = await session.begun { session in
            _ = session.authenticationStatus()
            return try await session.authenticate(using: ViewerWhoLogsIn()).mvpdID
        }
        #expect(try await login.value == "demo-cable")
        await session.refreshTask?.value
        _ = await session.authenticationStatus()
        await session.refreshTask?.value
        #expect(fixture.count(of: .outcome) == before + 1)
    }

    /// The copy of the login and the stored permission contain these times.
    @Test(arguments: [MetadataKey.authenticationExpiry, .authorizationExpiry("DEMO-1"), .deviceID])
    func metadataThatTheDeviceKnows_needsNoRequest_afterAPermission(key: MetadataKey) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        let before = fixture.transport.requests
        #expect(try await session.metadata(key) != nil)
        #expect(fixture.transport.requests == before)
    }

    /// The service makes such a login again for each request, so the copy is used until a permission has changed it.
    @Test func aTempPass_isNotRequestedAgain_beforeItHasPermittedAPlay() async throws {
        let (fixture, session, _) = try await FlowFixture.started(.restV2, world: .withTempPass())
        try await session.selectProvider("TempPass")
        let before = fixture.count(of: .outcome)
        let key = StorageKey("requestor", "DEMO", fixture.fingerprint, "mvpd", "TempPass", "authn")
        let copy = try #require(fixture.storage.value(for: key))
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(fixture.count(of: .outcome) == before)
        _ = try await session.authorize("DEMO-1")
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(fixture.count(of: .outcome) == before + 1)
        #expect(fixture.storage.value(for: key) == copy, "The answer renews the metadata alone.")
    }

    /// The viewer chooses while the request runs, so that its answer is not stored.
    ///
    /// The pause begins with the end of that request, which was sent four seconds before.
    @Test(arguments: [(29.0, "12345"), (30, "54321")])
    func metadata_isRequestedAgain_halfAMinuteAfterARequestInVain(later: TimeInterval, zip: String) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            guard fixture.isAt(.outcome, request) else { return nil }
            await answer.pass()
            return .rewritten { $0.replacing("\"12345\"", with: "\"54321\"") }
        }
        let call = Task { try await session.metadata(.user("zip"))?.value }
        await answer.arrival()
        await fixture.clock.advanceOnceSomethingSleeps(by: 4)
        try await session.selectProvider("demo-cable")
        answer.open()
        #expect(try await call.value == .array([.string("12345")]))
        fixture.clock.advance(by: later)
        #expect(try await session.metadata(.user("zip"))?.value == .array([.string(zip)]))
    }

    /// The request does not end when it is cancelled.
    @Test func aCallThatWaits_isAnswered_whenItsSessionEnds() async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(.restV2)
        _ = try await session.authorize("DEMO-1")
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.outcome, request) { await Task { await answer.pass() }.value }
            return nil
        }
        let isAnswered = Guarded(false)
        let call = Task {
            defer { isAnswered.withLock { $0 = true } }
            return try await session.metadata(.user("zip"))
        }
        await answer.arrival()
        await session.end()
        #expect(await soon { isAnswered.withLock(\.self) })
        answer.open()
        await #expect(throws: TVEError(.requestorNotConfigured)) { try await call.value }
    }
}
