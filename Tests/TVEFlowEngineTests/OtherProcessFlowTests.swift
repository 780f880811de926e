import Foundation
import HTTPTypes
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestSupport
import TVETestTraits
import Testing

/// Another process with the same store logs out, or logs in, between a flow's read and its write.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct OtherProcessFlowTests {
    /// The time at which the other process acts.
    enum Gap: CaseIterable, Sendable {
        /// While the service answers.
        case duringTheExchange
        /// After everything was read and decided, right before the write.
        case beforeTheWrite
    }

    static let gaps = ServiceDialect.both(Gap.allCases.map { $0 })

    private static let fingerprint = DeviceIdentity(seed: "device-1", app: nil).fingerprint.hexadecimal

    private func store(_ storage: any StorageBackend) -> EntitlementStore {
        EntitlementStore(backend: storage, reader: .codec, fingerprint: Self.fingerprint)
    }

    /// A logout of another process, as a session of either dialect writes it.
    private func logOut(_ storage: any StorageBackend) throws {
        try store(storage).change { entitlements throws(StorageError) in
            let copies = try entitlements.authenticationTokens().filter(\.isCopy)
            try entitlements.removeAllEntitlements(pending: copies, everyLoginOf: copies.map(\.claims.requestorID))
        }
    }

    /// Lets another process act once, in a gap of the next exchange of a kind.
    ///
    /// - Returns: whether it has acted.
    private func interrupt(
        _ fixture: FlowFixture, _ storage: InterruptedStorage, at gap: Gap, of path: String,
        answering answer: ScriptedTransport.Answer? = nil, by other: @escaping @Sendable () throws -> Void
    ) -> Guarded<Bool> {
        let (isDue, hasActed) = (Guarded(true), Guarded(false))
        let act: @Sendable () throws -> Void = {
            try other()
            hasActed.withLock { $0 = true }
        }
        fixture.transport.setScript { request, _ in
            guard request.path?.contains(path) == true, isDue.taken() else { return nil }
            switch gap {
            case .duringTheExchange: try? act()
            case .beforeTheWrite: storage.interrupt(by: act)
            }
            return answer
        }
        return hasActed
    }

    @Test(arguments: gaps)
    func anAuthorization_isNotKept_whenItsLoginWasLoggedOut(dialect: ServiceDialect, gap: Gap) async throws {
        let fixture = try await FlowFixture(dialect)
        let storage = InterruptedStorage(fixture.storage)
        let (session, _) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let hasActed = interrupt(fixture, storage, at: gap, of: "/authorize") { try logOut(fixture.storage) }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(fixture.entitlements == 0, "\(fixture.storage.keys(under: .everything))")
        // Over REST API v2 the media token comes with the decision.
        if dialect == .classic { #expect(fixture.count(of: .mediaToken) == 0, "The permission is used nevertheless.") }
        #expect(hasActed.withLock { $0 })
    }

    /// The choice of the provider stays, and so does the login at a service that cannot be told.
    @Test(arguments: ServiceDialect.allCases)
    func aPlay_fails_whenItsProviderAloneWasLoggedOut(dialect: ServiceDialect) async throws {
        let (fixture, session, _) = try await FlowFixture.loggedIn(dialect)
        let (other, _) = try await fixture.session()
        await other.refreshTask?.value
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.authorization, request) { await answer.pass() }
            return request.path?.contains("/logout/") == true ? .failure(.unreachable) : nil
        }
        let play = Task { try await session.authorize("DEMO-1") }
        await answer.arrival()
        try await other.logout(of: "demo-cable")
        answer.open()
        await #expect(throws: TVEError(.notAuthenticated)) { try await play.value }
        #expect(!fixture.isLoginStored)
    }

    /// The service ends the login of the play, and the viewer has just logged in again.
    @Test(arguments: ServiceDialect.allCases)
    func aNewerLogin_isNotRemoved_asTheOneThatTheServiceEnded(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect)
        let storage = InterruptedStorage(fixture.storage)
        let (session, log) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let key = fixture.login.appending("authn")
        let old = try #require(fixture.storage.value(for: key))
        fixture.clock.advance(by: 60)
        try await fixture.session().0.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        let newer = try #require(fixture.storage.value(for: key))
        #expect(newer != old)
        fixture.storage.apply([.put(key, old)])
        let hasActed = interrupt(
            fixture, storage, at: .beforeTheWrite, of: "/authorize", answering: dialect.endedLogin
        ) {
            fixture.storage.apply([.put(key, newer)])
        }
        _ = log.take()
        #expect(try await session.authorize("DEMO-1").claims.resource == "DEMO-1")
        #expect(hasActed.withLock { $0 })
        #expect(fixture.storage.value(for: key) == newer)
        #expect(!log.take().contains { $0.hasPrefix("not") }, "The viewer is logged in all the time.")
    }

    /// Another process has stored a permission of its own since this one was read.
    @Test func aNewerPermission_isNotRemoved_asTheOneThatTheServiceRefused() async throws {
        let fixture = try await FlowFixture(.classic)
        let storage = InterruptedStorage(fixture.storage)
        let (session, _) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        _ = try await session.authorize("DEMO-1")
        let key = try #require(fixture.storage.keys(under: fixture.login.appending("authz")).first)
        let kept = String(decoding: try #require(fixture.storage.value(for: key)), as: UTF8.self)
        let newer = kept.replacing(Self.fingerprint, with: String(repeating: "0", count: 40))
        #expect(newer != kept)
        fixture.transport.setScript { request, _ in
            if fixture.isAt(.authorization, request) { return .response(status: 500, body: "") }
            guard fixture.isAt(.mediaToken, request) else { return nil }
            storage.interrupt { fixture.storage.apply([.put(key, Data(newer.utf8))]) }
            return ServiceDialect.classic.endedLogin
        }
        await #expect(throws: TVEError(.serviceFailed)) { try await session.authorize("DEMO-1") }
        #expect(!storage.isPending)
        #expect(fixture.storage.value(for: key) == Data(newer.utf8))
    }

    /// The pass is still good when the viewer chooses it again, and a logout comes before the choice is stored.
    @Test(arguments: ServiceDialect.allCases)
    func aTempPass_logsInAnew_whenItWasLoggedOut(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withTempPass())
        let storage = InterruptedStorage(fixture.storage)
        let (session, _) = try await fixture.session { $0.storage = storage }
        try await session.selectProvider("TempPass")
        storage.interrupt { try logOut(fixture.storage) }
        try await session.selectProvider("TempPass")
        #expect(!storage.isPending)
        #expect(try store(fixture.storage).authenticationTokens().map(\.claims.providerID) == ["TempPass"])
        #expect(await session.isLoggedIn)
    }

    /// A forced login has failed before it could end the old one, which the service confirms then.
    @Test func aLoginThatTheServiceConfirms_leavesNoMark_whenItWasLoggedOut() async throws {
        let fixture = try await FlowFixture(.restV2)
        let storage = InterruptedStorage(fixture.storage)
        let (session, _) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        fixture.answer(.code, .response(status: 500, body: ""))
        await #expect(throws: TVEError.self) {
            try await session.authenticate(using: ViewerWhoLogsIn(), isForced: true)
        }
        let hasActed = interrupt(fixture, storage, at: .beforeTheWrite, of: "/profiles/demo-cable") {
            try logOut(fixture.storage)
        }
        await #expect(throws: TVEError(.providerNotSelected)) {
            try await session.authenticate(using: ViewerWhoLogsIn(choice: nil))
        }
        #expect(hasActed.withLock { $0 })
        #expect(fixture.entitlements == 0, "\(fixture.storage.keys(under: .everything))")
    }

    // Over REST API v2 any other copy can be the same login, which the service has renewed.
    @Test func anAuthorization_isNotKept_whenAnotherViewerHasLoggedIn() async throws {
        var world = SandboxWorld.demo
        world.viewers.append(.init(name: "second", password: "secret", resources: ["DEMO-1"]))
        let fixture = try await FlowFixture(.restV2, world: world)
        let (session, _) = try await fixture.loggedIn()
        let answer = Gate()
        fixture.transport.setInterception { request, _ in
            if fixture.isAt(.authorization, request) { await answer.pass() }
            return nil
        }
        let play = Task { try await session.authorize("DEMO-1") }
        await answer.arrival()
        let (other, _) = try await fixture.session()
        let second = ViewerWhoLogsIn(viewer: .logsIn(name: "second", password: "secret"))
        try await other.authenticate(using: second, isForced: true)
        answer.open()
        await #expect(throws: TVEError(.notAuthenticated)) { try await play.value }
        #expect(try await session.metadata(.authorizationExpiry("DEMO-1")) == nil)
    }

    // REST API v2 writes no preauthorization: there is no gap before a write.
    @Test(arguments: gaps.filter { $0 == .classic || $1 == .duringTheExchange })
    func aPreauthorization_isNotKept_whenItsLoginWasLoggedOut(dialect: ServiceDialect, gap: Gap) async throws {
        let fixture = try await FlowFixture(dialect)
        let storage = InterruptedStorage(fixture.storage)
        let (session, _) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        let hasActed = interrupt(fixture, storage, at: gap, of: "/preauthorize") { try logOut(fixture.storage) }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.preauthorize(["DEMO-1", "DEMO-2"]) }
        #expect(fixture.entitlements == 0, "\(fixture.storage.keys(under: .everything))")
        #expect(hasActed.withLock { $0 })
    }

    @Test(arguments: Gap.allCases)
    func aRefresh_bringsNoLoginBack_andKeepsTheNotes_whenItWasLoggedOut(gap: Gap) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        // The copy was removed and the service still keeps the login: the next start takes it over.
        let copy = try #require(try store(fixture.storage).authenticationTokens().first)
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        let storage = InterruptedStorage(fixture.storage)
        let hasActed = interrupt(fixture, storage, at: gap, of: "/profiles") {
            try store(fixture.storage).change { entitlements throws(StorageError) in
                try entitlements.removeAllEntitlements(pending: [copy], everyLoginOf: ["DEMO"])
            }
        }
        let (session, _) = try await fixture.session { $0.storage = storage }
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(fixture.entitlements == 0)
        #expect(try store(fixture.storage).unfinishedLogouts(of: "DEMO").pending == ["demo-cable"])
        #expect(hasActed.withLock { $0 })
        // The service receives the logout before the next login, and the viewer sees a page.
        fixture.transport.setScript { _, _ in nil }
        let viewer = ViewerWhoLogsIn()
        try await session.authenticate(using: viewer)
        #expect(viewer.shown.last == "login")
    }

    /// The service has the login, and the device no copy of it.
    @Test(arguments: Gap.allCases)
    func aLoginForAPlay_isNotKept_whenItWasLoggedOut(gap: Gap) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(.restV2)
        let storage = InterruptedStorage(fixture.storage)
        let (session, _) = try await fixture.session { $0.storage = storage }
        await session.refreshTask?.value
        let copy = try #require(try store(fixture.storage).authenticationTokens().first)
        fixture.storage.apply([.removeAll(under: fixture.login)])
        let hasActed = interrupt(fixture, storage, at: gap, of: "/profiles/demo-cable") {
            try store(fixture.storage).change { entitlements throws(StorageError) in
                try entitlements.removeAllEntitlements(pending: [copy], everyLoginOf: ["DEMO"])
            }
        }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1", as: "demo-cable") }
        #expect(!fixture.isLoginStored)
        #expect(hasActed.withLock { $0 })
    }

    @Test(arguments: Gap.allCases)
    func aRefreshBehindAnAnswer_keepsNothing_whenTheLoginWasLoggedOut(gap: Gap) async throws {
        let fixture = try await FlowFixture(.restV2)
        let storage = InterruptedStorage(fixture.storage)
        let (session, log) = try await fixture.session { $0.storage = storage }
        try await session.authenticate(using: ViewerWhoLogsIn())
        // The service has renewed the login in the meantime, so that there is something to write.
        fixture.clock.advance(by: 60)
        let old = try #require(try store(fixture.storage).authenticationTokens().first)
        let renewed = ScriptedTransport.Answer.rewritten {
            $0.replacing(/"notAfter":\s?(\d+)/) { "\"notAfter\":\((Int($0.output.1) ?? 0) + 1000)" }
        }
        let hasActed = interrupt(fixture, storage, at: gap, of: "/profiles", answering: renewed) {
            try logOut(fixture.storage)
        }
        _ = log.take()
        #expect(await session.isLoggedIn, "The copy answers.")
        while !hasActed.withLock(\.self), !Task.isCancelled { await Task.shortPause() }
        await #expect(throws: TVEError(.notAuthenticated)) { try await session.authorize("DEMO-1") }
        #expect(fixture.entitlements == 0)
        #expect(try store(fixture.storage).unfinishedLogouts(of: "DEMO").pending == [old.claims.providerID])
    }

    @Test(arguments: ServiceDialect.allCases)
    func aLoginOfTheViewersOwn_isNotDropped_asThePlatformsThatWasThereBefore(dialect: ServiceDialect) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        let storage = InterruptedStorage(fixture.storage)
        let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let (session, log) = try await fixture.session {
            $0.storage = storage
            $0.platform = platform
        }
        let platforms = try #require(try store(fixture.storage).authenticationTokens().first)
        // Another process of the device, in which the viewer logs in at a page.
        let (other, _) = try await fixture.session()
        try await other.logout()
        try await other.authenticate(using: ViewerWhoLogsIn())
        let own = try store(fixture.storage).authenticationTokens()
        #expect(own.count == 1 && own.first?.text != platforms.text)
        // This session reads the platform's login first; right before it removes it, the other one replaces it.
        let texts = fixture.storage.keys(under: StorageKey("requestor")).map { ($0, fixture.storage.value(for: $0)) }
        let replace: @Sendable () throws -> Void = {
            fixture.storage.apply(
                [.removeAll(under: StorageKey("requestor"))] + texts.map { .put($0.0, $0.1 ?? Data()) })
        }
        try store(fixture.storage).change { entitlements throws(StorageError) in
            try entitlements.removeAllEntitlements(pending: [], everyLoginOf: [])
            try entitlements.save(platforms, metadata: nil, canAuthenticate: true, isFromPlatform: true)
        }
        platform.change { $0.signedIn = nil }
        storage.interrupt(by: replace)
        fixture.transport.setScript { request, _ in
            // A service that keeps logins must not answer instead of the store.
            Moment.outcome.isAt(request.path ?? "", dialect) ? .failure(.unreachable) : nil
        }
        _ = log.take()
        try await session.start()
        #expect(!storage.isPending)
        #expect(try store(fixture.storage).authenticationTokens().map(\.text) == own.map(\.text))
        #expect(!log.take().contains { $0.hasPrefix("not") })
    }

    @Test(arguments: ServiceDialect.allCases)
    func aSilentLoginOfThePlatform_isNotKept_whenTheViewerLoggedInElsewhereMeanwhile(
        dialect: ServiceDialect
    ) async throws {
        let fixture = try await FlowFixture(dialect, world: .withPlatform())
        // Another process, in which the viewer logs in with another provider.
        let (other, _) = try await fixture.session()
        try await other.selectProvider("demo-fiber")
        try await other.authenticate(using: ViewerWhoLogsIn())
        let texts = fixture.storage.keys(under: StorageKey("requestor")).map { ($0, fixture.storage.value(for: $0)) }
        fixture.storage.apply([.removeAll(under: StorageKey("requestor"))])
        let storage = InterruptedStorage(fixture.storage)
        let platform = ScriptedPlatform(.init(signedIn: "apple-cable"))
        let hasActed = interrupt(fixture, storage, at: .beforeTheWrite, of: Self.platformExchange(dialect)) {
            fixture.storage.apply(texts.map { .put($0.0, $0.1 ?? Data()) })
        }
        let (session, _) = try await fixture.session {
            $0.storage = storage
            $0.platform = platform
        }
        #expect(hasActed.withLock { $0 })
        #expect(try await session.selectedProvider()?.id == "demo-fiber")
        #expect(try store(fixture.storage).authenticationTokens().map(\.claims.providerID) == ["demo-fiber"])
    }

    /// The exchange that turns the platform's answer into a login.
    private static func platformExchange(_ dialect: ServiceDialect) -> String {
        dialect == .classic ? "/tokens/authn" : "/profiles/sso/"
    }

    /// The list of pending logouts was read before the service received the first of them.
    ///
    /// A login without a copy is found in the service's list, which is as old.
    @Test(arguments: [true, false])
    func aNewerLogin_isNotEndedByAnOldLogout_thatIsToldLate(haveCopies: Bool) async throws {
        let (fixture, first, _) = try await FlowFixture.loggedIn(.restV2)
        try await first.selectProvider("demo-fiber")
        try await first.authenticate(using: ViewerWhoLogsIn(choice: "demo-fiber"), isForced: true)
        let copies = try store(fixture.storage).authenticationTokens()
        #expect(copies.map(\.claims.providerID) == ["demo-cable", "demo-fiber"])
        let (other, _) = try await fixture.session()
        // The request after its start must not be the one that sends the logout.
        while !fixture.transport.requests.contains("GET /api/v2/DEMO/profiles/demo-fiber"), !Task.isCancelled {
            await Task.shortPause()
        }
        try store(fixture.storage).change { entitlements throws(StorageError) in
            try entitlements.removeAllEntitlements(pending: haveCopies ? copies : [], everyLoginOf: ["DEMO"])
        }
        let newer = Guarded<MVPDID?>(nil)
        fixture.transport.setInterception { request, _ in
            guard let path = request.path, path.contains("/logout/"), newer.withLock({ $0 == nil }) else { return nil }
            let provider: MVPDID = path.contains("demo-cable") ? "demo-fiber" : "demo-cable"
            newer.withLock { $0 = provider }
            _ = try? await other.authenticate(using: ViewerWhoLogsIn(choice: provider))
            return nil
        }
        _ = try await fixture.session()
        let newest = newer.withLock(\.self)
        let provider = try #require(newest)
        // The service still has it when it is asked again.
        #expect(await fixture.isLoggedInAfterAll(other))
        #expect(try await other.selectedProvider()?.id == provider)
    }

    @Test(arguments: ServiceDialect.allCases)
    func aFailedCheckLogsOut_andNothingBringsTheLoginBack(dialect: ServiceDialect) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(dialect)
        fixture.storage.apply([.put(fixture.login.appending("authn"), Data("rubbish".utf8))])
        let (session, log) = try await fixture.session { $0.housekeeping.integrityCheck = .all }
        #expect(await session.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        #expect(log.count(of: "authenticated") == 0)
        let (again, _) = try await fixture.session()
        #expect(await again.authenticationStatus() == .notAuthenticated(TVEError(.notAuthenticated)))
        let viewer = ViewerWhoLogsIn()
        try await again.authenticate(using: viewer)
        #expect(viewer.shown.last == "login", "The viewer logs in anew, at a page.")
    }
    @Test(arguments: ServiceDialect.allCases)
    func aLogin_isJudgedByItsOwnProvider_whenAnotherOneIsChosenBetweenTwoReads(dialect: ServiceDialect) async throws {
        let (fixture, _, _) = try await FlowFixture.loggedIn(dialect)
        // A login with a provider that the configuration does not have any more.
        let requestor = StorageKey("requestor", "DEMO", Self.fingerprint)
        let login = try #require(fixture.storage.value(for: fixture.login.appending("authn")))
        let other = Data(String(decoding: login, as: UTF8.self).replacing("demo-cable", with: "demo-gone").utf8)
        fixture.storage.apply([.put(requestor.appending("mvpd").appending("demo-gone").appending("authn"), other)])
        let storage = InterruptedStorage(fixture.storage)
        let (session, _) = try await fixture.session { $0.storage = storage }
        _ = try await session.configuration()
        // The refresh after the start reads the choice too, and would take the interruption away from the call.
        await session.refreshTask?.value
        let current = requestor.appending("current")
        storage.interrupt(afterReading: current) {
            fixture.storage.apply([.put(current, Data("demo-gone".utf8))])
        }
        #expect(await session.profile?.mvpdID == "demo-cable", "The login that was chosen when the call began answers.")
        #expect(!storage.isPending)
        #expect(await !session.isLoggedIn, "No login with a provider that is not in the configuration.")
    }

    // The start reads while the services are asked, and removes afterwards. Over REST API v2 it would take the login
    // over again.
    @Test func anExpiredLogin_isNotRemovedAtAStart_whenItWasRenewedMeanwhile() async throws {
        let fixture = try await FlowFixture(.classic)
        let key = fixture.login.appending("authn")
        _ = try await fixture.loggedIn()
        let expired = try #require(fixture.storage.value(for: key))
        fixture.clock.advance(by: 400 * 86_400)
        let (session, _) = try await fixture.session()
        #expect(!fixture.isLoginStored, "A start removes an expired login.")
        try await session.authenticate(using: ViewerWhoLogsIn())
        let renewed = try #require(fixture.storage.value(for: key))
        fixture.storage.apply([.put(key, expired)])
        let storage = InterruptedStorage(fixture.storage)
        let hasActed = interrupt(fixture, storage, at: .beforeTheWrite, of: "/config") {
            fixture.storage.apply([.put(key, renewed)])
        }
        _ = try await fixture.session { $0.storage = storage }
        #expect(hasActed.withLock { $0 })
        #expect(fixture.storage.value(for: key) == renewed)
    }
}
