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

/// Logins that the service finds by a proof: only an answer to a request with a valid proof can end one.
@Suite(.row("CL20"), .fewAtATime, .timeLimit(.hanging))
struct LoginProofTests {
    /// Returns a Boolean value that indicates whether the service received a logout.
    private func hasLoggedOut(_ fixture: FlowFixture) -> Bool {
        fixture.transport.requests.contains { $0.contains("/logout/") }
    }

    // MARK: - The platform's status

    /// A session whose viewer is logged in by the platform's account, which ends in ten minutes.
    private func fromPlatform() async throws -> (
        fixture: FlowFixture, platform: ScriptedPlatform, session: EntitlementSession, log: EventLog
    ) {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let platform = ScriptedPlatform(
            .init(signedIn: "apple-cable", expires: fixture.clock.now.addingTimeInterval(600)))
        let (session, log) = try await fixture.session { $0.platform = platform }
        #expect(await session.isLoggedIn)
        // The request that follows the start asks the platform too.
        await session.refreshTask?.value
        _ = log.take()
        return (fixture, platform, session, log)
    }

    @Test(arguments: [true, false])
    func aStatusThatHasEnded_isAskedForAgain_beforeTheRequest(isForPlay: Bool) async throws {
        let (fixture, platform, session, _) = try await fromPlatform()
        let asked = platform.requests.count
        fixture.clock.advance(by: 601)
        platform.change { [clock = fixture.clock] in $0.expires = clock.now.addingTimeInterval(600) }
        if isForPlay {
            _ = try await session.authorize("DEMO-1")
            #expect(fixture.count(of: .authorization) == 1)
        } else {
            #expect(try await session.preauthorize(["DEMO-1"]).map(\.isAuthorized) == [true])
        }
        #expect(platform.requests.count == asked + 1 && platform.requests.allSatisfy { !$0.mayInterrupt })
        // A status that is valid is not asked for.
        _ = try await session.authorize("DEMO-2")
        #expect(platform.requests.count == asked + 1)
    }

    @Test(arguments: [PlatformSignOnError.failed("busy"), .notOffered, .notSignedIn, .accessNotGranted])
    func withoutAStatus_nobodyKnowsWhetherTheViewerIsLoggedIn(failure: PlatformSignOnError) async throws {
        let (fixture, platform, session, log) = try await fromPlatform()
        fixture.clock.advance(by: 601)
        platform.change { $0.failure = failure }
        let error = await #expect(throws: TVEError(.authorizationFailed)) { try await session.authorize("DEMO-1") }
        #expect(error?.recovery == .retry && error?.underlying as? ServiceError == .loginNotProven)
        await #expect(throws: TVEError(.preauthorizationFailed)) { try await session.preauthorize(["DEMO-1"]) }
        #expect(!log.take().contains("not: notAuthenticated"))
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(fixture.isLoginStored && !hasLoggedOut(fixture))
    }

    @Test func theNextStart_keepsALogin_thatCouldNotBeProven() async throws {
        let (fixture, platform, session, _) = try await fromPlatform()
        fixture.clock.advance(by: 601)
        platform.change { $0.failure = .failed("busy") }
        await #expect(throws: TVEError.self) { try await session.authorize("DEMO-1") }
        await session.end()
        platform.change { [clock = fixture.clock] in
            $0.failure = nil
            $0.expires = clock.now.addingTimeInterval(600)
        }
        let (next, _) = try await fixture.session { $0.platform = platform }
        #expect(await next.isLoggedIn)
        _ = try await next.authorize("DEMO-1")
        #expect(!hasLoggedOut(fixture))
    }

    /// The service may know better whether a status has ended.
    @Test(arguments: [
        "invalid_header_pfs_provider_info_expired", "invalid_header_pfs_permission_access_not_granted",
        "invalid_header_pfs_provider_id_mismatch", "authenticated_profile_missing",
    ])
    func aStatusThatTheServiceRefuses_isReplacedOnce(code: String) async throws {
        let (fixture, platform, session, _) = try await fromPlatform()
        platform.change { [clock = fixture.clock] in $0.expires = clock.now.addingTimeInterval(900) }
        let isFirst = Guarded(true)
        fixture.transport.setScript { request, _ in
            guard fixture.isAt(.authorization, request), isFirst.taken() else { return nil }
            return ServiceDialect.refusal(code, status: 400, action: "none")
        }
        _ = try await session.authorize("DEMO-1")
        #expect(fixture.count(of: .authorization) == 2)
    }

    @Test(arguments: [
        ("invalid_header_pfs_provider_info_expired", "VSA503", TVEError.Recovery.retry),
        ("invalid_header_pfs_permission_access_not_granted", "VSA403", .logIn),
        ("invalid_header_pfs_provider_id_mismatch", "N004", .logIn),
    ])
    func aStatusThatTheServiceRefusesAlways_endsNoLogin(
        code: String, status: String, recovery: TVEError.Recovery
    ) async throws {
        let (fixture, _, session, log) = try await fromPlatform()
        fixture.answer(.authorization, ServiceDialect.refusal(code, status: 400, action: "none"))
        let error = await #expect(throws: TVEError(.authorizationFailed)) { try await session.authorize("DEMO-1") }
        #expect(error?.status?.rawValue == status && error?.recovery == recovery)
        #expect(log.take().first == status)
        #expect(await fixture.isLoggedInAfterAll(session))
        #expect(fixture.isLoginStored && !hasLoggedOut(fixture))
    }

    @Test func aDenialOfALogin_thatThePlatformStillConfirms_endsIt() async throws {
        let (fixture, _, session, log) = try await fromPlatform()
        fixture.answer(
            .authorization,
            ServiceDialect.refusal("authenticated_profile_missing", status: 403, action: "authentication"))
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(log.take().contains("not: notAuthenticated"))
        #expect(!fixture.isLoginStored && !hasLoggedOut(fixture))
    }

    /// The status before has not ended, so the request with it has proven the login.
    @Test func aDenialOfALogin_endsIt_alsoWhereThePlatformDoesNotAnswerAgain() async throws {
        let (fixture, platform, session, log) = try await fromPlatform()
        fixture.answer(
            .authorization,
            ServiceDialect.refusal("authenticated_profile_missing", status: 403, action: "authentication"))
        platform.change { $0.failure = .failed("busy") }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(log.take().contains("not: notAuthenticated"))
        #expect(!fixture.isLoginStored)
    }

    /// The viewer has signed out or withdrawn the access, which the platform says at the next start.
    @Test(arguments: ["signed out", "denied", "undetermined"])
    func aStatusThatTheNextStartDoesNotConfirm_isSentNoMore(change: String) async throws {
        let (fixture, platform, session, _) = try await fromPlatform()
        #expect(isStatusSent(fixture, after: 0))
        platform.change { script in
            switch change {
            case "signed out": script.signedIn = nil
            case "denied": script.access = .denied
            default: script.access = .undetermined
            }
        }
        let before = fixture.sandbox.exchanges.count
        try await session.start()
        await session.refreshTask?.value
        #expect(fixture.sandbox.exchanges.count > before)
        #expect(!isStatusSent(fixture, after: before))
    }

    /// The viewer withdraws the access at a login, and logs in at a page.
    @Test func aStatusThatALoginDoesNotConfirm_isSentNoMore() async throws {
        let (fixture, platform, session, _) = try await fromPlatform()
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        platform.change { $0.access = .denied }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let before = fixture.sandbox.exchanges.count
        _ = try await session.authorize("DEMO-1")
        #expect(fixture.sandbox.exchanges.count > before)
        #expect(!isStatusSent(fixture, after: before))
    }

    /// The viewer has chosen in the platform's picker, which a request for a status must not open.
    @Test func aStatusThatHasEnded_isAskedForSilently_afterALoginWithThePicker() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let platform = ScriptedPlatform(
            .init(expires: fixture.clock.now.addingTimeInterval(600), picker: .success("apple-cable")))
        let (session, _) = try await fixture.session { $0.platform = platform }
        try await session.authenticate(using: ViewerWhoLogsIn(choice: nil))
        fixture.clock.advance(by: 601)
        platform.change { [clock = fixture.clock] in $0.expires = clock.now.addingTimeInterval(600) }
        let asked = platform.requests.count
        _ = try await session.authorize("DEMO-1")
        #expect(platform.requests.count > asked)
        #expect(platform.requests.dropFirst(asked).allSatisfy { !$0.mayInterrupt })
    }

    /// Only a login of the viewer may lead to the system's prompt.
    @Test func aRequestThatNeedsAStatus_asksTheViewerNothing() async throws {
        let (fixture, platform, session, _) = try await fromPlatform()
        fixture.clock.advance(by: 601)
        platform.change { script in
            script.access = .undetermined
            script.answerToRequest = .granted
        }
        let asked = platform.requests.count
        _ = try? await session.authorize("DEMO-1")
        #expect(platform.requests.count == asked)
    }

    /// Returns a Boolean value that indicates whether the service received a status of the platform after a number of
    /// exchanges.
    private func isStatusSent(_ fixture: FlowFixture, after count: Int) -> Bool {
        fixture.sandbox.exchanges.dropFirst(count).contains { exchange in
            exchange.request.headers.contains { $0.name.lowercased() == "ap-partner-framework-status" }
        }
    }

    /// The system does not answer, neither before the request nor after the service's denial.
    @Test func aPlatformThatHangs_keepsARequestBackForFiveSeconds() async throws {
        let fixture = try await FlowFixture(.restV2, world: .withPlatform())
        let expires = fixture.clock.now.addingTimeInterval(600)
        let platform = PlatformThatMayHang(next: ScriptedPlatform(.init(signedIn: "apple-cable", expires: expires)))
        let (session, _) = try await fixture.session { $0.platform = platform }
        #expect(await session.isLoggedIn)
        await session.refreshTask?.value
        fixture.clock.advance(by: 601)
        platform.hangs.withLock { $0 = true }
        let play = Task { try await session.authorize("DEMO-1") }
        #expect(await soon { fixture.clock.sleepers > 0 })
        fixture.clock.advance(by: 4)
        #expect(fixture.clock.sleepers == 1 && fixture.count(of: .authorization) == 0)
        fixture.clock.advance(by: 1)
        await fixture.clock.advanceOnceSomethingSleeps(by: 5)
        await #expect(throws: TVEError(.authorizationFailed)) { try await play.value }
        #expect(fixture.count(of: .authorization) == 1 && fixture.isLoginStored)
    }

    /// The start has read the stored provider, which names only the provider of the last login.
    @Test func aStatusOfAProvider_thatTheStartDidNotKnow_isAskedForToo() async throws {
        var world = SandboxWorld.withPlatform()
        world.providers[1].platformID = "apple-fiber"
        let fixture = try await FlowFixture(.restV2, world: world)
        let (first, _) = try await fixture.session()
        try await first.authenticate(using: ViewerWhoLogsIn())
        await first.end()
        let platform = ScriptedPlatform(
            .init(expires: fixture.clock.now.addingTimeInterval(600), picker: .success("apple-fiber")))
        let (session, _) = try await fixture.session { $0.platform = platform }
        try await session.logout()
        try await session.authenticate(using: ViewerWhoLogsIn(choice: nil))
        #expect(await session.profile?.kind == .apple)
        #expect(await session.profile?.mvpdID == "demo-fiber")
        fixture.clock.advance(by: 601)
        platform.change { [clock = fixture.clock] in $0.expires = clock.now.addingTimeInterval(600) }
        _ = try await session.authorize("DEMO-1")
        #expect(platform.requests.last?.supportedProviderIDs.all == ["apple-cable", "apple-fiber"])
    }

    /// The account has moved in the system's settings, and the start asked for the stored provider first.
    @Test func aStatusOfAProvider_thatTheStartHasFound_isAskedForToo() async throws {
        var world = SandboxWorld.withPlatform()
        world.providers[1].platformID = "apple-fiber"
        let fixture = try await FlowFixture(.restV2, world: world)
        let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let (first, _) = try await fixture.session { $0.platform = platform }
        await first.end()
        platform.change { [clock = fixture.clock] in
            $0.signedIn = "apple-fiber"
            $0.expires = clock.now.addingTimeInterval(600)
        }
        let (session, _) = try await fixture.session { $0.platform = platform }
        #expect(await session.profile?.mvpdID == "demo-fiber")
        await session.refreshTask?.value
        fixture.clock.advance(by: 601)
        platform.change { [clock = fixture.clock] in $0.expires = clock.now.addingTimeInterval(600) }
        let asked = platform.requests.count
        _ = try await session.authorize("DEMO-1")
        #expect(platform.requests.count == asked + 1)
        #expect(platform.requests.last?.supportedProviderIDs.all == ["apple-cable", "apple-fiber"])
    }

    // MARK: - The service token

    private static func token(until end: Date?) -> String {
        let expiry = end.map { ",\"exp\":\(Int($0.timeIntervalSince1970))" } ?? ""
        return "e30.\(Data("{\"sub\":\"viewer-7\"\(expiry)}".utf8).base64URL).c2ln"
    }

    /// A household: one device has logged in, and the other one has found that login by the token.
    private func household(
        _ token: Guarded<String?>
    ) async throws -> (FlowFixture, phone: EntitlementSession, television: EntitlementSession, EventLog) {
        let fixture = try await FlowFixture(.restV2)
        let phoneToken = token.withLock(\.self)
        let (phone, _) = try await fixture.session { $0.serviceToken = { phoneToken } }
        try await phone.authenticate(using: ViewerWhoLogsIn())
        let storage = MemoryStorage()
        let (television, log) = try await fixture.session(device: "device-2") {
            $0.storage = storage
            $0.serviceToken = { token.withLock(\.self) }
        }
        #expect(await television.profile?.kind == .serviceToken)
        _ = log.take()
        return (fixture, phone, television, log)
    }

    /// The relation of a device to a household, which no token of the app's own service is about.
    enum Membership: CaseIterable {
        case none, member, left

        func begin(on device: EntitlementSession) async throws {
            guard self != .none else { return }
            let household = try #require(device.household)
            try await household.create()
            if self == .left { try await household.leave() }
        }
    }

    @Test(arguments: [nil, "expired", "", "no.jws"], Membership.allCases)
    func aTokenThatIsMissing_endsNobodysLogin(other: String?, membership: Membership) async throws {
        let token = Guarded<String?>(Self.token(until: nil))
        let (fixture, phone, television, log) = try await household(token)
        try await membership.begin(on: television)
        let expired = Self.token(until: fixture.clock.now.addingTimeInterval(-1))
        token.withLock { $0 = other == "expired" ? expired : other }
        let error = await #expect(throws: TVEError(.authorizationFailed)) {
            try await television.authorize("DEMO-1")
        }
        #expect(error?.underlying as? ServiceError == .loginNotProven)
        #expect(await fixture.isLoggedInAfterAll(television))
        #expect(try await television.profile(with: "demo-cable")?.kind == .serviceToken)
        #expect(!log.take().contains("not: notAuthenticated"))
        // The viewer who is asked to log in and leaves the page has logged nobody out.
        await #expect(throws: TVEError.self) {
            try await television.authorize("DEMO-1", using: ViewerWhoLogsIn(viewer: nil))
        }
        #expect(await fixture.isLoggedInAfterAll(phone))
        _ = try await phone.authorize("DEMO-1")
        #expect(!hasLoggedOut(fixture))
        token.withLock { $0 = Self.token(until: nil) }
        _ = try await television.authorize("DEMO-1")
    }

    @Test(arguments: Membership.allCases)
    func anOptionThatIsRemoved_endsNobodysLogin(membership: Membership) async throws {
        let fixture = try await FlowFixture(.restV2)
        let token = Self.token(until: nil)
        let (phone, _) = try await fixture.session { $0.options = { ClientOptions(serviceToken: token) } }
        try await phone.authenticate(using: ViewerWhoLogsIn())
        let option = Guarded<String?>(token)
        let storage = MemoryStorage()
        let (television, log) = try await fixture.session(device: "device-2") {
            $0.storage = storage
            $0.options = { ClientOptions(serviceToken: option.withLock(\.self)) }
        }
        #expect(await television.profile?.kind == .serviceToken)
        try await membership.begin(on: television)
        _ = log.take()
        option.withLock { $0 = nil }
        let error = await #expect(throws: TVEError(.authorizationFailed)) {
            try await television.authorize("DEMO-1")
        }
        #expect(error?.underlying as? ServiceError == .loginNotProven)
        #expect(await fixture.isLoggedInAfterAll(television))
        #expect(!log.take().contains("not: notAuthenticated"))
        option.withLock { $0 = token }
        _ = try await television.authorize("DEMO-1")
    }

    @Test func aTokenThatTheServiceDoesNotKnow_isReplacedOnce() async throws {
        let token = Self.token(until: nil)
        let isForeign = Guarded(false)
        let (fixture, _, _, _) = try await household(Guarded(token))
        let (television, _) = try await fixture.session(device: "device-2") {
            $0.serviceToken = {
                isForeign.taken() ? "e30.\(Data("{\"sub\":\"nobody\"}".utf8).base64URL).c2ln" : token
            }
        }
        #expect(await television.profile?.kind == .serviceToken)
        await television.refreshTask?.value
        isForeign.withLock { $0 = true }
        _ = try await television.authorize("DEMO-1")
        #expect(fixture.count(of: .authorization) == 2)
    }

    @Test func aHouseholdThatHasLoggedOut_isLoggedOutOnEachDevice() async throws {
        let (fixture, phone, television, _) = try await household(Guarded(Self.token(until: nil)))
        try await phone.logout()
        await #expect(throws: TVEError(.notAuthenticated)) { try await television.authorize("DEMO-1") }
        #expect(await !fixture.isLoggedInAfterAll(television))
    }

    /// The list of codes grows, and a new one may be about the proof that is missing.
    @Test(arguments: [200, 403])
    func aNewReasonToLogIn_endsNoLogin_thatNothingProves(status: Int) async throws {
        let token = Guarded<String?>(Self.token(until: nil))
        let (fixture, _, television, log) = try await household(token)
        token.withLock { $0 = nil }
        let error = #"{"status":403,"code":"service_token_missing","action":"authentication","message":"m"}"#
        let decisions = #"{"decisions":[{"resource":"DEMO-1","authorized":false,"error":\#(error)}]}"#
        for request in [Moment.authorization, .preauthorization] {
            fixture.answer(request, .response(status: status, body: status == 200 ? decisions : error))
            let failure = await #expect(throws: TVEError.self) {
                if request == .authorization {
                    _ = try await television.authorize("DEMO-1")
                } else {
                    _ = try await television.preauthorize(["DEMO-1"])
                }
            }
            #expect(failure?.underlying as? ServiceError == .loginNotProven)
            #expect(await television.isLoggedIn)
        }
        #expect(!log.take().contains("not: notAuthenticated"))
        // With a valid proof, the same answer ends the login.
        token.withLock { $0 = Self.token(until: nil) }
        await #expect(throws: TVEError(.notAuthenticated)) { try await television.preauthorize(["DEMO-1"]) }
        #expect(await !television.isLoggedIn)
    }

    /// Nothing proves the old login, which has expired anyway, so a play shows the page of the next one.
    @Test func aLoginThatHasExpired_needsNoProof_andIsFollowedByTheNext() async throws {
        let token = Guarded<String?>(Self.token(until: nil))
        let (fixture, _, television, _) = try await household(token)
        token.withLock { $0 = nil }
        fixture.clock.advance(by: 31 * 86_400)
        await #expect(throws: TVEError(.notAuthenticated)) { try await television.authorize("DEMO-1") }
        await #expect(throws: TVEError(.notAuthenticated)) { try await television.preauthorize(["DEMO-1"]) }
        let viewer = ViewerWhoLogsIn()
        _ = try await television.authorize("DEMO-1", using: viewer)
        #expect(viewer.shown.last == "login")
        #expect(await television.profile?.kind == .regular)
    }

    /// The service has answered, so the start need not find out whether it is there.
    @Test func aStartWithAnExpiredLogin_asksForNoConfiguration_whenNothingProvesIt() async throws {
        let token = Guarded<String?>(Self.token(until: nil))
        let (fixture, _, television, _) = try await household(token)
        token.withLock { $0 = nil }
        fixture.clock.advance(by: 31 * 86_400)
        let asked = fixture.count(of: .configuration)
        try await television.start()
        #expect(await !television.isLoggedIn)
        #expect(fixture.count(of: .configuration) == asked)
    }

    /// The viewer has signed out of the platform, and the login from its account has expired since.
    @Test func aPlatformLoginThatHasExpired_needsNoProof_andIsFollowedByTheNext() async throws {
        let (fixture, platform, session, _) = try await fromPlatform()
        fixture.clock.advance(by: 31 * 86_400)
        platform.change { $0.failure = .notSignedIn }
        let viewer = ViewerWhoLogsIn()
        _ = try await session.authorize("DEMO-1", using: viewer)
        #expect(viewer.shown.last == "login")
        #expect(await session.profile?.kind == .regular)
    }

    /// The platform still returns the old status, which the service refuses in place of saying that it has no login.
    @Test(arguments: ["invalid_header_pfs_provider_info_expired", "invalid_header_pfs_provider_id_mismatch"])
    func aRefusedStatusOfALoginThatHasExpired_isFollowedByTheNextLogin(code: String) async throws {
        let (fixture, _, session, _) = try await fromPlatform()
        fixture.clock.advance(by: 31 * 86_400)
        fixture.transport.setScript { request, _ in
            let names = request.headerFields.map(\.name.canonicalName)
            guard fixture.isAt(.authorization, request), names.contains("ap-partner-framework-status") else {
                return nil
            }
            return ServiceDialect.refusal(code, status: 400, action: "none")
        }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        let viewer = ViewerWhoLogsIn()
        _ = try await session.authorize("DEMO-1", using: viewer)
        #expect(viewer.shown.last == "login")
        #expect(await session.profile?.kind == .regular)
    }

    /// The app's server does not answer.
    @Test func aSourceThatHangs_keepsARequestBackForFiveSeconds() async throws {
        let hangs = Guarded(false)
        let token = Self.token(until: nil)
        let fixture = try await FlowFixture(.restV2)
        let (session, _) = try await fixture.session {
            $0.serviceToken = {
                if hangs.withLock(\.self) { await Gate().pass() }
                return token
            }
        }
        try await session.authenticate(using: ViewerWhoLogsIn())
        hangs.withLock { $0 = true }
        let began = fixture.clock.now
        let play = Task { try await session.authorize("DEMO-1") }
        #expect(await soon { fixture.clock.sleepers > 0 })
        fixture.clock.advance(by: 4)
        #expect(fixture.clock.sleepers == 1)
        fixture.clock.advance(by: 1)
        _ = try await play.value
        #expect(fixture.clock.now.timeIntervalSince(began) == 5)
    }
}

/// A platform that stops answering.
private struct PlatformThatMayHang: PlatformSignOn {
    let next: ScriptedPlatform
    let hangs = Guarded(false)

    func access(mayAsk: Bool) async -> PlatformAccess {
        if hangs.withLock(\.self) { await Gate().pass() }
        return await next.access(mayAsk: mayAsk)
    }

    func account(
        _ request: PlatformAccountRequest, presenter: (any AuthenticationPresenter)?
    ) async throws(PlatformSignOnError) -> PlatformAccount {
        try await next.account(request, presenter: presenter)
    }
}
